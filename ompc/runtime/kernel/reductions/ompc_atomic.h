// ompc_atomic.h: atomic operations on every arithmetic type of up to 8 bytes, for `#pragma omp atomic`.
//
// All return the object's old value, or with <ompc::after> the new one. `*p = *p op v` is evaluated in C's usual
// arithmetic type and converted back as the host does it. Where the hardware has the operation it is used; else
// compare-and-swap, narrow types inside their aligned 4-byte word.

#ifndef OMPC_ATOMIC_H
#define OMPC_ATOMIC_H

#include "ompc_cuda.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ompc {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, std::conditional_t<sizeof(T) == 4, unsigned,
             std::conditional_t<sizeof(T) == 2, unsigned short, unsigned char>>>;

template <class To, class From>
__device__ inline To bit_cast(const From &from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    ::memcpy(&to, &from, sizeof to);
    return to;
}

// The conversion of an assignment. C leaves (unsigned char)-1.0 undefined; this is what hosts do.
template <class T, class V>
__device__ inline T converted(V v)
{
    if constexpr (std::is_floating_point_v<V> && std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) < 4)
        return static_cast<T>(static_cast<int>(v));
    else if constexpr (std::is_floating_point_v<V> && std::is_unsigned_v<T> && !std::is_same_v<T, bool> && sizeof(T) == 4)
        return static_cast<T>(static_cast<long long>(v));
    else
        return static_cast<T>(v);
}

// What an operation returns.
struct before {};
struct after {};

template <class Value, class T>
__device__ inline T chosen(T old, T fresh)
{
    return std::is_same_v<Value, after> ? fresh : old;
}

template <class T>
__device__ inline T atomic_read(const T *p)
{
    return *const_cast<const volatile T *>(p); // one access: aligned, at most 8 bytes
}

template <class T, class V>
__device__ inline void atomic_write(T *p, V v)
{
    *const_cast<volatile T *>(p) = converted<T>(v);
}

// Sets *p to `fresh` if it has the bits of `expected`; returns the bits that it had.
template <class T>
__device__ inline T compare_and_swap(T *p, T expected, T fresh)
{
    static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0, "atomic: 1, 2, 4 or 8 bytes");
    if constexpr (sizeof(T) >= 4) {
        return bit_cast<T>(atomicCAS(reinterpret_cast<Bits<T> *>(p), bit_cast<Bits<T>>(expected), bit_cast<Bits<T>>(fresh)));
    } else {
        const auto address = reinterpret_cast<std::uintptr_t>(p);
        auto *const word = reinterpret_cast<unsigned *>(address & ~static_cast<std::uintptr_t>(3));
        const unsigned shift = static_cast<unsigned>(address & 3) * 8; // little-endian, as all CUDA platforms are
        const unsigned mask = (1u << sizeof(T) * 8) - 1, wanted = bit_cast<Bits<T>>(expected), put = bit_cast<Bits<T>>(fresh);
        unsigned seen = *const_cast<volatile unsigned *>(word), held = seen;
        while ((seen >> shift & mask) == wanted) {
            held = seen;
            seen = atomicCAS(word, held, (held & ~(mask << shift)) | put << shift);
            if (seen == held)
                break;
        }
        return bit_cast<T>(static_cast<Bits<T>>(seen >> shift & mask));
    }
}

template <class T>
__device__ inline bool same_bits(T a, T b)
{
    return bit_cast<Bits<T>>(a) == bit_cast<Bits<T>>(b);
}

// Sets *p to update(*p), where `update` may be evaluated several times.
template <class Value = before, class T, class F>
__device__ inline T atomic_update(T *p, F update)
{
    T old, fresh, seen = atomic_read(p);
    do {
        old = seen;
        fresh = static_cast<T>(update(old));
        seen = compare_and_swap(p, old, fresh);
    } while (!same_bits(seen, old));
    return chosen<Value>(old, fresh);
}

// Sets *p to `fresh` while test(*p) holds; otherwise there is no write.
template <class Value = before, class T, class Test>
__device__ inline T atomic_replace_if(T *p, T fresh, Test test)
{
    T old, seen = atomic_read(p);
    do {
        old = seen;
        if (!test(old))
            return old;
        seen = compare_and_swap(p, old, fresh);
    } while (!same_bits(seen, old));
    return chosen<Value>(old, fresh);
}

// Integers on which the hardware's operation, done modulo 2^n, is C's.
template <class T>
constexpr bool is_word = std::is_integral_v<T> && sizeof(T) >= 4;

// The type whose native atomics act on T: same width, and signedness where it matters.
template <class T>
using Word = std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>,
                                std::conditional_t<std::is_signed_v<T>, int, unsigned>>;

// The type in which C evaluates an operator on a T and a V.
template <class T, class V>
using Common = decltype(T() + V());

// True when *p + v needs no wider type than T.
template <class T, class V>
constexpr bool adds_in_own_type =
    (is_word<T> && std::is_integral_v<V>) || (std::is_floating_point_v<T> && std::is_same_v<Common<T, V>, T>);

// True when the hardware's minimum and maximum of *p and v are C's.
template <class T, class V>
constexpr bool orders_in_own_type = is_word<T> && std::is_integral_v<V> && std::is_same_v<Common<T, V>, T>;

#define OMPC_ATOMIC_OPERATION(name, result)                                            \
    template <class Value = before, class T, class V>                                  \
    __device__ inline T name(T *p, V v)                                                \
    {                                                                                  \
        return atomic_update<Value>(p, [v](T old) { return converted<T>(result); });   \
    }
OMPC_ATOMIC_OPERATION(atomic_mul, old * v)
OMPC_ATOMIC_OPERATION(atomic_div, old / v)
OMPC_ATOMIC_OPERATION(atomic_shl, old << v)
OMPC_ATOMIC_OPERATION(atomic_shr, old >> v)
OMPC_ATOMIC_OPERATION(atomic_rsub, v - old)
OMPC_ATOMIC_OPERATION(atomic_rdiv, v / old)
OMPC_ATOMIC_OPERATION(atomic_rshl, v << old)
OMPC_ATOMIC_OPERATION(atomic_rshr, v >> old)
OMPC_ATOMIC_OPERATION(atomic_fmin, fmin(static_cast<Common<T, V>>(old), static_cast<Common<T, V>>(v)))
OMPC_ATOMIC_OPERATION(atomic_fmax, fmax(static_cast<Common<T, V>>(old), static_cast<Common<T, V>>(v)))
#undef OMPC_ATOMIC_OPERATION

template <class Value = before, class T, class V>
__device__ inline T atomic_add(T *p, V v)
{
    if constexpr (!adds_in_own_type<T, V>) {
        return atomic_update<Value>(p, [v](T old) { return converted<T>(old + v); });
    } else if constexpr (std::is_floating_point_v<T>) {
        const T old = atomicAdd(p, static_cast<T>(v));
        return chosen<Value>(old, old + static_cast<T>(v));
    } else {
        const Bits<T> old = atomicAdd(reinterpret_cast<Bits<T> *>(p), static_cast<Bits<T>>(v));
        return bit_cast<T>(chosen<Value>(old, old + static_cast<Bits<T>>(v)));
    }
}

template <class Value = before, class T, class V>
__device__ inline T atomic_sub(T *p, V v)
{
    if constexpr (!adds_in_own_type<T, V>)
        return atomic_update<Value>(p, [v](T old) { return converted<T>(old - v); });
    else if constexpr (std::is_floating_point_v<T>)
        return atomic_add<Value>(p, -static_cast<T>(v));
    else
        return atomic_add<Value>(p, static_cast<Bits<T>>(0 - static_cast<Bits<T>>(v)));
}

#define OMPC_ATOMIC_BITS(name, native, op)                                                              \
    template <class Value = before, class T, class V>                                                   \
    __device__ inline T name(T *p, V v)                                                                 \
    {                                                                                                   \
        if constexpr (is_word<T>) {                                                                     \
            const auto operand = static_cast<Bits<T>>(static_cast<T>(v));                               \
            const Bits<T> old = native(reinterpret_cast<Bits<T> *>(p), operand);                        \
            return bit_cast<T>(chosen<Value>(old, static_cast<Bits<T>>(old op operand)));               \
        } else {                                                                                        \
            return atomic_update<Value>(p, [v](T old) { return static_cast<T>(old op v); });            \
        }                                                                                               \
    }
OMPC_ATOMIC_BITS(atomic_and, atomicAnd, &)
OMPC_ATOMIC_BITS(atomic_or, atomicOr, |)
OMPC_ATOMIC_BITS(atomic_xor, atomicXor, ^)
#undef OMPC_ATOMIC_BITS

// Of C; `strict`: does it not hold for equal values?
#define OMPC_RELATION(Name, op, is_strict)               \
    struct Name {                                        \
        static constexpr bool strict = is_strict;        \
        template <class T>                               \
        __device__ static constexpr bool holds(T a, T b) \
        {                                                \
            return a op b;                               \
        }                                                \
    };
OMPC_RELATION(Less, <, true)
OMPC_RELATION(LessEqual, <=, false)
OMPC_RELATION(Greater, >, true)
OMPC_RELATION(GreaterEqual, >=, false)
#undef OMPC_RELATION

// Relation::holds(a, b) in the type in which C compares the two.
template <class Relation, class A, class B>
__device__ inline bool holds(A a, B b)
{
    return Relation::template holds<Common<A, B>>(static_cast<Common<A, B>>(a), static_cast<Common<A, B>>(b));
}

// if (v Relation *p) *p = v;
template <class Relation, class Value = before, class T, class V>
__device__ inline T atomic_when(T *p, V v)
{
    return atomic_replace_if<Value>(p, converted<T>(v), [v](T old) { return holds<Relation>(v, old); });
}

// if (!(*p Relation v)) *p = v;
template <class Relation, class Value = before, class T, class V>
__device__ inline T atomic_unless(T *p, V v)
{
    return atomic_replace_if<Value>(p, converted<T>(v), [v](T old) { return !holds<Relation>(old, v); });
}

template <class Value = before, class T, class V>
__device__ inline T atomic_min(T *p, V v)
{
    if constexpr (orders_in_own_type<T, V>) {
        const T seen = atomic_read(p);
        if (seen <= static_cast<T>(v))
            return seen; // most often: without a write that others wait for
        const T old = static_cast<T>(atomicMin(reinterpret_cast<Word<T> *>(p), static_cast<Word<T>>(v)));
        return chosen<Value>(old, static_cast<T>(v) < old ? static_cast<T>(v) : old);
    } else {
        return atomic_when<Less, Value>(p, v);
    }
}

template <class Value = before, class T, class V>
__device__ inline T atomic_max(T *p, V v)
{
    if constexpr (orders_in_own_type<T, V>) {
        const T seen = atomic_read(p);
        if (seen >= static_cast<T>(v))
            return seen;
        const T old = static_cast<T>(atomicMax(reinterpret_cast<Word<T> *>(p), static_cast<Word<T>>(v)));
        return chosen<Value>(old, static_cast<T>(v) > old ? static_cast<T>(v) : old);
    } else {
        return atomic_when<Greater, Value>(p, v);
    }
}

template <class Value = before, class T, class V>
__device__ inline T atomic_exchange(T *p, V v)
{
    const T fresh = converted<T>(v);
    if constexpr (sizeof(T) >= 4)
        return chosen<Value>(bit_cast<T>(atomicExch(reinterpret_cast<Bits<T> *>(p), bit_cast<Bits<T>>(fresh))), fresh);
    else
        return atomic_update<Value>(p, [fresh](T) { return fresh; });
}

// if (*p == e) *p = d;
template <class Value = before, class T, class E, class D>
__device__ inline T atomic_replace(T *p, E e, D d)
{
    using C = Common<T, E>;
    return atomic_replace_if<Value>(p, converted<T>(d), [e](T old) { return static_cast<C>(old) == static_cast<C>(e); });
}

// The same; was *p equal to e?
template <class T, class E, class D>
__device__ inline bool atomic_compare_exchange(T *p, E e, D d)
{
    using C = Common<T, E>;
    return static_cast<C>(atomic_replace(p, e, d)) == static_cast<C>(e);
}

// The same; if it was not, *v becomes its value.
template <class T, class E, class D, class V>
__device__ inline bool atomic_compare_exchange(T *p, E e, D d, V *v)
{
    using C = Common<T, E>;
    const T old = atomic_replace(p, e, d);
    const bool replaced = static_cast<C>(old) == static_cast<C>(e);
    if (!replaced)
        *v = converted<V>(old);
    return replaced;
}

} // namespace ompc

#endif

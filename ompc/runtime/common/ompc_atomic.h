// ompc_atomic.h: atomic updates of every arithmetic type of up to 8 bytes, for `#pragma omp atomic`.
//
// All return the old value. `*p = *p op v` is evaluated in C's usual arithmetic type and converted back. Where the
// hardware has the operation it is used; else compare-and-swap, narrow types inside their aligned 4-byte word.

#ifndef OMPC_ATOMIC_H
#define OMPC_ATOMIC_H

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
    memcpy(&to, &from, sizeof to);
    return to;
}

// Sets *p to update(*p), where `update` may be evaluated several times; returns the old value.
template <class T, class F>
__device__ inline T atomic_update(T *p, F update)
{
    static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0, "atomic: 1, 2, 4 or 8 bytes");
    if constexpr (sizeof(T) >= 4) {
        auto *const word = reinterpret_cast<Bits<T> *>(p);
        Bits<T> seen = *const_cast<volatile Bits<T> *>(word), before;
        do {
            before = seen;
            seen = atomicCAS(word, before, bit_cast<Bits<T>>(static_cast<T>(update(bit_cast<T>(before)))));
        } while (seen != before);
        return bit_cast<T>(before);
    } else {
        const auto address = reinterpret_cast<std::uintptr_t>(p);
        auto *const word = reinterpret_cast<unsigned *>(address & ~static_cast<std::uintptr_t>(3));
        const unsigned shift = static_cast<unsigned>(address & 3) * 8; // little-endian, as all CUDA platforms are
        const unsigned mask = (1u << sizeof(T) * 8) - 1;
        unsigned seen = *const_cast<volatile unsigned *>(word), before;
        T old;
        do {
            before = seen;
            old = bit_cast<T>(static_cast<Bits<T>>(before >> shift & mask));
            const unsigned fresh = bit_cast<Bits<T>>(static_cast<T>(update(old)));
            seen = atomicCAS(word, before, (before & ~(mask << shift)) | fresh << shift);
        } while (seen != before);
        return old;
    }
}

// Integers on which the hardware's operation, done modulo 2^n, is C's.
template <class T>
constexpr bool is_word = std::is_integral_v<T> && sizeof(T) >= 4;

// The type whose native atomics act on T: same width, and signedness where it matters.
template <class T>
using Word = std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>,
                                std::conditional_t<std::is_signed_v<T>, int, unsigned>>;

// True when *p + v needs no wider type than T.
template <class T, class V>
constexpr bool adds_in_own_type =
    (is_word<T> && std::is_integral_v<V>) || (std::is_floating_point_v<T> && std::is_same_v<decltype(T() + V()), T>);

template <class T, class V>
__device__ inline T atomic_add(T *p, V v)
{
    if constexpr (!adds_in_own_type<T, V>)
        return atomic_update(p, [v](T old) { return static_cast<T>(old + v); });
    else if constexpr (std::is_floating_point_v<T>)
        return atomicAdd(p, static_cast<T>(v));
    else
        return bit_cast<T>(atomicAdd(reinterpret_cast<Bits<T> *>(p), static_cast<Bits<T>>(v)));
}

template <class T, class V>
__device__ inline T atomic_sub(T *p, V v)
{
    if constexpr (!adds_in_own_type<T, V>)
        return atomic_update(p, [v](T old) { return static_cast<T>(old - v); });
    else if constexpr (std::is_floating_point_v<T>)
        return atomicAdd(p, -static_cast<T>(v));
    else
        return bit_cast<T>(atomicAdd(reinterpret_cast<Bits<T> *>(p), static_cast<Bits<T>>(0 - static_cast<Bits<T>>(v))));
}

template <class T, class V>
__device__ inline T atomic_mul(T *p, V v)
{
    return atomic_update(p, [v](T old) { return static_cast<T>(old * v); });
}

template <class T, class V>
__device__ inline T atomic_div(T *p, V v)
{
    return atomic_update(p, [v](T old) { return static_cast<T>(old / v); });
}

// v - *p and v / *p
template <class T, class V>
__device__ inline T atomic_rsub(T *p, V v)
{
    return atomic_update(p, [v](T old) { return static_cast<T>(v - old); });
}

template <class T, class V>
__device__ inline T atomic_rdiv(T *p, V v)
{
    return atomic_update(p, [v](T old) { return static_cast<T>(v / old); });
}

template <class T>
__device__ inline T atomic_min(T *p, std::common_type_t<T> v)
{
    if constexpr (is_word<T>)
        return static_cast<T>(atomicMin(reinterpret_cast<Word<T> *>(p), static_cast<Word<T>>(v)));
    else
        return atomic_update(p, [v](T old) { return v < old ? v : old; });
}

template <class T>
__device__ inline T atomic_max(T *p, std::common_type_t<T> v)
{
    if constexpr (is_word<T>)
        return static_cast<T>(atomicMax(reinterpret_cast<Word<T> *>(p), static_cast<Word<T>>(v)));
    else
        return atomic_update(p, [v](T old) { return v > old ? v : old; });
}

template <class T, class V>
__device__ inline T atomic_and(T *p, V v)
{
    if constexpr (is_word<T>)
        return bit_cast<T>(atomicAnd(reinterpret_cast<Bits<T> *>(p), static_cast<Bits<T>>(static_cast<T>(v))));
    else
        return atomic_update(p, [v](T old) { return static_cast<T>(old & v); });
}

template <class T, class V>
__device__ inline T atomic_or(T *p, V v)
{
    if constexpr (is_word<T>)
        return bit_cast<T>(atomicOr(reinterpret_cast<Bits<T> *>(p), static_cast<Bits<T>>(static_cast<T>(v))));
    else
        return atomic_update(p, [v](T old) { return static_cast<T>(old | v); });
}

template <class T, class V>
__device__ inline T atomic_xor(T *p, V v)
{
    if constexpr (is_word<T>)
        return bit_cast<T>(atomicXor(reinterpret_cast<Bits<T> *>(p), static_cast<Bits<T>>(static_cast<T>(v))));
    else
        return atomic_update(p, [v](T old) { return static_cast<T>(old ^ v); });
}

template <class T, class V>
__device__ inline T atomic_shl(T *p, V v)
{
    return atomic_update(p, [v](T old) { return static_cast<T>(old << v); });
}

template <class T, class V>
__device__ inline T atomic_shr(T *p, V v)
{
    return atomic_update(p, [v](T old) { return static_cast<T>(old >> v); });
}

template <class T>
__device__ inline T atomic_exchange(T *p, std::common_type_t<T> v)
{
    if constexpr (sizeof(T) >= 4)
        return bit_cast<T>(atomicExch(reinterpret_cast<Bits<T> *>(p), bit_cast<Bits<T>>(v)));
    else
        return atomic_update(p, [v](T) { return v; });
}

template <class T>
__device__ inline T atomic_read(const T *p)
{
    return *const_cast<const volatile T *>(p); // one access: aligned, at most 8 bytes
}

} // namespace ompc

#endif

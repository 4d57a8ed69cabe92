// ompc_narrow_streams.h: elements of one or two bytes, which a thread reads and writes up to 16 bytes at a time.
//
//     ompc::in_vectors<16>(first, trips, iteration, ompc::loaded([&](size_t t) { return &b[t]; }),
//                          ompc::stored([&](size_t t) { return &a[t]; }));
//
// A thread has so many neighbouring iterations of the x axis, which begin at the block's `first` one. `iteration(t, b, a)` is given
// its elements, in registers: the value of one that is only loaded, a reference to one that it stores. Each is the element
// behind that of the iteration before. `loaded<3>` has three of an array for each iteration, which gets them as an array.

#ifndef OMPC_NARROW_STREAMS_H
#define OMPC_NARROW_STREAMS_H

#include "ompc_cuda.h"
#include "ompc_unroll.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ompc {

// Which iterations of a row begin at an address that one instruction can read or write from.
struct Phase {
    std::size_t first = 0, period = 1;
    bool none = false;

    // Those that both have.
    __device__ __forceinline__ Phase operator&(const Phase &other) const
    {
        const Phase &longer = period < other.period ? other : *this, &shorter = period < other.period ? *this : other;
        return {longer.first, longer.period, none || other.none || longer.first % shorter.period != shorter.first};
    }
};

// One array of the loop: where the element of an iteration is.
template <bool loads, bool stores, int wide, class Address>
struct Stream {
    static constexpr bool is_loaded = loads, is_stored = stores;
    static constexpr int width = wide; // elements of an iteration
    Address address;
    using Place = decltype(address(std::size_t{}));
    using Element = std::remove_cv_t<std::remove_reference_t<decltype(*address(std::size_t{}))>>;

    // What one instruction moves of the elements of `count` iterations: the largest power of two that divides them all.
    template <int count>
    static constexpr std::size_t bytes = count * wide * sizeof(Element);
    template <int count>
    static constexpr std::size_t part = (bytes<count> & (~bytes<count> + 1)) < 16 ? bytes<count> & (~bytes<count> + 1) : 16;

    // From `t` on, every how many-th iteration is aligned, and which is the first of them; `none`: no iteration is.
    template <int count>
    __device__ __forceinline__ Phase phase(std::size_t t) const
    {
        constexpr std::size_t step = wide * sizeof(Element);
        constexpr std::size_t common = part<count> < (step & (~step + 1)) ? part<count> : step & (~step + 1);
        constexpr std::size_t period = part<count> / common, odd = step / common;
        constexpr std::size_t inverse = odd * (2 - odd * odd); // modulo 64, as odd * odd is 1 modulo 8
        const std::size_t at = reinterpret_cast<std::uintptr_t>(address(t));
        return {(0 - at / common) * inverse % period, period, at % common != 0};
    }
};

template <int width = 1, class Address>
__device__ __forceinline__ Stream<true, false, width, Address> loaded(Address address)
{
    return {address};
}
template <int width = 1, class Address>
__device__ __forceinline__ Stream<false, true, width, Address> stored(Address address)
{
    return {address};
}
template <int width = 1, class Address>
__device__ __forceinline__ Stream<true, true, width, Address> updated(Address address)
{
    return {address};
}

// What an iteration gets of an array, by a pointer to its first element.
template <int width, class T>
__device__ __forceinline__ decltype(auto) own_elements(T *first)
{
    if constexpr (width == 1)
        return (*first);
    else
        return *reinterpret_cast<T(*)[width]>(first);
}

// The elements of a thread's iterations from `t` on.
template <int count, class Of>
class Vector {
public:
    using Element = typename Of::Element;

    __device__ __forceinline__ Vector(const Of &stream, std::size_t t) : place_(stream.address(t))
    {
        if constexpr (Of::is_loaded)
            copy(elements_, place_);
    }
    __device__ __forceinline__ decltype(auto) operator[](int n) { return own_elements<Of::width>(elements_ + n * Of::width); }
    __device__ __forceinline__ void store() const
    {
        if constexpr (Of::is_stored)
            copy(place_, elements_);
    }

private:
    struct alignas(Of::template part<count>) Part {
        Element at[Of::template part<count> / sizeof(Element)];
    };
    static constexpr int parts = Of::template bytes<count> / sizeof(Part);

    static __device__ __forceinline__ void copy(Element *to, const Element *from)
    {
#ifdef __CUDACC__
        OMPC_UNROLL
        for (int part = 0; part < parts; part++) // one instruction each
            reinterpret_cast<Part *>(to)[part] = reinterpret_cast<const Part *>(from)[part];
#else
        std::memcpy(to, from, parts * sizeof(Part));
#endif
    }

    typename Of::Place place_;
    alignas(Part) Element elements_[count * Of::width];
};

template <int count, class Iteration, class... Vectors>
__device__ __forceinline__ void in_vectors_of(std::size_t t, const Iteration &iteration, Vectors... vectors)
{
    OMPC_UNROLL
    for (int n = 0; n < count; n++)
        iteration(t + n, vectors[n]...);
    (vectors.store(), ...);
}

// A row's first vectors begin at the first iteration that is aligned in all arrays: those before it are the first block's, one
// by one, as what is left at the end is a thread's. The first block's first iteration is `begin`, where a launch is a slice. Where arrays are never aligned at once, each thread has an iteration at a
// time, beside its neighbours'. Blocks begin at multiples of `count`, and so all with the same one of a row's alignments.
template <int count, class Iteration, class... Streams>
__device__ __forceinline__ void in_vectors_from(std::size_t begin, std::size_t first, std::size_t trips, const Iteration &iteration,
                                                const Streams &...streams)
{
    const auto one = [&](std::size_t t) { iteration(t, own_elements<Streams::width>(streams.address(t))...); };
    const Phase phase = (Phase{} & ... & streams.template phase<count>(first));
    if (phase.none) {
        std::size_t t = first + threadIdx.x;
        for (int n = 0; n < count && t < trips; n++, t += blockDim.x)
            one(t);
        return;
    }
    std::size_t own = first + phase.first + threadIdx.x * static_cast<std::size_t>(count);
    if (own < trips && trips - own >= count)
        in_vectors_of<count>(own, iteration, Vector<count, Streams>(streams, own)...);
    else
        for (; own < trips; own++)
            one(own);
    if (first == begin)
        for (std::size_t t = first + threadIdx.x; t < first + phase.first && t < trips; t += blockDim.x)
            one(t);
}
template <int count, class Iteration, class... Streams>
__device__ __forceinline__ void in_vectors(std::size_t first, std::size_t trips, const Iteration &iteration, const Streams &...streams)
{
    in_vectors_from<count>(0, first, trips, iteration, streams...);
}

} // namespace ompc

#endif

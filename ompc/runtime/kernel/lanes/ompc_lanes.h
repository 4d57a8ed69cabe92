// ompc_lanes.h: loops inside an iteration that the lanes of a warp share.
//
// A lane that walks a row of its own reads memory that no other lane of the warp reads at that time. So the warp goes over
// all its lanes' rows together, in turns: each turn, every lane computes terms of some row, neighbours those of
// neighbouring entries, and leaves them in shared memory; then each lane combines the terms of its own row, in their order.
// Its result has the bits of the sequential loop. How many entries of a row are in a turn goes by how long the rows that
// are left are: many rows of 5 entries, 8 of each; a single row of 1,000, 256.
//
// Where there are too few iterations to fill the device a few times, each gets 2, 4, ... 32 lanes, of which only the first has
// it as its own; the others help. All lanes of a warp come to every shared loop. OMPC_LANES=1, 2, ... 32 asks for that many.
// Loops of which any order will do are divided by the lanes of an iteration: ompc_partials.h.

#ifndef OMPC_LANES_H
#define OMPC_LANES_H

#include "ompc_batches.h"
#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_sharing.h"
#include "ompc_trips.h"

#include <type_traits>

namespace ompc {

// The entries of one lane's row: so many values of a loop variable of type K, from `first` on.
template <class K>
struct Entries {
    using Count = std::conditional_t<(sizeof(K) > 4), unsigned long long, unsigned>;
    K first;
    Count count;
    __device__ Entries() : first(), count(0) {}
    __device__ Entries(K first_, Trips count_) : first(first_), count(static_cast<Count>(count_)) {}
};

// Those of a canonical loop (ompc_trips.h).
template <class K, class U, class S>
__device__ inline Entries<K> entries_lt(K first, U end, S step)
{
    return {first, trips_lt(first, end, step)};
}
template <class K, class U, class S>
__device__ inline Entries<K> entries_le(K first, U last, S step)
{
    return {first, trips_le(first, last, step)};
}
template <class K, class U, class S>
__device__ inline Entries<K> entries_gt(K first, U end, S step)
{
    return {first, trips_gt(first, end, step)};
}
template <class K, class U, class S>
__device__ inline Entries<K> entries_ge(K first, U last, S step)
{
    return {first, trips_ge(first, last, step)};
}
template <class K, class U, class S>
__device__ inline Entries<K> entries_ne(K first, U end, S step)
{
    return {first, trips_ne(first, end, step)};
}

// Those of a lane that only helps.
struct NoEntries {
    template <class K>
    __device__ operator Entries<K>() const
    {
        return {};
    }
};
__device__ inline NoEntries no_entries()
{
    return {};
}

// What a row has in a turn: so many entries from `at` on, and the lane whose row it is.
template <class Count>
struct alignas(16) Part {
    Count at;
    unsigned count, lane;
};

// What a warp has in shared memory: the rows of the turn, and their terms.
struct alignas(16) TurnMemory {
    static constexpr unsigned bytes = 2304;
    unsigned long long parts[Warp::size * sizeof(Part<unsigned long long>) / sizeof(unsigned long long)];
    unsigned long long terms[bytes / sizeof(unsigned long long)];
};

__device__ inline TurnMemory &turn_memory()
{
    OMPC_SHARED TurnMemory memory[most_sharing_threads / Warp::size];
    return memory[threadIdx.x / Warp::size];
}

// How many terms a turn has at most: a power of two, so that each row has room for one more.
template <class T>
OMPC_ANYWHERE constexpr unsigned turn_terms()
{
    static_assert(sizeof(T) * 2 * Warp::size <= TurnMemory::bytes, "terms of up to 36 bytes");
    unsigned n = Warp::size;
    while (n < 256 && (2 * n + Warp::size) * sizeof(T) <= TurnMemory::bytes)
        n *= 2;
    return n;
}

OMPC_ANYWHERE constexpr unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

__device__ inline unsigned sum_of_warp(unsigned value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(all_lanes, value);
#else
    for (int bits = 1; bits < warpSize; bits *= 2)
        value += __shfl_xor_sync(all_lanes, value, bits);
    return value;
#endif
}

// The least n such that count << n >= sum.
__device__ inline unsigned doublings(unsigned count, unsigned sum)
{
    const int down = __clz(static_cast<int>(count)) - __clz(static_cast<int>(sum));
    const unsigned n = down < 0 ? 0u : static_cast<unsigned>(down);
    return n + (count << n < sum);
}

// What computes the term of k, by an arithmetic where `compute` wants one.
template <class T, class K, class Compute, class... Own>
__device__ inline auto bound_term(const Compute &compute, K k, Own... own)
{
    return [&compute, k, own...](auto &arithmetic) {
        T term{};
        if constexpr (std::is_invocable_v<const Compute &, K, T &, Own...>) // no type of it has to be deduced to know
            compute(k, term, own...);
        else
            compute(arithmetic, k, term, own...);
        return term;
    };
}

// The terms of four entries: their reads are all under way before one is waited for.
template <class T, class A, class B, class C, class D>
__device__ inline void four_terms(T (&found)[4], const A &a, const B &b, const C &c, const D &d)
{
    Fast fast;
    found[0] = a(fast), found[1] = b(fast), found[2] = c(fast), found[3] = d(fast);
    if (fast.unusual()) {
        const Exact exact;
        found[0] = a(exact), found[1] = b(exact), found[2] = c(exact), found[3] = d(exact);
    }
}

// One loop of the calling lane over its `entries`, each `stride` further. `compute(k, term, own...)`, which any lane may do
// and more than once, sets the term of k, from the values that the row's lane has in `own`; `combine(term)` is called for
// each k in its order.
template <class T, class K, class Compute, class Combine, class... Own>
__device__ __forceinline__ void in_turns(const Entries<K> &entries, std::common_type_t<K> stride, const Compute &compute,
                                         const Combine &combine, const Own &...own)
{
    static_assert(std::is_trivially_copyable_v<T>, "terms of plain data");
    using Count = typename Entries<K>::Count; // unsigned, and at least as wide as K
    constexpr unsigned most = turn_terms<T>();
    TurnMemory &memory = turn_memory();
    T *const terms = reinterpret_cast<T *>(memory.terms);
    auto *const parts = reinterpret_cast<Part<Count> *>(memory.parts);
    const unsigned lane = threadIdx.x % Warp::size;
    const Exact exact;
    Count at = static_cast<Count>(entries.first), left = entries.count;
    while (const unsigned waiting = __ballot_sync(all_lanes, left != 0)) {
        const unsigned rows = static_cast<unsigned>(__popc(waiting)), room = most >> doublings(1, rows);
        const unsigned longest = room > Warp::size ? room : Warp::size; // that a row counts in the mean
        const unsigned log2 = doublings(rows, sum_of_warp(left < longest ? static_cast<unsigned>(left) : longest));
        const unsigned of_row = 1u << log2, pitch = of_row | 1u; // odd, against conflicts of banks
        const unsigned taken = lesser(rows, most >> log2), places = taken << log2;
        const unsigned rank = static_cast<unsigned>(__popc(waiting & ((1u << lane) - 1)));
        const unsigned now = left == 0 || rank >= taken ? 0u : left < of_row ? static_cast<unsigned>(left) : of_row;
        if (now != 0)
            parts[rank] = {at, now, lane};
        __syncwarp();
        // Past the end of a row, or of all rows, stands the last entry again, so that nothing depends on a condition.
        const auto term_at = [&](unsigned place) {
            const Part<Count> row = parts[lesser(place >> log2, taken - 1)];
            const unsigned entry = lesser(place & (of_row - 1), row.count - 1);
            const K k = static_cast<K>(row.at + entry * static_cast<Count>(stride));
            return bound_term<T>(compute, k, of_lane(own, row.lane)...);
        };
        const auto keep = [&](unsigned place, const T &term) {
            if (place < places)
                terms[(place >> log2) * pitch + (place & (of_row - 1))] = term;
        };
        unsigned place = lane;
        for (; place - lane + 3 * Warp::size < places; place += 4 * Warp::size) {
            const auto a = term_at(place), b = term_at(place + 32), c = term_at(place + 64), d = term_at(place + 96);
            T found[4];
            four_terms(found, a, b, c, d);
            for (unsigned i = 0; i < 4; i++)
                keep(place + i * Warp::size, found[i]);
        }
        for (; place - lane < places; place += Warp::size)
            keep(place, term_at(place)(exact));
        __syncwarp();
#ifdef __CUDACC__
#pragma unroll 16
#endif
        for (unsigned entry = 0; entry < now; entry++)
            combine(terms[rank * pitch + entry]);
        at += static_cast<Count>(now) * static_cast<Count>(stride);
        left -= now;
    }
}

} // namespace ompc

#endif

// ompc_partials.h: loops inside an iteration that several lanes divide, or the warps of a block, each with partial results.
//
// Where a loop does nothing with variables but accumulate into them, and any order will do (plan/forms/lane_sums.py), the lanes of
// an iteration have every so many-th of its entries, as they stand in the program: neighbouring lanes read what lies side by
// side. A tree of shuffles combines what the lanes of a warp have found; what several warps have is combined in their order.
// The first lane begins with the value that the variable has, the others with one that changes nothing. So there is one order
// for each number of lanes; with one lane, the program's.

#ifndef OMPC_PARTIALS_H
#define OMPC_PARTIALS_H

#include "ompc_cuda.h"
#include "ompc_producer_warps.h"

#include <cstring>

namespace ompc {

// A variable of the iteration, accumulated into by Op.
template <class Op, class T>
struct Partial {
    static_assert(std::is_arithmetic_v<T>, "numbers");
    T &whole;

    // -0.0 keeps every sum, also one of -0.0.
    static __device__ T identity()
    {
        if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(-0.0);
        else
            return Op::template identity<T>();
    }
};

template <class Op, class T>
__device__ inline Partial<Op, T> partial(T &whole)
{
    return {whole};
}

// Every so many-th entry, of 1 << log2 that divide them: those of one.
template <class Count>
struct Share {
    Count at, count, step;

    __device__ Share(Count first, Count entries, Count stride, unsigned part, unsigned log2)
        : at(first + part * stride), count(part >= entries ? 0 : ((entries - part - 1) >> log2) + 1), step(stride << log2)
    {
    }
};

// The entries of a share: `body(k, parts...)`, or `body(arithmetic, k, parts...)` in batches (ompc_batches.h). The reads of
// `size` entries are under way before one is waited for.
template <unsigned size, Watching watching, class K, class Count, class Body, class... T>
__device__ __forceinline__ void each_entry(Share<Count> share, const Body &body, T &...parts)
{
    if constexpr (std::is_invocable_v<const Body &, K, T &...>) {
        OMPC_NO_UNROLL
        for (; share.count >= size; share.count -= size, share.at += size * share.step) {
            OMPC_UNROLL
            for (unsigned n = 0; n < size; n++)
                body(static_cast<K>(share.at + n * share.step), parts...);
        }
        OMPC_NO_UNROLL
        for (; share.count != 0; share.count--, share.at += share.step)
            body(static_cast<K>(share.at), parts...);
    } else {
        in_batches<size, K, watching>(static_cast<K>(share.at), share.count, static_cast<std::common_type_t<K>>(share.step),
                                     body, parts...);
    }
}

// Is it so in any lane of those that come to shared loops together: of the warp, or of the block? Else nobody executes what a
// condition keeps the others out of, as a loop whose bounds only the condition makes sensible.
__device__ inline bool any_together(Lanes lanes, bool own)
{
    return (lanes.by_block ? __syncthreads_or(own) : __any_sync(all_lanes, own)) != 0;
}

__device__ inline bool any_together(ProducerWarps producer_warps, bool own)
{
    return producer_warps.warps == 1 ? own : __syncthreads_or(own) != 0;
}

// The row's first lane gives the others its values.
template <class... Own>
__device__ __forceinline__ void to_lanes(Lanes lanes, Own &...own)
{
    if (lanes.log2 != 0)
        ((own = of_lane(own, threadIdx.x % Warp::size >> lanes.log2 << lanes.log2)), ...);
}

// All combined, in the first of so many lanes.
template <class Op, class T>
__device__ __forceinline__ T of_all_lanes(T value, Lanes lanes)
{
    for (unsigned delta = 1u << lanes.log2 >> 1; delta != 0; delta /= 2)
        value = Op::apply(value, of_lane(value, (threadIdx.x % Warp::size) ^ delta));
    return value;
}

// One loop of an iteration over its `entries`, which its first lane knows, each `stride` further.
template <unsigned size, Watching watching = each_operation, class K, class Body, class... Op, class... T>
__device__ __forceinline__ void by_lanes(Lanes lanes, Entries<K> entries, std::common_type_t<K> stride, const Body &body,
                                         const Partial<Op, T> &...wholes)
{
    using Count = typename Entries<K>::Count;
    to_lanes(lanes, entries.first, entries.count);
    const Count first = static_cast<Count>(entries.first), step = static_cast<Count>(stride);
    const unsigned part = threadIdx.x & ((1u << lanes.log2) - 1);
    const auto divided = [&](T... parts) {
        // A large group is computed with the places of its elements, where they are constants.
        if constexpr (size >= 16) {
            if (lanes.log2 == 0)
                each_entry<size, watching, K>(Share<Count>(first, entries.count, step, 0, 0), body, parts...);
            else
                each_entry<size / 4, watching, K>(Share<Count>(first, entries.count, step, part, lanes.log2), body, parts...);
        } else {
            each_entry<size, watching, K>(Share<Count>(first, entries.count, step, part, lanes.log2), body, parts...);
        }
        ((parts = of_all_lanes<Op>(parts, lanes)), ...);
        if (part == 0)
            ((wholes.whole = parts), ...);
    };
    divided((part == 0 ? wholes.whole : Partial<Op, T>::identity())...);
}

// The same, where the entries need nothing of their row: what is left of a long one when its lanes have had many of its
// entries is divided among all lanes of the warp.
template <unsigned size, class K, class Body, class... Op, class... T>
__device__ __forceinline__ void by_lanes_and_warp(Lanes lanes, Entries<K> entries, std::common_type_t<K> stride,
                                                  const Body &body, const Partial<Op, T> &...wholes)
{
    using Count = typename Entries<K>::Count;
    const Count most = lanes.log2 == Lanes::of_warp ? static_cast<Count>(-1) : static_cast<Count>(many_entries) << lanes.log2;
    const Count count = entries.count, left = count > most ? count - most : 0;
    entries.count = count - left;
    by_lanes<size>(lanes, entries, stride, body, wholes...);
    const Count step = static_cast<Count>(stride), behind = static_cast<Count>(entries.first) + most * step;
    const unsigned lane = threadIdx.x % Warp::size;
    for (unsigned rows = __ballot_sync(all_lanes, left != 0); rows != 0; rows &= rows - 1) {
        const unsigned row = __ffs(static_cast<int>(rows)) - 1;
        const Share<Count> share(of_lane(behind, row), of_lane(left, row), step, lane, Lanes::of_warp);
        const auto divided = [&](T... parts) {
            each_entry<size, each_operation, K>(share, body, parts...);
            ((parts = of_all_lanes<Op>(parts, Lanes{Lanes::of_warp})), ...);
            if (lane == row)
                ((wholes.whole = Op::apply(wholes.whole, parts)), ...);
        };
        divided(Partial<Op, T>::identity()...);
    }
}

// What a block has in shared memory where its warps divide a loop.
struct alignas(16) WarpsMemory {
    static constexpr unsigned most_own = 8;
    unsigned long long own[most_own + 2][Warp::size];
    unsigned long long parts[most_sharing_threads];
};

__device__ inline WarpsMemory &warps_memory()
{
    OMPC_SHARED WarpsMemory memory;
    return memory;
}

// The first warp gives the others the values of its lanes, each to the same lane.
template <class... Own>
__device__ __forceinline__ void to_warps(ProducerWarps producer_warps, Own &...own)
{
    static_assert(sizeof...(Own) <= WarpsMemory::most_own + 2, "few values of a row");
    if (producer_warps.warps == 1)
        return;
    WarpsMemory &memory = warps_memory();
    const unsigned lane = threadIdx.x % Warp::size;
    unsigned n = 0;
    if (threadIdx.x < Warp::size)
        (std::memcpy(&memory.own[n++][lane], &own, sizeof(Own)), ...);
    __syncthreads();
    n = 0;
    if (threadIdx.x >= Warp::size)
        (std::memcpy(&own, &memory.own[n++][lane], sizeof(Own)), ...);
    __syncthreads();
}

// All combined, in the lanes of the first warp, in the order of the warps.
template <class Op, class T>
__device__ __forceinline__ T of_all_warps(T value, ProducerWarps producer_warps)
{
    T *const parts = reinterpret_cast<T *>(warps_memory().parts);
    parts[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x < Warp::size)
        for (unsigned warp = 1; warp < producer_warps.warps; warp++)
            value = Op::apply(value, parts[warp * Warp::size + threadIdx.x]);
    __syncthreads();
    return value;
}

// One loop over the `entries` that the lanes of the first warp have, of all warps of the block.
template <unsigned size, class K, class Body, class... Op, class... T>
__device__ __forceinline__ void by_warps(ProducerWarps producer_warps, Entries<K> entries, std::common_type_t<K> stride, const Body &body,
                                         const Partial<Op, T> &...wholes)
{
    using Count = typename Entries<K>::Count;
    to_warps(producer_warps, entries.first, entries.count);
    const unsigned part = producer_warps.warps == 1 ? 0 : threadIdx.x / Warp::size;
    const Share<Count> share(static_cast<Count>(entries.first), entries.count, static_cast<Count>(stride), part,
                             doublings(1, producer_warps.warps));
    const auto divided = [&](T... parts) {
        each_entry<size, each_operation, K>(share, body, parts...);
        if (producer_warps.warps != 1)
            ((parts = of_all_warps<Op>(parts, producer_warps)), ...);
        if (part == 0)
            ((wholes.whole = parts), ...);
    };
    divided((part == 0 ? wholes.whole : Partial<Op, T>::identity())...);
}

} // namespace ompc

#endif

// ompc_thread_group.h: thread groups of several warps: loops inside an iteration that the warps of a block divide, since there
// are device busy (LanesFor::filling).
//
// All lanes of a warp are at the same entry, each for an iteration of its own, so that one of them reads for all; the other
// warps of the block have other entries, some that follow each other at a time. Where there are even fewer iterations, several
// lanes of each warp divide the entries, too. Each has a part of what the loop accumulates (ompc_partials.h); those are combined
// in the order of lanes and warps, which is one for each thread_group. OMPC_LANES=N asks for so many lanes of an iteration in
// all.

#ifndef OMPC_THREAD_GROUP_H
#define OMPC_THREAD_GROUP_H

#include "ompc_cuda.h"
#include "ompc_partials.h"
#include "ompc_sharing.h"

namespace ompc {

// Which part of an iteration's entries the calling lane has.
__device__ inline unsigned part_of(ThreadGroup thread_group)
{
    return threadIdx.x / Warp::size << thread_group.log2 | (threadIdx.x & ((1u << thread_group.log2) - 1));
}

// The value that the iteration's own lane has.
template <class T>
__device__ __forceinline__ T of_own_lane(T value, ThreadGroup thread_group)
{
    if (thread_group.log2 != 0)
        value = of_lane(value, threadIdx.x % Warp::size >> thread_group.log2 << thread_group.log2);
    if (thread_group.warps != 1) {
        T *const own = reinterpret_cast<T *>(warps_memory().parts);
        if (threadIdx.x < Warp::size)
            own[threadIdx.x] = value;
        __syncthreads();
        value = own[threadIdx.x % Warp::size];
        __syncthreads();
    }
    return value;
}

// Is it so in any thread of the block? (ompc_partials.h)
__device__ __forceinline__ bool any_together(ThreadGroup thread_group, bool own)
{
    return (thread_group.warps != 1 ? __syncthreads_or(own) : __any_sync(all_lanes, own)) != 0;
}

// What any thread of the group has stored before is there for all others behind it.
__device__ __forceinline__ void wait_for_group(ThreadGroup thread_group)
{
    if (thread_group.warps != 1)
        __syncthreads();
    else
        __syncwarp();
}

// The iteration's own lane gives the others its values.
template <class... Own>
__device__ __forceinline__ void to_thread_group(ThreadGroup thread_group, Own &...own)
{
    ((own = of_own_lane(own, thread_group)), ...);
}

// All parts combined, in the iteration's own lane.
template <class Op, class T>
__device__ __forceinline__ T of_thread_group(T value, ThreadGroup thread_group)
{
    value = of_all_lanes<Op>(value, Lanes{thread_group.log2});
    return thread_group.warps == 1 ? value : of_all_warps<Op>(value, ProducerWarps{thread_group.warps});
}

// The entries of one of 1 << log2 parts, by `size` that follow each other; of what is left, every so many-th.
template <unsigned size, Watching watching, class K, class Count, class Body, class... T>
__device__ __forceinline__ void each_stretch(Count first, Count entries, Count step, unsigned part, unsigned log2,
                                             const Body &body, T &...parts)
{
    Count left = entries / size >> log2;
    const Count whole = (left << log2) * size;
    OMPC_NO_UNROLL
    for (Count at = first + part * size * step; left != 0; left--, at += (size * step) << log2)
        if constexpr (std::is_invocable_v<const Body &, K, T &...>) {
            OMPC_UNROLL
            for (unsigned n = 0; n < size; n++)
                body(static_cast<K>(at + n * step), parts...);
        } else {
            const auto group = [&](auto &arithmetic, auto &...own) {
                OMPC_UNROLL
                for (unsigned n = 0; n < size; n++)
                    body(arithmetic, static_cast<K>(at + n * step), own...);
            };
            if (!quickly<watching>(group, parts...))
                exactly<K>(at, size, step, body, parts...);
        }
    constexpr unsigned some = size < 4 ? size : 4;
    each_entry<some, watching, K>(Share<Count>(first + whole * step, entries - whole, step, part, log2), body, parts...);
}

// One loop of an iteration over its `entries`, which its own lane knows, each `stride` further.
template <unsigned size, Watching watching = each_operation, class K, class Body, class... Op, class... T>
__device__ __forceinline__ void by_thread_group(ThreadGroup thread_group, Entries<K> entries, std::common_type_t<K> stride, const Body &body,
                                        const Partial<Op, T> &...wholes)
{
    using Count = typename Entries<K>::Count;
    to_thread_group(thread_group, entries.first, entries.count);
    const Count first = static_cast<Count>(entries.first), step = static_cast<Count>(stride);
    const unsigned part = part_of(thread_group), warps = doublings(1, thread_group.warps);
    const auto divided = [&](T... parts) {
        if (thread_group.log2 == 0)
            each_stretch<size, watching, K>(first, entries.count, step, part, warps, body, parts...);
        else
            each_entry<(size > 8 ? 8 : size), watching, K>(Share<Count>(first, entries.count, step, part, warps + thread_group.log2), body,
                                                           parts...);
        ((parts = of_thread_group<Op>(parts, thread_group)), ...);
        if (part == 0)
            ((wholes.whole = parts), ...);
    };
    divided((part == 0 ? wholes.whole : Partial<Op, T>::identity())...);
}

} // namespace ompc

#endif

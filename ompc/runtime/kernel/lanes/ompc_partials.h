// ompc_partials.h: loops inside an iteration that the threads of its group divide, each with partial results.
//
// Where a loop does nothing with variables but accumulate into them, and any order will do (plan/groups/lane_sums.py), each thread has
// a share of its entries, as they stand in the program. The first thread begins with the value that the variable has, the others
// with one that changes nothing; ThreadGroup::reduce says in which order they are combined. So there is one order for each shape of
// a group; with one thread, the program's.

#ifndef OMPC_PARTIALS_H
#define OMPC_PARTIALS_H

#include "ompc_batches.h"
#include "ompc_cuda.h"
#include "ompc_lanes.h"
#include "ompc_operators.h"
#include "ompc_thread_group.h"

#include <type_traits>

namespace ompc {

// A number, or what a value has several of (ompc_unroll_and_jam.h).
template <class T>
struct NumberOf {
    using type = T;
};

// A variable of the iteration, accumulated into by Op.
template <class Op, class T>
struct Partial {
    static_assert(std::is_arithmetic_v<typename NumberOf<T>::type>, "numbers");
    T &whole;

    // What changes nothing.
    static __device__ T identity() { return T(neutral<Op, typename NumberOf<T>::type>()); }
};

template <class Op, class T>
__device__ inline Partial<Op, T> partial(T &whole)
{
    return {whole};
}

// `each(parts...)` by all threads of the group; the first one has what comes of it.
template <class Each, class... Op, class... T>
__device__ __forceinline__ void in_parts(ThreadGroup group, const Each &each, const Partial<Op, T> &...wholes)
{
    [[maybe_unused]] const bool first = group.rank() == 0; // of some loops nothing comes
    const auto divided = [&](T... parts) {
        each(parts...);
        ((parts = group.reduce<Op>(parts)), ...);
        if (first)
            ((wholes.whole = parts), ...);
    };
    divided((first ? wholes.whole : Partial<Op, T>::identity())...);
}

// The same, where all begin with nothing, and the thread `owner` adds what comes of it.
template <class Each, class... Op, class... T>
__device__ __forceinline__ void in_more_parts(ThreadGroup group, bool owner, const Each &each, const Partial<Op, T> &...wholes)
{
    const auto divided = [&](T... parts) {
        each(parts...);
        ((parts = group.reduce<Op>(parts)), ...);
        if (owner)
            ((wholes.whole = Op::apply(wholes.whole, parts)), ...);
    };
    divided(Partial<Op, T>::identity()...);
}

// One loop of an iteration over its `entries`, which the group's first thread knows, each `stride` further: a thread has every so
// many-th, so that neighbours read what lies side by side. `by_block`: several warps are a block that has one iteration. Large
// batches are for threads that have all entries, and are computed with the places of their elements where those are constants.
template <unsigned size, bool by_block = false, Watching watching = each_operation, class K, class Body, class... Wholes>
__device__ __forceinline__ void by_group(ThreadGroup group, Entries<K> entries, std::common_type_t<K> stride, const Body &body,
                                         const Wholes &...wholes)
{
    using Count = typename Entries<K>::Count;
    if constexpr (by_block) { // the compiler knows one group, and of the other one that it is of one warp
        if (group.warps_log2 != 0)
            return by_group<(size <= 4 ? 2 * size : size), false, watching>(ThreadGroup::block_of_row(), entries, stride, body, wholes...);
        group.warps_log2 = 0;
    }
    group.broadcast(entries.first, entries.count);
    const auto each = [&](auto &...parts) {
        const Share<Count> share = group.share(static_cast<Count>(entries.first), entries.count, static_cast<Count>(stride));
        if (size < 16 || group.lanes_log2 == 0 || group.warps_log2 != 0)
            in_share<size, watching, K>(share, body, parts...);
        else
            in_share<(size < 16 ? size : size / 4), watching, K>(share, body, parts...);
    };
    in_parts(group, each, wholes...);
}

// The same, where a thread has `size` entries that follow each other at a time; of what is left, every so many-th. The lanes of a
// warp are at the same entry, each for an iteration of its own, so that one of them reads for all. Where several lanes of a warp are
// in a group, there are too few iterations for that.
template <unsigned size, Watching watching = each_operation, class K, class Body, class... Wholes>
__device__ __forceinline__ void by_stretches(ThreadGroup group, Entries<K> entries, std::common_type_t<K> stride, const Body &body,
                                             const Wholes &...wholes)
{
    using Count = typename Entries<K>::Count;
    group.broadcast(entries.first, entries.count);
    const auto each = [&](auto &...parts) {
        const Count first = static_cast<Count>(entries.first), step = static_cast<Count>(stride);
        if (group.lanes_log2 != 0) {
            in_share<(size < 8 ? size : 8), watching, K, true>(group.share(first, entries.count, step), body, parts...);
            return;
        }
        Count left = entries.count / size >> group.warps_log2;
        const Count whole = (left << group.warps_log2) * size;
        OMPC_NO_UNROLL
        for (Count at = first + group.rank() * size * step; left != 0; left--, at += (size * step) << group.warps_log2)
            one_batch<size, watching, K>(at, step, body, parts...);
        in_share<(size < 4 ? size : 4), watching, K>(group.share(first + whole * step, entries.count - whole, step), body, parts...);
    };
    in_parts(group, each, wholes...);
}

} // namespace ompc

#endif

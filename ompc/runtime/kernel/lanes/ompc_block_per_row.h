// ompc_block_per_row.h: block per row: loops that all lanes of a block divide, where rows are few, or one takes far longer.
//
// Rows of very different lengths (the vertices of a network, say) take as long to compute as the longest of them, if that is left
// to the lanes of its iteration, or of its warp; and few rows leave most of the device idle. So kernels have two forms. In
// that for such rows (`by_block`), an iteration has all lanes of a block, or the lanes of the block meet after each turn and
// divide what is left of very long rows. That costs half of the time of short ones; the launch chooses by how many rows there are, and
// by their lengths, if the host knows them (ompc_row_lengths.h).

#ifndef OMPC_BLOCK_PER_ROW_H
#define OMPC_BLOCK_PER_ROW_H

#include "ompc_cuda.h"
#include "ompc_partials.h"
#include "ompc_thread_group.h"

namespace ompc {

// What the entries need of their row, which its lanes have; to be handed to others for a while.
template <class... Own>
__device__ __forceinline__ auto of_row(Own &...own)
{
    return [&own...](const auto &use) { use(own...); };
}

// What is left of the rows of threads that are `wanted`, from `behind` on, is divided among the `others`, one row at a time, who
// are given what its entries need meanwhile.
template <unsigned size, class K, class Count, class OfRow, class Body, class... Wholes>
__device__ __forceinline__ void by_others(ThreadGroup others, bool wanted, Count behind, Count &left, Count step, const OfRow &of_row,
                                          const Body &body, const Wholes &...wholes)
{
    others.for_each(wanted, [&](unsigned row) {
        of_row([&](auto &...own) {
            const auto give_back = [own...](auto &...to) { ((to = own), ...); };
            Count at = behind, entries = left;
            others.broadcast_from(row, at, entries, own...);
            const Share<Count> share = others.share(at, entries, step);
            in_more_parts(
                others, threadIdx.x == row, [&](auto &...parts) { in_share<size, each_operation, K>(share, body, parts...); }, wholes...);
            left = threadIdx.x == row ? 0 : left;
            give_back(own...);
        });
    });
}

// One loop of an iteration over its `entries`, by a group of lanes of a warp, or of a block (by_group). What is left of a long row
// when its lanes have had many of its entries is divided among all lanes of the warp, of very long ones among those of the block;
// unless `by_block`, only where that needs nothing of the row.
template <unsigned size, bool by_block = false, class OfRow, class K, class Body, class... Wholes>
__device__ __forceinline__ void by_group_and_others(ThreadGroup group, Entries<K> entries, std::common_type_t<K> stride,
                                                    const OfRow &of_row, const Body &body, const Wholes &...wholes)
{
    using Count = typename Entries<K>::Count;
    constexpr bool helped = by_block || std::is_same_v<OfRow, decltype(ompc::of_row())>;
    if (!helped || (by_block && group.warps_log2 != 0))
        return by_group<size, by_block>(group, entries, stride, body, wholes...);
    constexpr Count most_of_warp = many_entries * most_sharing_threads; // more are for the block
    const Count most = group.lanes_log2 < Warp::log2 ? static_cast<Count>(many_entries) << group.lanes_log2
                       : by_block                    ? most_of_warp
                                                     : static_cast<Count>(-1);
    Count left = entries.count > most ? entries.count - most : 0;
    entries.count -= left;
    group.warps_log2 = 0;
    by_group<size>(group, entries, stride, body, wholes...);
    const Count step = static_cast<Count>(stride), behind = static_cast<Count>(entries.first) + most * step;
    if constexpr (by_block) {
        const bool doubles = (blockDim.x & (blockDim.x - 1)) == 0; // else nobody can divide by its threads
        if (__syncthreads_or(doubles && left > most_of_warp))
            by_others<2 * size, K>(ThreadGroup::block(), left > most_of_warp, behind, left, step, of_row, body, wholes...);
    }
    by_others<(by_block ? 2 * size : size), K>(ThreadGroup(Warp::log2, 0), left != 0, behind, left, step, of_row, body, wholes...);
}

} // namespace ompc

#endif

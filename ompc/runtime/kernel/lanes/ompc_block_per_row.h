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

#include <cstring>

namespace ompc {

// What a block has in shared memory where all its lanes divide a row.
struct alignas(16) RowsMemory {
    static constexpr unsigned most_own = 8;
    unsigned long long own[most_own + 2], parts[most_row_threads / Warp::size];
    unsigned rows[most_row_threads / Warp::size]; // of each warp, a bit for each that is long
};

__device__ inline RowsMemory &rows_memory()
{
    OMPC_SHARED RowsMemory memory;
    return memory;
}

// A thread gives all others of its block its values.
template <class... Own>
__device__ __forceinline__ void to_block(unsigned thread, Own &...own)
{
    static_assert(sizeof...(Own) <= RowsMemory::most_own + 2, "few values of a row");
    RowsMemory &memory = rows_memory();
    unsigned n = 0;
    if (threadIdx.x == thread)
        (std::memcpy(&memory.own[n++], &own, sizeof(Own)), ...);
    __syncthreads();
    n = 0;
    (std::memcpy(&own, &memory.own[n++], sizeof(Own)), ...);
    __syncthreads();
}

// All combined, in all threads of the block.
template <class Op, class T>
__device__ __forceinline__ T of_block(T value)
{
    value = of_all_lanes<Op>(value, Lanes{Lanes::of_warp});
    T *const parts = reinterpret_cast<T *>(rows_memory().parts);
    if (threadIdx.x % Warp::size == 0)
        parts[threadIdx.x / Warp::size] = value;
    __syncthreads();
    value = parts[0];
    for (unsigned warp = 1; warp < blockDim.x / Warp::size; warp++)
        value = Op::apply(value, parts[warp]);
    __syncthreads();
    return value;
}

// What the threads of the warp find in their shares of a row's entries, or those of the block, is combined with what `is_row` has.
template <unsigned size, class K, class Count, class Body, class... Op, class... T>
__device__ __forceinline__ void add_share(const Share<Count> &share, bool in_block, bool is_row, const Body &body,
                                          const Partial<Op, T> &...wholes)
{
    const auto divided = [&](T... parts) {
        each_entry<size, each_operation, K>(share, body, parts...);
        ((parts = in_block ? of_block<Op>(parts) : of_all_lanes<Op>(parts, Lanes{Lanes::of_warp})), ...);
        if (is_row)
            ((wholes.whole = Op::apply(wholes.whole, parts)), ...);
    };
    divided(Partial<Op, T>::identity()...);
}

// What the entries need of their row, which its lanes have; to be handed to others for a while.
struct NothingOfRow {
    template <class Use>
    __device__ void operator()(const Use &use) const
    {
        use();
    }
};
__device__ inline NothingOfRow of_row()
{
    return {};
}
template <class... Own>
__device__ __forceinline__ auto of_row(Own &...own)
{
    return [&own...](const auto &use) { use(own...); };
}

// As by_lanes, and what is left of long rows is divided among the lanes of the warp, of very long ones among those of the block,
// which are given what the entries need of their row meanwhile. All threads of the block come here.
template <unsigned size, class OfRow, class K, class Body, class... Op, class... T>
__device__ __forceinline__ void by_lanes_and_block(Lanes lanes, Entries<K> entries, std::common_type_t<K> stride, const OfRow &of_row,
                                                   const Body &body, const Partial<Op, T> &...wholes)
{
    using Count = typename Entries<K>::Count;
    constexpr Count of_warp = many_entries * most_sharing_threads; // more are for the block
    const Count most = lanes.log2 == Lanes::of_warp ? of_warp : static_cast<Count>(many_entries) << lanes.log2;
    const Count count = entries.count;
    Count left = count > most ? count - most : 0;
    entries.count = count - left;
    by_lanes<size>(lanes, entries, stride, body, wholes...);
    const Count step = static_cast<Count>(stride), behind = static_cast<Count>(entries.first) + most * step;
    const unsigned warp = threadIdx.x / Warp::size;
    const bool doubles = (blockDim.x & (blockDim.x - 1)) == 0; // else nobody can divide by its threads
    const bool any_in_block = __syncthreads_or(doubles && left > of_warp) != 0;
    OMPC_NO_UNROLL
    for (unsigned round = any_in_block ? 0 : 1; round < 2; round++) { // the block's rows, then each warp's
        const bool in_block = round == 0;
        const unsigned own_rows = __ballot_sync(all_lanes, left > (in_block ? of_warp : 0));
        if (in_block) {
            rows_memory().rows[warp] = own_rows;
            __syncthreads();
        }
        const auto divided = [&](unsigned row, Count at, Count entries_left, auto &...own) {
            const auto give_back = [own...](auto &...to) { ((to = own), ...); };
            if (in_block)
                to_block(row, at, entries_left, own...);
            else
                at = of_lane(at, row % Warp::size), entries_left = of_lane(entries_left, row % Warp::size),
                ((own = of_lane(own, row % Warp::size)), ...);
            const unsigned threads = in_block ? blockDim.x : Warp::size;
            const Share<Count> share(at, entries_left, step, threadIdx.x & (threads - 1), doublings(1, threads));
            add_share<2 * size, K>(share, in_block, threadIdx.x == row, body, wholes...);
            left = threadIdx.x == row ? 0 : left;
            give_back(own...);
        };
        OMPC_NO_UNROLL
        for (unsigned of = in_block ? 0 : warp; of < (in_block ? blockDim.x / Warp::size : warp + 1); of++)
            OMPC_NO_UNROLL
            for (unsigned rows = in_block ? rows_memory().rows[of] : own_rows; rows != 0; rows &= rows - 1) {
                const unsigned row = of * Warp::size + static_cast<unsigned>(__ffs(static_cast<int>(rows)) - 1);
                of_row([&](auto &...own) { divided(row, behind, left, own...); });
            }
    }
}

// One loop of an iteration that all threads of its block have, of which the first knows the `entries`.
template <unsigned size, Watching watching, class K, class Body, class... Op, class... T>
__device__ __forceinline__ void by_threads(Entries<K> entries, std::common_type_t<K> stride, const Body &body,
                                           const Partial<Op, T> &...wholes)
{
    using Count = typename Entries<K>::Count;
    to_block(0, entries.first, entries.count);
    const Share<Count> share(static_cast<Count>(entries.first), entries.count, static_cast<Count>(stride), threadIdx.x, Lanes::of_block);
    const auto divided = [&](T... parts) {
        each_entry<(size > 4 ? size : 2 * size), watching, K>(share, body, parts...);
        ((parts = of_block<Op>(parts)), ...);
        if (threadIdx.x == 0)
            ((wholes.whole = parts), ...);
    };
    divided((threadIdx.x == 0 ? wholes.whole : Partial<Op, T>::identity())...);
}

// ---- the two forms of what kernels say ----------------------------------------------------------------------------

// The row's first lane gives the others its values.
template <bool by_block, class... Own>
__device__ __forceinline__ void to_lanes_of_row(Lanes lanes, Own &...own)
{
    if (by_block && lanes.log2 == Lanes::of_block)
        to_block(0, own...);
    else
        to_lanes(lanes, own...);
}

// One loop of an iteration over its `entries`, which its first lane knows.
template <unsigned size, bool by_block, Watching watching = each_operation, class K, class Body, class... Wholes>
__device__ __forceinline__ void by_lanes_of_row(Lanes lanes, const Entries<K> &entries, std::common_type_t<K> stride,
                                                const Body &body, const Wholes &...wholes)
{
    if (by_block && lanes.log2 == Lanes::of_block)
        by_threads<size, watching>(entries, stride, body, wholes...);
    else
        by_lanes<size, watching>(lanes, entries, stride, body, wholes...);
}

// The same, where others may help with what is left of long rows.
template <unsigned size, bool by_block, class OfRow, class K, class Body, class... Wholes>
__device__ __forceinline__ void by_lanes_and_others(Lanes lanes, const Entries<K> &entries, std::common_type_t<K> stride,
                                                    const OfRow &of_row, const Body &body, const Wholes &...wholes)
{
    if (by_block && lanes.log2 == Lanes::of_block)
        by_threads<size, each_operation>(entries, stride, body, wholes...);
    else if constexpr (by_block)
        by_lanes_and_block<size>(lanes, entries, stride, of_row, body, wholes...);
    else if constexpr (std::is_same_v<OfRow, NothingOfRow>)
        by_lanes_and_warp<size>(lanes, entries, stride, body, wholes...);
    else
        by_lanes<size>(lanes, entries, stride, body, wholes...);
}

} // namespace ompc

#endif

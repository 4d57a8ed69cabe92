// ompc_row_stores.h: rows of a few elements that neighbouring threads store, stored by all lanes of a warp together.
//
//     ompc::store_row(&rhs[k][j][i][0], row);                  for (m = 0; m < 5; m++) rhs[k][j][i][m] = row[m];
//
// A lane that stores its row by itself writes a part of each 32 bytes of memory in every instruction, as its neighbours do: as many
// times as a row has elements. Here the lanes exchange their rows in shared memory, and write what lies side by side.
//
// Nothing is asked of the caller: where the rows of a warp's lanes do not follow each other in memory, or some lanes are not there, each
// lane stores its own.

#ifndef OMPC_ROW_STORES_H
#define OMPC_ROW_STORES_H

#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_shape.h"
#include "ompc_unroll.h"

namespace ompc {

// One for all rows of a kernel that have so many elements of this type. An odd number of elements from row to row lets all lanes
// write theirs at once.
template <class T, unsigned length>
struct RowsOfWarp {
    static constexpr unsigned stride = length | 1;
    T elements[warp_threads * stride];
};

template <class T, unsigned length>
__device__ __forceinline__ void store_row(T *mine, const T (&row)[length])
{
#ifdef __CUDACC__
    using Rows = RowsOfWarp<T, length>;
    OMPC_SHARED Rows memory[block_threads / warp_threads];
    const unsigned rank = block_rank(), lane = rank % warp_threads, warp = rank / warp_threads;
    T *first = mine - lane * length;
    const unsigned long long address = reinterpret_cast<unsigned long long>(first);
    if (warp < block_threads / warp_threads && __activemask() == all_lanes
            && __all_sync(all_lanes, __shfl_sync(all_lanes, address, 0) == address)) {
        T *rows = memory[warp].elements;
    OMPC_UNROLL
        for (unsigned m = 0; m < length; m++)
            rows[lane * Rows::stride + m] = row[m];
        __syncwarp();
    OMPC_UNROLL
        for (unsigned m = 0; m < length; m++) {
            const unsigned element = m * warp_threads + lane;
            first[element] = rows[element / length * Rows::stride + element % length];
        }
        __syncwarp();
        return;
    }
#endif
    OMPC_UNROLL
    for (unsigned m = 0; m < length; m++)
        mine[m] = row[m];
}

} // namespace ompc

#endif

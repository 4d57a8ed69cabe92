// ompc_transposed.h: kernels whose blocks have a tile of the points of a nest, since the elements of some array are
// neighbours along y, where those of others are along x.
//
// A block has 32 x 8 threads. They go over the points of its tile in one of two ways, and hand elements over in shared memory:
//
//     ompc::along_x<side>(rows, columns, [&](int p, int q) { b_tile[p][q] = ...; });       neighbouring threads, neighbouring q
//     __syncthreads();
//     ompc::along_y<side>(rows, columns, [&](int p, int q) { ... = b_tile[p][q]; });       neighbouring threads, neighbouring p
//
// OMPC_TILES=0 makes no tiles, any other number takes them however few iterations there are.

#ifndef OMPC_TRANSPOSED_H
#define OMPC_TRANSPOSED_H

#include "ompc_cuda.h"
#include "ompc_tiling.h"
#include "ompc_unroll.h"

namespace ompc {

// Calls point(n, m) for each n < `most_n` and m < `most_m`; neighbouring threads have neighbouring m.
template <int side, class Point>
__device__ __forceinline__ void each_point(int most_n, int most_m, Point point)
{
    const int first_n = static_cast<int>(threadIdx.y), first_m = static_cast<int>(threadIdx.x);
    if (most_n == side && most_m == side) {
        OMPC_UNROLL
        for (int n = 0; n < side; n += transposed_height)
            OMPC_UNROLL
            for (int m = 0; m < side; m += transposed_width)
                point(first_n + n, first_m + m);
    } else { // of few tiles, those at the edges are what the launch waits for: their reads do not wait for each other either
        OMPC_UNROLL
        for (int n = 0; n < side; n += transposed_height)
            OMPC_UNROLL
            for (int m = 0; m < side; m += transposed_width)
                if (first_n + n < most_n && first_m + m < most_m)
                    point(first_n + n, first_m + m);
    }
}

// Calls point(p, q) for each p < `rows` and q < `columns`.
template <int side, class Point>
__device__ __forceinline__ void along_x(int rows, int columns, Point point)
{
    each_point<side>(rows, columns, point);
}

template <int side, class Point>
__device__ __forceinline__ void along_y(int rows, int columns, Point point)
{
    each_point<side>(columns, rows, [&](int q, int p) { point(p, q); });
}

} // namespace ompc

#endif

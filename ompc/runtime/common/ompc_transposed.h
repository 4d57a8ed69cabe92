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

#include "ompc_tiles.h"

namespace ompc {

constexpr int transposed_width = 32, transposed_height = 8;
static_assert(transposed_width == warp_threads, "a warp is a row of threads");

// ------------------------------------------------------------------------------- in kernels

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
    } else {
        for (int n = first_n; n < most_n; n += transposed_height)
            for (int m = first_m; m < most_m; m += transposed_width)
                point(n, m);
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

// ----------------------------------------------------------------------------- in launchers

// Tiles where there are enough points along both axes to fill a warp; `points` is 0 where not. `chosen`: 0: none; -1: nothing.
// There are at most so many blocks.
inline Tiling transposing_of(Trips z, Trips y, Trips x, int side, int chosen = -1, unsigned long long left = ~0ull)
{
    const char *const asked = std::getenv("OMPC_TILES");
    const int wanted = asked != nullptr && *asked != '\0' ? std::atoi(asked) : chosen;
    const Trips least = transposed_width;
    if (wanted >= 0 ? wanted == 0 : y < least || x < least)
        return {};
    const auto take = [&left](Trips n, unsigned long long limit) {
        const unsigned long long taken = std::max(1ull, std::min<unsigned long long>({n, limit, left}));
        left /= taken;
        return static_cast<unsigned>(taken);
    };
    const Trips length = static_cast<Trips>(side);
    const unsigned across = take(ceiling(x, length), grid_x_limit), down = take(ceiling(y, length), grid_yz_limit);
    return {1, {dim3(across, down, take(std::max<Trips>(z, 1), grid_yz_limit)), dim3(transposed_width, transposed_height, 1)}};
}

} // namespace ompc

#endif

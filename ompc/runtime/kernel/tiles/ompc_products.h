// ompc_products.h: tiles of points (ompc_tiles.h) each of which is a sum of products of doubles: by tensor cores.
//
//     ompc::add_products<depth, 1, 2>(sums, left, [&](int d, int p) { return a_tile[buffer][p][d]; },
//                                     [&](int d, int p) { return b_tile[buffer][d][p]; }, [&] { ... });
//     ompc::row_place<points, 1>(n), ompc::column_place<across, 2>(n)      which point of the tile the n-th one of a thread is
//
// The eight warps of a block have a part of the tile each, two along y and four along x. It consists of squares of 16 x 8 points,
// in which a lane has four points (ompc_mma.h). Which rows and columns of the part these are is free. `beside`: where points lie
// side by side in shared memory, two neighbours are a lane's own, so that it reads both at once; else, neighbouring lanes have
// neighbours. Rows of shared memory are four doubles longer than the tile, so that elements that a warp reads at once lie in
// different banks.

#ifndef OMPC_PRODUCTS_H
#define OMPC_PRODUCTS_H

#include "ompc_histograms.h"
#include "ompc_cuda.h"
#include "ompc_mma.h"
#include "ompc_tiles.h"

namespace ompc {

constexpr int warps_down = 2, warps_across = 4;

__device__ __forceinline__ int tile_lane()
{
    return tile_thread() % 32;
}

// The first row and column of the warp's part of a tile, of which a thread has so many.
template <int rows>
__device__ __forceinline__ int warp_row()
{
    return tile_thread() / 32 / warps_across * (8 * rows);
}
template <int columns>
__device__ __forceinline__ int warp_column()
{
    return tile_thread() / 32 % warps_across * (4 * columns);
}

template <int rows, int beside>
__device__ __forceinline__ int row_place(int n)
{
    return warp_row<rows>() + n / 2 * 16 + tile_lane() / 4 * beside + n % 2 * (beside == 1 ? 8 : 1);
}

// How many squares' columns alternate: both of two squares', if there are as many.
template <int columns, int beside>
constexpr int alternating = columns < 4 ? 1 : beside;

template <int columns, int beside>
__device__ __forceinline__ int column_place(int n)
{
    constexpr int own = 2 * alternating<columns, beside>;
    return warp_column<columns>() + n / own * (4 * own) + tile_lane() % 4 * own + n % own;
}

// An array at that place of the memory that the launch gives to each block.
template <class Array>
__device__ __forceinline__ Array &shared_tile(std::size_t at)
{
    return *reinterpret_cast<Array *>(block_memory() + at);
}

// Stages a tile in which the iterations of a point lie side by side, as they certainly do in the array; see stage_rows_of.
template <int depth, bool whole, bool partly = false, class T, int width, int length, class Places, class Address>
__device__ __forceinline__ bool stage_points(T (&tile)[width][length], int last_d, const Places &last_p, Address address)
{
    constexpr int vector = tile_vector / static_cast<int>(sizeof(T)), threads = depth / vector, step = tile_threads / threads;
    const int d = tile_thread() % threads * vector, first = recomputed(tile_thread() / threads);
    bool aligned = true;
    if constexpr (whole) {
        OMPC_UNROLL
        for (int n = 0; n < width; n += step)
            if (step <= width || first < width)
                stage_vector(&tile[first + n][d], address(d, place_staged<true>(last_p, first + n)));
    } else {
        OMPC_NO_UNROLL
        for (int n = first; n < width; n += step) {
            const int p = nearest(last_p, n);
            const auto *const from = address(lesser(d, last_d), p);
            const bool neighbours = !partly || address(lesser(d + vector - 1, last_d), p) == from + (vector - 1);
            if (neighbours && d + vector <= last_d + 1 && is_aligned<vector>(from))
                stage_vector(&tile[n][d], from);
            else {
                aligned = false;
                OMPC_UNROLL
                for (int v = 0; v < vector; v++)
                    stage(&tile[n][d + v], address(lesser(d + v, last_d), p));
            }
        }
    }
    return aligned && is_full(last_p, width);
}

// Adds `mma_depth` iterations' products, from d on. Those from `left` on do not exist: -0 * 0 added leaves any sum as it is.
template <bool whole, int beside_y, int beside_x, int rows, int columns, class Left, class Right>
__device__ __forceinline__ void add_square_products(double (&sums)[rows][columns], int d, int left, Left factor_y, Right factor_x)
{
    constexpr int beside = alternating<columns, beside_x>;
    const int lane = tile_lane();
    double a[rows / 2][mma_depth / 2], b[columns / 2][mma_depth / 4];
    OMPC_UNROLL
    for (int q = 0; q < mma_depth / 4; q++) {
        const int k = d + q * 4 + lane % 4;
        const bool exists = whole || k < left;
        OMPC_UNROLL
        for (int n = 0; n < rows; n++)
            a[n / 2][q * 2 + n % 2] = exists ? factor_y(k, row_place<rows, beside_y>(n)) : -0.0;
        OMPC_UNROLL
        for (int n = 0; n < columns / 2; n++)
            b[n][q] = exists ? factor_x(k, warp_column<columns>() + (n / beside * 8 + lane / 4) * beside + n % beside) : 0.0;
    }
    OMPC_UNROLL
    for (int y = 0; y < rows / 2; y++) {
        OMPC_UNROLL
        for (int x = 0; x < columns / 2; x++) {
            const int n = x / beside * (2 * beside) + x % beside;
            double c[4] = {sums[2 * y][n], sums[2 * y][n + beside], sums[2 * y + 1][n], sums[2 * y + 1][n + beside]};
            mma(c, a[y], b[x]);
            OMPC_UNROLL
            for (int of = 0; of < 4; of++)
                sums[2 * y + of / 2][n + of % 2 * beside] = c[of];
        }
    }
}

// Adds the products of `left` iterations to all of a thread's sums, in the order of the iterations, as tensor cores do. A point has
// only those of which within(d, p) holds, p on the axis along which that changes: `down` or across.
template <bool down, int beside_y, int beside_x, int rows, int columns, class Left, class Right, class Within>
__device__ __forceinline__ void add_products_within(double (&sums)[rows][columns], int left, Left factor_y, Right factor_x, Within within)
{
    OMPC_NO_UNROLL
    for (int d = 0; d < left; d++) {
        double own[columns];
        OMPC_UNROLL
        for (int x = 0; x < columns; x++)
            own[x] = factor_x(d, column_place<columns, beside_x>(x));
        OMPC_UNROLL
        for (int y = 0; y < rows; y++) {
            const double factor = factor_y(d, row_place<rows, beside_y>(y));
            OMPC_UNROLL
            for (int x = 0; x < columns; x++)
                if (within(d, down ? row_place<rows, beside_y>(y) : column_place<columns, beside_x>(x)))
                    sums[y][x] += factor * own[x];
        }
    }
}

// Adds the products of the first `left` of `depth` iterations to all of a thread's sums, in their order; when half of them are
// added, something else is to be done.
template <int depth, int beside_y, int beside_x, int rows, int columns, class Left, class Right, class Between>
__device__ __forceinline__ void add_products(double (&sums)[rows][columns], int left, Left factor_y, Right factor_x,
                                             Between between)
{
    if constexpr (!has_mma) {
        between();
        add_products_within<true, beside_y, beside_x>(sums, left, factor_y, factor_x, [](int, int) { return true; });
    } else if (left == depth) {
        OMPC_UNROLL
        for (int d = 0; d < depth / 2; d += mma_depth)
            add_square_products<true, beside_y, beside_x>(sums, d, left, factor_y, factor_x);
        between();
        OMPC_UNROLL
        for (int d = depth / 2; d < depth; d += mma_depth)
            add_square_products<true, beside_y, beside_x>(sums, d, left, factor_y, factor_x);
    } else {
        between();
        for (int d = 0; d < left; d += mma_depth)
            add_square_products<false, beside_y, beside_x>(sums, d, left, factor_y, factor_x);
    }
}

} // namespace ompc

#endif

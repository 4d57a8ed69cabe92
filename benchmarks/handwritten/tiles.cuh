// tiles.cuh: sums of products of two matrices of doubles, C(i, j) = sum over k of left[k][i] * right[k][j]: both have the rows that are
// summed over, so slices of them go into shared memory as they stand, twice: while one is multiplied the next is under way in
// registers. A block has a tile of 64 x 64 of C, a thread 4 x 4 elements of it.

#ifndef TILES_CUH
#define TILES_CUH

#include "device.cuh"

constexpr int TILE = 64, SLICE = 16, TILE_THREADS = 256, SLICE_LOADS = TILE * SLICE / TILE_THREADS;

struct alignas(16) Slices {
    double left[SLICE][TILE], right[SLICE][TILE];
};

struct alignas(16) Pair {
    double of[2];
};

// A thread's elements of a slice on its way, zero where there are none. `is_there(k, column)` is asked within the matrix.
template <class IsThere>
__device__ void load_slice(double (&loaded)[SLICE_LOADS], const double *__restrict__ matrix, int width, int column, int k, int end,
                           const IsThere &is_there)
{
#pragma unroll
    for (int l = 0; l < SLICE_LOADS; l++) {
        const int at = l * TILE_THREADS + threadIdx.x, row = k + at / TILE, x = column + at % TILE;
        loaded[l] = row < end && x < width && is_there(row, x) ? matrix[static_cast<std::size_t>(row) * width + x] : 0.0;
    }
}

__device__ inline void stage_slices(Slices &slices, const double (&left)[SLICE_LOADS], const double (&right)[SLICE_LOADS])
{
#pragma unroll
    for (int l = 0; l < SLICE_LOADS; l++) {
        const int at = l * TILE_THREADS + threadIdx.x;
        slices.left[at / TILE][at % TILE] = left[l];
        slices.right[at / TILE][at % TILE] = right[l];
    }
}

// Where element `e` of a thread's four stands in the tile, of those that have `place` of 16.
__device__ inline int place_of(int e, int place)
{
    return e / 2 * 32 + place * 2 + e % 2;
}

__device__ inline void multiply_slices(double (&sum)[4][4], const Slices &slices)
{
    const int across = threadIdx.x % 16, down = threadIdx.x / 16;
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
        Pair left[2], right[2];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            left[half] = *reinterpret_cast<const Pair *>(&slices.left[k][place_of(half * 2, down)]);
            right[half] = *reinterpret_cast<const Pair *>(&slices.right[k][place_of(half * 2, across)]);
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[i][j] += left[i / 2].of[i % 2] * right[j / 2].of[j % 2];
    }
}

// Adds to `sum` what rows begin .. end - 1 contribute to the tile at (row, column). Elements of `left` for which `is_there(k, i)` is
// false count as zero. All threads of the block must come here.
template <class IsThere>
__device__ void multiply_tiles(double (&sum)[4][4], const double *__restrict__ left, int width_of_left, int row,
                               const double *__restrict__ right, int width_of_right, int column, int begin, int end, const IsThere &is_there)
{
    __shared__ Slices slices[2];
    const auto always = [](int, int) { return true; };
    double next_left[SLICE_LOADS], next_right[SLICE_LOADS];
    int now = 0;

    load_slice(next_left, left, width_of_left, row, begin, end, is_there);
    load_slice(next_right, right, width_of_right, column, begin, end, always);
    stage_slices(slices[0], next_left, next_right);
    __syncthreads();
    for (int k = begin + SLICE; k < end; k += SLICE) {
        load_slice(next_left, left, width_of_left, row, k, end, is_there);
        load_slice(next_right, right, width_of_right, column, k, end, always);
        multiply_slices(sum, slices[now]);
        now ^= 1;
        stage_slices(slices[now], next_left, next_right);
        __syncthreads();
    }
    multiply_slices(sum, slices[now]);
}

// The products of all columns with each other, of which the tiles below the diagonal are mirrored: store(sum, i, j) for i <= j.
template <class Store>
__device__ void multiply_with_itself(const double *__restrict__ data, int rows, int columns, const Store &store)
{
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    double sum[4][4] = {};

    if (row > column)
        return;
    multiply_tiles(sum, data, columns, row, data, columns, column, 0, rows, [](int, int) { return true; });
#pragma unroll
    for (int y = 0; y < 4; y++)
#pragma unroll
        for (int x = 0; x < 4; x++) {
            const int i = row + place_of(y, threadIdx.x / 16), j = column + place_of(x, threadIdx.x % 16);
            if (i <= j && j < columns)
                store(sum[y][x], i, j);
        }
}

inline dim3 tiles_of(int rows, int columns)
{
    return dim3((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
}

#endif

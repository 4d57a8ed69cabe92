// columns.cuh: sums down the columns of a matrix: a block has 16 columns side by side, and 32 groups of threads that share their rows.

#ifndef COLUMNS_CUH
#define COLUMNS_CUH

#include "device.cuh"

constexpr int COLUMNS_OF_BLOCK = 16, ROW_GROUPS = 32, COLUMN_THREADS = COLUMNS_OF_BLOCK * ROW_GROUPS;

__device__ inline int column_of_thread()
{
    return blockIdx.x * COLUMNS_OF_BLOCK + threadIdx.x % COLUMNS_OF_BLOCK;
}

// The sum of value(i) over all rows i of the thread's column, for every thread. All threads of the block must come here.
template <class Value> __device__ double sum_of_column(int rows, bool is_there, const Value &value)
{
    __shared__ double parts[ROW_GROUPS][COLUMNS_OF_BLOCK];
    const int column = threadIdx.x % COLUMNS_OF_BLOCK, group = threadIdx.x / COLUMNS_OF_BLOCK;
    double sum = 0.0;

    if (is_there) {
#pragma unroll 4
        for (int i = group; i < rows; i += ROW_GROUPS)
            sum += value(i);
    }
    __syncthreads(); // of an earlier sum
    parts[group][column] = sum;
    __syncthreads();
    sum = 0.0;
    for (int other = 0; other < ROW_GROUPS; other++)
        sum += parts[other][column];
    return sum;
}

inline int blocks_of_columns(int columns)
{
    return (columns + COLUMNS_OF_BLOCK - 1) / COLUMNS_OF_BLOCK;
}

#endif

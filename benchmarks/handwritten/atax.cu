// programs/atax.c by hand: A x by a warp for each row, A^T t by a thread for four columns and a share of the rows, both by
// accesses of 16 bytes; the shares are added up atomically. Matrices of another width than multiples of four have one column
// for each thread. With -DCUBLAS: cuBLAS.

#include "cublas.cuh"
#include "device.cuh"
#include "program.h"

#ifdef CUBLAS
constexpr bool by_cublas = true;
#else
constexpr bool by_cublas = false;
#endif
constexpr int THREADS = 256, WARPS = THREADS / 32;

__device__ float product(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void __launch_bounds__(THREADS) multiply(float *__restrict__ t, const float *__restrict__ a, const float *__restrict__ x,
                                                    int rows, int columns)
{
    const int i = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *const row = a + static_cast<std::size_t>(i) * columns;
    float sum = 0.0f;

    if (i >= rows)
        return;
    if (columns % 4 == 0) {
        const float4 *const row4 = reinterpret_cast<const float4 *>(row), *const x4 = reinterpret_cast<const float4 *>(x);
#pragma unroll 4
        for (int j = lane; j < columns / 4; j += 32)
            sum += product(row4[j], x4[j]);
    } else {
        for (int j = lane; j < columns; j += 32)
            sum += row[j] * x[j];
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (lane == 0)
        t[i] = sum;
}

constexpr int ROWS = 256; // for each block, of A^T

// Adds to y, of which all is zero before. A warp has 32 times WIDE columns, and each warp of the block every eighth of ROWS rows.
template <int WIDE>
__global__ void __launch_bounds__(THREADS) multiply_transposed(float *__restrict__ y, const float *__restrict__ a,
                                                               const float *__restrict__ t, int rows, int columns)
{
    __shared__ float found[WARPS][32 * WIDE];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, j = (blockIdx.x * 32 + lane) * WIDE;
    const int first = blockIdx.y * ROWS, end = first + ROWS < rows ? first + ROWS : rows;
    float sum[WIDE] = {};

    if (j < columns) {
#pragma unroll 4
        for (int i = first + warp; i < end; i += WARPS) {
            const float *const from = a + static_cast<std::size_t>(i) * columns + j, of_row = t[i];
            if constexpr (WIDE == 4) {
                const float4 four = *reinterpret_cast<const float4 *>(from);
                sum[0] += four.x * of_row;
                sum[1] += four.y * of_row;
                sum[2] += four.z * of_row;
                sum[3] += four.w * of_row;
            } else {
                sum[0] += *from * of_row;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < WIDE; k++)
        found[warp][lane * WIDE + k] = sum[k];
    __syncthreads();
    for (int k = threadIdx.x; k < 32 * WIDE; k += THREADS) {
        const int column = blockIdx.x * 32 * WIDE + k;
        float total = 0.0f;
        for (int w = 0; w < WARPS; w++)
            total += found[w][k];
        if (column < columns)
            atomicAdd(&y[column], total);
    }
}

template <int WIDE> dim3 grid_of(int rows, int columns)
{
    return dim3((columns + 32 * WIDE - 1) / (32 * WIDE), (rows + ROWS - 1) / ROWS);
}

static void atax(float *y, float *t, const float *a, const float *x, int rows, int columns)
{
    if (by_cublas) {
        cublas().product(false, rows, columns, a, x, t);
        cublas().product(true, rows, columns, a, t, y);
        return;
    }
    multiply<<<(rows + WARPS - 1) / WARPS, THREADS>>>(t, a, x, rows, columns);
    CHECK(cudaMemsetAsync(y, 0, columns * sizeof *y));
    if (columns % 4 == 0)
        multiply_transposed<4><<<grid_of<4>(rows, columns), THREADS>>>(y, a, t, rows, columns);
    else
        multiply_transposed<1><<<grid_of<1>(rows, columns), THREADS>>>(y, a, t, rows, columns);
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "atax", size, 3);
    const int rows = size[0].value, columns = size[1].value;
    const std::size_t elements = static_cast<std::size_t>(rows) * columns;
    float *const a = pageable<float>(elements), *const x = pageable<float>(columns), *const y = pageable<float>(columns);
    fill_floats(a, elements, 1);
    fill_floats(x, columns, 2);
    start_device();
    if (by_cublas)
        cublas();

    const double start = now();
    float *const da = on_device<float>(elements), *const dx = on_device<float>(columns);
    float *const dt = on_device<float>(rows), *const dy = on_device<float>(columns);
    page_lock(a, elements * sizeof *a);
    to_device(da, a, elements);
    to_device(dx, x, columns);
    if (by_cublas) // its first call loads and chooses kernels
        atax(dy, dt, da, dx, rows, columns);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++)
        repetitions.run([&] { atax(dy, dt, da, dx, rows, columns); });
    to_host(y, dy, columns);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("atax %d %d\n", rows, columns);
    std::printf("checksum %.7e\n", checksum_floats(y, columns));
    report(seconds);
    repetitions.report();
    return 0;
}

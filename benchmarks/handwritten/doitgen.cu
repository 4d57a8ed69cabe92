// programs/doitgen.c by hand: one product of matrices. A block has 64 rows and 160 columns of the result, a thread 8 x 5 elements;
// slices of both go through shared memory, twice. The result is another array, which then takes the place of the first.

#include "device.cuh"
#include "program.h"
#include "dense.h"

#include <utility>

constexpr int HEIGHT = 64, LANES = 32, OF_LANE = 5, WIDTH = LANES * OF_LANE, DEPTH = 8, THREADS = 256, OF_WARP = HEIGHT / (THREADS / LANES);
constexpr int LOADS_OF_A = HEIGHT * DEPTH / THREADS, LOADS_OF_C = DEPTH * WIDTH / THREADS;

// A stands transposed, and padded against conflicts.
struct alignas(16) Staged {
    double a[DEPTH][HEIGHT + 2], c[DEPTH][WIDTH];
};

struct Loaded {
    double a[LOADS_OF_A], c[LOADS_OF_C];
};

__device__ Loaded load(const double *__restrict__ a, const double *__restrict__ c, int row, int column, int k, int rows, int columns)
{
    Loaded loaded;
#pragma unroll
    for (int l = 0; l < LOADS_OF_A; l++) {
        const int at = l * THREADS + threadIdx.x, y = row + at / DEPTH, x = k + at % DEPTH;
        loaded.a[l] = y < rows && x < columns ? a[static_cast<std::size_t>(y) * columns + x] : 0.0;
    }
#pragma unroll
    for (int l = 0; l < LOADS_OF_C; l++) {
        const int at = l * THREADS + threadIdx.x, y = k + at / WIDTH, x = column + at % WIDTH;
        loaded.c[l] = y < columns && x < columns ? c[static_cast<std::size_t>(y) * columns + x] : 0.0;
    }
    return loaded;
}

__device__ void stage(Staged &staged, const Loaded &loaded)
{
#pragma unroll
    for (int l = 0; l < LOADS_OF_A; l++) {
        const int at = l * THREADS + threadIdx.x;
        staged.a[at % DEPTH][at / DEPTH] = loaded.a[l];
    }
#pragma unroll
    for (int l = 0; l < LOADS_OF_C; l++) {
        const int at = l * THREADS + threadIdx.x;
        staged.c[at / WIDTH][at % WIDTH] = loaded.c[l];
    }
}

__device__ void multiply_staged(double (&sum)[OF_WARP][OF_LANE], const Staged &staged, int warp, int lane)
{
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        double left[OF_WARP], right[OF_LANE];
#pragma unroll
        for (int y = 0; y < OF_WARP; y++)
            left[y] = staged.a[k][warp * OF_WARP + y];
#pragma unroll
        for (int x = 0; x < OF_LANE; x++)
            right[x] = staged.c[k][x * LANES + lane];
#pragma unroll
        for (int y = 0; y < OF_WARP; y++)
#pragma unroll
            for (int x = 0; x < OF_LANE; x++)
                sum[y][x] += left[y] * right[x];
    }
}

__global__ void __launch_bounds__(THREADS) multiply(double *__restrict__ to, const double *__restrict__ a, const double *__restrict__ c,
                                                    int rows, int columns)
{
    __shared__ Staged staged[2];
    const int row = blockIdx.x * HEIGHT, column = blockIdx.y * WIDTH, warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    double sum[OF_WARP][OF_LANE] = {};
    int now = 0;

    stage(staged[0], load(a, c, row, column, 0, rows, columns));
    __syncthreads();
    for (int k = DEPTH; k < columns; k += DEPTH) {
        const Loaded next = load(a, c, row, column, k, rows, columns);
        multiply_staged(sum, staged[now], warp, lane);
        now ^= 1;
        stage(staged[now], next);
        __syncthreads();
    }
    multiply_staged(sum, staged[now], warp, lane);
#pragma unroll
    for (int y = 0; y < OF_WARP; y++)
#pragma unroll
        for (int x = 0; x < OF_LANE; x++) {
            const int i = row + warp * OF_WARP + y, j = column + x * LANES + lane;
            if (i < rows && j < columns)
                to[static_cast<std::size_t>(i) * columns + j] = sum[y][x];
        }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLANES", 8, 1, 1024}, {"ROWS", 8, 1, 1024}, {"COLUMNS", 8, 1, 1024}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "doitgen", size, 4);
    const int planes = size[0].value, rows = size[1].value, columns = size[2].value, all = planes * rows;
    const std::size_t elements = static_cast<std::size_t>(all) * columns, of_c = static_cast<std::size_t>(columns) * columns;
    const dim3 grid((all + HEIGHT - 1) / HEIGHT, (columns + WIDTH - 1) / WIDTH);
    double *const given = pageable<double>(elements), *const a = pageable<double>(elements), *const c = pageable<double>(of_c);
    fill_doubles(given, elements, 1);
    fill_doubles(c, of_c, 2);
    start_device();

    const double start = now();
    double *const from = on_device<double>(elements), *const dc = on_device<double>(of_c);
    double *now_a = on_device<double>(elements), *other = on_device<double>(elements);
    page_lock(given, elements * sizeof *given);
    page_lock(a, elements * sizeof *a);
    to_device(from, given, elements);
    to_device(dc, c, of_c);
    Repetitions repetitions;
    for (int k = 0; k < size[3].value; k++)
        repetitions.run([&] {
            CHECK(cudaMemcpyAsync(now_a, from, elements * sizeof *now_a, cudaMemcpyDeviceToDevice));
            multiply<<<grid, THREADS>>>(other, now_a, dc, all, columns);
            std::swap(now_a, other);
        });
    to_host(a, now_a, elements);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("doitgen %d %d %d\n", planes, rows, columns);
    std::printf("checksum %.9e\n", checksum_doubles(a, elements));
    report(seconds);
    repetitions.report();
    return 0;
}

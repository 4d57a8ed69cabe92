// programs/transpose.c by hand: tiles of 32 x 32 through shared memory, of which a row is one longer, so that neither rows
// nor columns of it meet in a bank.

#include "device.cuh"
#include "program.h"

constexpr int TILE = 32, HEIGHT = 8;

__global__ void __launch_bounds__(TILE *HEIGHT) transpose(float *__restrict__ b, const float *__restrict__ a, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;

#pragma unroll
    for (int k = 0; k < TILE; k += HEIGHT) {
        const int i = top + threadIdx.y + k, j = left + threadIdx.x;
        if (i < rows && j < columns)
            tile[threadIdx.y + k][threadIdx.x] = a[static_cast<std::size_t>(i) * columns + j];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k += HEIGHT) {
        const int i = top + threadIdx.x, j = left + threadIdx.y + k;
        if (i < rows && j < columns)
            b[static_cast<std::size_t>(j) * rows + i] = tile[threadIdx.x][threadIdx.y + k];
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "transpose", size, 3);
    const int rows = size[0].value, columns = size[1].value;
    const std::size_t elements = static_cast<std::size_t>(rows) * columns;
    const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE), block(TILE, HEIGHT);
    float *const a = pageable<float>(elements), *const b = pageable<float>(elements);
    fill_floats(a, elements, 1);
    fill_floats(b, elements, 2);
    start_device();

    const double start = now();
    float *const da = on_device<float>(elements), *const db = on_device<float>(elements);
    page_lock(a, elements * sizeof *a);
    page_lock(b, elements * sizeof *b);
    to_device(da, a, elements);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++)
        repetitions.run([&] { transpose<<<grid, block>>>(db, da, rows, columns); });
    to_host(b, db, elements);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("transpose %d %d\n", rows, columns);
    std::printf("checksum %.9e\n", checksum_floats(b, elements));
    report(seconds);
    repetitions.report();
    return 0;
}

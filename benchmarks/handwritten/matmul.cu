// programs/matmul.c by hand, for small matrices: a tile of 16 x 16 of C for each block, which fills more multiprocessors than
// large tiles would; slices of A and B go through shared memory. product.cu is for large ones.
//
//     matmul ROWS INNER COLUMNS

#include "device.cuh"
#include "program.h"

#ifndef REPETITIONS
#define REPETITIONS 1
#endif
constexpr int TILE = 16, SLICE = 32;

__global__ void __launch_bounds__(TILE *TILE) multiply(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b,
                                                       int rows, int inner, int columns)
{
    __shared__ float of_a[TILE][SLICE + 1], of_b[SLICE][TILE];
    const int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x, thread = threadIdx.y * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int base = 0; base < inner; base += SLICE) {
#pragma unroll
        for (int at = thread; at < TILE * SLICE; at += TILE * TILE) {
            const int y = blockIdx.y * TILE + at / SLICE, x = base + at % SLICE, u = base + at / TILE, v = blockIdx.x * TILE + at % TILE;
            of_a[at / SLICE][at % SLICE] = y < rows && x < inner ? a[y * inner + x] : 0.0f;
            of_b[at / TILE][at % TILE] = u < inner && v < columns ? b[u * columns + v] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SLICE; k++)
            sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
        __syncthreads();
    }
    if (i < rows && j < columns)
        c[i * columns + j] = sum;
}

// As in the C program.
static float next_element(std::uint64_t &state)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(static_cast<int>(state >> 60) - 8) / 8.0f;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 128, 1, 4096}, {"INNER", 128, 1, 4096}, {"COLUMNS", 138, 1, 4096}};

    read_parameters(argc, argv, "matmul", size, 3);
    const int rows = size[0].value, inner = size[1].value, columns = size[2].value;
    const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE), block(TILE, TILE);
    float *const a = pageable<float>(rows * inner), *const b = pageable<float>(inner * columns), *const c = pageable<float>(rows * columns);
    std::uint64_t state = 2012;
    double checksum = 0.0;
    for (int k = 0; k < rows * inner; k++)
        a[k] = next_element(state);
    for (int k = 0; k < inner * columns; k++)
        b[k] = next_element(state);
    start_device();

    const double start = now();
    float *const da = on_device<float>(rows * inner), *const db = on_device<float>(inner * columns), *const dc = on_device<float>(rows * columns);
    to_device(da, a, rows * inner);
    to_device(db, b, inner * columns);
    Repetitions repetitions;
    for (int k = 0; k < REPETITIONS; k++)
        repetitions.launch([&] { multiply<<<grid, block>>>(dc, da, db, rows, inner, columns); });
    to_host(c, dc, rows * columns);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            checksum += ((i * 31L + j * 17L) % 97 + 1) * static_cast<double>(c[i * columns + j]);
    std::printf("matmul %d %d %d\n", rows, inner, columns);
    std::printf("first %.6f last %.6f\n", c[0], c[rows * columns - 1]);
    std::printf("checksum %.6f\n", checksum);
    report(seconds);
    repetitions.report();
    return 0;
}

// programs/gramschmidt.c by hand: two launches for each column. One block finds its length and divides, and leaves the column side by
// side for the second, in which blocks have eight of the later columns and 64 groups of threads share their rows.

#include "device.cuh"
#include "program.h"
#include "dense.h"

#include <cmath>

constexpr int WIDTH = 8, GROUPS = 64, THREADS = WIDTH * GROUPS, NORM_THREADS = 1024;

__global__ void __launch_bounds__(NORM_THREADS) normalise(double *__restrict__ q, double *__restrict__ r, double *__restrict__ column,
                                                          const double *__restrict__ a, int rows, int columns, int k)
{
    __shared__ double length;
    const int thread = threadIdx.x;
    double squares = 0.0;

    for (int i = thread; i < rows; i += NORM_THREADS) {
        const double value = a[static_cast<std::size_t>(i) * columns + k];
        squares += value * value;
    }
    squares = sum_of_block<NORM_THREADS>(squares, thread);
    if (thread == 0) {
        length = sqrt(squares);
        r[static_cast<std::size_t>(k) * columns + k] = length;
    }
    __syncthreads();
    for (int i = thread; i < rows; i += NORM_THREADS) {
        const std::size_t at = static_cast<std::size_t>(i) * columns + k;
        column[i] = q[at] = a[at] / length;
    }
}

__global__ void __launch_bounds__(THREADS) project(double *__restrict__ a, double *__restrict__ r, const double *__restrict__ column,
                                                   int rows, int columns, int k)
{
    __shared__ double parts[GROUPS][WIDTH];
    const int place = threadIdx.x % WIDTH, group = threadIdx.x / WIDTH;
    const int j = ((k + 1) / WIDTH + blockIdx.x) * WIDTH + place; // whole sectors of memory
    const bool is_there = j > k && j < columns;
    double sum = 0.0;

    if (is_there) {
#pragma unroll 4
        for (int i = group; i < rows; i += GROUPS)
            sum += column[i] * a[static_cast<std::size_t>(i) * columns + j];
    }
    parts[group][place] = sum;
    __syncthreads();
    for (int half = GROUPS / 2; half > 0; half /= 2) {
        if (group < half)
            parts[group][place] += parts[group + half][place];
        __syncthreads();
    }
    if (!is_there)
        return;
    sum = parts[0][place];
    if (group == 0)
        r[static_cast<std::size_t>(k) * columns + j] = sum;
#pragma unroll 4
    for (int i = group; i < rows; i += GROUPS)
        a[static_cast<std::size_t>(i) * columns + j] -= column[i] * sum;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "gramschmidt", size, 3);
    const int rows = size[0].value, columns = size[1].value, steps = rows < columns ? rows : columns;
    const std::size_t elements = static_cast<std::size_t>(rows) * columns;
    double *const given = pageable<double>(elements), *const q = pageable<double>(elements), *const r = pageable<double>(elements);
    fill_doubles(given, elements, 1);
    for (int i = 0; i < steps; i++)
        given[static_cast<std::size_t>(i) * columns + i] += 10.0;
    start_device();

    const double start = now();
    double *const from = on_device<double>(elements), *const a = on_device<double>(elements), *const column = on_device<double>(rows);
    double *const to_q = on_device<double>(elements), *const to_r = on_device<double>(elements);
    page_lock(given, elements * sizeof *given);
    page_lock(q, elements * sizeof *q);
    page_lock(r, elements * sizeof *r);
    to_device(from, given, elements);
    CHECK(cudaMemsetAsync(to_q, 0, elements * sizeof *to_q));
    CHECK(cudaMemsetAsync(to_r, 0, elements * sizeof *to_r));
    Repetitions repetitions;
    for (int turn = 0; turn < size[2].value; turn++)
        repetitions.steps([&] {
            repetitions.launch([&] { CHECK(cudaMemcpyAsync(a, from, elements * sizeof *a, cudaMemcpyDeviceToDevice)); });
            for (int k = 0; k < steps; k++) {
                repetitions.launch([&] { normalise<<<1, NORM_THREADS>>>(to_q, to_r, column, a, rows, columns, k); });
                const int blocks = (columns + WIDTH - 1) / WIDTH - (k + 1) / WIDTH;
                if (blocks > 0)
                    repetitions.launch([&] { project<<<blocks, THREADS>>>(a, to_r, column, rows, columns, k); });
            }
        });
    to_host(q, to_q, elements);
    to_host(r, to_r, elements);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("gramschmidt %d %d\n", rows, columns);
    std::printf("q %.9e\n", checksum_doubles(q, elements));
    std::printf("r %.9e\n", checksum_doubles(r, elements));
    report(seconds);
    repetitions.report();
    return 0;
}

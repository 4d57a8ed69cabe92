// programs/correlation.c by hand: means and deviations in one launch, 16 columns for each block; the product by tiles in shared memory,
// of which those below the diagonal are mirrored.

#include "columns.cuh"
#include "device.cuh"
#include "program.h"
#include "dense.h"
#include "tiles.cuh"

#include <cmath>

__global__ void __launch_bounds__(COLUMN_THREADS) describe(double *__restrict__ mean, double *__restrict__ deviation,
                                                           const double *__restrict__ data, int rows, int columns)
{
    const int j = column_of_thread();
    const bool is_there = j < columns;
    const double average = sum_of_column(rows, is_there, [&](int i) { return data[static_cast<std::size_t>(i) * columns + j]; }) / rows;
    const double squares = sum_of_column(rows, is_there, [&](int i) {
        const double off = data[static_cast<std::size_t>(i) * columns + j] - average;
        return off * off;
    });

    if (is_there && threadIdx.x < COLUMNS_OF_BLOCK) {
        const double found = sqrt(squares / rows);
        mean[j] = average;
        deviation[j] = found <= 0.1 ? 1.0 : found;
    }
}

constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS) standardise(double *__restrict__ data, const double *__restrict__ mean,
                                                       const double *__restrict__ deviation, int rows, int columns)
{
    const int j = blockIdx.x * THREADS + threadIdx.x;
    const std::size_t at = static_cast<std::size_t>(blockIdx.y) * columns + j;

    if (j < columns)
        data[at] = (data[at] - mean[j]) / (sqrt(static_cast<double>(rows)) * deviation[j]);
}

__global__ void __launch_bounds__(TILE_THREADS) correlate(double *__restrict__ corr, const double *__restrict__ data, int rows, int columns)
{
    multiply_with_itself(data, rows, columns, [&](double sum, int i, int j) {
        const double value = i == j ? 1.0 : sum;
        corr[static_cast<std::size_t>(i) * columns + j] = value;
        corr[static_cast<std::size_t>(j) * columns + i] = value;
    });
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "correlation", size, 3);
    const int rows = size[0].value, columns = size[1].value;
    const std::size_t elements = static_cast<std::size_t>(rows) * columns, results = static_cast<std::size_t>(columns) * columns;
    double *const observed = pageable<double>(elements), *const corr = pageable<double>(results);
    fill_doubles(observed, elements, 1);
    start_device();

    const double start = now();
    double *const from = on_device<double>(elements), *const data = on_device<double>(elements), *const to = on_device<double>(results);
    double *const mean = on_device<double>(columns), *const deviation = on_device<double>(columns);
    page_lock(observed, elements * sizeof *observed);
    page_lock(corr, results * sizeof *corr);
    to_device(from, observed, elements);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++)
        repetitions.run([&] {
            CHECK(cudaMemcpyAsync(data, from, elements * sizeof *data, cudaMemcpyDeviceToDevice));
            describe<<<blocks_of_columns(columns), COLUMN_THREADS>>>(mean, deviation, data, rows, columns);
            standardise<<<dim3((columns + THREADS - 1) / THREADS, rows), THREADS>>>(data, mean, deviation, rows, columns);
            correlate<<<tiles_of(columns, columns), TILE_THREADS>>>(to, data, rows, columns);
        });
    to_host(corr, to, results);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("correlation %d %d\n", rows, columns);
    std::printf("checksum %.9e\n", checksum_doubles(corr, results));
    report(seconds);
    repetitions.report();
    return 0;
}

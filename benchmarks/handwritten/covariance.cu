// programs/covariance.c by hand: means by blocks of 16 columns; the product by tiles in shared memory, of which those below the diagonal
// are mirrored.

#include "columns.cuh"
#include "device.cuh"
#include "program.h"
#include "dense.h"
#include "tiles.cuh"

__global__ void __launch_bounds__(COLUMN_THREADS) average(double *__restrict__ mean, const double *__restrict__ data, int rows, int columns)
{
    const int j = column_of_thread();
    const bool is_there = j < columns;
    const double sum = sum_of_column(rows, is_there, [&](int i) { return data[static_cast<std::size_t>(i) * columns + j]; });

    if (is_there && threadIdx.x < COLUMNS_OF_BLOCK)
        mean[j] = sum / rows;
}

constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS) centre(double *__restrict__ data, const double *__restrict__ mean, int columns)
{
    const int j = blockIdx.x * THREADS + threadIdx.x;

    if (j < columns)
        data[static_cast<std::size_t>(blockIdx.y) * columns + j] -= mean[j];
}

__global__ void __launch_bounds__(TILE_THREADS) covary(double *__restrict__ cov, const double *__restrict__ data, int rows, int columns)
{
    multiply_with_itself(data, rows, columns, [&](double sum, int i, int j) {
        const double value = sum / (rows - 1.0);
        cov[static_cast<std::size_t>(i) * columns + j] = value;
        cov[static_cast<std::size_t>(j) * columns + i] = value;
    });
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 2, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "covariance", size, 3);
    const int rows = size[0].value, columns = size[1].value;
    const std::size_t elements = static_cast<std::size_t>(rows) * columns, results = static_cast<std::size_t>(columns) * columns;
    double *const observed = pageable<double>(elements), *const cov = pageable<double>(results);
    fill_doubles(observed, elements, 1);
    start_device();

    const double start = now();
    double *const from = on_device<double>(elements), *const data = on_device<double>(elements), *const to = on_device<double>(results);
    double *const mean = on_device<double>(columns);
    page_lock(observed, elements * sizeof *observed);
    page_lock(cov, results * sizeof *cov);
    to_device(from, observed, elements);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++)
        repetitions.run([&] {
            CHECK(cudaMemcpyAsync(data, from, elements * sizeof *data, cudaMemcpyDeviceToDevice));
            average<<<blocks_of_columns(columns), COLUMN_THREADS>>>(mean, data, rows, columns);
            centre<<<dim3((columns + THREADS - 1) / THREADS, rows), THREADS>>>(data, mean, columns);
            covary<<<tiles_of(columns, columns), TILE_THREADS>>>(to, data, rows, columns);
        });
    to_host(cov, to, results);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("covariance %d %d\n", rows, columns);
    std::printf("checksum %.9e\n", checksum_doubles(cov, results));
    report(seconds);
    repetitions.report();
    return 0;
}

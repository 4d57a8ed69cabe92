// programs/trmm.c by hand: what B was is copied, so that all tiles of the result are independent; a tile's sum begins at its own rows.

#include "device.cuh"
#include "program.h"
#include "dense.h"
#include "tiles.cuh"

__global__ void __launch_bounds__(TILE_THREADS) multiply(double *__restrict__ b, const double *__restrict__ a, const double *__restrict__ old,
                                                         int rows, int columns, double alpha)
{
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    double sum[4][4] = {};

    multiply_tiles(sum, a, rows, row, old, columns, column, row, rows, [](int k, int i) { return k > i; });
#pragma unroll
    for (int y = 0; y < 4; y++)
#pragma unroll
        for (int x = 0; x < 4; x++) {
            const int i = row + place_of(y, threadIdx.x / 16), j = column + place_of(x, threadIdx.x % 16);
            const std::size_t at = static_cast<std::size_t>(i) * columns + j;
            if (i < rows && j < columns)
                b[at] = alpha * (old[at] + sum[y][x]);
        }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "trmm", size, 3);
    const int rows = size[0].value, columns = size[1].value;
    const std::size_t of_a = static_cast<std::size_t>(rows) * rows, of_b = static_cast<std::size_t>(rows) * columns;
    double *const a = pageable<double>(of_a), *const given = pageable<double>(of_b), *const b = pageable<double>(of_b);
    fill_doubles(a, of_a, 1);
    fill_doubles(given, of_b, 2);
    start_device();

    const double start = now();
    double *const da = on_device<double>(of_a), *const from = on_device<double>(of_b);
    double *const db = on_device<double>(of_b), *const old = on_device<double>(of_b);
    page_lock(a, of_a * sizeof *a);
    page_lock(given, of_b * sizeof *given);
    page_lock(b, of_b * sizeof *b);
    to_device(da, a, of_a);
    to_device(from, given, of_b);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++)
        repetitions.run([&] {
            CHECK(cudaMemcpyAsync(db, from, of_b * sizeof *db, cudaMemcpyDeviceToDevice));
            CHECK(cudaMemcpyAsync(old, db, of_b * sizeof *db, cudaMemcpyDeviceToDevice));
            multiply<<<tiles_of(rows, columns), TILE_THREADS>>>(db, da, old, rows, columns, 1.5);
        });
    to_host(b, db, of_b);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("trmm %d %d\n", rows, columns);
    std::printf("checksum %.9e\n", checksum_doubles(b, of_b));
    report(seconds);
    repetitions.report();
    return 0;
}

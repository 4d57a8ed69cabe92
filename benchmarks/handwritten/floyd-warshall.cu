// programs/floyd-warshall.c by hand: a launch for each place on the way, in which a thread has eight rows of its column. The row and the
// column of that place do not change in its step, since no way back to it is shorter than none.

#include "device.cuh"
#include "program.h"
#include "dense.h"

constexpr int WIDTH = 64, HEIGHT = 4, ROWS = 8;

__global__ void __launch_bounds__(WIDTH *HEIGHT) shorten(int *path, int n, int k)
{
    const int j = blockIdx.x * WIDTH + threadIdx.x, first = (blockIdx.y * HEIGHT + threadIdx.y) * ROWS;

    if (j >= n)
        return;
    const int rest = path[static_cast<std::size_t>(k) * n + j];
#pragma unroll
    for (int y = 0; y < ROWS; y++)
        if (first + y < n) {
            int *const row = path + static_cast<std::size_t>(first + y) * n;
            const int by_way = row[k] + rest;
            if (by_way < row[j])
                row[j] = by_way;
        }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLACES", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "floyd-warshall", size, 2);
    const int n = size[0].value;
    const std::size_t elements = static_cast<std::size_t>(n) * n;
    const dim3 grid((n + WIDTH - 1) / WIDTH, (n + HEIGHT * ROWS - 1) / (HEIGHT * ROWS));
    int *const road = pageable<int>(elements), *const path = pageable<int>(elements);
    fill_roads(road, n, 1);
    start_device();

    const double start = now();
    int *const from = on_device<int>(elements), *const to = on_device<int>(elements);
    page_lock(road, elements * sizeof *road);
    page_lock(path, elements * sizeof *path);
    to_device(from, road, elements);
    Repetitions repetitions;
    for (int turn = 0; turn < size[1].value; turn++)
        repetitions.steps([&] {
            repetitions.launch([&] { CHECK(cudaMemcpyAsync(to, from, elements * sizeof *to, cudaMemcpyDeviceToDevice)); });
            for (int k = 0; k < n; k++)
                repetitions.launch([&] { shorten<<<grid, dim3(WIDTH, HEIGHT)>>>(to, n, k); });
        });
    to_host(path, to, elements);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("floyd-warshall %d\n", n);
    std::printf("checksum %lld\n", checksum_ints(path, elements));
    report(seconds);
    repetitions.report();
    return 0;
}

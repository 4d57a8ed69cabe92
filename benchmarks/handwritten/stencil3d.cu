// programs/stencil3d.c by hand: a thread goes through PLANES planes with three values of its column in registers; rows next
// to its own are in the cache, since the same block has them.

#include "device.cuh"
#include "program.h"

#include <utility>

constexpr int WIDTH = 64, HEIGHT = 8, PLANES = 16, THREADS = WIDTH * HEIGHT;

__global__ void __launch_bounds__(THREADS) sweep(const double *__restrict__ old, double *__restrict__ fresh, int planes, int rows,
                                                 int columns)
{
    const int k = blockIdx.x * WIDTH + threadIdx.x, j = blockIdx.y * HEIGHT + threadIdx.y, first = blockIdx.z * PLANES;
    const int begin = first < 1 ? 1 : first, end = first + PLANES < planes - 1 ? first + PLANES : planes - 1;
    const int plane = rows * columns;

    if (k < 1 || k >= columns - 1 || j < 1 || j >= rows - 1 || begin >= end)
        return;
    int at = begin * plane + j * columns + k;
    double above = old[at - plane], here = old[at];
#pragma unroll 2
    for (int i = begin; i < end; i++, at += plane) {
        const double below = old[at + plane];
        fresh[at] = 0.4 * here + 0.1 * (above + below + old[at - columns] + old[at + columns] + old[at - 1] + old[at + 1]);
        above = here;
        here = below;
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLANES", 16, 1, 1024}, {"ROWS", 16, 1, 1024}, {"COLUMNS", 16, 1, 1024}, {"SWEEPS", 1, 1, 1000}};

    read_parameters(argc, argv, "stencil3d", size, 4);
    const int planes = size[0].value, rows = size[1].value, columns = size[2].value;
    const std::size_t points = static_cast<std::size_t>(planes) * rows * columns;
    const dim3 block(WIDTH, HEIGHT);
    const dim3 grid((columns + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT, (planes + PLANES - 1) / PLANES);
    double *const u = pageable<double>(points);
    fill_doubles(u, points, 1);
    start_device();

    const double start = now();
    double *old = on_device<double>(points), *fresh = on_device<double>(points);
    page_lock(u, points * sizeof *u);
    to_device(old, u, points);
    CHECK(cudaMemcpyAsync(fresh, old, points * sizeof *old, cudaMemcpyDeviceToDevice));
    Repetitions repetitions;
    for (int k = 0; k < size[3].value; k++) {
        repetitions.run([&] { sweep<<<grid, block>>>(old, fresh, planes, rows, columns); });
        std::swap(old, fresh);
    }
    to_host(u, old, points);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("stencil3d %d %d %d %d\n", planes, rows, columns, size[3].value);
    std::printf("checksum %.9e\n", checksum_doubles(u, points));
    report(seconds);
    repetitions.report();
    return 0;
}

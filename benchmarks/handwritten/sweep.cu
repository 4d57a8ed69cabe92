// programs/sweep.c by hand: a thread goes down eight rows of its column with three values in registers; small planes have
// one row for each thread. With -DRESIDUAL: the Jacobi method, which adds up the squares of the residual.

#include "device.cuh"
#include "program.h"

#include <utility>

#ifdef RESIDUAL
constexpr bool residual = true;
#else
constexpr bool residual = false;
#endif
constexpr int WIDTH = 64, HEIGHT = 4, THREADS = WIDTH * HEIGHT;

static dim3 grid_of(int height, int rows, int columns)
{
    return dim3((columns + WIDTH - 1) / WIDTH, (rows + HEIGHT * height - 1) / (HEIGHT * height));
}

template <int ROWS>
__global__ void __launch_bounds__(THREADS) sweep(const double *__restrict__ old, const double *__restrict__ f, double *__restrict__ fresh,
                                                 int rows, int columns, Sum sum)
{
    const int j = blockIdx.x * WIDTH + threadIdx.x;
    const int first = (blockIdx.y * HEIGHT + threadIdx.y) * ROWS;
    const int begin = first < 1 ? 1 : first, end = first + ROWS < rows - 1 ? first + ROWS : rows - 1;
    double squares = 0.0;

    if (j >= 1 && j < columns - 1 && begin < end) {
        std::size_t at = static_cast<std::size_t>(begin) * columns + j;
        double above = old[at - columns], here = old[at];
        for (int i = begin; i < end; i++, at += columns) {
            const double below = old[at + columns], across = old[at - 1] + old[at + 1];
            if (residual) {
                const double r = 0.25 * (above + below + across - f[at]) - here;
                fresh[at] = here + 0.8 * r;
                squares += r * r;
            } else {
                fresh[at] = 0.2 * (here + above + below + across);
            }
            above = here;
            here = below;
        }
    }
    if (residual)
        sum_of_grid<THREADS>(sum, squares, blockIdx.y * gridDim.x + blockIdx.x, gridDim.x * gridDim.y,
                             threadIdx.y * WIDTH + threadIdx.x);
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"SWEEPS", 1, 1, 1000}};

    read_parameters(argc, argv, "sweep", size, 3);
    const int rows = size[0].value, columns = size[1].value;
    const std::size_t points = static_cast<std::size_t>(rows) * columns;
    double *const u = pageable<double>(points), *const f = pageable<double>(points), *const squares = page_locked<double>(1);
    fill_doubles(u, points, 1);
    fill_doubles(f, points, 2);
    *squares = 0.0;
    start_device();

    const double start = now();
    const bool large = points >= static_cast<std::size_t>(multiprocessors()) * 8 * THREADS;
    const dim3 grid = grid_of(large ? 8 : 1, rows, columns), block(WIDTH, HEIGHT);
    double *old = on_device<double>(points), *fresh = on_device<double>(points), *const df = on_device<double>(points);
    const Sum sum = new_sum(static_cast<std::size_t>(grid.x) * grid.y, on_device<double>(1));
    page_lock(u, points * sizeof *u);
    page_lock(f, points * sizeof *f);
    to_device(old, u, points);
    CHECK(cudaMemcpyAsync(fresh, old, points * sizeof *old, cudaMemcpyDeviceToDevice));
    if (residual)
        to_device(df, f, points);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++) {
        repetitions.run([&] {
            if (large)
                sweep<8><<<grid, block>>>(old, df, fresh, rows, columns, sum);
            else
                sweep<1><<<grid, block>>>(old, df, fresh, rows, columns, sum);
        });
        if (residual)
            to_host(squares, sum.result, 1);
        std::swap(old, fresh);
    }
    to_host(u, old, points);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("sweep %d %d %d\n", rows, columns, size[2].value);
    std::printf("residual %.9e\n", *squares);
    std::printf("checksum %.9e\n", checksum_doubles(u, points));
    report(seconds);
    repetitions.report();
    return 0;
}

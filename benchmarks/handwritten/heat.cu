// programs/heat.c by hand: both arrays on the device; the plate goes there once and comes home once.
//
//     heat [ROWS COLUMNS [STEPS]]
//
// A thread goes down ROWS rows of its column with three values in registers; small plates have one row for each thread.

#include "device.cuh"

#include <climits>
#include <utility>

constexpr int WIDTH = 64, HEIGHT = 4, THREADS = WIDTH * HEIGHT;
constexpr double RATE = 0.2;

template <int ROWS>
__global__ void __launch_bounds__(THREADS) step(const double *__restrict__ now, double *__restrict__ next, int rows, int columns)
{
    const int j = blockIdx.x * WIDTH + threadIdx.x;
    const int begin = (blockIdx.y * HEIGHT + threadIdx.y) * ROWS, end = begin + ROWS < rows ? begin + ROWS : rows;

    if (j >= columns || begin >= end)
        return;
    const int left = j > 0 ? -1 : 0, right = j < columns - 1 ? 1 : 0;
    std::size_t at = static_cast<std::size_t>(begin) * columns + j;
    double above = begin > 0 ? now[at - columns] : now[at], here = now[at];
    for (int i = begin; i < end; i++, at += columns) {
        const double below = i < rows - 1 ? now[at + columns] : here;
        next[at] = here + RATE * (above + below + now[at + left] + now[at + right] - 4.0 * here);
        above = here;
        here = below;
    }
}

template <int ROWS> static void take_steps(double *&now, double *&next, int rows, int columns, int steps)
{
    const dim3 grid((columns + WIDTH - 1) / WIDTH, (rows + HEIGHT * ROWS - 1) / (HEIGHT * ROWS));

    for (int k = 0; k < steps; k++) {
        step<ROWS><<<grid, dim3(WIDTH, HEIGHT)>>>(now, next, rows, columns);
        CHECK(cudaGetLastError());
        std::swap(now, next);
    }
}

static void compute(double *plate, int rows, int columns, int steps)
{
    const std::size_t points = static_cast<std::size_t>(rows) * columns;
    double *now = on_device<double>(points), *next = on_device<double>(points);

    page_lock(plate, points * sizeof *plate);
    to_device(now, plate, points);
    if (points >= static_cast<std::size_t>(multiprocessors()) * 8 * THREADS)
        take_steps<8>(now, next, rows, columns, steps);
    else
        take_steps<1>(now, next, rows, columns, steps);
    to_host(plate, now, points);
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 200, 1, 32768), columns = argument(argc, argv, 2, 200, 1, 32768);
    const int steps = argument(argc, argv, 3, 100, 0, INT_MAX);
    double *const plate = pageable<double>(static_cast<std::size_t>(rows) * columns);

    start_device();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            plate[static_cast<std::size_t>(i) * columns + j] =
                i >= rows / 4 && i <= rows / 2 && j >= columns / 3 && j <= columns / 2 ? 100.0 : 1.0;

    const double start = now();
    compute(plate, rows, columns, steps);
    const double seconds = now() - start;

    double total = 0.0, checksum = 0.0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const double value = plate[static_cast<std::size_t>(i) * columns + j];
            total += value;
            checksum += ((i * 31L + j * 17L) % 97 + 1) * value;
        }
    std::printf("heat %d %d %d\n", rows, columns, steps);
    std::printf("total %.9e\n", total);
    std::printf("checksum %.9e\n", checksum);
    report(seconds);
    return 0;
}

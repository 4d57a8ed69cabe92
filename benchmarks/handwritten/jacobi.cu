// programs/jacobi.c by hand: the arrays stay on the device, the residual alone comes home in each iteration.
//
//     jacobi [ROWS COLUMNS [ITERATIONS [TOLERANCE]]]
//
// As it stands it has the loops of the C program, and everything that it needs besides the context is inside the clock:
// memory of the device, page-locking, copies. With -DBEST it does what only an author would: the two arrays change
// places instead of being copied, memory is allocated and page-locked before the clock starts, and the residual is written
// into the host's memory by the kernel.
//
// A thread goes down ROWS rows of its column with three values in registers; small grids have one row for each thread,
// so that all multiprocessors have work.

#include "device.cuh"

#include <climits>
#include <cmath>
#include <utility>

#ifdef BEST
constexpr bool best = true;
#else
constexpr bool best = false;
#endif
constexpr int WIDTH = 64, HEIGHT = 4, THREADS = WIDTH * HEIGHT;

struct Weights {
    double vertical, horizontal, centre;
};

template <int ROWS> dim3 grid_of(int n, int m)
{
    return dim3((m + WIDTH - 1) / WIDTH, (n + HEIGHT * ROWS - 1) / (HEIGHT * ROWS));
}

template <int ROWS>
__global__ void __launch_bounds__(THREADS, 4) sweep(const double *__restrict__ old, const double *__restrict__ f, double *__restrict__ u,
                                                 int n, int m, Weights weight, double relaxation, Sum sum)
{
    const int j = blockIdx.x * WIDTH + threadIdx.x;
    const int first = (blockIdx.y * HEIGHT + threadIdx.y) * ROWS;
    const int begin = first < 1 ? 1 : first, end = first + ROWS < n - 1 ? first + ROWS : n - 1;
    double squares = 0.0;

    if (j >= 1 && j < m - 1 && begin < end) {
        std::size_t at = static_cast<std::size_t>(begin) * m + j;
        double above = old[at - m], here = old[at];
        for (int i = begin; i < end; i++, at += m) {
            const double below = old[at + m];
            const double r = (weight.vertical * (above + below) + weight.horizontal * (old[at - 1] + old[at + 1])
                              + weight.centre * here - f[at]) / weight.centre;
            u[at] = here - relaxation * r;
            squares += r * r;
            above = here;
            here = below;
        }
    }
    sum_of_grid<THREADS>(sum, squares, blockIdx.y * gridDim.x + blockIdx.x, gridDim.x * gridDim.y, threadIdx.y * WIDTH + threadIdx.x);
}

static double coordinate(int k, int n)
{
    return n > 1 ? -1.0 + 2.0 * k / (n - 1) : 0.0;
}

static Weights initialize(double *u, double *f, int n, int m, double alpha)
{
    const double dy = n > 1 ? 2.0 / (n - 1) : 2.0, dx = m > 1 ? 2.0 / (m - 1) : 2.0;
    const double vertical = 1.0 / (dy * dy), horizontal = 1.0 / (dx * dx);

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const std::size_t at = static_cast<std::size_t>(i) * m + j;
            const double py = 1.0 - coordinate(i, n) * coordinate(i, n), px = 1.0 - coordinate(j, m) * coordinate(j, m);
            u[at] = 0.0;
            f[at] = -alpha * px * py - 2.0 * px - 2.0 * py;
        }
    return {vertical, horizontal, -2.0 * (vertical + horizontal) - alpha};
}

// The arrays on the device, and where the residual comes home.
struct Device {
    double *u, *old, *f;
    Sum sum;
    double *residual;
    Repetitions repetitions{};
};

static Device allocate(std::size_t points, std::size_t blocks)
{
    double *const residual = page_locked<double>(1); // of which the address on the device is the same
    double *const result = best ? residual : on_device<double>(1);

    return {on_device<double>(points), on_device<double>(points), on_device<double>(points), new_sum(blocks, result), residual};
}

template <int ROWS>
static int iterate(Device &device, int n, int m, Weights weight, double tolerance, int iterations, double &error)
{
    const std::size_t points = static_cast<std::size_t>(n) * m;
    int done = 0;

    error = 10.0 * tolerance + 1.0;
    while (done < iterations && error > tolerance) {
        if (best)
            std::swap(device.u, device.old);
        device.repetitions.launch([&] {
            if (!best)
                CHECK(cudaMemcpyAsync(device.old, device.u, points * sizeof(double), cudaMemcpyDeviceToDevice));
            sweep<ROWS><<<grid_of<ROWS>(n, m), dim3(WIDTH, HEIGHT)>>>(device.old, device.f, device.u, n, m, weight, 1.0, device.sum);
        });
        if (best)
            moved().to_host += sizeof(double);
        else
            to_host(device.residual, device.sum.result, 1);
        CHECK(cudaStreamSynchronize(nullptr));
        error = std::sqrt(*device.residual) / static_cast<double>(points);
        done++;
    }
    error = done > 0 ? error : 0.0;
    return done;
}

// Copies in, iterates, copies out. What stands on the edge is the same in both arrays of the device.
static int compute(Device &device, double *u, double *f, int n, int m, Weights weight, double tolerance, int iterations, double &error)
{
    const std::size_t points = static_cast<std::size_t>(n) * m;

    to_device(device.u, u, points);
    to_device(device.f, f, points);
    if (best)
        CHECK(cudaMemcpyAsync(device.old, device.u, points * sizeof(double), cudaMemcpyDeviceToDevice));
    const bool large = points >= static_cast<std::size_t>(multiprocessors()) * 8 * THREADS;
    const int done = large ? iterate<8>(device, n, m, weight, tolerance, iterations, error)
                           : iterate<1>(device, n, m, weight, tolerance, iterations, error);
    to_host(u, device.u, points);
    CHECK(cudaDeviceSynchronize());
    return done;
}

static double solution_error(const double *u, int n, int m)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const double y = coordinate(i, n), x = coordinate(j, m);
            const double exact = i > 0 && i < n - 1 && j > 0 && j < m - 1 ? (1.0 - x * x) * (1.0 - y * y) : 0.0;
            const double difference = u[static_cast<std::size_t>(i) * m + j] - exact;
            sum += difference * difference;
        }
    return std::sqrt(sum / (static_cast<double>(n) * m));
}

static double checksum(const double *u, int n, int m)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += ((i * 31L + j * 17L) % 97 + 1) * u[static_cast<std::size_t>(i) * m + j];
    return sum;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 200, 1, 32768), m = argument(argc, argv, 2, 200, 1, 32768);
    const int iterations = argument(argc, argv, 3, 1000, 0, INT_MAX);
    const double tolerance = argc > 4 ? std::strtod(argv[4], nullptr) : 1e-7;
    const std::size_t points = static_cast<std::size_t>(n) * m;
    const dim3 grid = grid_of<1>(n, m);
    double residual;

    start_device();
    double *const u = best ? page_locked<double>(points) : pageable<double>(points);
    double *const f = best ? page_locked<double>(points) : pageable<double>(points);
    const Weights weight = initialize(u, f, n, m, 0.8);

    double start = now();
    Device device = allocate(points, static_cast<std::size_t>(grid.x) * grid.y);
    if (best) {
        CHECK(cudaDeviceSynchronize());
        start = now();
    } else {
        page_lock(u, points * sizeof *u);
        page_lock(f, points * sizeof *f);
    }
    const int done = compute(device, u, f, n, m, weight, tolerance, iterations, residual);
    const double seconds = now() - start;

    std::printf("jacobi %d %d\n", n, m);
    std::printf("iterations %d residual %.9e\n", done, residual);
    std::printf("error %.9e\n", solution_error(u, n, m));
    std::printf("checksum %.9e\n", checksum(u, n, m));
    report(seconds);
    device.repetitions.report();
    return 0;
}

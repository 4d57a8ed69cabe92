// programs/spmv.c by hand: some lanes of a warp for each row. How many is tried out before the clock starts, which takes
// the best of 1, 2, 4, 8, 16 and 32: what one choice for the whole matrix can reach. Rows of more than LONG entries have a
// block of their own, in a kernel of their own; the host lists them before the clock starts.

#include "device.cuh"
#include "program.h"
#include "matrix.h"

#ifdef DIFFERENCES
constexpr bool DIFFERS = true;
#else
constexpr bool DIFFERS = false;
#endif
constexpr int THREADS = 256, TRIALS = 3, LONG = 8192, MANY_THREADS = 512;

template <int LANES>
__global__ void __launch_bounds__(THREADS) multiply(double *__restrict__ y, const int *__restrict__ first, const int *__restrict__ column,
                                                    const double *__restrict__ value, const double *__restrict__ x, int rows)
{
    const int i = (blockIdx.x * THREADS + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    const bool is_mine = i < rows && first[i + 1] - first[i] <= LONG;
    const int end = is_mine ? first[i + 1] : 0;
    const double own = DIFFERS && is_mine ? x[i] : 0.0;
    double sum = 0.0;

    for (int k = is_mine ? first[i] + lane : 0; k < end; k += LANES)
        sum += value[k] * (x[column[k]] - own);
#pragma unroll
    for (int lanes = LANES / 2; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, lanes, LANES);
    if (lane == 0 && is_mine)
        y[i] = sum;
}

__global__ void __launch_bounds__(MANY_THREADS) multiply_long(double *__restrict__ y, const int *__restrict__ longs, const int *__restrict__ first,
                                                              const int *__restrict__ column, const double *__restrict__ value,
                                                              const double *__restrict__ x)
{
    __shared__ double sums[MANY_THREADS / 32];
    const int i = longs[blockIdx.x], end = first[i + 1], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const double own = DIFFERS ? x[i] : 0.0;
    double sum = 0.0;

#pragma unroll 8
    for (int k = first[i] + threadIdx.x; k < end; k += MANY_THREADS)
        sum += value[k] * (x[column[k]] - own);
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < MANY_THREADS / 32 ? sums[lane] : 0.0;
#pragma unroll
        for (int lanes = MANY_THREADS / 64; lanes > 0; lanes /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, lanes);
        if (lane == 0)
            y[i] = sum;
    }
}

// The matrix and the vectors on the device.
struct Problem {
    double *y;
    int *first, *column;
    double *value, *x;
    int rows, *longs, many;

    Problem(const sparse &m, const double *host_x)
        : y(on_device<double>(m.rows)), first(on_device<int>(m.rows + 1)), column(on_device<int>(m.first[m.rows])),
          value(on_device<double>(m.first[m.rows])), x(on_device<double>(m.rows)), rows(m.rows), longs(nullptr), many(0)
    {
        std::vector<int> found;
        for (int i = 0; i < rows; i++)
            if (m.first[i + 1] - m.first[i] > LONG)
                found.push_back(i);
        many = static_cast<int>(found.size());
        if (many != 0) {
            longs = on_device<int>(many);
            to_device(longs, found.data(), many);
        }
        to_device(first, m.first, rows + 1);
        to_device(column, m.column, m.first[rows]);
        to_device(value, m.value, m.first[rows]);
        to_device(x, host_x, rows);
    }

    template <int LANES> void launch() const
    {
        const long long threads = static_cast<long long>(rows) * LANES;
        const int blocks = static_cast<int>((threads + THREADS - 1) / THREADS);
        if (many != rows)
            multiply<LANES><<<blocks, THREADS>>>(y, first, column, value, x, rows);
        if (many != 0)
            multiply_long<<<many, MANY_THREADS>>>(y, longs, first, column, value, x);
    }

    void multiply_by(int lanes) const
    {
        switch (lanes) {
        case 1: return launch<1>();
        case 2: return launch<2>();
        case 4: return launch<4>();
        case 8: return launch<8>();
        case 16: return launch<16>();
        default: return launch<32>();
        }
    }
};

static int best_lanes(const Problem &problem)
{
    double least = 1e9;
    int best = 1;

    for (int lanes = 1; lanes <= 32; lanes *= 2)
        for (int k = 0; k < TRIALS; k++) {
            const double taken = Repetitions().run([&] { problem.multiply_by(lanes); });
            if (taken < least) {
                least = taken;
                best = lanes;
            }
        }
    return best;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 1000, 1, 100000000}, {"ENTRIES", 40, 1, 1000000}, {"SKEWED", 0, 0, 3}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "spmv", size, 4);
    const sparse m = new_sparse(size[0].value, size[1].value, size[2].value);
    const int rows = m.rows, entries = m.first[rows];
    double *const x = pageable<double>(rows), *const y = pageable<double>(rows);
    fill_doubles(x, rows, 2);
    start_device();
    const int lanes = best_lanes(Problem(m, x));
    moved() = Moved{};

    const double start = now();
    page_lock(m.column, entries * sizeof *m.column);
    page_lock(m.value, entries * sizeof *m.value);
    page_lock(m.first, (rows + 1) * sizeof *m.first);
    page_lock(x, rows * sizeof *x);
    page_lock(y, rows * sizeof *y);
    const Problem problem(m, x);
    Repetitions repetitions;
    for (int k = 0; k < size[3].value; k++)
        repetitions.run([&] { problem.multiply_by(lanes); });
    to_host(y, problem.y, rows);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("spmv %d entries %d\n", rows, entries);
    std::printf("checksum %.9e\n", checksum_doubles(y, rows));
    std::fprintf(stderr, "lanes %d\n", lanes);
    report(seconds);
    repetitions.report();
    return 0;
}

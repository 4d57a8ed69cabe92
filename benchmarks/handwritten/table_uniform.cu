// programs/table_uniform.c by hand: all lanes of a warp read the same coefficient, so the table is in constant memory.
//
//     table_uniform [POINTS]

#include "device.cuh"

#include <climits>
#include <cstdint>

constexpr int TERMS = 4000, THREADS = 256;

__constant__ double coefficient[TERMS];

__global__ void __launch_bounds__(THREADS) add_up(int points, Sum sum)
{
    double mine = 0.0;

    for (long i = blockIdx.x * THREADS + threadIdx.x; i < points; i += static_cast<long>(gridDim.x) * THREADS) {
        const double x = static_cast<double>(i) / points;
        double value = 0.0;
        for (int k = TERMS - 1; k >= 0; k--)
            value = value * x + coefficient[k];
        mine += value;
    }
    sum_of_grid<THREADS>(sum, mine, blockIdx.x, gridDim.x, threadIdx.x);
}

static double mean(const double *table, int points)
{
    const int needed = (points + THREADS - 1) / THREADS, full = multiprocessors() * 8;
    const int blocks = needed < 1 ? 1 : needed < full ? needed : full;
    const Sum sum = new_sum(blocks, on_device<double>(1));
    double result;

    CHECK(cudaMemcpyToSymbolAsync(coefficient, table, sizeof coefficient));
    moved().to_device += sizeof coefficient;
    add_up<<<blocks, THREADS>>>(points, sum);
    CHECK(cudaGetLastError());
    to_host(&result, sum.result, 1);
    CHECK(cudaDeviceSynchronize());
    return points > 0 ? result / points : 0.0;
}

int main(int argc, char **argv)
{
    const int points = argument(argc, argv, 1, 10000, 0, INT_MAX - THREADS);
    static double table[TERMS];
    std::uint64_t state = 1;

    start_device();
    for (double &value : table) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<double>(state >> 11) / 9007199254740992.0;
    }

    const double start = now();
    const double result = mean(table, points);
    const double seconds = now() - start;

    std::printf("table_uniform %d\n", points);
    std::printf("mean %.9e\n", result);
    report(seconds);
    return 0;
}

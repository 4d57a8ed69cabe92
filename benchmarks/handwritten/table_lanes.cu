// programs/table_lanes.c by hand: each lane reads elsewhere, so each block has the table in shared memory.
//
//     table_lanes [WALKERS [STEPS]]

#include "device.cuh"

#include <climits>
#include <cstdint>

constexpr int PLACES = 4000, THREADS = 512;

__global__ void __launch_bounds__(THREADS) walk(const double *__restrict__ found, int walkers, int steps, Sum sum)
{
    __shared__ double here[PLACES];
    double mine = 0.0;

    for (int k = threadIdx.x; k < PLACES; k += THREADS)
        here[k] = found[k];
    __syncthreads();
    for (long i = static_cast<long>(blockIdx.x) * THREADS + threadIdx.x; i < walkers; i += static_cast<long>(gridDim.x) * THREADS) {
        std::uint32_t state = static_cast<std::uint32_t>(i) * 2654435761u;
        double of_walker = 0.0;
        for (int k = 0; k < steps; k++) {
            state = state * 1664525u + 1013904223u;
            of_walker += here[(state >> 16) * PLACES >> 16];
        }
        mine += of_walker;
    }
    sum_of_grid<THREADS>(sum, mine, blockIdx.x, gridDim.x, threadIdx.x);
}

static double sum_of_walks(const double *table, int walkers, int steps)
{
    const int needed = (walkers + THREADS - 1) / THREADS, full = multiprocessors() * 4;
    const int blocks = needed < 1 ? 1 : needed < full ? needed : full;
    double *const found = on_device<double>(PLACES);
    const Sum sum = new_sum(blocks, on_device<double>(1));
    double result;

    to_device(found, table, PLACES);
    walk<<<blocks, THREADS>>>(found, walkers, steps, sum);
    CHECK(cudaGetLastError());
    to_host(&result, sum.result, 1);
    CHECK(cudaDeviceSynchronize());
    return result;
}

int main(int argc, char **argv)
{
    const int walkers = argument(argc, argv, 1, 1000, 0, INT_MAX - THREADS), steps = argument(argc, argv, 2, 1000, 0, INT_MAX);
    static double table[PLACES];
    std::uint64_t state = 2;

    start_device();
    for (double &value : table) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<double>(state >> 11) / 9007199254740992.0;
    }

    const double start = now();
    const double result = sum_of_walks(table, walkers, steps);
    const double seconds = now() - start;

    std::printf("table_lanes %d %d\n", walkers, steps);
    std::printf("sum %.9e\n", result);
    report(seconds);
    return 0;
}

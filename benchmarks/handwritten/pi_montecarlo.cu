// programs/pi_montecarlo.c by hand: two points for each access, a count for each thread, one addition for each block.
//
//     pi_montecarlo [TRIALS]

#include "device.cuh"
#include "program.h"

#ifndef REPETITIONS
#define REPETITIONS 1
#endif
constexpr int THREADS = 256, BLOCKS_EACH = 8;

// Rounded as on the host: a last bit would be another count.
__device__ int is_inside(double x, double y)
{
    return __dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)) <= 1.0;
}

__global__ void __launch_bounds__(THREADS) count(const double *__restrict__ x, const double *__restrict__ y, int trials,
                                                 unsigned long long *__restrict__ inside)
{
    const double2 *const x2 = reinterpret_cast<const double2 *>(x), *const y2 = reinterpret_cast<const double2 *>(y);
    const int step = gridDim.x * THREADS, first = blockIdx.x * THREADS + threadIdx.x;
    __shared__ int of_block;
    int mine = trials % 2 != 0 && first == 0 ? is_inside(x[trials - 1], y[trials - 1]) : 0;

    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
#pragma unroll 4
    for (int i = first; i < trials / 2; i += step) {
        const double2 px = x2[i], py = y2[i];
        mine += is_inside(px.x, py.x) + is_inside(px.y, py.y);
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(inside, static_cast<unsigned long long>(of_block));
}

// A number in [0, 1) with 53 random bits.
static double next_random(std::uint64_t &state)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"TRIALS", 100000, 1, 1000000000}};

    read_parameters(argc, argv, "pi_montecarlo", size, 1);
    const int trials = size[0].value, blocks = multiprocessors() * BLOCKS_EACH;
    double *const x = pageable<double>(trials), *const y = pageable<double>(trials);
    auto *const inside = page_locked<unsigned long long>(1);
    std::uint64_t state = 1;
    for (int i = 0; i < trials; i++) {
        x[i] = next_random(state);
        y[i] = next_random(state);
    }
    start_device();

    const double start = now();
    double *const dx = on_device<double>(trials), *const dy = on_device<double>(trials);
    auto *const result = on_device<unsigned long long>(1);
    page_lock(x, trials * sizeof *x);
    page_lock(y, trials * sizeof *y);
    to_device(dx, x, trials);
    to_device(dy, y, trials);
    Repetitions repetitions;
    for (int k = 0; k < REPETITIONS; k++) {
        repetitions.run([&] {
            CHECK(cudaMemsetAsync(result, 0, sizeof *result));
            count<<<blocks, THREADS>>>(dx, dy, trials, result);
        });
        to_host(inside, result, 1);
    }
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("pi_montecarlo %d 1\n", trials);
    std::printf("inside %llu\n", *inside);
    std::printf("pi %.12f\n", 4.0 * static_cast<double>(*inside) / trials);
    report(seconds);
    repetitions.report();
    return 0;
}

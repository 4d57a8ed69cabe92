// programs/pi_integral.c by hand: a few blocks for each multiprocessor, one launch with a fixed order.
//
//     pi_integral [INTERVALS]

#include "device.cuh"
#include "program.h"

#ifndef REPETITIONS
#define REPETITIONS 1
#endif
constexpr int THREADS = 256, BLOCKS_EACH = 8;

__global__ void __launch_bounds__(THREADS) integrate(int intervals, double width, Sum sum)
{
    const long step = static_cast<long>(gridDim.x) * THREADS;
    double mine = 0.0;

#pragma unroll 4
    for (long i = static_cast<long>(blockIdx.x) * THREADS + threadIdx.x; i < intervals; i += step) {
        const double x = (static_cast<double>(static_cast<int>(i)) + 0.5) * width;
        mine += 4.0 / (1.0 + x * x);
    }
    sum_of_grid<THREADS>(sum, mine, blockIdx.x, gridDim.x, threadIdx.x);
}

int main(int argc, char **argv)
{
    parameter size[] = {{"INTERVALS", 1000000, 1, 2000000000}};

    read_parameters(argc, argv, "pi_integral", size, 1);
    const int intervals = size[0].value, blocks = multiprocessors() * BLOCKS_EACH;
    const double width = 1.0 / intervals;
    double *const result = page_locked<double>(1);
    start_device();

    const double start = now();
    const Sum sum = new_sum(blocks, on_device<double>(1));
    Repetitions repetitions;
    for (int k = 0; k < REPETITIONS; k++) {
        repetitions.run([&] { integrate<<<blocks, THREADS>>>(intervals, width, sum); });
        to_host(result, sum.result, 1);
    }
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("pi_integral %d\n", intervals);
    std::printf("pi %.12f\n", *result * width);
    report(seconds);
    repetitions.report();
    return 0;
}

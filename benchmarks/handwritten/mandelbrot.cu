// programs/mandelbrot.c by hand: a thread for each point.
//
//     mandelbrot [POINTS [ITERATIONS]]

#include "device.cuh"
#include "program.h"

#include <cmath>

#ifndef REPETITIONS
#define REPETITIONS 1
#endif
constexpr int THREADS = 128;
constexpr double WIDTH = 2.5, HEIGHT = 1.125;

// Does c leave the disc of radius 2? Rounded as on the host: a last bit would be another count.
__device__ bool leaves(double2 c, int iterations)
{
    double2 z = c;

    for (int k = 0; k < iterations; k++) {
        const double re = __dadd_rn(__dsub_rn(__dmul_rn(z.x, z.x), __dmul_rn(z.y, z.y)), c.x);
        z.y = __dadd_rn(__dmul_rn(2.0 * z.x, z.y), c.y);
        z.x = re;
        if (__dadd_rn(__dmul_rn(z.x, z.x), __dmul_rn(z.y, z.y)) > 4.0)
            return true;
    }
    return false;
}

__global__ void __launch_bounds__(THREADS) count_outside(const double2 *__restrict__ points, int n, int iterations,
                                                         unsigned long long *__restrict__ outside)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const unsigned those = __ballot_sync(0xffffffffu, i < n && leaves(points[i], iterations));

    if (threadIdx.x % 32 == 0 && those != 0)
        atomicAdd(outside, static_cast<unsigned long long>(__popc(those)));
}

// A number in [0, 1) with 53 random bits.
static double next_random(std::uint64_t &state)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"POINTS", 4092, 1, 1000000000}, {"ITERATIONS", 100000, 0, 1000000000}};

    read_parameters(argc, argv, "mandelbrot", size, 2);
    const int n = size[0].value, iterations = size[1].value;
    double2 *const points = pageable<double2>(n);
    auto *const outside = page_locked<unsigned long long>(1);
    std::uint64_t state = 31416;
    for (int i = 0; i < n; i++) {
        points[i].x = -2.0 + WIDTH * next_random(state);
        points[i].y = HEIGHT * next_random(state);
    }
    start_device();

    const double start = now();
    double2 *const there = on_device<double2>(n);
    auto *const result = on_device<unsigned long long>(1);
    page_lock(points, n * sizeof *points);
    to_device(there, points, n);
    Repetitions repetitions;
    for (int k = 0; k < REPETITIONS; k++) {
        repetitions.run([&] {
            CHECK(cudaMemsetAsync(result, 0, sizeof *result));
            count_outside<<<(n + THREADS - 1) / THREADS, THREADS>>>(there, n, iterations, result);
        });
        to_host(outside, result, 1);
    }
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    const long inside = n - static_cast<long>(*outside);
    const double area = 2.0 * WIDTH * HEIGHT * static_cast<double>(inside) / n;
    std::printf("mandelbrot %d %d\n", n, iterations);
    std::printf("inside %ld\n", inside);
    std::printf("area %.12f error %.12f\n", area, area / std::sqrt(n));
    report(seconds);
    repetitions.report();
    return 0;
}

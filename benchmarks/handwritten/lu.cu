// programs/lu.c by hand: two launches for each step. The first divides the column below the pivot and leaves it side by side for the
// second, in which a thread has four rows of its column.

#include "device.cuh"
#include "program.h"
#include "dense.h"

constexpr int THREADS = 256, WIDTH = 32, HEIGHT = 8, ROWS = 4;

__global__ void __launch_bounds__(THREADS) divide(double *a, double *__restrict__ factor, int n, int k)
{
    const int i = k + 1 + blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        const std::size_t at = static_cast<std::size_t>(i) * n + k;
        factor[i] = a[at] /= a[static_cast<std::size_t>(k) * n + k];
    }
}

__global__ void __launch_bounds__(WIDTH *HEIGHT) eliminate(double *a, const double *__restrict__ factor, int n, int k)
{
    const int j = (k + 1) / WIDTH * WIDTH + blockIdx.x * WIDTH + threadIdx.x;
    const int first = k + 1 + (blockIdx.y * HEIGHT + threadIdx.y) * ROWS;

    if (j <= k || j >= n)
        return;
    const double pivot = a[static_cast<std::size_t>(k) * n + j];
#pragma unroll
    for (int y = 0; y < ROWS; y++)
        if (first + y < n)
            a[static_cast<std::size_t>(first + y) * n + j] -= factor[first + y] * pivot;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIZE", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "lu", size, 2);
    const int n = size[0].value;
    const std::size_t elements = static_cast<std::size_t>(n) * n;
    double *const a = pageable<double>(elements), *const given = pageable<double>(elements);
    fill_dominant(given, n, 1);
    start_device();

    const double start = now();
    double *const from = on_device<double>(elements), *const da = on_device<double>(elements), *const factor = on_device<double>(n);
    page_lock(given, elements * sizeof *given);
    page_lock(a, elements * sizeof *a);
    to_device(from, given, elements);
    Repetitions repetitions;
    for (int turn = 0; turn < size[1].value; turn++)
        repetitions.steps([&] {
            repetitions.launch([&] { CHECK(cudaMemcpyAsync(da, from, elements * sizeof *da, cudaMemcpyDeviceToDevice)); });
            for (int k = 0; k < n - 1; k++) {
                const int left = n - k - 1, wide = n - (k + 1) / WIDTH * WIDTH;
                const dim3 grid((wide + WIDTH - 1) / WIDTH, (left + HEIGHT * ROWS - 1) / (HEIGHT * ROWS));
                repetitions.launch([&] { divide<<<(left + THREADS - 1) / THREADS, THREADS>>>(da, factor, n, k); });
                repetitions.launch([&] { eliminate<<<grid, dim3(WIDTH, HEIGHT)>>>(da, factor, n, k); });
            }
        });
    to_host(a, da, elements);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("lu %d\n", n);
    std::printf("checksum %.9e\n", checksum_doubles(a, elements));
    report(seconds);
    repetitions.report();
    return 0;
}

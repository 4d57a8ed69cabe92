// programs/cholesky.c by hand: two launches for each step. The first divides the column below the pivot by the pivot's root and leaves it
// side by side for the second, in which a thread has four rows of its column; blocks above the diagonal end at once.

#include "device.cuh"
#include "program.h"
#include "dense.h"

#include <cmath>

constexpr int THREADS = 256, WIDTH = 32, HEIGHT = 8, ROWS = 4;

// The pivot itself stays for now: all threads read it.
__global__ void __launch_bounds__(THREADS) divide(double *a, double *__restrict__ column, int n, int k)
{
    const int i = k + 1 + blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        column[i] = a[static_cast<std::size_t>(i) * n + k] /= sqrt(a[static_cast<std::size_t>(k) * n + k]);
}

__global__ void __launch_bounds__(WIDTH *HEIGHT) eliminate(double *a, const double *__restrict__ column, int n, int k)
{
    const int j = (k + 1) / WIDTH * WIDTH + blockIdx.x * WIDTH + threadIdx.x;
    const int first = k + 1 + (blockIdx.y * HEIGHT + threadIdx.y) * ROWS;

    if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0 && threadIdx.y == 0) {
        const std::size_t pivot = static_cast<std::size_t>(k) * n + k;
        a[pivot] = sqrt(a[pivot]);
    }
    if (j <= k || j >= n || j > first + ROWS - 1)
        return;
    const double right = column[j];
#pragma unroll
    for (int y = 0; y < ROWS; y++)
        if (j <= first + y && first + y < n)
            a[static_cast<std::size_t>(first + y) * n + j] -= column[first + y] * right;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIZE", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "cholesky", size, 2);
    const int n = size[0].value;
    const std::size_t elements = static_cast<std::size_t>(n) * n;
    double *const a = pageable<double>(elements), *const given = pageable<double>(elements);
    fill_definite(given, n, 1);
    start_device();

    const double start = now();
    double *const from = on_device<double>(elements), *const da = on_device<double>(elements), *const column = on_device<double>(n);
    page_lock(given, elements * sizeof *given);
    page_lock(a, elements * sizeof *a);
    to_device(from, given, elements);
    Repetitions repetitions;
    for (int turn = 0; turn < size[1].value; turn++)
        repetitions.steps([&] {
            repetitions.launch([&] { CHECK(cudaMemcpyAsync(da, from, elements * sizeof *da, cudaMemcpyDeviceToDevice)); });
            for (int k = 0; k < n; k++) {
                const int left = n - k - 1, wide = n - (k + 1) / WIDTH * WIDTH;
                const dim3 grid(wide > 0 ? (wide + WIDTH - 1) / WIDTH : 1, left > 0 ? (left + HEIGHT * ROWS - 1) / (HEIGHT * ROWS) : 1);
                if (left > 0)
                    repetitions.launch([&] { divide<<<(left + THREADS - 1) / THREADS, THREADS>>>(da, column, n, k); });
                repetitions.launch([&] { eliminate<<<grid, dim3(WIDTH, HEIGHT)>>>(da, column, n, k); });
            }
        });
    to_host(a, da, elements);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("cholesky %d\n", n);
    std::printf("checksum %.9e\n", checksum_doubles(a, elements));
    report(seconds);
    repetitions.report();
    return 0;
}

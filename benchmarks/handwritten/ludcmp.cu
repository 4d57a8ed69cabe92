// programs/ludcmp.c by hand: a launch for each step of the elimination, in which a block has four rows; both substitutions by one block,
// since each row waits for the one before.

#include "device.cuh"
#include "program.h"
#include "dense.h"

constexpr int THREADS = 256, ROWS = 4, SOLVERS = 1024;

__global__ void __launch_bounds__(THREADS) eliminate(double *a, int n, int k)
{
    __shared__ double factor[ROWS];
    const int first = k + 1 + blockIdx.x * ROWS;

    if (threadIdx.x < ROWS && first + static_cast<int>(threadIdx.x) < n) {
        double *const of_row = a + static_cast<std::size_t>(first + threadIdx.x) * n + k;
        *of_row /= a[static_cast<std::size_t>(k) * n + k];
        factor[threadIdx.x] = *of_row;
    }
    __syncthreads();
    for (int j = (k + 1) / 32 * 32 + threadIdx.x; j < n; j += THREADS)
        if (j > k) {
            const double pivot = a[static_cast<std::size_t>(k) * n + j];
#pragma unroll
            for (int y = 0; y < ROWS; y++)
                if (first + y < n)
                    a[static_cast<std::size_t>(first + y) * n + j] -= factor[y] * pivot;
        }
}

// Row by row: the threads share its dot product. What one has written all read after the next barrier.
__global__ void __launch_bounds__(SOLVERS) substitute(const double *__restrict__ a, const double *__restrict__ b, double *x, double *y, int n)
{
    const int thread = threadIdx.x;

    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = thread; j < i; j += SOLVERS)
            sum += a[static_cast<std::size_t>(i) * n + j] * y[j];
        sum = sum_of_block<SOLVERS>(sum, thread);
        if (thread == 0)
            y[i] = b[i] - sum;
        __syncthreads();
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = 0.0;
        for (int j = i + 1 + thread; j < n; j += SOLVERS)
            sum += a[static_cast<std::size_t>(i) * n + j] * x[j];
        sum = sum_of_block<SOLVERS>(sum, thread);
        if (thread == 0)
            x[i] = (y[i] - sum) / a[static_cast<std::size_t>(i) * n + i];
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIZE", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "ludcmp", size, 2);
    const int n = size[0].value;
    const std::size_t elements = static_cast<std::size_t>(n) * n;
    double *const given = pageable<double>(elements), *const b = pageable<double>(n);
    double *const x = pageable<double>(n), *const y = pageable<double>(n);
    fill_dominant(given, n, 1);
    fill_doubles(b, n, 2);
    start_device();

    const double start = now();
    double *const from = on_device<double>(elements), *const da = on_device<double>(elements);
    double *const db = on_device<double>(n), *const dx = on_device<double>(n), *const dy = on_device<double>(n);
    page_lock(given, elements * sizeof *given);
    to_device(from, given, elements);
    to_device(db, b, n);
    Repetitions repetitions;
    for (int turn = 0; turn < size[1].value; turn++)
        repetitions.steps([&] {
            repetitions.launch([&] { CHECK(cudaMemcpyAsync(da, from, elements * sizeof *da, cudaMemcpyDeviceToDevice)); });
            for (int k = 0; k < n - 1; k++)
                repetitions.launch([&] { eliminate<<<(n - k - 1 + ROWS - 1) / ROWS, THREADS>>>(da, n, k); });
            repetitions.launch([&] { substitute<<<1, SOLVERS>>>(da, db, dx, dy, n); });
        });
    to_host(x, dx, n);
    to_host(y, dy, n);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("ludcmp %d\n", n);
    std::printf("x %.9e\n", checksum_doubles(x, n));
    std::printf("y %.9e\n", checksum_doubles(y, n));
    report(seconds);
    repetitions.report();
    return 0;
}

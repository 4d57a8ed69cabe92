// programs/dot.c by hand: a few blocks for each multiprocessor, accesses of 16 bytes, one launch with a fixed order.
// With -DCUBLAS: cuBLAS.

#include "cublas.cuh"
#include "device.cuh"
#include "program.h"

#ifdef CUBLAS
constexpr bool by_cublas = true;
#else
constexpr bool by_cublas = false;
#endif
constexpr int THREADS = 256, BLOCKS_EACH = 8;

__global__ void __launch_bounds__(THREADS) dot(const double *__restrict__ a, const double *__restrict__ b, int n, Sum sum)
{
    const double2 *const a2 = reinterpret_cast<const double2 *>(a), *const b2 = reinterpret_cast<const double2 *>(b);
    const int step = gridDim.x * THREADS, first = blockIdx.x * THREADS + threadIdx.x;
    double mine = n % 2 != 0 && first == 0 ? a[n - 1] * b[n - 1] : 0.0;

#pragma unroll 4
    for (int i = first; i < n / 2; i += step) {
        const double2 x = a2[i], y = b2[i];
        mine += x.x * y.x + x.y * y.y;
    }
    sum_of_grid<THREADS>(sum, mine, blockIdx.x, gridDim.x, threadIdx.x);
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ELEMENTS", 1000, 1, 1000000000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "dot", size, 2);
    const int n = size[0].value, blocks = multiprocessors() * BLOCKS_EACH;
    double *const a = pageable<double>(n), *const b = pageable<double>(n);
    fill_doubles(a, n, 1);
    fill_doubles(b, n, 2);
    start_device();
    if (by_cublas)
        cublas();

    const double start = now();
    double *const da = on_device<double>(n), *const db = on_device<double>(n), *const result = page_locked<double>(1);
    page_lock(a, n * sizeof *a);
    page_lock(b, n * sizeof *b);
    const Sum sum = new_sum(blocks, on_device<double>(1));
    to_device(da, a, n);
    to_device(db, b, n);
    if (by_cublas) // its first call loads and chooses kernels
        cublas().dot(n, da, db, sum.result);
    Repetitions repetitions;
    for (int k = 0; k < size[1].value; k++) {
        repetitions.run([&] {
            if (by_cublas)
                cublas().dot(n, da, db, sum.result);
            else
                dot<<<blocks, THREADS>>>(da, db, n, sum);
        });
        to_host(result, sum.result, 1);
    }
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("dot %d\n", n);
    std::printf("sum %.9e\n", *result);
    report(seconds);
    repetitions.report();
    return 0;
}

// programs/triad.c by hand: two elements for each thread, by accesses of 16 bytes.

#include "device.cuh"
#include "program.h"

constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS) triad(double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, double s,
                                                 int n)
{
    const int i = 2 * (blockIdx.x * THREADS + threadIdx.x);

    if (i + 1 < n) {
        const double2 x = *reinterpret_cast<const double2 *>(b + i), y = *reinterpret_cast<const double2 *>(c + i);
        *reinterpret_cast<double2 *>(a + i) = make_double2(x.x + s * y.x, x.y + s * y.y);
    } else if (i < n) {
        a[i] = b[i] + s * c[i];
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ELEMENTS", 1000, 1, 1000000000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "triad", size, 2);
    const int n = size[0].value;
    double *const a = pageable<double>(n), *const b = pageable<double>(n), *const c = pageable<double>(n);
    fill_doubles(a, n, 1);
    fill_doubles(b, n, 2);
    fill_doubles(c, n, 3);
    start_device();

    const double start = now();
    double *const da = on_device<double>(n), *const db = on_device<double>(n), *const dc = on_device<double>(n);
    page_lock(a, n * sizeof *a);
    page_lock(b, n * sizeof *b);
    page_lock(c, n * sizeof *c);
    to_device(db, b, n);
    to_device(dc, c, n);
    Repetitions repetitions;
    for (int k = 0; k < size[1].value; k++)
        repetitions.run([&] { triad<<<(n + 2 * THREADS - 1) / (2 * THREADS), THREADS>>>(da, db, dc, 3.0, n); });
    to_host(a, da, n);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("triad %d\n", n);
    std::printf("checksum %.9e\n", checksum_doubles(a, n));
    report(seconds);
    repetitions.report();
    return 0;
}

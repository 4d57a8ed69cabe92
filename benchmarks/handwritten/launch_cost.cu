// programs/launch_cost.c by hand: launches without a wait between them, with the same five arrays as arguments.
//
//     launch_cost [LAUNCHES]

#include "device.cuh"

#include <climits>

constexpr int LENGTH = 131072, SHORT = 32, THREADS = 256;

__global__ void first(double *a, const double *b, const double *c, const double *d, const double *e)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < LENGTH)
        a[i] += b[i] * c[i] + d[i] - e[i];
}

__global__ void add_one(double *a, const double *b, const double *c, const double *d, const double *e)
{
    const int i = threadIdx.x;

    a[i] += b[i] * e[i] - c[i] * d[i] + 2.0 * b[i];
}

static double *filled_on_device(double *host, double value)
{
    double *const device = on_device<double>(LENGTH);

    for (int i = 0; i < LENGTH; i++)
        host[i] = value;
    to_device(device, host, LENGTH);
    CHECK(cudaDeviceSynchronize());
    return device;
}

int main(int argc, char **argv)
{
    const int launches = argument(argc, argv, 1, 1000, 0, INT_MAX);
    double *const host = pageable<double>(LENGTH);
    double *const a = filled_on_device(host, 0.0), *const b = filled_on_device(host, 1.0), *const c = filled_on_device(host, 2.0);
    double *const d = filled_on_device(host, 3.0), *const e = filled_on_device(host, 5.0);

    first<<<LENGTH / THREADS, THREADS>>>(a, b, c, d, e);
    CHECK(cudaDeviceSynchronize());

    const double start = now();
    for (int k = 0; k < launches; k++)
        add_one<<<1, SHORT>>>(a, b, c, d, e);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    to_host(host, a, LENGTH);
    CHECK(cudaDeviceSynchronize());
    double sum = 0.0;
    for (int i = 0; i < LENGTH; i++)
        sum += host[i];
    std::printf("launch_cost %d\n", launches);
    std::printf("sum %.0f\n", sum);
    report(seconds);
    return 0;
}

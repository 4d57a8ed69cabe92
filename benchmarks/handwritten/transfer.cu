// programs/transfer.c by hand: the buffer is allocated page-locked, before the clock starts; events time its copies.
//
//     transfer [NUMBERS [ROUNDS]]

#include "device.cuh"

#include <climits>

constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS) change(double *buffer, int numbers)
{
    const long i = static_cast<long>(blockIdx.x) * THREADS + threadIdx.x;

    if (i < numbers)
        buffer[i] = 2.0 * buffer[i] + 1.0;
}

// Adds the time between two calls to a total.
class Stopwatch {
public:
    Stopwatch()
    {
        CHECK(cudaEventCreate(&from_));
        CHECK(cudaEventCreate(&to_));
    }
    void start() { CHECK(cudaEventRecord(from_)); }
    void stop() { CHECK(cudaEventRecord(to_)); }
    void add() // after the device has come so far
    {
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, from_, to_));
        seconds += milliseconds * 1e-3;
    }
    double seconds = 0.0;

private:
    cudaEvent_t from_, to_;
};

static double round_trip(double *buffer, double *device, int numbers, int round, Stopwatch &in, Stopwatch &out)
{
    double sum = 0.0;

    for (int i = 0; i < numbers; i++)
        buffer[i] = i % 1024 + round;
    in.start();
    to_device(device, buffer, numbers);
    in.stop();
    if (numbers > 0)
        change<<<(numbers + THREADS - 1) / THREADS, THREADS>>>(device, numbers);
    CHECK(cudaGetLastError());
    out.start();
    to_host(buffer, device, numbers);
    out.stop();
    CHECK(cudaDeviceSynchronize());
    in.add();
    out.add();
    for (int i = 0; i < numbers; i++)
        sum += buffer[i];
    return sum;
}

int main(int argc, char **argv)
{
    const int numbers = argument(argc, argv, 1, 1000000, 0, INT_MAX - THREADS), rounds = argument(argc, argv, 2, 1, 0, INT_MAX);
    const std::size_t least = numbers > 0 ? numbers : 1;

    start_device();
    double *const buffer = page_locked<double>(least);
    Stopwatch in, out;
    double sum = 0.0;

    const double start = now();
    double *const device = on_device<double>(least);
    for (int round = 0; round < rounds; round++)
        sum += round_trip(buffer, device, numbers, round % 1024, in, out);
    const double seconds = now() - start;

    std::printf("transfer %d %d\n", numbers, rounds);
    std::printf("sum %.0f\n", sum);
    report(seconds);
    std::fprintf(stderr, "copied in %.9f out %.9f\n", in.seconds, out.seconds);
    return 0;
}

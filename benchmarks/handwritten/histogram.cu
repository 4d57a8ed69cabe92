// programs/histogram.c by hand: sixteen bytes at a time. A block counts in shared memory, where each lane has its own column of
// counters: no two lanes of a warp meet in a bank, whatever the data.

#include "device.cuh"
#include "program.h"

constexpr int BINS = 256, THREADS = 1024, LANES = 32, BLOCKS_EACH = 2;

__device__ void count_four(int (&count)[BINS][LANES], unsigned bytes, int lane)
{
#pragma unroll
    for (int k = 0; k < 32; k += 8)
        atomicAdd(&count[bytes >> k & 255][lane], 1);
}

__global__ void __launch_bounds__(THREADS) histogram(int *__restrict__ total, const unsigned char *__restrict__ data, int n)
{
    __shared__ int count[BINS][LANES];
    const int lane = threadIdx.x % LANES, step = gridDim.x * THREADS, first = blockIdx.x * THREADS + threadIdx.x;
    const uint4 *const sixteen = reinterpret_cast<const uint4 *>(data);

    for (int k = threadIdx.x; k < BINS * LANES; k += THREADS)
        count[k / LANES][k % LANES] = 0;
    __syncthreads();
    for (int i = first; i < n / 16; i += step) {
        const uint4 bytes = sixteen[i];
        count_four(count, bytes.x, lane);
        count_four(count, bytes.y, lane);
        count_four(count, bytes.z, lane);
        count_four(count, bytes.w, lane);
    }
    if (first < n % 16)
        atomicAdd(&count[data[n - 1 - first]][lane], 1);
    __syncthreads();
    if (threadIdx.x < BINS) {
        int sum = 0;
        for (int k = 0; k < LANES; k++)
            sum += count[threadIdx.x][(k + lane) % LANES];
        if (sum > 0)
            atomicAdd(&total[threadIdx.x], sum);
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"BYTES", 10000, 1, 2000000000}, {"SPREAD", 256, 1, 256}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "histogram", size, 3);
    const int n = size[0].value, spread = size[1].value, blocks = multiprocessors() * BLOCKS_EACH;
    unsigned char *const data = pageable<unsigned char>(n);
    int *const count = page_locked<int>(BINS);
    std::uint64_t state = 1;
    for (int i = 0; i < n; i++)
        data[i] = static_cast<unsigned char>((random_bits(&state) >> 8) * static_cast<std::uint64_t>(spread) >> 24);
    start_device();

    const double start = now();
    unsigned char *const bytes = on_device<unsigned char>(n);
    int *const total = on_device<int>(BINS);
    page_lock(data, n);
    to_device(bytes, data, n);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++) {
        repetitions.run([&] {
            CHECK(cudaMemsetAsync(total, 0, BINS * sizeof *total));
            histogram<<<blocks, THREADS>>>(total, bytes, n);
        });
        to_host(count, total, BINS);
    }
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("histogram %d\n", n);
    for (int k = 0; k < BINS; k++)
        std::printf("%d%c", count[k], k % 16 == 15 ? '\n' : ' ');
    report(seconds);
    repetitions.report();
    return 0;
}

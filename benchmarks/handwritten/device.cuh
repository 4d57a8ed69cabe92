// device.cuh: what the hand-written programs share: errors, arguments, the clock, copies that count their bytes, the sum
// of what all threads of a launch have found. Memory lives until the end of the program, which is soon after the clock stops.

#ifndef DEVICE_CUH
#define DEVICE_CUH

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(cudaError_t status, const char *call, const char *file, int line)
{
    if (status == cudaSuccess)
        return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(1);
}

inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Argument `place` as an integer of `least` to `most`, or `otherwise` where there are not so many.
inline int argument(int argc, char **argv, int place, int otherwise, int least, int most)
{
    if (place >= argc)
        return otherwise;
    char *end;
    const long value = std::strtol(argv[place], &end, 10);
    if (end == argv[place] || *end != '\0' || value < least || value > most) {
        std::fprintf(stderr, "%s: argument %d: %d to %d\n", argv[0], place, least, most);
        std::exit(2);
    }
    return static_cast<int>(value);
}

static __global__ void nothing() {}

// Creates the context and makes a first launch, which the programs' clocks leave out.
static void start_device()
{
    nothing<<<1, 1>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

inline int multiprocessors()
{
    int device, count;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

template <class T> T *on_device(std::size_t count)
{
    void *memory;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    return static_cast<T *>(memory);
}

template <class T> T *page_locked(std::size_t count)
{
    void *memory;
    CHECK(cudaMallocHost(&memory, count * sizeof(T)));
    return static_cast<T *>(memory);
}

template <class T> T *pageable(std::size_t count)
{
    void *const memory = std::malloc(count * sizeof(T));
    if (memory == nullptr) {
        std::fprintf(stderr, "out of memory\n");
        std::exit(1);
    }
    return static_cast<T *>(memory);
}

// Page-locks host memory in place where the call costs less than it wins in one copy.
inline void page_lock(void *memory, std::size_t bytes)
{
    if (bytes >= std::size_t{1} << 20)
        CHECK(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
}

struct Moved {
    unsigned long long to_device = 0, to_host = 0;
};

inline Moved &moved()
{
    static Moved bytes;
    return bytes;
}

template <class T> void to_device(T *device, const T *host, std::size_t count)
{
    CHECK(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
    moved().to_device += count * sizeof(T);
}

template <class T> void to_host(T *host, const T *device, std::size_t count)
{
    CHECK(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
    moved().to_host += count * sizeof(T);
}

// The repetitions of a loop: the fastest by the clock; and where KERNEL_TIMES is set, what all took by the device's events.
class Repetitions {
public:
    Repetitions() : by_events_(std::getenv("KERNEL_TIMES") != nullptr)
    {
        if (by_events_) {
            CHECK(cudaEventCreate(&first_));
            CHECK(cudaEventCreate(&last_));
        }
    }

    // Launches; waits for the end where the device's events are wanted.
    template <class Launch> void launch(const Launch &launches)
    {
        if (by_events_)
            CHECK(cudaEventRecord(first_));
        launches();
        CHECK(cudaGetLastError());
        if (by_events_) {
            CHECK(cudaEventRecord(last_));
            CHECK(cudaEventSynchronize(last_));
            kernels_ += elapsed();
        }
    }

    // Launches, and waits for the end, as the clocks of most C programs do. The seconds of that.
    template <class Launch> double run(const Launch &launches)
    {
        return steps([&] { launch(launches); });
    }

    // The same of many steps, each of which calls launch(): the gaps between them count by the clock alone, as they do for ompc's kernels.
    template <class Steps> double steps(const Steps &all)
    {
        const double begin = now();
        all();
        CHECK(cudaDeviceSynchronize());
        const double taken = now() - begin;
        fastest_ = taken < fastest_ ? taken : fastest_;
        return taken;
    }

    void report() const
    {
        if (fastest_ < 1e9)
            std::fprintf(stderr, "repetition %.9f\n", fastest_);
        if (by_events_)
            std::fprintf(stderr, "kernels %.9f\n", kernels_);
    }

private:
    double elapsed() const
    {
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, first_, last_));
        return milliseconds * 1e-3;
    }

    bool by_events_;
    cudaEvent_t first_{}, last_{};
    double fastest_ = 1e9, kernels_ = 0.0;
};

// What the harness reads: the seconds of the computing phase, and the bytes copied.
inline void report(double seconds)
{
    std::fprintf(stderr, "seconds %.9f\n", seconds);
    std::fprintf(stderr, "moved %llu %llu\n", moved().to_device, moved().to_host);
}

// Where launches leave their sums: a part of each block, and how many blocks have left theirs.
struct Sum {
    double *parts;   // one for each block
    unsigned *done;  // 0 between launches
    double *result;
};

inline Sum new_sum(std::size_t blocks, double *result)
{
    const Sum sum{on_device<double>(blocks), on_device<unsigned>(1), result};
    CHECK(cudaMemsetAsync(sum.done, 0, sizeof *sum.done));
    return sum;
}

// The sum of `value` over the block, right in its first thread. All threads must come here.
template <int THREADS> __device__ double sum_of_block(double value, int thread)
{
    constexpr int warps = THREADS / 32;
    __shared__ double of_warp[warps];

    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(0xffffffffu, value, lanes);
    if (thread % 32 == 0)
        of_warp[thread / 32] = value;
    __syncthreads();
    if (thread == 0)
        for (int warp = 1; warp < warps; warp++)
            value += of_warp[warp];
    __syncthreads();
    return value;
}

// The sum of `value` over the grid, by the last block to come, in the order of the blocks: twice the same bits.
template <int THREADS> __device__ void sum_of_grid(const Sum &sum, double value, int block, int blocks, int thread)
{
    __shared__ bool last;

    value = sum_of_block<THREADS>(value, thread);
    if (thread == 0) {
        sum.parts[block] = value;
        __threadfence();
        last = atomicAdd(sum.done, 1u) == static_cast<unsigned>(blocks) - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    value = 0.0;
    for (int k = thread; k < blocks; k += THREADS)
        value += sum.parts[k];
    value = sum_of_block<THREADS>(value, thread);
    if (thread == 0) {
        *sum.result = value;
        *sum.done = 0;
    }
}

#endif

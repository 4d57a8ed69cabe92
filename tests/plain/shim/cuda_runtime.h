// cuda_runtime.h without CUDA: as much as plain output calls, on the host, and stricter. Memory of the device ends at a
// page that nobody may touch and holds nonsense at first; kernels are given pointers to it alone; copies must lie within
// it; what is not freed ends the program with status 3. Blocks and threads run from the last to the first.
#ifndef SHIM_CUDA_RUNTIME_H
#define SHIM_CUDA_RUNTIME_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <math.h>
#include <sys/mman.h>
#include <type_traits>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ static

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

inline dim3 threadIdx, blockIdx, blockDim, gridDim;

typedef int cudaError_t;
enum { cudaSuccess, cudaErrorInvalidValue, cudaErrorInvalidConfiguration };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

namespace shim {

struct Memory {
    void *mapped;
    size_t mapped_bytes, bytes;
};

inline std::map<char *, Memory> memory;
inline cudaError_t last_error = cudaSuccess;
inline unsigned long long moved;

inline void at_end()
{
    fprintf(stderr, "moved %llu\n", moved);
    if (!memory.empty()) {
        fprintf(stderr, "%zu arrays were not freed\n", memory.size());
        _exit(3);
    }
}

inline const bool registered = std::atexit(at_end) == 0;

inline bool holds(const void *place, size_t bytes)
{
    char *const begin = static_cast<char *>(const_cast<void *>(place));
    auto found = memory.upper_bound(begin);
    if (found == memory.begin())
        return false;
    --found;
    return begin + bytes <= found->first + found->second.bytes;
}

template <class T> void check_argument(T value)
{
    if constexpr (std::is_pointer_v<T>)
        if (!holds(value, 1)) {
            fprintf(stderr, "a kernel is given a pointer of the host's\n");
            _exit(4);
        }
}

// ---------------------------------------------------------------------- threads that wait for each other

inline ucontext_t scheduler, *current;
inline std::vector<bool> finished;
inline unsigned running;

template <class Body> void run_thread(unsigned low, unsigned high)
{
    (*reinterpret_cast<Body *>(static_cast<size_t>(high) << 32 | low))();
    finished[running] = true;
}

inline dim3 place_of(unsigned thread)
{
    return dim3(thread % blockDim.x, thread / blockDim.x % blockDim.y, thread / blockDim.x / blockDim.y);
}

template <class Body> void run_block_together(Body body)
{
    constexpr size_t stack_bytes = 32768;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    static std::vector<char> stacks;
    static std::vector<ucontext_t> contexts;
    stacks.resize(stack_bytes * threads);
    contexts.resize(threads);
    finished.assign(threads, false);
    for (unsigned thread = 0; thread < threads; thread++) {
        getcontext(&contexts[thread]);
        contexts[thread].uc_stack.ss_sp = &stacks[stack_bytes * thread];
        contexts[thread].uc_stack.ss_size = stack_bytes;
        contexts[thread].uc_link = &scheduler;
        const size_t address = reinterpret_cast<size_t>(&body);
        makecontext(&contexts[thread], reinterpret_cast<void (*)()>(run_thread<Body>), 2,
                    static_cast<unsigned>(address), static_cast<unsigned>(address >> 32));
    }
    while (std::find(finished.begin(), finished.end(), false) != finished.end())
        for (unsigned thread = threads; thread-- > 0;)
            if (!finished[thread]) {
                running = thread;
                threadIdx = place_of(thread);
                current = &contexts[thread];
                swapcontext(&scheduler, current);
            }
}

// ---------------------------------------------------------------------- launches

template <bool together, class Kernel, class... Arguments>
void launch(Kernel kernel, dim3 grid, dim3 block, Arguments... arguments)
{
    const unsigned threads = block.x * block.y * block.z;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 || threads > 1024 || grid.y > 65535 || grid.z > 65535) {
        last_error = cudaErrorInvalidConfiguration;
        return;
    }
    (check_argument(arguments), ...);
    gridDim = grid;
    blockDim = block;
    const auto body = [&] { kernel(arguments...); };
    for (size_t number = static_cast<size_t>(grid.x) * grid.y * grid.z; number-- > 0;) {
        blockIdx = dim3(number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y);
        if (together) {
            run_block_together(body);
            continue;
        }
        for (unsigned thread = threads; thread-- > 0;) {
            threadIdx = place_of(thread);
            body();
        }
    }
}

} // namespace shim

inline void __syncthreads()
{
    const unsigned thread = shim::running;
    swapcontext(shim::current, &shim::scheduler);
    shim::running = thread;
}

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    const size_t page = sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
    char *const mapped = static_cast<char *>(mmap(nullptr, whole + page, PROT_READ | PROT_WRITE,
                                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(mapped + whole, page, PROT_NONE);
    char *const begin = mapped + (whole - bytes) / 16 * 16;
    memset(mapped, 0xa5, whole);
    shim::memory[begin] = {mapped, whole + page, bytes};
    *pointer = reinterpret_cast<T *>(begin);
    return cudaSuccess;
}

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const bool to_device = kind != cudaMemcpyDeviceToHost, from_device = kind != cudaMemcpyHostToDevice;
    if (bytes != 0 && (shim::holds(to, bytes) != to_device || shim::holds(from, bytes) != from_device))
        return cudaErrorInvalidValue;
    memcpy(to, from, bytes);
    shim::moved += to_device && from_device ? 0 : bytes;
    return cudaSuccess;
}

inline cudaError_t cudaFree(void *pointer)
{
    const auto found = shim::memory.find(static_cast<char *>(pointer));
    if (found == shim::memory.end())
        return pointer == nullptr ? cudaSuccess : cudaErrorInvalidValue;
    munmap(found->second.mapped, found->second.mapped_bytes);
    shim::memory.erase(found);
    return cudaSuccess;
}

inline cudaError_t cudaGetLastError()
{
    const cudaError_t found = shim::last_error;
    shim::last_error = cudaSuccess;
    return found;
}

inline cudaError_t cudaDeviceSynchronize()
{
    return cudaSuccess;
}

inline const char *cudaGetErrorString(cudaError_t status)
{
    return status == cudaErrorInvalidConfiguration ? "invalid configuration argument" : "invalid argument";
}

#define SHIM_ATOMIC(name, combined) \
    template <class T, class V> T name(T *place, V operand) \
    { \
        const T before = *place, value = static_cast<T>(operand); \
        *place = combined; \
        return before; \
    }
SHIM_ATOMIC(atomicSub, before - value)
SHIM_ATOMIC(atomicMin, std::min(before, value))
SHIM_ATOMIC(atomicMax, std::max(before, value))
SHIM_ATOMIC(atomicAnd, before & value)
SHIM_ATOMIC(atomicOr, before | value)
SHIM_ATOMIC(atomicXor, before ^ value)
#undef SHIM_ATOMIC

template <class T, class V> T atomicAdd(T *place, V value)
{
    const T before = *place;
    *place = before + value;
    return before;
}

#endif

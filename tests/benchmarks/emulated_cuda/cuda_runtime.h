// cuda_runtime.h: as much of CUDA's runtime as benchmarks/handwritten uses, on the host, with the lanes of ompc's emulator.
// A launch is written emulated(kernel, grid, block)(arguments).

#ifndef EMULATED_CUDA_RUNTIME_H
#define EMULATED_CUDA_RUNTIME_H

#include "ompc_libc.h"

// No runtime stands in front of libc here.
extern "C" void *ompc_libc_mmap(void *where, size_t bytes, int protection, int how, int file, off_t at)
{
    return mmap(where, bytes, protection, how, file, at);
}
extern "C" int ompc_libc_vfprintf(FILE *file, const char *format, va_list values) { return vfprintf(file, format, values); }
extern "C" int ompc_libc_mprotect(void *base, size_t bytes, int protection) { return mprotect(base, bytes, protection); }

#include "ompc_cuda.h"
#include "ompc_scheduler.cc" // once: all programs are one file

#include <algorithm>
#include <cstdio>
#include <cstring>

#undef __shared__
#define __shared__ static // in templates too

using cudaError_t = int;
using cudaStream_t = void *;
using cudaEvent_t = int;
enum { cudaSuccess, cudaErrorMemoryAllocation };
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaHostRegisterDefault, cudaDevAttrMultiProcessorCount };

inline const char *cudaGetErrorString(cudaError_t status) { return status == cudaSuccess ? "no error" : "out of memory"; }
inline cudaError_t cudaMalloc(void **memory, std::size_t bytes)
{
    *memory = std::malloc(bytes);
    if (*memory == nullptr)
        return cudaErrorMemoryAllocation;
    std::memset(*memory, ompc::emulate::poison_byte, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMallocHost(void **memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline cudaError_t cudaHostRegister(void *, std::size_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, int)
{
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
template <class T> cudaError_t cudaMemcpyToSymbolAsync(T &to, const void *from, std::size_t bytes)
{
    std::memcpy(&to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *memory, int byte, std::size_t bytes)
{
    std::memset(memory, byte, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, int, int)
{
    *value = 2;
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t *) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = 1;
    return cudaSuccess;
}

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct float3 {
    float x, y, z;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};
struct double3 {
    double x, y, z;
};
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline double3 make_double3(double x, double y, double z) { return {x, y, z}; }
inline float __fdividef(float a, float b) { return a / b; }
using std::max;
using std::min;

template <class Kernel> auto emulated(Kernel *kernel, const dim3 &grid, const dim3 &block)
{
    return [=](auto... arguments) {
        const auto lane = [&] { kernel(arguments...); };
        using Lane = decltype(lane);
        const std::string problem = ompc::emulate::scheduler().run(
            grid, block, 0, [](const void *closure) { (*static_cast<Lane *>(closure))(); }, &lane);
        if (!problem.empty()) {
            std::fprintf(stderr, "%s\n", problem.c_str());
            std::exit(1);
        }
    };
}

#endif

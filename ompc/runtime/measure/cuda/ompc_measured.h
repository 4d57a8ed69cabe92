// ompc_measured.h (cuda): the device that measure.cu measures, the first that the process sees.

#ifndef OMPC_MEASURED_H
#define OMPC_MEASURED_H

#include <cstddef>
#include <string>

namespace measured {

inline cudaStream_t &stream()
{
    static cudaStream_t the_stream = nullptr;
    return the_stream;
}

__global__ void empty()
{
}

inline bool wait()
{
    return cudaStreamSynchronize(stream()) == cudaSuccess;
}

inline void launch()
{
    empty<<<1, 32, 0, stream()>>>();
}

// Null, or why there is no device to measure.
inline const char *start(std::string &device, std::string &driver)
{
    cudaDeviceProp properties;
    int version = 0;
    cudaError_t error = cudaSetDevice(0);
    if (error == cudaSuccess)
        error = cudaFree(nullptr); // creates the context
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess)
        error = cudaDriverGetVersion(&version);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&stream(), cudaStreamNonBlocking);
    if (error != cudaSuccess)
        return cudaGetErrorString(error);
    device = properties.name;
    driver = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    return nullptr;
}

inline char *allocate(std::size_t bytes)
{
    void *made = nullptr;
    return cudaMalloc(&made, bytes) == cudaSuccess ? static_cast<char *>(made) : nullptr;
}
inline void release(char *device)
{
    static_cast<void>(cudaFree(device));
}

inline bool copy_in(char *device, const char *host, std::size_t bytes)
{
    return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream()) == cudaSuccess && wait();
}
inline bool copy_out(char *host, const char *device, std::size_t bytes)
{
    return cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream()) == cudaSuccess && wait();
}
inline void copy_within(char *to, const char *from, std::size_t bytes)
{
    static_cast<void>(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream())); // wait() says what failed
}

inline bool lock(char *pages, std::size_t bytes)
{
    return cudaHostRegister(pages, bytes, cudaHostRegisterDefault) == cudaSuccess;
}
inline void unlock(char *pages)
{
    static_cast<void>(cudaHostUnregister(pages));
}

inline char *allocate_host(std::size_t bytes)
{
    void *made = nullptr;
    return cudaMallocHost(&made, bytes) == cudaSuccess ? static_cast<char *>(made) : nullptr;
}
inline void release_host(char *pages)
{
    static_cast<void>(cudaFreeHost(pages));
}

} // namespace measured

#endif

// ompc_kernel.h (cuda): a kernel with its arguments, as cudaLaunchKernel takes them, and variables of the device.
//
// Here both are named by what stands for them in the host's part; where NVRTC compiles, by their names (nvrtc/ompc_kernel.h).

#ifndef OMPC_KERNEL_H
#define OMPC_KERNEL_H

#include "ompc_cuda.h"

#include <cstddef>

namespace ompc {

// A kernel as launchers name it (OMPC_KERNEL), and what CUDA's runtime takes for it.
template <class... Parameters>
using KernelOf = void (*)(Parameters...);
#define OMPC_KERNEL(...) __VA_ARGS__

template <class... Parameters>
const void *code_of(void (*kernel)(Parameters...))
{
    return reinterpret_cast<const void *>(kernel);
}

inline constexpr bool code_comes_later = false;

// Has the program code that the device can run?
inline cudaError_t find_code(const void *probe)
{
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, probe);
}

// A variable of the device.
#define OMPC_SYMBOL(variable) variable

inline cudaError_t copy_to_symbol(const void *symbol, std::size_t at, const void *from, std::size_t bytes)
{
    return cudaMemcpyToSymbol(symbol, from, bytes, at, cudaMemcpyHostToDevice);
}
inline cudaError_t copy_to_symbol(const void *symbol, std::size_t at, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, at, kind, stream);
}
inline cudaError_t copy_from_symbol(void *to, const void *symbol, std::size_t bytes)
{
    return cudaMemcpyFromSymbol(to, symbol, bytes);
}
inline cudaError_t copy_from_symbol(void *to, const void *symbol, std::size_t bytes, cudaStream_t stream)
{
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, 0, cudaMemcpyDeviceToHost, stream);
}

struct Kernel {
    const void *function;
    void **arguments;
};

// use(kernel), with arguments that are there until it returns.
template <class Use, class... Parameters>
void with_kernel(const Use &use, void (*function)(Parameters...), Parameters... arguments)
{
    void *addresses[] = {const_cast<void *>(static_cast<const volatile void *>(&arguments))..., nullptr};
    use(Kernel{code_of(function), addresses});
}

#ifdef __CUDACC__
// Is compiled for the architectures that the program's kernels are compiled for.
template <int>
__global__ void probe()
{
}

inline const void *probe_of_file()
{
    return reinterpret_cast<const void *>(probe<0>);
}
#endif

} // namespace ompc

#endif

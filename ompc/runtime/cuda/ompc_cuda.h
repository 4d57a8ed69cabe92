// ompc_cuda.h (cuda): CUDA's device language and runtime, for nvcc in device files and for a C++ compiler in .cc files; for
// NVRTC, which has kernels alone, the language.

#ifndef OMPC_CUDA_H
#define OMPC_CUDA_H

#ifndef __CUDACC_RTC__
#include <cuda_runtime.h>
#endif

#define OMPC_SHARED __shared__

#ifdef __CUDACC__
namespace ompc {

// Ends the calling thread of a kernel.
[[noreturn]] __device__ inline void end_thread()
{
    asm volatile("exit;");
    __builtin_unreachable();
}

} // namespace ompc
#endif

#endif

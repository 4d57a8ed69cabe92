// ompc_cuda.h (cuda): CUDA's device language and runtime, for nvcc in device files and for a C++ compiler in .cc files; for
// NVRTC, which has kernels alone, the language.

#ifndef OMPC_CUDA_H
#define OMPC_CUDA_H

#ifndef __CUDACC_RTC__
#include <cuda_runtime.h>
#endif

#define OMPC_SHARED __shared__

#ifdef __CUDACC__
// What is odd in the user's own code is the host compiler's to report, in the user's own text: variables that nothing uses
// (177, 550) or sets (549), statements without effect (174) or that nothing reaches (111, 128), assignments as conditions
// (187), comparisons that are always true (186, 514), constants that overflow or change their sign (39, 61, 62, 63, 68, 69), a variable
// with the name of one that a loop before it has declared (780).
#pragma nv_diag_suppress 39, 61, 62, 63, 68, 69, 111, 128, 174, 177, 186, 187, 514, 549, 550, 780

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

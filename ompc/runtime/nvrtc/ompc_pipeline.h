// ompc_pipeline.h (nvrtc): asynchronous copies into shared memory, as CUDA's <cuda_pipeline.h> has them.
//
// That header needs the toolkit's. Here is what ompc_tiles.h uses: elements of 4, 8 or 16 bytes.

#ifndef OMPC_PIPELINE_H
#define OMPC_PIPELINE_H

#include <cstddef>

__device__ __forceinline__ void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes)
{
#if __CUDA_ARCH__ >= 800
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(shared), "l"(from) : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(shared), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(shared), "l"(from) : "memory");
#else
    if (bytes == 16)
        *static_cast<uint4 *>(to) = *static_cast<const uint4 *>(from);
    else if (bytes == 8)
        *static_cast<uint2 *>(to) = *static_cast<const uint2 *>(from);
    else
        *static_cast<unsigned *>(to) = *static_cast<const unsigned *>(from);
#endif
}

__device__ __forceinline__ void __pipeline_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

// Until all have arrived, whatever the number.
__device__ __forceinline__ void __pipeline_wait_prior(int)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

#endif

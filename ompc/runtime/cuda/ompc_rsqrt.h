// ompc_rsqrt.h (cuda): 1 / sqrt(x) contracted to one operation, as products and sums are to FMA.
//
// 1 / sqrt(x) rounds twice, which may miss the number by 1.5 units of 2^-24 (doubles: 2^-53), relative to it. Here the
// device's estimate y, good to 2^-22.9 (doubles: 20 bits), takes one step, in which e = 1 - x y y is nearly exact by a fused
// operation. The result misses by 1.25 units at most: seen of all floats on an H200 (and proved by trying all x and all
// estimates as good as that), and of 10^10 random doubles.
// What is zero, infinite or not a number gives what the program gives.

#ifndef OMPC_RSQRT_H
#define OMPC_RSQRT_H

#include "ompc_cuda.h"

namespace ompc {

// Not a number, or -inf, where x is zero, subnormal, infinite, below zero or not a number.
__device__ __forceinline__ float normal_range_rsqrt(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    const float e = __fmaf_rn(-__fmul_rn(x, y), y, 1.0f);
    return __fmaf_rn(__fmul_rn(y, 0.5f), e, y);
}

// Likewise; or infinite where x is subnormal.
__device__ __forceinline__ double normal_range_rsqrt(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = __fma_rn(-__dmul_rn(x, y), y, 1.0);
    return __fma_rn(__fma_rn(e, 0.375, 0.5), __dmul_rn(e, y), y);
}

__device__ __forceinline__ bool is_unusual_rsqrt(float y) { return !(y > 0.0f); }
__device__ __forceinline__ bool is_unusual_rsqrt(double y)
{
    return static_cast<unsigned>(__double2hiint(y)) >= 0x7ff00000u; // all below zero, too
}

__host__ __device__ inline float rsqrt(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); // of subnormal numbers, too
    const float e = __fmaf_rn(-__fmul_rn(x, y), y, 1.0f), better = __fmaf_rn(__fmul_rn(y, 0.5f), e, y);
    return is_unusual_rsqrt(better) ? y : better;
#else
    return 1.0f / sqrtf(x);
#endif
}

__host__ __device__ inline double rsqrt(double x)
{
#ifdef __CUDA_ARCH__
    const double y = normal_range_rsqrt(x);
    return is_unusual_rsqrt(y) ? 1.0 / sqrt(x) : y;
#else
    return 1.0 / sqrt(x);
#endif
}

} // namespace ompc

#endif

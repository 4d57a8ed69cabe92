// ompc_fast_division.h (cuda): the fast path of quotients and square roots: normal-range operands, no branches. See
// ompc_batches.h.
//
// From the device's estimate r of 1/b, good to some 20 bits: e = 1 - b r is exact by a fused operation, and r + r e a better
// one. Then q = a r, and q + (a - b q) r is the quotient rounded to nearest. Square roots likewise. Usual operands have
// exponents so far inside the type's range that no step leaves it.

#ifndef OMPC_FAST_DIVISION_H
#define OMPC_FAST_DIVISION_H

#include "ompc_cuda.h"
#include "ompc_rsqrt.h"

namespace ompc {

// Of operands in the normal range, or not numbers.
__device__ __forceinline__ float normal_range_reciprocal(float b)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return __fmaf_rn(__fmaf_rn(-b, r, 1.0f), r, r);
}
__device__ __forceinline__ float normal_range_divide(float a, float b)
{
    const float r = normal_range_reciprocal(b);
    float q = __fmul_rn(a, r);
    q = __fmaf_rn(__fmaf_rn(-b, q, a), r, q);
    return __fmaf_rn(__fmaf_rn(-b, q, a), r, q);
}
__device__ __forceinline__ float normal_range_sqrt(float x)
{
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    const float s = __fmul_rn(x, r), half = __fmul_rn(r, 0.5f);
    return __fmaf_rn(__fmaf_rn(-s, s, x), half, s);
}
__device__ __forceinline__ double normal_range_divide(double a, double b)
{
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    double e = __fma_rn(-b, r, 1.0);
    r = __fma_rn(r, __fma_rn(e, e, e), r);
    e = __fma_rn(-b, r, 1.0);
    r = __fma_rn(r, e, r);
    const double q = __dmul_rn(a, r);
    return __fma_rn(__fma_rn(-b, q, a), r, q);
}
__device__ __forceinline__ double normal_range_reciprocal(double b) { return normal_range_divide(1.0, b); }
__device__ __forceinline__ double normal_range_sqrt(double x)
{
    double r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double e = __fma_rn(x, -__dmul_rn(r, r), 1.0);
    r = __fma_rn(__fma_rn(e, 0.375, 0.5), __dmul_rn(e, r), r);
    const double s = __dmul_rn(x, r);
    return __fma_rn(__fma_rn(-s, s, x), __dmul_rn(r, 0.5), s);
}

// Notes whether operands were outside of the normal range.
class Fast {
public:
    __device__ bool unusual() const { return unusual_ || !(least_ > 0.0f); }

    __device__ __forceinline__ float reciprocal(float b)
    {
        const float r = normal_range_reciprocal(b);
        note_positive(fabsf(r)); // 0 where the estimate was subnormal, and not a number for other operands outside of the normal range
        return r;
    }
    __device__ __forceinline__ float divide(float a, float b)
    {
        note((usual(a) || __float_as_uint(a) == 0) && usual(b)); // +0, but not -0
        return normal_range_divide(a, b);
    }
    __device__ __forceinline__ float sqrt(float x)
    {
        note(normal_range_and_positive(x));
        return normal_range_sqrt(x);
    }

    // Contracted: see ompc_rsqrt.h.
    __device__ __forceinline__ float rsqrt(float x)
    {
        const float y = normal_range_rsqrt(x);
        note_positive(y);
        return y;
    }
    __device__ __forceinline__ double rsqrt(double x)
    {
        const double y = normal_range_rsqrt(x);
        note(!is_unusual_rsqrt(y));
        return y;
    }

    __device__ __forceinline__ double reciprocal(double b) { return divide(1.0, b); }
    __device__ __forceinline__ double divide(double a, double b)
    {
        note((usual(a) || __double_as_longlong(a) == 0) && usual(b));
        return normal_range_divide(a, b);
    }
    __device__ __forceinline__ double sqrt(double x)
    {
        note(normal_range_and_positive(x));
        return normal_range_sqrt(x);
    }

private:
    bool unusual_ = false;
    float least_ = 1.0f; // or not a number

    __device__ __forceinline__ void note(bool usual) { unusual_ |= !usual; }
    // One instruction even where the operation is one of a branch, which would have to keep a bool.
    __device__ __forceinline__ void note_positive(float result)
    {
#if __CUDA_ARCH__ >= 800
        asm("min.NaN.f32 %0, %1, %2;" : "=f"(least_) : "f"(least_), "f"(result));
#else
        note(result > 0.0f);
#endif
    }
    // 2^-60 to 2^60
    static __device__ __forceinline__ bool usual(float x)
    {
        return (__float_as_uint(x) << 1) - (67u << 24) <= 120u << 24;
    }
    // 2^-300 to 2^300
    static __device__ __forceinline__ bool usual(double x)
    {
        return (static_cast<unsigned>(__double2hiint(x)) << 1) - (723u << 21) <= 600u << 21;
    }
    // The sign counts as part of the exponent.
    static __device__ __forceinline__ bool normal_range_and_positive(float x)
    {
        return __float_as_uint(x) - (67u << 23) <= 120u << 23;
    }
    static __device__ __forceinline__ bool normal_range_and_positive(double x)
    {
        return static_cast<unsigned>(__double2hiint(x)) - (723u << 20) <= 600u << 20;
    }
};

} // namespace ompc

#endif

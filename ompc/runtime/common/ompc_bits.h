// ompc_bits.h: gcc's builtin functions on the bits of an integer, for kernels.

#ifndef OMPC_BITS_H
#define OMPC_BITS_H

namespace ompc {

#ifdef __CUDA_ARCH__
__device__ inline int popcount(unsigned long long x)
{
    return __popcll(x);
}
__device__ inline int leading_zeros(unsigned long long x)
{
    return __clzll(x);
}
__device__ inline int first_set(unsigned long long x)
{
    return __ffsll(x);
}
#else
__host__ __device__ inline int popcount(unsigned long long x)
{
    return __builtin_popcountll(x);
}
__host__ __device__ inline int leading_zeros(unsigned long long x)
{
    return x == 0 ? 64 : __builtin_clzll(x);
}
__host__ __device__ inline int first_set(unsigned long long x)
{
    return __builtin_ffsll(x);
}
#endif

} // namespace ompc

#endif

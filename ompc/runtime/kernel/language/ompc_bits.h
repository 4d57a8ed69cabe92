// ompc_bits.h: gcc's builtin functions on the bits of an integer, for kernels.

#ifndef OMPC_BITS_H
#define OMPC_BITS_H

#include "ompc_cuda.h"

namespace ompc {

__device__ inline int popcount(unsigned long long x)
{
    return __popcll(x);
}

__device__ inline int parity(unsigned long long x)
{
    return __popcll(x) & 1;
}

// The number of leading zeros depends on the type; `x` is not 0.
template <class T>
__device__ int clz(T x)
{
    return __clzll(static_cast<long long>(x)) - 8 * static_cast<int>(sizeof(long long) - sizeof(T));
}

__device__ inline int ctz(unsigned long long x)
{
    return __ffsll(static_cast<long long>(x)) - 1;
}

__device__ inline int ffs(long long x)
{
    return __ffsll(x);
}

template <class T>
__device__ T bswap(T x)
{
    T result = 0;
    for (unsigned byte = 0; byte < sizeof(T); ++byte)
        result = static_cast<T>(result << 8 | ((x >> 8 * byte) & 0xff));
    return result;
}

} // namespace ompc

#endif

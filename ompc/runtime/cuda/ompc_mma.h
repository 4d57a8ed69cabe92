// ompc_mma.h (cuda): products of small matrices of doubles by a warp's tensor cores. See ompc_products.h.
//
// c += a b, of 16 x 8, 16 x mma_depth and mma_depth x 8 elements. Lane 4 g + t has rows g and g + 8 of column t, t + 4, ... of
// a, row t, t + 4, ... of column g of b, and columns 2 t and 2 t + 1 of rows g and g + 8 of c: as in the PTX ISA. Every element
// of c is a chain of fused multiply-adds, rounded to nearest each, in the order of the rows of b (tried on an H200: 10^7 sums
// of random numbers with all exponents, subnormal and infinite ones, for each instruction).

#ifndef OMPC_MMA_H
#define OMPC_MMA_H

#include "ompc_cuda.h"

namespace ompc {

constexpr int mma_depth = 4;
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
constexpr bool has_mma = false;
#else
constexpr bool has_mma = true;
#endif

__device__ __forceinline__ void mma(double (&c)[4], const double (&a)[mma_depth / 2], const double (&b)[mma_depth / 4])
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
#elif defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    for (int half = 0; half < 2; half++)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
                     : "d"(a[half]), "d"(b[0]));
#endif
}

} // namespace ompc

#endif

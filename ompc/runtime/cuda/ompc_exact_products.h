// ompc_exact_products.h (cuda): products and conversions that are rounded as the program says.

#ifndef OMPC_EXACT_PRODUCTS_H
#define OMPC_EXACT_PRODUCTS_H

#include "ompc_cuda.h"

#include <type_traits>

namespace ompc {

// A product that is never contracted with a sum; nor on the host, where launchers count iterations.
template <class A, class B>
__host__ __device__ inline auto mul(A a, B b)
{
#ifdef __CUDA_ARCH__
    using C = decltype(a * b);
    if constexpr (std::is_same_v<C, double>)
        return __dmul_rn(a, b);
    else if constexpr (std::is_same_v<C, float>)
        return __fmul_rn(a, b);
    else
        return a * b;
#else
    auto product = a * b;
#if defined __x86_64__
    asm("" : "+x"(product));
#elif defined __aarch64__
    asm("" : "+w"(product));
#endif
    return product;
#endif
}

// `x` as a T. g++ 12 takes (double)(float)x for x where it converts two numbers at a time: it must not see both.
template <class T, class U>
__host__ __device__ inline T converted_part(U x)
{
    T rounded = static_cast<T>(x);
#ifndef __CUDA_ARCH__
    if constexpr (sizeof(T) < sizeof(U)) {
#if defined __x86_64__
        asm("" : "+x"(rounded));
#elif defined __aarch64__
        asm("" : "+w"(rounded));
#endif
    }
#endif
    return rounded;
}

} // namespace ompc

#endif

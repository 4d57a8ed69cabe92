// ompc_exact_products.h: products and conversions that are rounded as the program says.

#ifndef OMPC_EXACT_PRODUCTS_H
#define OMPC_EXACT_PRODUCTS_H

#include "ompc_cuda.h"

#include <type_traits>

namespace ompc {

// `x`, of which the host's compiler does not see where it comes from.
template <class T>
__host__ __device__ inline T opaque(T x)
{
#ifndef __CUDA_ARCH__
#if defined __x86_64__
    asm("" : "+x"(x));
#elif defined __aarch64__
    asm("" : "+w"(x));
#endif
#endif
    return x;
}

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
#endif
        return opaque(a * b);
}

// `target *= factor`, rounded so, where finding the target twice would be noticed, as of `*p++`.
template <class T, class B>
__host__ __device__ inline T &multiply(T &target, B factor)
{
    return target = static_cast<T>(mul(target, factor));
}

// `x` as a T. g++ 12 takes (double)(float)x for x where it converts two numbers at a time: it must not see both.
template <class T, class U>
__host__ __device__ inline T converted_part(U x)
{
    const T rounded = static_cast<T>(x);
    if constexpr (sizeof(T) < sizeof(U))
        return opaque(rounded);
    else
        return rounded;
}

} // namespace ompc

#endif

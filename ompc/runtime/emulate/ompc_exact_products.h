// ompc_exact_products.h (emulate): products and conversions that are rounded as the program says.

#ifndef OMPC_EXACT_PRODUCTS_H
#define OMPC_EXACT_PRODUCTS_H

#include "ompc_cuda.h"

namespace ompc {

// A product that is never contracted with a sum: the compiler does not see where the number comes from.
template <class A, class B>
inline auto mul(A a, B b)
{
    auto product = a * b;
#if defined __x86_64__
    asm("" : "+x"(product));
#elif defined __aarch64__
    asm("" : "+w"(product));
#endif
    return product;
}

// `x` as a T. g++ 12 takes (double)(float)x for x where it converts two numbers at a time: it must not see both.
template <class T, class U>
inline T converted_part(U x)
{
    T rounded = static_cast<T>(x);
    if constexpr (sizeof(T) < sizeof(U)) {
#if defined __x86_64__
        asm("" : "+x"(rounded));
#elif defined __aarch64__
        asm("" : "+w"(rounded));
#endif
    }
    return rounded;
}

} // namespace ompc

#endif

// ompc_elements.h: how many elements an array has whose lengths only the host knows.

#ifndef OMPC_ELEMENTS_H
#define OMPC_ELEMENTS_H

#include <cstddef>

namespace ompc {

constexpr std::size_t too_many_elements = static_cast<std::size_t>(-1);

// The elements of an array with these lengths; none where one is 0. No array has a negative length, but a block may be asked
// for that has more bytes than there are numbers.
template <class... Lengths>
std::size_t elements(Lengths... lengths)
{
    std::size_t product = 1;
    for (const long length : {static_cast<long>(lengths)...}) {
        if (length == 0)
            return 0;
        product = __builtin_mul_overflow(product, static_cast<std::size_t>(length), &product) ? too_many_elements : product;
    }
    return product;
}

} // namespace ompc

#endif

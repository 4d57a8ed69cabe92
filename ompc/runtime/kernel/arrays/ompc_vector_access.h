// ompc_vector_access.h: vector access: arrays that are aligned to more bytes than the type of their elements asks for.
//
// A device reads and writes up to 16 bytes with one instruction where they are aligned to as many. C aligns
//
//     struct body { float x, y, z, mass; };
//
// to 4 bytes. Memory usually is to more: a launcher looks, and takes the kernel that relies on it. There the array has
// another type, by which the compiler knows, and so reads x, y, z and mass at once.

#ifndef OMPC_VECTOR_ACCESS_H
#define OMPC_VECTOR_ACCESS_H

#include "ompc_cuda.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace ompc {

// A struct of the program's at such an address.
template <class T, std::size_t bytes>
struct alignas(bytes) AlignedElement : T {
    using T::operator=;
};

// What elements of type T are; structs alone have a type of their own. Arrays have elements, and constants are constant.
template <class T, std::size_t bytes, bool is_struct = std::is_class_v<T>>
struct AlignedType {
    using type = T;
};
template <class T, std::size_t bytes>
struct AlignedType<T, bytes, true> {
    using Element = AlignedElement<std::remove_const_t<T>, bytes>;
    using type = std::conditional_t<std::is_const_v<T>, const Element, Element>;
    static_assert(sizeof(Element) == sizeof(T), "elements have no gaps between them");
};
template <class T, std::size_t length, std::size_t bytes>
struct AlignedType<T[length], bytes, false> {
    using type = typename AlignedType<T, bytes>::type[length];
};

inline __host__ __device__ bool is_aligned(const volatile void *p, std::size_t bytes)
{
    return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

// The array from `given` on, in a kernel that relies on its alignment to so many bytes, or does not.
template <bool relied_on, std::size_t bytes, class T>
__device__ __forceinline__ auto *aligned(T *given)
{
    using Aligned = typename AlignedType<T, bytes>::type;
#ifndef __CUDACC__
    if (relied_on && !is_aligned(given, bytes))
        __builtin_trap(); // the launcher has taken the wrong kernel
#endif
    if constexpr (!relied_on)
        return given;
    else if constexpr (std::is_same_v<Aligned, T>)
        return static_cast<T *>(__builtin_assume_aligned(given, bytes));
    else
        return reinterpret_cast<Aligned *>(given);
}

// The value of an element that is read as a whole.
template <class T, std::size_t bytes>
__device__ __forceinline__ T whole(const AlignedElement<T, bytes> &element)
{
    const AlignedElement<T, bytes> copy = element;
    return copy;
}
template <class T>
__device__ __forceinline__ const T &whole(const T &element)
{
    return element;
}

// An element of 8 or 16 bytes, of an array that nobody changes, read by one instruction whichever members are wanted, and
// where: the empty assembly wants all, or the compiler would divide the read among its uses. Of several it makes one.
template <class T, std::size_t bytes>
__device__ __forceinline__ T at_once(const AlignedElement<T, bytes> &element)
{
    static_assert(sizeof(T) == bytes && (bytes == 8 || bytes == 16), "what one instruction reads");
#ifdef __CUDA_ARCH__
    AlignedElement<T, bytes> copy;
    if constexpr (bytes == 16) {
        uint4 words = reinterpret_cast<const uint4 &>(element);
        asm("" : "+r"(words.x), "+r"(words.y), "+r"(words.z), "+r"(words.w));
        ::memcpy(static_cast<void *>(&copy), &words, bytes);
    } else {
        uint2 words = reinterpret_cast<const uint2 &>(element);
        asm("" : "+r"(words.x), "+r"(words.y));
        ::memcpy(static_cast<void *>(&copy), &words, bytes);
    }
    return copy;
#else
    return element;
#endif
}
template <class T>
__device__ __forceinline__ const T &at_once(const T &element)
{
    return element;
}

} // namespace ompc

#endif

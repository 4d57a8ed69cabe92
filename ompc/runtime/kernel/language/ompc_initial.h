// ompc_initial.h: initial values where C++ has no initialiser for them.
//
// C lets `goto` and `case` jump past `double w[3] = {1, 2};`, C++ does not. The array is then declared without, and the
// statement that stands in the place of its initialiser is `ompc::assign(w, {1, 2});`.

#ifndef OMPC_INITIAL_H
#define OMPC_INITIAL_H

#include "ompc_cuda.h"

#include <cstddef>

namespace ompc {

template <class T>
struct Itself {
    using type = T;
};

template <class T>
__host__ __device__ void copy_initial(T &to, const T &from)
{
    to = from;
}

template <class T, std::size_t N>
__host__ __device__ void copy_initial(T (&to)[N], const T (&from)[N])
{
    for (std::size_t i = 0; i < N; ++i)
        copy_initial(to[i], from[i]);
}

// The type comes from `to` alone: a braced list has none. Elements that it does not name are zero.
template <class Array>
__host__ __device__ void assign(Array &to, const typename Itself<Array>::type &from)
{
    copy_initial(to, from);
}

// `Type<int[3]>{1, 2, 3}`: a compound literal of a type that is no single word.
template <class T>
using Type = T;

} // namespace ompc

#endif

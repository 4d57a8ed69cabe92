// ompc_operators.h: the operators of reduction clauses (OpenMP 5.2, table 5.1), for the device and the host.
//
// Each has identity<T>(), the initializer, and apply(a, b), the combiner, evaluated in C's usual arithmetic type and
// converted back, as `a = a op b` is.

#ifndef OMPC_OPERATORS_H
#define OMPC_OPERATORS_H

#include "ompc_cuda.h"

#include <limits>
#include <type_traits>

namespace ompc {

// Constants, since device code cannot call the functions of std::numeric_limits.
template <class T>
constexpr T highest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
template <class T>
constexpr T lowest = std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity())
                                                          : std::numeric_limits<T>::lowest();

#define OMPC_OPERATOR(Name, first, combined)                   \
    struct Name {                                              \
        template <class T>                                     \
        __host__ __device__ static constexpr T identity()      \
        {                                                      \
            return static_cast<T>(first);                      \
        }                                                      \
        template <class T>                                     \
        __host__ __device__ static constexpr T apply(T a, T b) \
        {                                                      \
            return static_cast<T>(combined);                   \
        }                                                      \
    };
OMPC_OPERATOR(Sum, 0, a + b)
OMPC_OPERATOR(Product, 1, a * b)
OMPC_OPERATOR(Min, highest<T>, a < b ? a : b)
OMPC_OPERATOR(Max, lowest<T>, a > b ? a : b)
OMPC_OPERATOR(BitAnd, -1, a & b) // for bool: true
OMPC_OPERATOR(BitOr, 0, a | b)
OMPC_OPERATOR(BitXor, 0, a ^ b)
OMPC_OPERATOR(LogicalAnd, 1, a != 0 && b != 0)
OMPC_OPERATOR(LogicalOr, 0, a != 0 || b != 0)
#undef OMPC_OPERATOR

// What changes nothing where several values are combined that are not all private copies: of floating sums -0, to which x is added
// without a trace, whatever the sign of x.
template <class Op, class T>
__host__ __device__ constexpr T neutral()
{
    if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Sum>)
        return static_cast<T>(-0.0);
    else
        return Op::template identity<T>();
}

// A value and the iteration, counted from 1, that assigned it; 0: none has.
template <class T>
struct Assigned {
    T value;
    unsigned long long iteration;

    // Where iteration `number` stores its value.
    __host__ __device__ T &at(unsigned long long number)
    {
        iteration = number;
        return value;
    }
};

// The value of the last iteration that assigned one, for lastprivate(conditional:).
struct Latest {
    template <class T>
    __host__ __device__ static constexpr T apply(T a, T b)
    {
        return a.iteration < b.iteration ? b : a;
    }
};

// Is Op a reduction that the user has declared? It has initial(original), apply(a, b) and same(a, b).
template <class Op, class = void>
constexpr bool is_declared = false;
template <class Op>
constexpr bool is_declared<Op, std::void_t<decltype(Op::declared)>> = true;

// Does one more private copy leave the result as it is? A sum whose copies start at 1 counts the threads.
template <class Op, class T>
inline bool copies_do_not_count(const T *original)
{
    if constexpr (is_declared<Op>) {
        const T fresh = Op::initial(*original);
        return Op::same(Op::apply(fresh, fresh), fresh);
    } else {
        return true;
    }
}

} // namespace ompc

#endif

// ompc_trips.h: the trip count of a canonical loop, exact for every integer type.
//
// `lower` has the type of the loop variable; it and `upper` are compared in the usual arithmetic type of C, as in the
// loop's own condition. Differences are taken in the unsigned type of the same width, so nothing overflows.
// `step` is the magnitude of the increment; 0, which no conforming program has, counts no iteration.

#ifndef OMPC_TRIPS_H
#define OMPC_TRIPS_H

#include <type_traits>

#ifdef __CUDACC__
#define OMPC_ANYWHERE __host__ __device__
#else
#define OMPC_ANYWHERE
#endif

namespace ompc {

using Trips = unsigned long long;

template <class T>
OMPC_ANYWHERE constexpr auto promoted(T value)
{
    return +value; // char, short, bool, enum: as C's integer promotions
}

// Number of steps that fit into [from, to), to > from.
template <class C, class S>
OMPC_ANYWHERE constexpr Trips steps_between(C from, C to, S step)
{
    using U = std::make_unsigned_t<C>;
    const Trips distance = static_cast<U>(static_cast<U>(to) - static_cast<U>(from));
    return step == 0 ? 0 : (distance - 1) / static_cast<Trips>(step) + 1;
}

// for (v = lower; v < upper; v += step)
template <class L, class U, class S>
OMPC_ANYWHERE constexpr Trips trips_lt(L lower, U upper, S step)
{
    using C = decltype(promoted(lower) + promoted(upper));
    const C from = static_cast<C>(lower), to = static_cast<C>(upper);
    return from < to ? steps_between(from, to, step) : 0;
}

// for (v = lower; v <= upper; v += step)
template <class L, class U, class S>
OMPC_ANYWHERE constexpr Trips trips_le(L lower, U upper, S step)
{
    using C = decltype(promoted(lower) + promoted(upper));
    const C from = static_cast<C>(lower), to = static_cast<C>(upper);
    if (from == to)
        return step == 0 ? 0 : 1;
    if (!(from < to) || step == 0)
        return 0;
    using M = std::make_unsigned_t<C>;
    const Trips distance = static_cast<M>(static_cast<M>(to) - static_cast<M>(from));
    return distance / static_cast<Trips>(step) + 1;
}

// for (v = lower; v > upper; v -= step)
template <class L, class U, class S>
OMPC_ANYWHERE constexpr Trips trips_gt(L lower, U upper, S step)
{
    return trips_lt(promoted(upper), promoted(lower), step);
}

// for (v = lower; v >= upper; v -= step)
template <class L, class U, class S>
OMPC_ANYWHERE constexpr Trips trips_ge(L lower, U upper, S step)
{
    return trips_le(promoted(upper), promoted(lower), step);
}

// for (v = lower; v != upper; v += step), step +1 or -1 (signed)
template <class L, class U, class S>
OMPC_ANYWHERE constexpr Trips trips_ne(L lower, U upper, S step)
{
    using C = decltype(promoted(lower) + promoted(upper));
    using M = std::make_unsigned_t<C>;
    const M from = static_cast<M>(static_cast<C>(lower)), to = static_cast<M>(static_cast<C>(upper));
    return step > 0 ? static_cast<M>(to - from) : static_cast<M>(from - to);
}

// Divisions in bounds that the program may not ask for: 0 where the machine could not divide.
template <class T>
OMPC_ANYWHERE constexpr bool divides(T a, T b)
{
    constexpr T least = static_cast<T>(std::make_unsigned_t<T>(1) << (8 * sizeof(T) - 1));
    return b != 0 && !(std::is_signed_v<T> && b == static_cast<T>(-1) && a == least);
}

template <class T>
OMPC_ANYWHERE constexpr T quotient(T a, T b)
{
    return divides(a, b) ? a / b : 0;
}

template <class T>
OMPC_ANYWHERE constexpr T remainder(T a, T b)
{
    return divides(a, b) ? a % b : 0;
}

// The first and the last iteration of a loop.
struct Ends {
    Trips at[2];
    const Trips *begin() const { return at; }
    const Trips *end() const { return at + 2; }
};

inline Ends ends(Trips trips)
{
    return {{0, trips == 0 ? 0 : trips - 1}};
}

// By the relation's spelling; `step` as each of the above takes it.
template <class L, class U, class S>
OMPC_ANYWHERE constexpr Trips trips(L lower, U upper, S step, const char *relation)
{
    const bool or_equal = relation[1] == '=';
    if (relation[0] == '!')
        return trips_ne(lower, upper, step);
    if (relation[0] == '<')
        return or_equal ? trips_le(lower, upper, step) : trips_lt(lower, upper, step);
    return or_equal ? trips_ge(lower, upper, step) : trips_gt(lower, upper, step);
}

} // namespace ompc

#endif

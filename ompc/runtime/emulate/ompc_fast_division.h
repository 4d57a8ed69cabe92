// ompc_fast_division.h (emulate): the fast path of quotients and square roots; results that nobody may use of operands outside.
// See ompc_batches.h.

#ifndef OMPC_FAST_DIVISION_H
#define OMPC_FAST_DIVISION_H

#include "ompc_cuda.h"
#include "ompc_rsqrt.h"

#include <cmath>
#include <limits>

namespace ompc {

// Of operands that are proved in the normal range; the emulator makes sure.
template <class T>
T normal_range_or_none(T x)
{
    const T most = sizeof(T) == 4 ? T(0x1p60f) : T(0x1p300);
    if (std::fabs(x) < 1 / most || std::fabs(x) > most)
        emulate::the_grid.abandon("an operand of a quotient or root is outside of the normal range, but was proved to be in it");
    return x;
}
template <class T>
T normal_range_reciprocal(T b)
{
    return T(1) / normal_range_or_none(b);
}
template <class T>
T normal_range_divide(T a, T b)
{
    return normal_range_or_none(a) / normal_range_or_none(b);
}
template <class T>
T normal_range_sqrt(T x)
{
    return std::sqrt(normal_range_or_none(x));
}

class Fast {
public:
    bool unusual() const { return unusual_; }

    template <class T>
    T reciprocal(T b)
    {
        return noted(usual(b), b, [&] { return T(1) / b; });
    }
    template <class T>
    T divide(T a, T b)
    {
        return noted((usual(a) || (a == 0 && !std::signbit(a))) && usual(b), b, [&] { return a / b; });
    }
    template <class T>
    T sqrt(T x)
    {
        return noted(usual(x) && x > 0, x, [&] { return std::sqrt(x); });
    }
    template <class T>
    T rsqrt(T x) // contracted
    {
        const T y = normal_range_rsqrt(x);
        unusual_ |= is_unusual_rsqrt(y);
        return y;
    }

private:
    bool unusual_ = false;

    template <class T, class Result>
    T noted(bool usual, T, const Result &result)
    {
        unusual_ |= !usual;
        return usual ? result() : std::numeric_limits<T>::quiet_NaN();
    }
    // The exponents of the device's version.
    static bool usual(float x) { return std::fabs(x) >= 0x1p-60f && std::fabs(x) <= 0x1p60f; }
    static bool usual(double x) { return std::fabs(x) >= 0x1p-300 && std::fabs(x) <= 0x1p300; }
};

} // namespace ompc

#endif

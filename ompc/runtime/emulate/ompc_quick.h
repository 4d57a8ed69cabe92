// ompc_quick.h (emulate): what the device does with usual operands; of unusual ones, results that nobody may use.
// See ompc_groups.h.

#ifndef OMPC_QUICK_H
#define OMPC_QUICK_H

#include "ompc_cuda.h"
#include "ompc_rsqrt.h"

#include <cmath>
#include <limits>

namespace ompc {

// Of operands that are proved usual; the emulator makes sure.
template <class T>
T usual_or_none(T x)
{
    const T most = sizeof(T) == 4 ? T(0x1p60f) : T(0x1p300);
    if (std::fabs(x) < 1 / most || std::fabs(x) > most)
        emulate::the_grid.abandon("an operand of a quotient or root is unusual that was proved to be usual");
    return x;
}
template <class T>
T usual_reciprocal(T b)
{
    return T(1) / usual_or_none(b);
}
template <class T>
T usual_divide(T a, T b)
{
    return usual_or_none(a) / usual_or_none(b);
}
template <class T>
T usual_sqrt(T x)
{
    return std::sqrt(usual_or_none(x));
}

class Quick {
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
        const T y = usual_rsqrt(x);
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

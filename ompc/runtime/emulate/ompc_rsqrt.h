// ompc_rsqrt.h (emulate): 1 / sqrt(x) rounded once, as seldom as a device may; see the other one.

#ifndef OMPC_RSQRT_H
#define OMPC_RSQRT_H

#include <cmath>
#include <limits>

namespace ompc {

inline float rsqrt(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return static_cast<double>(1.0L / std::sqrt(static_cast<long double>(x))); }

// Of what the device's few instructions are wrong about, a result that nobody may use.
template <class T>
T normal_range_rsqrt(T x)
{
    const bool usual = x >= std::numeric_limits<T>::min() && x <= std::numeric_limits<T>::max();
    return usual ? rsqrt(x) : std::numeric_limits<T>::quiet_NaN();
}
template <class T>
bool is_unusual_rsqrt(T y)
{
    return y != y;
}

} // namespace ompc

#endif

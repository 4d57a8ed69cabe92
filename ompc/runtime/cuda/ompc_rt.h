// ompc_rt.h (cuda): the runtime of a translated program, for nvcc. See ompc_launch.h for what launchers use.

#ifndef OMPC_RT_H
#define OMPC_RT_H

#define OMPC_TARGET "cuda"
#define OMPC_SHARED __shared__

// Variables of the user's that nothing uses are the host compiler's to report, in the user's own text.
#pragma nv_diag_suppress 177, 550

#include "ompc_atomic.h"
#include "ompc_bits.h"
#include "ompc_contest.h"
#include "ompc_initial.h"
#include "ompc_launch.h"
#include "ompc_reduce.h"
#include "ompc_trips.h"

namespace ompc {

// A product that is never contracted with a sum.
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
        return a * b;
#else
    return a * b;
#endif
}

} // namespace ompc

#endif

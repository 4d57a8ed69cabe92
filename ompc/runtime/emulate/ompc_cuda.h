// ompc_cuda.h: CUDA's device language for an ordinary C++ compiler.
//
// Kernels run on one host thread, one block after another, so atomics are plain operations. Shared memory is a section of
// its own, poisoned before each block; races on it between barriers are not detected.

#ifndef OMPC_CUDA_H
#define OMPC_CUDA_H

#include "ompc_grid.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <math.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static __attribute__((section("ompc_shared")))
#define OMPC_SHARED static // in templates, whose statics cannot be in a section of their own

#define threadIdx (ompc::emulate::the_grid.lane->thread)
#define blockIdx (ompc::emulate::the_grid.block_index)
#define blockDim (ompc::emulate::the_grid.block_dim)
#define gridDim (ompc::emulate::the_grid.grid_dim)
static constexpr int warpSize = 32;

inline void __syncthreads()
{
    ompc::emulate::the_grid.meet_block();
}

inline int __syncthreads_or(int predicate)
{
    return ompc::emulate::the_grid.meet_block(predicate != 0);
}

inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    ompc::emulate::the_grid.meet_warp(mask, 0, 0);
}

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

namespace ompc {

// Ends the calling thread of a kernel.
[[noreturn]] inline void end_thread()
{
    throw emulate::ThreadEnded{};
}

} // namespace ompc

// Exchange within the warp: the value of the lane that `lane_of(own lane, first lane of the segment)` names.
template <class T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    const int lane = ompc::emulate::the_grid.lane_in_warp();
    return ompc::emulate::shuffle(mask, value, (lane & ~(width - 1)) + (source & (width - 1)));
}

template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    const int lane = ompc::emulate::the_grid.lane_in_warp(), source = lane + static_cast<int>(delta);
    return ompc::emulate::shuffle(mask, value, source <= (lane | (width - 1)) ? source : lane);
}

template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    const int lane = ompc::emulate::the_grid.lane_in_warp(), source = lane - static_cast<int>(delta);
    return ompc::emulate::shuffle(mask, value, source >= (lane & ~(width - 1)) ? source : lane);
}

template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    const int lane = ompc::emulate::the_grid.lane_in_warp(), source = lane ^ bits;
    return ompc::emulate::shuffle(mask, value, source <= (lane | (width - 1)) ? source : lane);
}

inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned votes = 0;
    for (int lane = 0; lane < warpSize; lane++)
        if ((mask >> lane & 1u) != 0)
            votes |= (ompc::emulate::shuffle(mask, predicate, lane) != 0 ? 1u : 0u) << lane;
    return votes;
}

template <class T>
inline unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned same = 0;
    for (int lane = 0; lane < warpSize; lane++)
        if ((mask >> lane & 1u) != 0)
            same |= (ompc::emulate::shuffle(mask, value, lane) == value ? 1u : 0u) << lane;
    return same;
}

inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}

inline int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) == mask;
}

template <class T>
inline T __ldg(const T *p)
{
    return *p;
}

// Atomics: the overloads that CUDA has.
#define OMPC_ATOMIC(name, T, result)  \
    inline T name(T *p, T v)          \
    {                                 \
        const T old = *p;             \
        *p = static_cast<T>(result);  \
        return old;                   \
    }
#define OMPC_ATOMIC_INTEGER(name, result)        \
    OMPC_ATOMIC(name, unsigned, result)          \
    OMPC_ATOMIC(name, unsigned long long, result) \
    inline int name(int *p, int v)               \
    {                                            \
        const int old = *p;                      \
        *p = static_cast<int>(result);           \
        return old;                              \
    }
#define OMPC_ATOMIC_ORDERED(name, result) OMPC_ATOMIC_INTEGER(name, result) OMPC_ATOMIC(name, long long, result)

OMPC_ATOMIC(atomicAdd, unsigned, old + v)
OMPC_ATOMIC(atomicAdd, unsigned long long, old + v)
OMPC_ATOMIC(atomicAdd, float, old + v)
OMPC_ATOMIC(atomicAdd, double, old + v)
OMPC_ATOMIC(atomicSub, unsigned, old - v)
OMPC_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
OMPC_ATOMIC(atomicExch, float, v)
OMPC_ATOMIC_INTEGER(atomicExch, (static_cast<void>(old), v))
OMPC_ATOMIC_INTEGER(atomicAnd, old & v)
OMPC_ATOMIC_INTEGER(atomicOr, old | v)
OMPC_ATOMIC_INTEGER(atomicXor, old ^ v)
OMPC_ATOMIC_ORDERED(atomicMin, v < old ? v : old)
OMPC_ATOMIC_ORDERED(atomicMax, v > old ? v : old)
#undef OMPC_ATOMIC_ORDERED
#undef OMPC_ATOMIC_INTEGER
#undef OMPC_ATOMIC

inline int atomicAdd(int *p, int v) // wraps, as the hardware does
{
    const int old = *p;
    *p = static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(v));
    return old;
}

inline int atomicSub(int *p, int v)
{
    const int old = *p;
    *p = static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(v));
    return old;
}

template <class T>
inline T atomicCAS(T *p, T expected, T fresh)
{
    const T old = *p;
    if (old == expected)
        *p = fresh;
    return old;
}

// Arithmetic with a stated rounding, which is never contracted.
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float rsqrtf(float x) { return 1 / sqrtf(x); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

#endif

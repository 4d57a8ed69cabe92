// ompc_cuda.h (nvrtc): CUDA's device language as a C++ compiler reads it that compiles what is the host's of a device file.
//
// Kernels are NVRTC's (ompc_kernel.h). Here they are functions that nobody calls, so what they use is declared, and defined
// nowhere. The headers of this folder go before those of the target cuda with the same names and guards.

#ifndef OMPC_CUDA_H
#define OMPC_CUDA_H

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <type_traits>

#define OMPC_SHARED static

#undef __global__
#undef __host__
#undef __device__
#undef __constant__
#undef __shared__
#undef __forceinline__
#undef __launch_bounds__
#define __global__ inline // a kernel that nobody calls leaves nothing in the object file
#define __host__
#define __device__
#define __constant__
#define __shared__ static
#define __forceinline__ inline
#define __launch_bounds__(...)

extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
static constexpr int warpSize = 32;

void __syncthreads();
int __syncthreads_or(int predicate);
void __syncwarp(unsigned mask = 0xffffffffu);
void __threadfence();
void __threadfence_block();
void __threadfence_system();

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32);
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32);
unsigned __ballot_sync(unsigned mask, int predicate);
int __any_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);

template <class T>
T __ldg(const T *p);

template <class T>
T atomicAdd(T *p, std::common_type_t<T> v);
template <class T>
T atomicSub(T *p, std::common_type_t<T> v);
template <class T>
T atomicInc(T *p, std::common_type_t<T> v);
template <class T>
T atomicExch(T *p, std::common_type_t<T> v);
template <class T>
T atomicAnd(T *p, std::common_type_t<T> v);
template <class T>
T atomicOr(T *p, std::common_type_t<T> v);
template <class T>
T atomicXor(T *p, std::common_type_t<T> v);
template <class T>
T atomicMin(T *p, std::common_type_t<T> v);
template <class T>
T atomicMax(T *p, std::common_type_t<T> v);
template <class T>
T atomicCAS(T *p, std::common_type_t<T> expected, std::common_type_t<T> fresh);

double __dmul_rn(double a, double b);
double __dadd_rn(double a, double b);
double __dsub_rn(double a, double b);
double __ddiv_rn(double a, double b);
double __fma_rn(double a, double b, double c);
float __fmul_rn(float a, float b);
float __fadd_rn(float a, float b);
float __fsub_rn(float a, float b);
float __fdiv_rn(float a, float b);
float __fmaf_rn(float a, float b, float c);
double rsqrt(double x);
float rsqrtf(float x);

int __popc(unsigned x);
int __popcll(unsigned long long x);
int __clz(int x);
int __ffs(int x);
int __clzll(long long x);
int __ffsll(long long x);

namespace ompc {

[[noreturn]] void end_thread();

namespace emulate {
struct Grid {
    unsigned char *block_memory();
    void abandon(const char *why);
};
extern Grid the_grid;
} // namespace emulate

// Arithmetic of the device's that is no function of C's (ompc_mma.h, ompc_fast_division.h, ompc_rsqrt.h).
constexpr bool has_mma = true;
constexpr int mma_depth = 4;
void mma(double (&c)[4], const double (&a)[mma_depth / 2], const double (&b)[mma_depth / 4]);

template <class T>
T rsqrt(T x);
template <class T>
T normal_range_rsqrt(T x);
template <class T>
bool is_unusual_rsqrt(T y);
template <class T>
T normal_range_reciprocal(T b);
template <class T>
T normal_range_divide(T a, T b);
template <class T>
T normal_range_sqrt(T x);

class Fast {
public:
    bool unusual() const;
    template <class T>
    T reciprocal(T b);
    template <class T>
    T divide(T a, T b);
    template <class T>
    T sqrt(T x);
    template <class T>
    T rsqrt(T x);
};

} // namespace ompc

#define OMPC_MMA_H
#define OMPC_FAST_DIVISION_H
#define OMPC_RSQRT_H

#include "ompc_kernel.h"

#endif

// ompc_reduce.h: a reduction over the whole grid in the kernel's own launch.
//
// Warps combine by shuffles, a block by its warps, and the block that finishes last combines the blocks' partial results:
// everything in a fixed order, so the same launch shape gives the same bits.

#ifndef OMPC_REDUCE_H
#define OMPC_REDUCE_H

#include "ompc_operators.h"

#include <type_traits>

namespace ompc {

// Where a reduction's partial results go. `finished` counts blocks and is 0 between launches.
template <class Op, class T>
struct Reduction {
    T *partials; // one per block of the grid
    unsigned *finished;
    T *result; // the combined value, without the original variable's
};

struct Warp {
    static constexpr unsigned size = 32;
};

// The value of the lane `delta` above in the warp; all of the lanes in `mask` take part.
template <class T>
__device__ inline T shuffle_down(unsigned mask, T value, unsigned delta)
{
    if constexpr (std::is_floating_point_v<T>)
        return __shfl_down_sync(mask, value, delta);
    else if constexpr (sizeof(T) <= sizeof(int))
        return static_cast<T>(__shfl_down_sync(mask, static_cast<int>(value), delta));
    else
        return static_cast<T>(__shfl_down_sync(mask, static_cast<long long>(value), delta));
}

// Combines the values of the first `lanes` lanes of the calling warp; lane 0 has the result.
template <class Op, class T>
__device__ inline T reduce_warp(T value, unsigned lane, unsigned lanes)
{
    const unsigned mask = lanes >= Warp::size ? 0xffffffffu : (1u << lanes) - 1;
    for (unsigned delta = Warp::size / 2; delta > 0; delta /= 2) {
        const T other = shuffle_down(mask, value, delta);
        if (lane + delta < lanes)
            value = Op::apply(value, other);
    }
    return value;
}

// Combines the values of all `threads` threads of the block; thread 0 has the result.
template <class Op, class T>
__device__ inline T reduce_block(T value, unsigned rank, unsigned threads)
{
    OMPC_SHARED T of_warp[1024 / Warp::size];
    const unsigned warp = rank / Warp::size, lane = rank % Warp::size, warps = (threads - 1) / Warp::size + 1;
    const unsigned lanes = warp + 1 < warps ? Warp::size : threads - warp * Warp::size;
    value = reduce_warp<Op>(value, lane, lanes);
    __syncthreads(); // an earlier reduction may still be reading of_warp
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0 && lane < warps)
        value = reduce_warp<Op>(of_warp[lane], lane, warps);
    return value;
}

// Every thread of the grid calls this, with its own part of the result.
template <class Op, class T>
__device__ inline void reduce(T value, const Reduction<Op, T> &to)
{
    OMPC_SHARED bool last;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z, blocks = gridDim.x * gridDim.y * gridDim.z;
    const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    value = reduce_block<Op>(value, rank, threads);
    if (rank == 0) {
        to.partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
        __threadfence(); // the partial result is seen before the count
        last = atomicAdd(to.finished, 1u) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    const volatile T *const partials = to.partials;
    value = Op::template identity<T>();
    for (unsigned block = rank; block < blocks; block += threads)
        value = Op::apply(value, static_cast<T>(partials[block]));
    value = reduce_block<Op>(value, rank, threads);
    if (rank == 0) {
        *to.result = value;
        *to.finished = 0;
    }
}

} // namespace ompc

#endif

// ompc_reduce.h: a reduction over the whole grid in the kernel's own launch.
//
// Warps combine by shuffles, a block by its warps, and the block that finishes last combines the blocks' partial results:
// everything in a fixed order, so the same launch shape gives the same bits. Of a launch in slices (ompc_slices.h), each one
// combines what those before it have come to with its own result. Values may be of any type that can be copied byte by byte;
// Op::apply(a, b) combines two.

#ifndef OMPC_REDUCE_H
#define OMPC_REDUCE_H

#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_operators.h"
#include "ompc_warp.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace ompc {

// Where the partial results of a reduction go, those of its value k from partials + k * blocks on. `finished` counts blocks
// and is 0 between launches.
template <class Op, class T>
struct Reduction {
    T *partials; // one per block of the grid for each value
    unsigned *finished;
    const T *before; // what the slices before have come to; or null
    T *result; // the combined values, without the original variable's
    unsigned *done, ticket; // the ticket goes there when the result is complete: the host may be looking; or null
    T original; // the first value before the loop, for the initializer of a declared reduction
};

// Reads what another block has written.
template <class T>
__device__ inline T read_fresh(const T *from)
{
    if constexpr (std::is_arithmetic_v<T>) {
        return *const_cast<const volatile T *>(from);
    } else {
        Piece<T> pieces[sizeof(T) / sizeof(Piece<T>)];
        for (unsigned i = 0; i < sizeof(T) / sizeof(Piece<T>); i++)
            pieces[i] = reinterpret_cast<const volatile Piece<T> *>(from)[i];
        T value;
        ::memcpy(&value, pieces, sizeof value);
        return value;
    }
}

// Combines the values of the first `lanes` lanes of the calling warp; lane 0 has the result.
template <class Op, class T>
__device__ inline T reduce_warp(T value, unsigned lane, unsigned lanes)
{
    const unsigned mask = lanes >= Warp::size ? all_lanes : (1u << lanes) - 1;
    for (unsigned delta = Warp::size / 2; delta > 0; delta /= 2) {
        const T other = ompc::shuffle_down(mask, value, delta);
        if (lane + delta < lanes)
            value = Op::apply(value, other);
    }
    return value;
}

// Combines the values of the first `threads` threads of the block, which all call this; thread 0 has the result.
template <class Op, class T>
__device__ inline T reduce_block(T value, unsigned rank, unsigned threads)
{
    OMPC_SHARED T of_warp[1024 / Warp::size];
    const unsigned warp = rank / Warp::size, lane = rank % Warp::size, warps = (threads - 1) / Warp::size + 1;
    const unsigned lanes = warp + 1 < warps ? Warp::size : threads - warp * Warp::size;
    if (rank < threads)
        value = ompc::reduce_warp<Op>(value, lane, lanes);
    __syncthreads(); // an earlier reduction may still be reading of_warp
    if (lane == 0 && rank < threads)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0 && lane < warps)
        value = ompc::reduce_warp<Op>(of_warp[lane], lane, warps);
    return value;
}

// Every thread of the grid calls this, with its own part of each of `count` results.
template <class Op, class T>
__device__ inline void reduce(const T *values, unsigned count, const Reduction<Op, T> &to)
{
    OMPC_SHARED bool last;
    const unsigned rank = block_rank(), threads = block_size(), blocks = gridDim.x * gridDim.y * gridDim.z;
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    for (unsigned k = 0; k < count; k++) {
        const T value = ompc::reduce_block<Op>(values[k], rank, threads);
        if (rank == 0)
            to.partials[static_cast<std::size_t>(k) * blocks + block] = value;
    }
    if (rank == 0) {
        __threadfence(); // the partial results are seen before the count
        last = atomicAdd(to.finished, 1u) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    const unsigned used = threads < blocks ? threads : blocks; // no more threads than there are partial results
    for (unsigned k = 0; k < count; k++) {
        T value = values[k];
        for (unsigned i = rank; i < blocks; i += threads) {
            const T partial = ompc::read_fresh(&to.partials[static_cast<std::size_t>(k) * blocks + i]);
            value = i == rank ? partial : Op::apply(value, partial);
        }
        value = ompc::reduce_block<Op>(value, rank, used);
        if (rank == 0)
            to.result[k] = to.before == nullptr ? value : Op::apply(to.before[k], value);
    }
    if (rank == 0) {
        *to.finished = 0;
        if (to.done != nullptr) {
            __threadfence_system(); // the result is seen before the ticket
            *static_cast<volatile unsigned *>(to.done) = to.ticket;
        }
    }
}

// The same for one result.
template <class Op, class T>
__device__ inline void reduce(T value, const Reduction<Op, T> &to)
{
    ompc::reduce(&value, 1, to);
}

// Gives each of `count` private copies its first value.
template <class T>
__device__ inline void fill(T *values, unsigned count, T value)
{
    for (unsigned k = 0; k < count; k++)
        values[k] = value;
}

} // namespace ompc

#endif

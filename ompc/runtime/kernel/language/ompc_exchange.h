// ompc_exchange.h: what the lanes of a warp have of each other's values, and the numbers of a block's threads.

#ifndef OMPC_EXCHANGE_H
#define OMPC_EXCHANGE_H

#include "ompc_cuda.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace ompc {

constexpr unsigned all_lanes = 0xffffffffu;

__device__ inline unsigned block_rank()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned block_size()
{
    return blockDim.x * blockDim.y * blockDim.z;
}

// A thread's first iteration along x where the first `lead` threads of the grid have none: what they do comes last.
__device__ __forceinline__ std::size_t first_after(unsigned lead)
{
    const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
    return thread < lead ? thread + gridDim.x * static_cast<std::size_t>(blockDim.x) - lead : thread - lead;
}

// The unsigned type in whose pieces a T is moved that is no number.
template <class T>
using Piece = std::conditional_t<sizeof(T) % 4 == 0, unsigned, unsigned char>;

// Moves any plain value by a shuffle, which takes words.
template <class T, class Shuffle>
__device__ __forceinline__ T exchanged(T value, const Shuffle &shuffle)
{
    if constexpr (std::is_floating_point_v<T>) {
        return shuffle(value);
    } else if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<T>(shuffle(reinterpret_cast<unsigned long long>(value)));
    } else if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(int)) {
        return static_cast<T>(shuffle(static_cast<int>(value)));
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(shuffle(static_cast<long long>(value)));
    } else {
        static_assert(std::is_trivially_copyable_v<T>, "plain data");
        Piece<T> pieces[sizeof(T) / sizeof(Piece<T>)];
        std::memcpy(pieces, &value, sizeof value);
        for (Piece<T> &piece : pieces)
            piece = static_cast<Piece<T>>(shuffle(static_cast<unsigned>(piece)));
        std::memcpy(&value, pieces, sizeof value);
        return value;
    }
}

// The value that another lane has.
template <class T>
__device__ __forceinline__ T of_lane(const T &value, unsigned lane)
{
    return exchanged(value, [=](auto word) { return __shfl_sync(all_lanes, word, static_cast<int>(lane)); });
}

// The value of the lane `delta` above in the warp; all of the lanes in `mask` take part.
template <class T>
__device__ __forceinline__ T shuffle_down(unsigned mask, const T &value, unsigned delta)
{
    return exchanged(value, [=](auto word) { return __shfl_down_sync(mask, word, delta); });
}

// The value of the lane `delta` below, where there is one.
template <class T>
__device__ __forceinline__ T shuffle_up(unsigned mask, const T &value, unsigned delta)
{
    return exchanged(value, [=](auto word) { return __shfl_up_sync(mask, word, delta); });
}

} // namespace ompc

#endif

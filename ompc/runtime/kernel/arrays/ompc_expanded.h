// ompc_expanded.h: private arrays in memory that a launch allocates for its threads.
//
// Local memory has a fixed size, and is set aside for every thread that the device can hold. Arrays beyond that, or of a
// length that only the host knows, get one more dimension, the threads: interleaved, so that neighbouring lanes that use the
// same element use neighbouring memory, or one contiguous part for each thread, where the kernel needs pointers into it.
//
// Each 32 threads have a part in which they are interleaved. The distance of two elements is then a constant, and the compiler
// sees which of them are different ones: with the number of all threads for a distance, each store to one element would have it
// load all others again (NAS BT's three solvers: 28 ms instead of 18 on an H100).
//
// A launch has memory for as many threads as have iterations and fit onto the device, for fewer where it would take more
// than a quarter of the device's memory or cannot be allocated: kernels stride over the grid, so any number is right.

#ifndef OMPC_EXPANDED_H
#define OMPC_EXPANDED_H

#include "ompc_cuda.h"

#include <cstddef>

namespace ompc {

// A thread's part of an interleaved array.
template <class T>
class Interleaved {
public:
    static constexpr std::size_t threads = 32; // that share a part: a warp's

    __device__ explicit Interleaved(T *first) : first_(first) {}
    __device__ T &operator[](std::size_t index) const { return first_[index * threads]; }

private:
    T *first_;
};

// What a kernel gets: `count` elements for each of its threads.
template <class T>
struct Expanded {
    T *memory;
    std::size_t count;

    __device__ Interleaved<T> interleaved() const
    {
        constexpr std::size_t together = Interleaved<T>::threads;
        return Interleaved<T>(memory + thread() / together * together * count + thread() % together);
    }
    __device__ T *contiguous() const { return memory + thread() * count; }
    // What all threads of a block have together, where the launch has no more blocks than there are parts.
    __device__ T *of_block() const { return memory + block() * count; }

    __device__ static std::size_t block()
    {
        return (blockIdx.z * static_cast<std::size_t>(gridDim.y) + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static std::size_t thread()
    {
        return block() * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;
    }
};

} // namespace ompc

#endif

// ompc_expanded.h: private arrays in memory that a launch allocates for its threads.
//
// Local memory has a fixed size, and is set aside for every thread that the device can hold. Arrays beyond that, or of a
// length that only the host knows, get one more dimension, the threads: interleaved, so that neighbouring lanes that use the
// same element use neighbouring memory, or one contiguous part for each thread, where the kernel needs pointers into it.
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
    __device__ Interleaved(T *first, std::size_t stride) : first_(first), stride_(stride) {}
    __device__ T &operator[](std::size_t index) const { return first_[index * stride_]; }

private:
    T *first_;
    std::size_t stride_; // between neighbouring elements: the number of threads
};

// What a kernel gets: `count` elements for each of its threads.
template <class T>
struct Expanded {
    T *memory;
    std::size_t count;

    __device__ Interleaved<T> interleaved() const { return {memory + thread(), threads()}; }
    __device__ T *contiguous() const { return memory + thread() * count; }

    __device__ static std::size_t thread()
    {
        const std::size_t block = (blockIdx.z * static_cast<std::size_t>(gridDim.y) + blockIdx.y) * gridDim.x + blockIdx.x;
        return block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;
    }
    __device__ static std::size_t threads()
    {
        return static_cast<std::size_t>(gridDim.x) * gridDim.y * gridDim.z * (blockDim.x * blockDim.y);
    }
};

} // namespace ompc

#endif

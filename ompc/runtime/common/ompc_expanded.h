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

#include "ompc_shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef __CUDACC__
#define OMPC_ON_DEVICE __device__
#else
#define OMPC_ON_DEVICE
#endif

namespace ompc {

// A thread's part of an interleaved array.
template <class T>
class Interleaved {
public:
    OMPC_ON_DEVICE Interleaved(T *first, std::size_t stride) : first_(first), stride_(stride) {}
    OMPC_ON_DEVICE T &operator[](std::size_t index) const { return first_[index * stride_]; }

private:
    T *first_;
    std::size_t stride_; // between neighbouring elements: the number of threads
};

// What a kernel gets: `count` elements for each of its threads.
template <class T>
struct Expanded {
    T *memory;
    std::size_t count;

    OMPC_ON_DEVICE Interleaved<T> interleaved() const { return {memory + thread(), threads()}; }
    OMPC_ON_DEVICE T *contiguous() const { return memory + thread() * count; }

    OMPC_ON_DEVICE static std::size_t thread()
    {
        const std::size_t block = (blockIdx.z * static_cast<std::size_t>(gridDim.y) + blockIdx.y) * gridDim.x + blockIdx.x;
        return block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;
    }
    OMPC_ON_DEVICE static std::size_t threads()
    {
        return static_cast<std::size_t>(gridDim.x) * gridDim.y * gridDim.z * (blockDim.x * blockDim.y);
    }
};

constexpr std::size_t too_many_elements = static_cast<std::size_t>(-1);

// The elements of an array with these lengths; none where one is not positive.
template <class... Lengths>
std::size_t elements(Lengths... lengths)
{
    std::size_t product = 1;
    for (const long length : {static_cast<long>(lengths)...}) {
        if (length <= 0)
            return 0;
        product = __builtin_mul_overflow(product, static_cast<std::size_t>(length), &product) ? too_many_elements : product;
    }
    return product;
}

// The arrays of one launch, on the host's side; Device as in ompc_launch.h.
class Expansion {
public:
    struct Array {
        const char *name;
        std::size_t count, size; // of a thread's elements, of one element in bytes
        void *memory;
    };

    std::size_t add(const char *name, std::size_t count, std::size_t size, Trips iterations)
    {
        arrays_.push_back({name, count, size, nullptr});
        iterations_ = iterations;
        return arrays_.size() - 1;
    }
    const Array &array(std::size_t index) const { return arrays_[index]; }

    // How many threads the launch may have; 0: any number.
    std::size_t threads() const { return threads_; }

    // False: there is no memory even for one warp.
    template <class Device>
    bool allocate(Device &device, Mode mode)
    {
        if (arrays_.empty())
            return true;
        const DeviceLimits limits = device.limits();
        const std::size_t resident = static_cast<std::size_t>(limits.multiprocessors) * limits.threads_per_multiprocessor;
        const Trips wanted = (std::min<Trips>(iterations_, resident) + block_threads - 1) / block_threads * block_threads;
        for (threads_ = static_cast<std::size_t>(wanted); threads_ >= warp_threads; threads_ /= 2) {
            if (threads_ > warp_threads && bytes() > limits.memory / 4)
                continue;
            if (allocate_all(device, mode))
                return true;
        }
        return false;
    }

    template <class Device>
    void release(Device &device, Mode mode)
    {
        for (Array &array : arrays_)
            if (array.memory != nullptr) {
                device.release_memory(array.memory, mode);
                array.memory = nullptr;
            }
    }

private:
    // Of all arrays; the most that there can be where that is too much for a number.
    std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const Array &array : arrays_)
            if (__builtin_add_overflow(sum, bytes(array), &sum))
                return static_cast<std::size_t>(-1);
        return sum;
    }
    std::size_t bytes(const Array &array) const
    {
        std::size_t part = 0, all = 0;
        const bool too_many = __builtin_mul_overflow(array.count, array.size, &part) || __builtin_mul_overflow(part, threads_, &all);
        return too_many || array.count == too_many_elements ? static_cast<std::size_t>(-1) : all;
    }

    template <class Device>
    bool allocate_all(Device &device, Mode mode)
    {
        for (Array &array : arrays_) {
            const std::size_t needed = std::max<std::size_t>(bytes(array), 1);
            array.memory = needed > PTRDIFF_MAX ? nullptr : device.allocate_memory(needed, array.name, mode);
            if (array.memory == nullptr) {
                release(device, mode);
                return false;
            }
        }
        return true;
    }

    std::vector<Array> arrays_;
    std::size_t threads_ = 0;
    Trips iterations_ = 0;
};

} // namespace ompc

#endif

// ompc_expansion.h: memory that a launch has: of private arrays of its threads (ompc_expanded.h), and for itself.

#ifndef OMPC_EXPANSION_H
#define OMPC_EXPANSION_H

#include "ompc_elements.h"
#include "ompc_shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ompc {

// The arrays of one launch, on the host's side; Device as in ompc_launch.h.
class Expansion {
public:
    bool empty() const { return arrays_.empty(); }

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
        const std::size_t threads = (threads_ + warp_threads - 1) / warp_threads * warp_threads; // interleaved in whole warps
        const bool too_many = __builtin_mul_overflow(array.count, array.size, &part) || __builtin_mul_overflow(part, threads, &all);
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

// Memory that one launch has for itself, on the host's side: nothing stands for it there, and nothing of it is kept. Device as in
// ompc_launch_state.h.
class ScratchMemory {
public:
    bool empty() const { return blocks_.empty(); }

    std::size_t add(const char *name, std::size_t bytes)
    {
        blocks_.push_back({name, bytes, nullptr});
        return blocks_.size() - 1;
    }

    // False: there is no memory.
    template <class Device>
    bool allocate(Device &device, Mode mode)
    {
        for (Block &block : blocks_)
            if (block.memory == nullptr && (block.memory = device.allocate_memory(block.bytes, block.name, mode)) == nullptr)
                return false;
        return true;
    }

    void *of(std::size_t index) const { return blocks_[index].memory; }

    template <class Device>
    void release(Device &device, Mode mode)
    {
        for (Block &block : blocks_)
            if (block.memory != nullptr) {
                device.release_memory(block.memory, mode);
                block.memory = nullptr;
            }
    }

private:
    struct Block {
        const char *name;
        std::size_t bytes;
        void *memory;
    };
    std::vector<Block> blocks_;
};

} // namespace ompc

#endif

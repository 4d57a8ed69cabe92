// ompc_scratch.h: memory that a launch has for itself: the host has none that it stands for, and nothing of it is kept.

#ifndef OMPC_SCRATCH_H
#define OMPC_SCRATCH_H

#include "ompc_ranges.h"

#include <cstddef>
#include <vector>

namespace ompc {

// That of one launch, on the host's side; Device as in ompc_launch_state.h.
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

// ompc_pool.h: device memory that launches reuse.
//
// cudaMalloc and cudaFree cost tens of microseconds and wait for the device, so freed buffers are kept, by size class: four
// classes per doubling, so at most a fifth of a buffer is unused. When memory runs out, what is kept is given back. A buffer
// may be given away while a launch still uses it: whoever gets it is told which.

#ifndef OMPC_POOL_H
#define OMPC_POOL_H

#include "ompc_cuda.h"
#include "ompc_log.h"
#include "ompc_stream_order.h"

#include <cstddef>
#include <map>
#include <vector>

namespace ompc {

class Pool {
public:
    // A buffer of at least `bytes` bytes, aligned to 256; nullptr when device memory is exhausted.
    void *allocate(std::size_t bytes)
    {
        const std::size_t capacity = size_class(bytes);
        std::vector<void *> &kept = kept_[capacity];
        if (!kept.empty()) {
            void *const buffer = kept.back();
            kept.pop_back();
            return buffer;
        }
        void *buffer = device_malloc(capacity);
        if (buffer == nullptr) {
            give_back();
            buffer = device_malloc(capacity);
        }
        if (buffer != nullptr)
            buffers_[buffer] = {capacity, 0};
        return buffer;
    }

    // `used`: the last launch that uses it.
    void release(void *buffer, SequenceNumber used)
    {
        Buffer &known = buffers_.at(buffer);
        known.used = used;
        kept_[known.capacity].push_back(buffer);
    }
    SequenceNumber used(void *buffer) const { return buffers_.at(buffer).used; }

    // cudaMalloc, with "out of memory" as nullptr and no error left behind.
    static void *device_malloc(std::size_t bytes)
    {
        void *buffer = nullptr;
        const bool is_made = cudaMalloc(&buffer, bytes) == cudaSuccess;
        if (logs(log_everything))
            note(nullptr, "cudaMalloc of %zu bytes%s", bytes, is_made ? "" : ": there is no memory");
        if (is_made)
            return buffer;
        static_cast<void>(cudaGetLastError());
        return nullptr;
    }

    void give_back()
    {
        for (auto &entry : kept_) {
            for (void *const buffer : entry.second) {
                static_cast<void>(cudaFree(buffer)); // frees or reports what an earlier launch did, which end() has checked
                buffers_.erase(buffer);
            }
            entry.second.clear();
        }
    }

private:
    struct Buffer {
        std::size_t capacity;
        SequenceNumber used;
    };

    static std::size_t size_class(std::size_t bytes)
    {
        std::size_t power = 4096;
        while (power / 2 < bytes / 2 + bytes % 2)
            power *= 2;
        const std::size_t step = power / 8; // classes at 5, 6, 7 and 8 eighths
        return bytes <= 4096 ? 4096 : (bytes + step - 1) / step * step;
    }

    std::map<std::size_t, std::vector<void *>> kept_;
    std::map<void *, Buffer> buffers_;
};

} // namespace ompc

#endif

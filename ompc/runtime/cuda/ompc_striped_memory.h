// ompc_striped_memory.h (cuda): device memory in stripes (ompc_stripes.h): one range of addresses, its pages spread over devices.
//
//     reserve | va ......................................... |
//     create  | device 0's pages    | device 1's pages       |   each mapped there, and all devices may access all
//
// Mapping takes milliseconds, so what is released is kept for the next array of its size, until memory runs out. Copies are made
// stripe by stripe.

#ifndef OMPC_STRIPED_MEMORY_H
#define OMPC_STRIPED_MEMORY_H

#include "ompc_cuda.h"
#include "ompc_driver.h"
#include "ompc_stream_order.h"
#include "ompc_stripes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace ompc {

class StripedMemory {
public:
    // For these devices, all of which can reach each other. False: there is none.
    bool prepare(const std::vector<int> &numbers)
    {
#if OMPC_HAS_DRIVER_TYPES
        numbers_ = numbers;
        if (!functions_.find())
            return false;
        granule_ = 0;
        for (const int number : numbers_) {
            std::size_t own = 0;
            const CUmemAllocationProp pages = pages_of(number);
            if (functions_.granularity(&own, &pages, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) != CUDA_SUCCESS || own == 0)
                return false;
            granule_ = std::max(granule_, own);
        }
        void *const tried = allocate(granule_ * numbers_.size(), granule_); // is it possible at all?
        if (tried != nullptr)
            release(tried, 0);
        give_back();
        return tried != nullptr;
#else
        static_cast<void>(numbers);
        return false;
#endif
    }

    std::size_t granule() const { return granule_; }
    bool empty() const { return buffers_.empty(); }
    bool has(const void *buffer) const { return buffers_.count(static_cast<const char *>(buffer)) != 0; }

    // At least so many bytes, aligned to the granule; nullptr: a device has no memory.
    void *allocate(std::size_t bytes, std::size_t stripe)
    {
        const std::size_t capacity = (bytes + granule_ - 1) / granule_ * granule_;
        if (char *const kept = take_kept(capacity, stripe))
            return kept;
        char *made = map(capacity, stripe);
        if (made == nullptr && give_back())
            made = map(capacity, stripe);
        if (made != nullptr)
            buffers_[made] = {capacity, stripe, 0, false};
        return made;
    }

    // `used`: the last launch that uses it.
    void release(void *buffer, SequenceNumber used)
    {
        Buffer &known = buffers_.at(static_cast<char *>(buffer));
        known.used = used;
        known.kept = true;
    }
    SequenceNumber used(const void *buffer) const { return buffers_.at(static_cast<const char *>(buffer)).used; }

    // Unmaps what is kept. False: that is nothing.
    bool give_back()
    {
        bool any = false;
        for (auto at = buffers_.begin(); at != buffers_.end();) {
            if (!at->second.kept) {
                ++at;
                continue;
            }
            if (!any)
                static_cast<void>(cudaDeviceSynchronize()); // the first device's streams are behind all parts of launches
            any = true;
            unmap(const_cast<char *>(at->first), at->second.capacity, at->second.capacity);
            at = buffers_.erase(at);
        }
        return any;
    }

    // The parts of a piece of device memory that lie in one stripe each: f(first byte of the part, its bytes), from `at` 0 on.
    template <class F>
    void in_stripes(const void *memory, std::size_t bytes, F f) const
    {
        const char *const from = static_cast<const char *>(memory);
        auto after = buffers_.upper_bound(from);
        if (after == buffers_.begin() || from >= (--after)->first + after->second.capacity)
            return f(std::size_t{0}, bytes);
        const std::size_t stripe = after->second.stripe;
        for (std::size_t at = 0; at < bytes;) {
            const std::size_t within = static_cast<std::size_t>(from - after->first) + at;
            const std::size_t piece = std::min(bytes - at, stripe - within % stripe);
            f(at, piece);
            at += piece;
        }
    }

private:
    struct Buffer {
        std::size_t capacity, stripe;
        SequenceNumber used;
        bool kept;
    };

    char *take_kept(std::size_t capacity, std::size_t stripe)
    {
        for (auto &entry : buffers_)
            if (entry.second.kept && entry.second.capacity == capacity && entry.second.stripe == stripe) {
                entry.second.kept = false;
                return const_cast<char *>(entry.first);
            }
        return nullptr;
    }

#if OMPC_HAS_DRIVER_TYPES
    static CUmemAllocationProp pages_of(int number)
    {
        CUmemAllocationProp pages{};
        pages.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        pages.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        pages.location.id = number;
        return pages;
    }

    char *map(std::size_t capacity, std::size_t stripe)
    {
        CUdeviceptr range = 0;
        if (functions_.reserve(&range, capacity, granule_, 0, 0) != CUDA_SUCCESS)
            return nullptr;
        std::size_t mapped = 0;
        for (std::size_t device = 0; mapped < capacity && device < numbers_.size(); device++) {
            const std::size_t bytes = std::min(stripe, capacity - mapped);
            const CUmemAllocationProp pages = pages_of(numbers_[device]);
            CUmemGenericAllocationHandle handle = 0;
            if (functions_.create(&handle, bytes, &pages, 0) != CUDA_SUCCESS)
                break;
            const bool is_mapped = functions_.map(range + mapped, bytes, 0, handle, 0) == CUDA_SUCCESS;
            functions_.release(handle); // it stays as long as it is mapped
            if (!is_mapped)
                break;
            mapped += bytes;
        }
        char *const made = reinterpret_cast<char *>(range);
        if (mapped == capacity && allow_all(range, capacity))
            return made;
        unmap(made, mapped, capacity);
        return nullptr;
    }

    bool allow_all(CUdeviceptr range, std::size_t bytes) const
    {
        std::vector<CUmemAccessDesc> all(numbers_.size());
        for (std::size_t device = 0; device < all.size(); device++) {
            all[device].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
            all[device].location.id = numbers_[device];
            all[device].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        }
        return functions_.set_access(range, bytes, all.data(), all.size()) == CUDA_SUCCESS;
    }

    void unmap(char *made, std::size_t mapped, std::size_t capacity) const
    {
        const CUdeviceptr range = reinterpret_cast<CUdeviceptr>(made);
        if (mapped != 0)
            functions_.unmap(range, mapped);
        functions_.free(range, capacity);
    }

    MappingFunctions functions_;
#else
    static char *map(std::size_t, std::size_t) { return nullptr; }
    static void unmap(char *, std::size_t, std::size_t) {}
#endif
    std::vector<int> numbers_;
    std::size_t granule_ = std::size_t{2} << 20;
    std::map<const char *, Buffer> buffers_;
};

} // namespace ompc

#endif

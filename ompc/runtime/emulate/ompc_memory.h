// ompc_memory.h: the emulated device's memory, in which an access out of bounds faults.
//
// Each block lies against the guard zone after it or, as the seed decides, before it. The bytes between the block and the
// ends of its pages are filled with a pattern that is checked after the kernel. Freed blocks stay inaccessible for a while.
// What is freed while the device is at work is kept, and the next block of its size gets it, with whatever is in it.
//
// Several devices (OMPC_EMULATE_DEVICES) have so much memory each; a block is on the first one, or in stripes over all.

#ifndef OMPC_MEMORY_H
#define OMPC_MEMORY_H

#include "ompc_injection.h"
#include "ompc_scheduler.h"
#include "ompc_seed.h"
#include "ompc_stream_ids.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ompc {
namespace emulate {

constexpr std::size_t guard_bytes = std::size_t{4} << 20;
constexpr std::size_t freed_blocks_kept = 64;
constexpr unsigned char slack_byte = 0xA5;

struct DeviceBlock {
    const char *name;
    char *mapping, *pages, *data;
    std::size_t mapping_bytes, pages_bytes, bytes;
    std::size_t stripe;      // bytes of it on each device (ompc_stripes.h); 0: all are on the first one
    bool kept;               // freed, and not taken away
    unsigned long long used; // then: the last launch that uses it

    bool maps(const void *address) const
    {
        const char *const p = static_cast<const char *>(address);
        return p >= mapping && p < mapping + mapping_bytes;
    }
    std::string where(const void *address) const
    {
        return "byte " + std::to_string(static_cast<const char *>(address) - data) + " of " + std::to_string(bytes);
    }
};

class DeviceMemory {
public:
    // A poisoned block whose address is `skew` modulo 16; nullptr when `limit` bytes would be exceeded or there is no memory.
    char *allocate(std::size_t bytes, std::size_t skew, const char *name, std::size_t stripe = 0)
    {
        if (injected("alloc"))
            return nullptr;
        for (DeviceBlock &block : live_)
            if (block.kept && block.bytes == bytes && block.stripe == stripe && reinterpret_cast<std::uintptr_t>(block.data) % 16 == skew) {
                block.kept = false;
                block.name = name;
                return block.data;
            }
        if (!has_room(bytes, stripe))
            return nullptr;
        const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        DeviceBlock block{};
        block.name = name;
        block.bytes = bytes;
        block.stripe = stripe;
        block.pages_bytes = (bytes + 15 + page) / page * page;
        block.mapping_bytes = block.pages_bytes + 2 * guard_bytes;
        void *const mapping = ompc_libc_mmap(nullptr, block.mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapping == MAP_FAILED)
            return nullptr;
        block.mapping = static_cast<char *>(mapping);
        block.pages = block.mapping + guard_bytes;
        if (ompc_libc_mprotect(block.pages, block.pages_bytes, PROT_READ | PROT_WRITE) != 0) {
            ompc_libc_munmap(mapping, block.mapping_bytes);
            return nullptr;
        }
        place(block, skew);
        for (unsigned device = 0; device < most_devices; device++)
            used_[device] += share_of(device, bytes, stripe);
        live_.push_back(block);
        return block.data;
    }

    void release(const char *data)
    {
        for (std::size_t i = 0; i < live_.size(); i++)
            if (live_[i].data == data) {
                retire(live_[i]);
                live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(i));
                return;
            }
    }

    bool has_room(std::size_t bytes, std::size_t stripe = 0) const
    {
        for (unsigned device = 0; device < most_devices; device++)
            if (share_of(device, bytes, stripe) > limit_ - used_[device])
                return false;
        return true;
    }

    void keep(const char *data, unsigned long long used)
    {
        for (DeviceBlock &block : live_)
            if (block.data == data) {
                block.kept = true;
                block.used = used;
            }
        any_kept_ = true;
    }

    // The last launch that used it when it was something else.
    unsigned long long used(const char *data) const
    {
        for (const DeviceBlock &block : live_)
            if (block.data == data)
                return block.used;
        return 0;
    }

    // When nothing is under way.
    void release_kept()
    {
        for (std::size_t i = live_.size(); any_kept_ && i > 0; i--)
            if (live_[i - 1].kept)
                release(live_[i - 1].data);
        any_kept_ = false;
    }

    // The first block whose slack a kernel has written to, with the address; or nullptr.
    const DeviceBlock *overwritten(const char *&at) const
    {
        for (const DeviceBlock &block : live_) {
            const char *const end = block.pages + block.pages_bytes;
            at = first_change(block.data + block.bytes, end);
            if (at == end)
                at = first_change(block.pages, block.data);
            if (at != block.data)
                return &block;
        }
        return nullptr;
    }

    // What is wrong with an access of the kernel to `address`.
    std::string explain(const void *address) const
    {
        for (const DeviceBlock &block : live_)
            if (block.maps(address))
                return "the kernel accesses '" + std::string(block.name) + "' out of bounds: " + block.where(address);
        for (const DeviceBlock &block : freed_)
            if (block.maps(address))
                return "the kernel accesses '" + std::string(block.name) + "' of an earlier launch: " + block.where(address);
        return "";
    }

    void limit(std::size_t bytes) { limit_ = bytes; }

private:
    static std::size_t share_of(unsigned device, std::size_t bytes, std::size_t stripe)
    {
        if (stripe == 0)
            return device == 0 ? bytes : 0;
        return device * stripe >= bytes ? 0 : std::min(stripe, bytes - device * stripe);
    }

    static const char *first_change(const char *begin, const char *end)
    {
        while (begin != end && static_cast<unsigned char>(*begin) == slack_byte)
            begin++;
        return begin;
    }

    void place(DeviceBlock &block, std::size_t skew)
    {
        const bool at_start = seed() != 0 && (seed() + placed_++) % 4 == 0;
        const std::size_t free_bytes = block.pages_bytes - block.bytes;
        block.data = block.pages + (at_start ? skew : free_bytes - (free_bytes - skew) % 16);
        std::memset(block.pages, slack_byte, static_cast<std::size_t>(block.data - block.pages));
        std::memset(block.data, poison_byte, block.bytes);
        char *const end = block.data + block.bytes;
        std::memset(end, slack_byte, static_cast<std::size_t>(block.pages + block.pages_bytes - end));
    }

    void retire(const DeviceBlock &block)
    {
        for (unsigned device = 0; device < most_devices; device++)
            used_[device] -= share_of(device, block.bytes, block.stripe);
        ompc_libc_madvise(block.pages, block.pages_bytes, MADV_DONTNEED);
        ompc_libc_mprotect(block.pages, block.pages_bytes, PROT_NONE);
        freed_.push_back(block);
        if (freed_.size() > freed_blocks_kept) {
            ompc_libc_munmap(freed_.front().mapping, freed_.front().mapping_bytes);
            freed_.pop_front();
        }
    }

    std::size_t limit_ = SIZE_MAX, used_[most_devices] = {}; // of each device
    bool any_kept_ = false;
    unsigned long long placed_ = 0;
    std::deque<DeviceBlock> live_, freed_;
};

} // namespace emulate
} // namespace ompc

#endif

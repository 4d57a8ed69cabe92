// ompc_scan_memory.h: what the blocks of a launch tell each other of their tiles, where it makes prefixes (ompc_scan.h).

#ifndef OMPC_SCAN_MEMORY_H
#define OMPC_SCAN_MEMORY_H

#include "ompc_launch_handles.h"
#include "ompc_pending_reductions.h"
#include "ompc_scan_tiles.h"
#include "ompc_shape.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ompc {

// One piece of memory: the tickets, which entries are ready for each list item, then the values; all but the values begins as 0.
// Device as in ompc_launch_state.h.
class ScanMemory {
public:
    bool empty() const { return items_.empty(); }

    // A list item whose values have `size` bytes, of so many iterations.
    std::size_t add(std::size_t size, Trips trips)
    {
        items_.push_back({size, scan_tiles(trips)});
        return items_.size() - 1;
    }

    // False: there is no memory.
    template <class Device>
    bool allocate(Device &device, Mode mode)
    {
        if (items_.empty())
            return true;
        std::size_t bytes = sizeof(Tickets);
        bool fits = true;
        for (Item &item : items_)
            fits = fits && has_place(item.ready, bytes, sizeof(unsigned), item.tiles);
        zeroes_ = bytes;
        for (Item &item : items_)
            fits = fits && has_place(item.values, bytes, item.size, item.tiles);
        if (fits)
            memory_ = static_cast<char *>(device.allocate_memory(bytes, "prefixes", mode));
        return memory_ != nullptr;
    }

    // Before the kernel.
    template <class Device>
    void clear(Device &device) const
    {
        if (memory_ != nullptr)
            device.fill(memory_, 0, zeroes_);
    }

    ScanPlaces places(std::size_t index) const
    {
        const Item &item = items_[index];
        return {memory_ + item.values, reinterpret_cast<unsigned *>(memory_ + item.ready), reinterpret_cast<Tickets *>(memory_), item.tiles};
    }

    template <class Device>
    void release(Device &device, Mode mode)
    {
        if (memory_ != nullptr)
            device.release_memory(memory_, mode);
        memory_ = nullptr;
    }

private:
    using Tickets = unsigned long long;
    struct Item {
        std::size_t size;
        Trips tiles;
        std::size_t ready = 0, values = 0; // where they begin
    };

    // Puts `size` bytes for each entry behind `bytes`. False: they are too many for a number.
    static bool has_place(std::size_t &at, std::size_t &bytes, std::size_t size, Trips tiles)
    {
        std::size_t more = 0;
        at = in_slots(bytes);
        const bool too_many = __builtin_mul_overflow(size, scan_entries(tiles), &more) || __builtin_add_overflow(at, more, &bytes);
        return !too_many && bytes <= PTRDIFF_MAX;
    }

    std::vector<Item> items_;
    std::size_t zeroes_ = 0;
    char *memory_ = nullptr;
};

} // namespace ompc

#endif

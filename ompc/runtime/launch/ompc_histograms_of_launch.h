// ompc_histograms_of_launch.h: how many accumulators of its arrays each block of a launch has (ompc_histograms.h).

#ifndef OMPC_HISTOGRAMS_OF_LAUNCH_H
#define OMPC_HISTOGRAMS_OF_LAUNCH_H

#include "ompc_histogram_memory.h"
#include "ompc_ranges.h"
#include "ompc_shape.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ompc {

// The most copies, and what a block may need of shared memory for other things.
constexpr unsigned most_copies = 32, other_shared = 3072;

// The arrays of one launch of which blocks have copies.
class AccumulatorsOfLaunch {
public:
    // The range of that index, of elements of so many bytes; `copied` bytes for a copy of one. `most`: no elements from that
    // one on are meant; negative: nobody has said.
    struct Array {
        std::size_t index, bytes, copied;
        long long most;
        AccumulatorMemory room;

        std::size_t size() const { return (room.elements * copied + 7) / 8 * 8; }
    };

    std::size_t add(std::size_t index, std::size_t bytes, std::size_t copied, long long most)
    {
        arrays_.push_back({index, bytes, copied, most, {0, 0, 0, 0}});
        return arrays_.size() - 1;
    }
    const Array &array(std::size_t index) const { return arrays_[index]; }
    bool empty() const { return arrays_.empty(); }

    // What to ask for a launch of so many iterations, if there are copies. `most`: at most so many; negative: nobody has said.
    Asked choose(const DeviceLimits &device, const std::vector<Range> &ranges, Trips iterations, Asked asked, int most)
    {
        const unsigned threads = asked.threads != 0 ? asked.threads : std::min(asked.with_accumulators, device.threads_per_multiprocessor);
        std::size_t elements = 0;
        for (Array &array : arrays_) {
            const Range &range = ranges[array.index];
            array.room.before = static_cast<long long>((range.pointer - range.begin) / array.bytes);
            const std::size_t found = elements_of(array, range);
            const bool pays = most < 0 ? found <= iterations / device.multiprocessors / least_updates : most > 0;
            array.room.elements = pays && found <= device.shared ? static_cast<unsigned>(found) : 0;
            elements += array.room.elements;
        }
        unsigned each = std::max(1u, device.threads_per_multiprocessor / std::max(threads, warp_threads)); // blocks of a multiprocessor
        while (each > 1 && size() > room(device, each))
            each /= 2;
        for (auto array = arrays_.rbegin(); array != arrays_.rend() && size() > room(device, each); ++array)
            array->room.elements = 0;
        place(room(device, each), most < 0 ? most_copies : std::min(static_cast<unsigned>(most), most_copies));
        if (bytes_ == 0)
            return asked;
        asked.threads = threads;
        const Trips worth = std::max<Trips>(device.multiprocessors, iterations / (least_updates * elements));
        const auto blocks = static_cast<unsigned>(std::min<Trips>(worth, static_cast<Trips>(device.multiprocessors) * each));
        asked.blocks = asked.blocks == 0 ? blocks : std::min(asked.blocks, blocks);
        return asked;
    }

    // Of a block's memory.
    unsigned bytes() const { return bytes_; }

private:
    static constexpr Trips least_updates = 2; // of each element by a block, for its copies to pay

    // None where the range begins with a part of an element.
    static std::size_t elements_of(const Array &array, const Range &range)
    {
        const bool whole = range.pointer >= range.begin && (range.pointer - range.begin) % array.bytes == 0;
        const std::size_t all = whole ? (range.end - range.begin) / array.bytes : 0;
        return array.most < 0 ? all : std::min(all, static_cast<std::size_t>(array.room.before + array.most));
    }

    static std::size_t room(const DeviceLimits &device, unsigned blocks)
    {
        const std::size_t share = device.shared / blocks;
        return share < other_shared ? 0 : share - other_shared;
    }

    // Of one copy of everything.
    std::size_t size() const
    {
        std::size_t bytes = 0;
        for (const Array &array : arrays_)
            bytes += array.size();
        return bytes;
    }

    // As many copies as there is room for.
    void place(std::size_t room, unsigned most)
    {
        unsigned log2 = 0;
        while (2u << log2 <= most && size() << (log2 + 1) <= room)
            log2++;
        bytes_ = 0;
        for (Array &array : arrays_) {
            array.room.log2 = log2;
            array.room.at = bytes_;
            bytes_ += static_cast<unsigned>(array.size() << log2);
        }
    }

    std::vector<Array> arrays_;
    unsigned bytes_ = 0;
};

} // namespace ompc

#endif

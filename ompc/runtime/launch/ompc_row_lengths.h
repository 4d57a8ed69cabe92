// ompc_row_lengths.h: of the rows of a loop, what the host has found out about their lengths, and for how long that holds.
//
// A launch whose kernel has a form for uneven rows (ompc_block_per_row.h) has the host go through the array in which they begin
// and end. That takes a millisecond for a million rows, so it is done again only when that array may have changed: another one,
// host code has written to it (its pages are guarded), or a launch. Arrays that do not stay on the device are counted each time,
// if they are small. Functions are called with the ledger's lock held.

#ifndef OMPC_ROW_LENGTHS_H
#define OMPC_ROW_LENGTHS_H

#include "ompc_ranges.h"
#include "ompc_resident.h"
#include "ompc_sharing.h"

#include <algorithm>
#include <vector>

namespace ompc {

class CountedRows {
public:
    static constexpr Trips most_rows = Trips{1} << 26;
    static constexpr std::size_t small = std::size_t{64} << 10; // bytes

    // What holds for rows in these parts of host memory, which a launch uses; `count` finds it where nothing is known.
    template <class Count>
    RowLengths of(Trips trips, const std::vector<Group> &parts, const Count &count)
    {
        if (trips > most_rows || !std::all_of(parts.begin(), parts.end(), is_readable))
            return {};
        if (trips != trips_ || parts.size() != parts_.size() || !std::equal(parts.begin(), parts.end(), parts_.begin(), is_unchanged)) {
            lengths_ = count();
            trips_ = trips;
            parts_.clear();
            for (const Group &part : parts)
                parts_.push_back(remembered(part));
        }
        return lengths_;
    }

private:
    struct Part {
        Address begin, end;
        const Resident *block; // nullptr: it does not stay on the device
        unsigned long long generation, writes; // of the table of blocks; of the host to the block
        SequenceNumber last_write;                       // of a launch to the block
    };

    static Part remembered(const Group &part)
    {
        const Resident *const block = part.resident;
        return {part.begin, part.end, block, residents().generation(), block == nullptr ? 0 : block->host_writes.count(),
                block == nullptr ? 0 : block->last_write};
    }

    // Has the host what the device has, and can it be read without a fault?
    static bool is_readable(const Group &part)
    {
        if (part.present != nullptr || part.borrowed != nullptr)
            return false;
        const Resident *const block = part.resident;
        return block == nullptr ? part.bytes() <= small : !block->stale.meets(block->page_floor(part.begin), block->page_ceiling(part.end));
    }

    static bool is_unchanged(const Group &part, const Part &known)
    {
        const Resident *const block = part.resident;
        return block != nullptr && block == known.block && part.begin == known.begin && part.end == known.end &&
               residents().generation() == known.generation && block->last_write == known.last_write &&
               !block->host_writes.any_since(known.writes, block->page_floor(part.begin), block->page_ceiling(part.end));
    }

    Trips trips_ = 0;
    std::vector<Part> parts_;
    RowLengths lengths_;
};

} // namespace ompc

#endif

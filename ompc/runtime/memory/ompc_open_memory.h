// ompc_open_memory.h: host memory that others than the program may read or write at any time, for a while.
//
// A message is on its way to or from it (ompc_messages.h). Pages of a resident block that overlap it are the host's for that
// time, as its edges are (ompc_resident_block.h); of what a launch copies, only what its kernel has changed comes back where
// others write (ompc_changes.h).
//
// Functions are called with the ledger's lock held.

#ifndef OMPC_OPEN_MEMORY_H
#define OMPC_OPEN_MEMORY_H

#include "ompc_ranges.h"

#include <algorithm>
#include <vector>

namespace ompc {

class OpenMemory {
public:
    struct Piece {
        Address begin, end;
        bool writes;

        bool operator==(const Piece &other) const { return begin == other.begin && end == other.end && writes == other.writes; }
        bool meets(Address from, Address to) const { return begin < to && from < end; }
    };

    // The same piece may be open several times.
    void open(const Piece &piece) { pieces_.push_back(piece); }
    void close(const Piece &piece)
    {
        const auto found = std::find(pieces_.rbegin(), pieces_.rend(), piece); // most have been opened lately
        if (found == pieces_.rend())
            return;
        *found = pieces_.back();
        pieces_.pop_back();
    }

    template <class F>
    void each(Address begin, Address end, F f) const
    {
        for (const Piece &piece : pieces_)
            if (piece.meets(begin, end))
                f(piece);
    }

    // May others write to a part of the range?
    bool is_written(Address begin, Address end) const
    {
        return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece &piece) { return piece.writes && piece.meets(begin, end); });
    }

private:
    std::vector<Piece> pieces_;
};

inline OpenMemory &open_memory()
{
    static auto *const pieces = new OpenMemory; // never destroyed
    return *pieces;
}

} // namespace ompc

#endif

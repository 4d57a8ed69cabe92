// ompc_bounds_checks.h: bounds of borrowed buffers: what the library calls under way have been given, and loops that would leave
// it.
//
// A function gets the elements of an array and nothing around them. A launch that begins in them and ends elsewhere would copy,
// and change, what is somebody else's, and so would the loop on the host. So neither happens: the loop is left out, and the
// call says why when it returns.
//
//     h[0:5] is borrowed, x = h    section(0, 9): 80 bytes from x on, of which 40 are borrowed    x has 5 elements of 8 bytes,
// ...
//
// What several calls have been given is looked at together: memory that lies in any of their arrays may be used.
// Not here: extents that are clipped to the array (`block(lower, upper)`), of which nobody knows whether all is accessed.

#ifndef OMPC_BOUNDS_CHECKS_H
#define OMPC_BOUNDS_CHECKS_H

#include "ompc_ledger.h"
#include "ompc_ranges.h"
#include "ompc_region.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace ompc {

// With the ledger's lock held, but for is_empty().
class BorrowedBounds {
public:
    void enter(Address begin, std::size_t bytes)
    {
        all_.push_back({begin, begin + bytes, std::this_thread::get_id(), {}});
        count_++;
    }

    // The call is over. What a loop would have done, or nothing.
    std::string leave(Address begin, std::size_t bytes)
    {
        const auto same = [&](const BorrowedBuffer &buffer) { return buffer.begin == begin && buffer.end == begin + bytes && buffer.is_own(); };
        const auto found = std::find_if(all_.rbegin(), all_.rend(), same);
        if (found == all_.rend())
            return {};
        const std::string overrun = found->overrun;
        all_.erase(std::next(found).base());
        count_--;
        return overrun;
    }

    bool is_empty() const { return count_ == 0; }
    bool holds(Address at) const
    {
        return std::any_of(all_.begin(), all_.end(), [at](const BorrowedBuffer &buffer) { return buffer.begin <= at && at < buffer.end; });
    }

    // Does the range leave the array that it begins in? Then the call will say so.
    bool is_left_by(Range range, const Region &region)
    {
        if (range.pointer == 0 && (range.extent.kind == Extent::Section || range.extent.kind == Extent::BlockOrSection))
            set_section(range, range.extent, range.element); // of a null pointer, which is an array without elements
        BorrowedBuffer *const buffer = range.empty() ? nullptr : left_by(range);
        if (buffer != nullptr)
            note(*buffer, text_of(*buffer, range, region));
        return buffer != nullptr;
    }

    // The same for memory that a target construct maps.
    bool is_left_by(Address begin, std::size_t bytes)
    {
        Range range = make_range("an array", reinterpret_cast<const void *>(begin), object(bytes), 1, readwrite, pageable);
        locate(range);
        BorrowedBuffer *const buffer = range.empty() ? nullptr : left_by(range);
        if (buffer != nullptr)
            note(*buffer, "an array has " + std::to_string(buffer->end - buffer->begin) + " bytes, and bytes " + elements(*buffer, range) + " are mapped");
        return buffer != nullptr;
    }

private:
    struct BorrowedBuffer {
        Address begin, end;
        std::thread::id caller;
        std::string overrun;

        bool is_own() const { return caller == std::this_thread::get_id(); }
        // Does somebody mean this array who says `range`?
        bool is_meant(const Range &range) const
        {
            const auto has = [this](Address at) { return begin <= at && at < end; };
            return has(range.pointer) || has(range.begin) || (begin == end && range.pointer == begin);
        }
    };

    // The array that the range begins in and leaves; this thread's own rather than another's. nullptr: it lies in one, or in none.
    BorrowedBuffer *left_by(const Range &range)
    {
        BorrowedBuffer *found = nullptr;
        for (BorrowedBuffer &buffer : all_) {
            if (buffer.begin <= range.begin && range.end <= buffer.end)
                return nullptr;
            if (buffer.is_meant(range) && (found == nullptr || buffer.is_own()))
                found = &buffer;
        }
        return found;
    }

    // The first one of a call is said.
    static void note(BorrowedBuffer &buffer, const std::string &text)
    {
        if (buffer.overrun.empty())
            buffer.overrun = text;
    }

    // "0 to 9", counted from the beginning of the array.
    static std::string elements(const BorrowedBuffer &buffer, const Range &range)
    {
        const auto bytes = static_cast<long long>(range.element);
        const auto first = floord(static_cast<long long>(range.begin - buffer.begin), bytes);
        const auto last = floord(static_cast<long long>(range.end - buffer.begin) - 1, bytes);
        return std::to_string(first) + " to " + std::to_string(last);
    }

    static std::string text_of(const BorrowedBuffer &buffer, const Range &range, const Region &region)
    {
        const std::size_t has = (buffer.end - buffer.begin) / range.element;
        const std::string file = region.file;
        return std::string(range.name) + " has " + std::to_string(has) + " element" + (has == 1 ? "" : "s") + " of " +
               std::to_string(range.element) + " byte" + (range.element == 1 ? "" : "s") + ", and the loop at " +
               file.substr(file.rfind('/') + 1) + ":" + std::to_string(region.line) + " touches elements " + elements(buffer, range);
    }

    std::vector<BorrowedBuffer> all_;
    std::atomic<std::size_t> count_{0};
};

inline BorrowedBounds &borrowed_bounds()
{
    static BorrowedBounds *const table = new BorrowedBounds; // never destroyed
    return *table;
}

} // namespace ompc

#endif

// ompc_ranges.h: the host memory that a launch uses, and how its ranges fall into device allocations.
//
// Ranges that overlap are one object and share one allocation. When one of them is written, and the kernel was compiled on
// the promise that one of them overlaps nothing (`distinct`), the launch cannot be made.
//
// Of a range that is written, a section may be known to be overwritten before it is read; that is not copied in.

#ifndef OMPC_RANGES_H
#define OMPC_RANGES_H

#include "ompc_extent.h"
#include "ompc_host.h"
#include "ompc_lmad.h"
#include "ompc_layout.h"
#include "ompc_libc.h"

#include <algorithm>
#include <cstddef>
#include <pthread.h>
#include <vector>

namespace ompc {

constexpr std::size_t no_array = static_cast<std::size_t>(-1);

struct Range {
    const char *name;
    Address pointer, begin, end; // begin == end: nothing is accessed
    Access access;
    HostBuffer buffer;
    bool distinct, known;
    std::size_t group;
    bool block; // its extent is that of the block that the pointer points into
    std::size_t root = 0; // what it was declared as: one root may have many ranges (ompc_deep_copy.h)
    bool linked = false, apart = false;
    bool holds = false, holds_anywhere = false; // pointers that are followed; wherever in the range one can be
    Address sure_begin = 0, sure_end = 0;       // surely overwritten, perhaps with more than the range on either side
    bool written_is_known = false;
    Address written_begin = 0, written_end = 0; // all that may be written, if that is known; likewise
    Address slab = 0; // of a linked one: where the block of rows begins that it lies in, if that can stay on the device
    Extent extent{Extent::Section, 0, -1}; // as it was declared, in elements of so many bytes: for locate()
    std::size_t element = 1;
    LayoutOf layout = nullptr; // of the elements
    std::size_t former = no_array; // the array of which the kernel is given a copy for it: what that writes does not concern it

    bool empty() const { return begin == end; }
    bool written() const { return access != read; }
    Address out_begin() const { return written_is_known ? std::clamp(written_begin, begin, end) : begin; }
    Address out_end() const { return written_is_known ? std::clamp(written_end, out_begin(), end) : end; }
    bool overlaps(const Range &other) const { return begin < other.end && other.begin < end; }
};

constexpr std::size_t no_group = static_cast<std::size_t>(-1);

struct Present;
struct Resident;
struct Borrowed;
void drop_present(void *base, std::size_t bytes); // ompc_resident.cc: a watched block goes
void drop_resident(void *base);
void open_pages(void *pages, std::size_t bytes, int protection); // for a while, whatever they hold
void guard_pages(void *pages, std::size_t bytes);                // again

// One device allocation for ranges that overlap.
struct Group {
    const char *name;
    Address begin, end;
    Address out_begin, out_end; // bounding section of what is written
    bool copy_in, pin; // copy_in: not all of it is surely overwritten
    char *device;
    Present *present = nullptr;   // the mapped data that it is a part of (ompc_present.h)
    Resident *resident = nullptr; // the block that stays on the device (ompc_resident.h)
    Borrowed *borrowed = nullptr;         // what a caller has lent, on the device (ompc_borrowed.h)
    bool linked = false; // nothing in it but linked objects
    bool spread = false; // there are bytes of others between its ranges: it must stay on the device
    bool packed = false; // copied with others, at `offset` of a buffer (ompc_deep_copy.h)
    bool in_slices = false; // each slice of the launch copies what it needs (ompc_slices.h)
    std::size_t offset = 0;
    Address sure_begin = 0, sure_end = 0; // surely overwritten
    std::size_t unit = 8;                 // the kernel writes multiples of so many bytes, aligned so (ompc_layout.h)

    std::size_t bytes() const { return end - begin; }
    std::size_t out_bytes() const { return out_end - out_begin; }
    std::size_t sure_bytes() const { return sure_end - sure_begin; }
    std::size_t in_bytes() const { return bytes() - sure_bytes(); }
    void copy_all_in()
    {
        copy_in = true;
        sure_begin = sure_end = begin;
    }
};

// Is all of it in the part of this thread's stack that is in use?
inline bool on_stack(Address begin, Address end)
{
    static thread_local Address top = 0;
    if (top == 0) {
        pthread_attr_t attributes;
        void *base = nullptr;
        std::size_t bytes = 0;
        if (ompc_libc_pthread_getattr_np(pthread_self(), &attributes) != 0)
            return false;
        pthread_attr_getstack(&attributes, &base, &bytes);
        pthread_attr_destroy(&attributes);
        top = reinterpret_cast<Address>(base) + bytes;
    }
    return begin >= reinterpret_cast<Address>(__builtin_frame_address(0)) && begin <= end && end <= top;
}

inline void set_section(Range &range, const Extent &extent, std::size_t element)
{
    if (extent.lower > extent.upper)
        return;
    range.begin = range.pointer + static_cast<Address>(extent.lower) * element;
    range.end = range.pointer + (static_cast<Address>(extent.upper) + 1) * element;
}

// Makes `range` the registered block around its pointer, or one element on the stack. False: nothing is known there.
inline bool find_block(Range &range, const Extent &extent, std::size_t element)
{
    void *base = nullptr;
    std::size_t bytes = 0;
    const bool one = extent.kind == Extent::Window && extent.lower == 0 && extent.upper == 0;
    const int found = ompc_block_find(reinterpret_cast<const void *>(range.pointer), &base, &bytes);
    if (found != 0 && !(found == ompc_block_read_only && range.written())) {
        range.begin = reinterpret_cast<Address>(base);
        range.end = range.begin + bytes;
        return true;
    }
    range.begin = range.pointer;
    range.end = range.pointer + element;
    return one && on_stack(range.begin, range.end);
}

// Leaves of a block the bytes that the elements of a window occupy.
inline void clip(Range &range, const Extent &window, std::size_t element)
{
    const long long bytes = static_cast<long long>(element);
    const long long before = static_cast<long long>(range.pointer - range.begin);
    const long long after = static_cast<long long>(range.end - range.pointer);
    const auto byte_of = [&](long long index) { // first byte of an element, if it is in the block
        const long long near = std::min(after / bytes + 1, std::max(-(before / bytes) - 1, index));
        return std::min(after, std::max(-before, near * bytes));
    };
    const bool none = window.lower > window.upper;
    const long long first = byte_of(window.lower), end = none ? first : std::max(first, byte_of(window.upper + 1));
    range.begin = range.pointer + static_cast<Address>(first);
    range.end = range.pointer + static_cast<Address>(end);
}

// An array as it is declared; where it begins and ends is known after locate().
inline Range make_range(const char *name, const volatile void *pointer, const Extent &extent, std::size_t element, Access access,
                        HostBuffer buffer)
{
    const Address at = reinterpret_cast<Address>(pointer);
    Range range{name, at, at, at, access, buffer, false, true, no_group, false};
    range.extent = extent;
    range.element = element;
    if (extent.step > 1) {
        range.extent.width = static_cast<long long>(element);
        range.extent.period = extent.step * range.extent.width;
    }
    return range;
}

inline void locate(Range &range)
{
    const Extent &extent = range.extent;
    if (range.pointer == 0)
        return;
    if (extent.kind == Extent::Object)
        range.end = range.pointer + static_cast<Address>(extent.upper);
    else if (extent.kind == Extent::Section)
        set_section(range, extent, range.element);
    else if (!find_block(range, extent, range.element)) {
        range.begin = range.end = range.pointer;
        range.block = true;
        range.known = extent.kind == Extent::BlockOrSection;
        if (range.known)
            set_section(range, extent, range.element);
    } else if (extent.kind == Extent::Window) {
        clip(range, extent, range.element);
    } else {
        range.block = true;
    }
}

// Two sections as one: the larger, where they do not touch.
inline void unite(Address &begin, Address &end, Address other, Address other_end)
{
    if (begin < end && other < other_end && begin <= other_end && other <= end) {
        begin = std::min(begin, other);
        end = std::max(end, other_end);
    } else if (other < other_end && other_end - other > end - begin) {
        begin = other;
        end = other_end;
    }
}

// What a kernel surely overwrites of a range before it reads it.
inline void add_overwritten(Range &range, const Lmad &must_write)
{
    const ByteSection found = must_write.section();
    if (range.written() && found.begin < found.end)
        unite(range.sure_begin, range.sure_end, range.pointer + static_cast<Address>(found.begin),
              range.pointer + static_cast<Address>(found.end));
}

// Of a group that a range is to join, what is surely overwritten then. Of ranges that overlap, one may be read where another
// is overwritten.
inline void join_overwritten(Group &group, const Range &range, bool fresh)
{
    const bool whole = range.access == overwrite;
    const Address begin = whole ? range.begin : std::max(range.begin, range.sure_begin);
    const Address end = whole ? range.end : std::max(begin, std::min(range.end, range.sure_end));
    const bool both = group.sure_bytes() == group.bytes() && end - begin == range.end - range.begin;
    if (fresh || range.begin == group.end || (both && range.begin < group.end))
        unite(group.sure_begin, group.sure_end, begin, end);
    else
        group.sure_begin = group.sure_end = group.begin;
}

// Adds a range to a group; `fresh` when it is the group's first.
inline void join(Group &group, const Range &range, bool fresh)
{
    if (fresh) {
        group = {range.name, range.begin, range.end, 0, 0, false, false, nullptr};
        group.linked = true;
        group.sure_begin = group.sure_end = range.begin;
    }
    join_overwritten(group, range, fresh);
    group.spread |= range.begin > group.end;
    group.end = std::max(group.end, range.end);
    group.copy_in = group.sure_bytes() != group.bytes();
    group.pin |= range.buffer == host_register;
    group.linked &= range.linked;
    if (!range.written() || range.out_begin() == range.out_end())
        return;
    const std::size_t unit = range.layout == nullptr ? 1 : range.layout().unit;
    group.unit = range.pointer % unit != 0 ? 1 : std::min(group.unit, unit);
    const bool first = group.out_begin == group.out_end;
    group.out_begin = first ? range.out_begin() : std::min(group.out_begin, range.out_begin());
    group.out_end = first ? range.out_end() : std::max(group.out_end, range.out_end());
}

// The ranges that are not empty, by address.
inline std::vector<Range *> in_order(std::vector<Range> &ranges)
{
    constexpr std::size_t few = 16; // for which memory costs more than sorting
    const auto before = [](const Range *a, const Range *b) { return a->begin < b->begin; };
    std::vector<Range *> order;
    order.reserve(ranges.size());
    for (Range &range : ranges) {
        if (range.empty())
            continue;
        auto place = order.end();
        while (ranges.size() <= few && place != order.begin() && before(&range, place[-1]))
            --place;
        order.insert(place, &range);
    }
    if (ranges.size() > few)
        std::stable_sort(order.begin(), order.end(), before);
    return order;
}

// Rows that lie near each other in the block that stays on the device, or that follow each other: what is between them is
// nobody's, or moves with them, since all of the block does what these rows do.
inline bool are_neighbours(const Range &a, const Range &b)
{
    constexpr std::size_t near = std::size_t{64} << 10; // less than the bus moves while a copy begins
    if (!a.linked || !b.linked || a.holds || b.holds)
        return false;
    return (a.slab != 0 && a.slab == b.slab && b.begin <= a.end + near) || (a.root == b.root && b.begin == a.end);
}

// Sorts the ranges into groups, by address; each range learns its group. Neighbouring rows make one group.
inline void merge(std::vector<Range> &ranges, std::vector<Group> &groups)
{
    const Range *last = nullptr;
    groups.reserve(std::min(ranges.size(), std::size_t{8}));
    for (Range *range : in_order(ranges)) {
        const bool apart = groups.empty() || range->begin >= groups.back().end;
        const bool fresh = apart && !(last != nullptr && are_neighbours(*last, *range));
        if (fresh)
            groups.emplace_back();
        join(groups.back(), *range, fresh);
        range->group = groups.size() - 1;
        last = range;
    }
}

// Two ranges that must not overlap and do: {a, b}, or {nullptr, nullptr}.
struct Conflict {
    const Range *a, *b;
};

// Was the kernel compiled on the promise that a and b do not overlap?
inline bool promised_apart(const Range &a, const Range &b)
{
    if (a.root == b.root)
        return a.apart && a.written();
    if (a.former == b.root || b.former == a.root)
        return false;
    return (a.written() || b.written()) && (a.distinct || b.distinct);
}

// Does each have its own pieces of the memory in which both lie, as the halves of each butterfly of an FFT?
inline bool has_pieces_apart(const Range &a, const Range &b)
{
    const long long period = a.extent.period;
    if (period == 0 || b.extent.period != period)
        return false;
    const auto first = [](const Range &range) {
        return static_cast<long long>(range.pointer) + range.extent.lower * static_cast<long long>(range.element);
    };
    const long long between = ((first(b) - first(a)) % period + period) % period;
    return a.extent.width <= between && between + b.extent.width <= period;
}

// Could the one change, or not be told from, pointers in the other that are translated?
inline bool mixes_pointers(const Range &a, const Range &b)
{
    if (a.root == b.root)
        return false;
    if ((a.written() || b.written()) && (a.holds || b.holds))
        return true;
    return (a.holds_anywhere && !b.holds) || (b.holds_anywhere && !a.holds);
}

// All ranges of a root are alike, so it is enough to compare each range with the one of every root that reaches furthest.
inline Conflict find_conflict(std::vector<Range> &ranges)
{
    std::vector<const Range *> furthest;
    furthest.reserve(ranges.size());
    for (const Range *range : in_order(ranges)) {
        const Range *own = nullptr;
        for (const Range *&before : furthest) {
            const bool concerns = promised_apart(*before, *range) && !has_pieces_apart(*before, *range);
            if (before->end > range->begin && (concerns || mixes_pointers(*before, *range)))
                return {before, range};
            if (before->root == range->root) {
                own = before;
                before = before->end < range->end ? range : before;
            }
        }
        if (own == nullptr)
            furthest.push_back(range);
    }
    return {nullptr, nullptr};
}

} // namespace ompc

#endif

// ompc_ranges.h: the host memory that a launch uses, and how its ranges fall into device allocations.
//
// Ranges that overlap are one object and share one allocation. When one of them is written, and the kernel was compiled on
// the promise that one of them overlaps nothing (`distinct`), the launch cannot be made.

#ifndef OMPC_RANGES_H
#define OMPC_RANGES_H

#include "ompc_host.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ompc {

using Address = std::uintptr_t;

// What a kernel does to an array. `write` may leave elements as they were; `overwrite` surely writes every byte.
enum Access { read, readwrite, write, overwrite };

// How the host's side is transferred: as it is, or page-locked in place once that pays (ompc_pinning.h), when it is a
// registered block.
enum HostBuffer { pageable, host_register };

// Which bytes around a pointer belong to an array.
struct Extent {
    enum Kind { Object, Block, Section, BlockOrSection } kind;
    long long lower, upper; // Object: upper is the size in bytes. Sections: first and last element.
};

// The object that starts at the pointer, of this many bytes.
inline Extent object(std::size_t bytes)
{
    return {Extent::Object, 0, static_cast<long long>(bytes)};
}

// The registered block that the pointer points into.
inline Extent block()
{
    return {Extent::Block, 0, 0};
}

// Elements lower..upper, both included, relative to the pointer; none if upper < lower.
inline Extent section(long long lower, long long upper)
{
    return {Extent::Section, lower, upper};
}

// The registered block that the pointer points into; where there is none, `count` elements from `first` on.
inline Extent block_or(long long first, long long count)
{
    return {Extent::BlockOrSection, first, first + count - 1};
}

struct Range {
    const char *name;
    Address pointer, begin, end; // begin == end: nothing is accessed
    Access access;
    HostBuffer buffer;
    bool distinct, known;
    std::size_t group;
    bool block; // its extent is that of the block that the pointer points into

    bool empty() const { return begin == end; }
    bool written() const { return access != read; }
    bool overlaps(const Range &other) const { return begin < other.end && other.begin < end; }
};

constexpr std::size_t no_group = static_cast<std::size_t>(-1);

struct Present;
inline void drop_present(void *base, std::size_t bytes); // a watched block goes

// One device allocation for ranges that overlap.
struct Group {
    const char *name;
    Address begin, end;
    Address out_begin, out_end; // hull of what is written
    bool copy_in, pin;
    char *device;
    Present *present = nullptr; // the mapped data that it is a part of (ompc_present.h)

    std::size_t bytes() const { return end - begin; }
    std::size_t out_bytes() const { return out_end - out_begin; }
    std::size_t moved_bytes() const { return (copy_in ? bytes() : 0) + out_bytes(); }
};

inline void set_section(Range &range, const Extent &extent, std::size_t element)
{
    if (extent.lower > extent.upper)
        return;
    range.begin = range.pointer + static_cast<Address>(extent.lower) * element;
    range.end = range.pointer + (static_cast<Address>(extent.upper) + 1) * element;
}

// False: no block is known there.
inline bool set_block(Range &range)
{
    void *base = nullptr;
    std::size_t bytes = 0;
    if (ompc_block_find(reinterpret_cast<const void *>(range.pointer), &base, &bytes) == 0)
        return false;
    range.begin = reinterpret_cast<Address>(base);
    range.end = range.begin + bytes;
    return true;
}

inline Range make_range(const char *name, const volatile void *pointer, const Extent &extent, std::size_t element, Access access,
                        HostBuffer buffer)
{
    const Address at = reinterpret_cast<Address>(pointer);
    Range range{name, at, at, at, access, buffer, false, true, no_group, false};
    if (pointer == nullptr)
        return range;
    if (extent.kind == Extent::Object)
        range.end = at + static_cast<Address>(extent.upper);
    else if (extent.kind == Extent::Section)
        set_section(range, extent, element);
    else if (range.block = true; !set_block(range)) {
        range.known = extent.kind == Extent::BlockOrSection;
        if (range.known)
            set_section(range, extent, element);
    }
    return range;
}

// Adds a range to a group; `fresh` when it is the group's first.
inline void join(Group &group, const Range &range, bool fresh)
{
    if (fresh)
        group = {range.name, range.begin, range.end, 0, 0, false, false, nullptr};
    group.end = std::max(group.end, range.end);
    group.copy_in |= range.access != overwrite;
    group.pin |= range.buffer == host_register;
    if (!range.written())
        return;
    const bool first = group.out_begin == group.out_end;
    group.out_begin = first ? range.begin : std::min(group.out_begin, range.begin);
    group.out_end = first ? range.end : std::max(group.out_end, range.end);
}

// Sorts the ranges into groups, by address; each range learns its group.
inline void merge(std::vector<Range> &ranges, std::vector<Group> &groups)
{
    std::vector<Range *> order;
    for (Range &range : ranges)
        if (!range.empty())
            order.push_back(&range);
    std::stable_sort(order.begin(), order.end(), [](const Range *a, const Range *b) { return a->begin < b->begin; });
    for (Range *range : order) {
        const bool fresh = groups.empty() || range->begin >= groups.back().end;
        if (fresh)
            groups.emplace_back();
        join(groups.back(), *range, fresh);
        range->group = groups.size() - 1;
    }
}

// Two ranges that overlap though one is written and one was promised to be distinct: {a, b}, or {nullptr, nullptr}.
struct Conflict {
    const Range *a, *b;
};

inline Conflict find_conflict(const std::vector<Range> &ranges)
{
    for (std::size_t i = 0; i < ranges.size(); i++)
        for (std::size_t j = i + 1; j < ranges.size(); j++) {
            const Range &a = ranges[i], &b = ranges[j];
            const bool matters = (a.written() || b.written()) && (a.distinct || b.distinct);
            if (matters && !a.empty() && !b.empty() && a.overlaps(b))
                return {&a, &b};
        }
    return {nullptr, nullptr};
}

} // namespace ompc

#endif

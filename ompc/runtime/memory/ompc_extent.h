// ompc_extent.h: what a launcher says of an array: which bytes around a pointer belong to it, and what the kernel does to them.

#ifndef OMPC_EXTENT_H
#define OMPC_EXTENT_H

#include <cstddef>
#include <cstdint>

namespace ompc {

using Address = std::uintptr_t;

// What a kernel does to an array. `write` may leave elements as they were; `overwrite` surely writes every byte.
enum Access { read, readwrite, write, overwrite };

// How the host's side is transferred: as it is, or page-locked in place once that pays (ompc_pinning.h), when it is a
// registered block.
enum HostBuffer { pageable, host_register };

// Which bytes around a pointer belong to an array.
struct Extent {
    enum Kind { Object, Block, Section, Window, BlockOrSection } kind;
    long long lower, upper; // Object: upper is the size in bytes. Others: first and last element.
    // Of all from `lower` on, only so many bytes at every `period` bytes are touched; 0: that is not known.
    long long period = 0, width = 0;
    long long step = 1; // of elements, of which the other ones are not touched

    // Of these elements, the first and every so manieth.
    Extent every(long long nth) const
    {
        Extent found = *this;
        found.step = nth;
        return found;
    }
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

// Of the registered block, elements lower..upper, as far as there are such; none if upper < lower. One element may be on
// the stack, where nothing is registered.
inline Extent block(long long lower, long long upper)
{
    return {Extent::Window, lower, upper};
}

// a / b rounded down, b positive: in the bounds of what a loop touches.
constexpr long long floord(long long a, long long b)
{
    return a / b - (a % b < 0);
}

// The registered block that the pointer points into; where there is none, `count` elements from `first` on.
inline Extent block_or(long long first, long long count)
{
    return {Extent::BlockOrSection, first, first + count - 1};
}

} // namespace ompc

#endif

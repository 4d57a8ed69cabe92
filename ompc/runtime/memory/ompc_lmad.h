// ompc_lmad.h: linear memory access descriptors (LMAD): the bytes of one iteration of the loops around an access, and for each
// loop its trip count and its stride.
//
//     for (i = 0; i < rows; i++) for (j = 0; j < columns; j++) next[i * width + j] = ...;
//     ompc::must_write<double>(0).each(rows, width).each(columns, 1)
//
// Of what a kernel surely writes before it reads it, the section without gaps need not be copied in: here all of it when rows
// are no longer than `columns`, else the first row. Of what it may touch, the end is asked (ompc_slices.h), or from where to
// where that is: `ompc::section<float>({...})`.

#ifndef OMPC_LMAD_H
#define OMPC_LMAD_H

#include "ompc_extent.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>

namespace ompc {

// Bytes from `begin` to `end`, relative to a pointer.
struct ByteSection {
    long long begin, end;
};

class Lmad {
public:
    // `bytes` bytes from the first of unit number `first` on.
    Lmad(long long first, long long bytes, long long unit) : first_(first), bytes_(bytes), unit_(unit) {}

    // One dimension more: `count` trips, a stride of `stride` units.
    template <class Count>
    Lmad each(Count count, long long stride) const
    {
        Lmad all = *this;
        if (count <= 0)
            all.none_ = true;
        else if (count > 1 && stride != 0)
            all.add({static_cast<unsigned long long>(count) > most ? most + 1 : static_cast<long long>(count), stride});
        return all;
    }

    // The section without gaps around the least byte.
    ByteSection section() const
    {
        const ByteSection none{0, 0};
        if (none_ || full_ || is_far(first_, unit_))
            return none;
        ByteSection found{first_ * unit_, 0};
        Dimension dimensions[room];
        for (std::size_t k = 0; k < used_; k++) {
            const bool back = dimensions_[k].stride < 0;
            if (is_far(dimensions_[k].stride, unit_) || is_far(dimensions_[k].stride * unit_, dimensions_[k].count))
                return none;
            dimensions[k] = {dimensions_[k].count, dimensions_[k].stride * (back ? -unit_ : unit_)};
            if (back)
                found.begin -= dimensions[k].stride * (dimensions[k].count - 1);
        }
        std::sort(dimensions, dimensions + used_, [](const Dimension &a, const Dimension &b) { return a.stride < b.stride; });
        long long length = bytes_;
        for (std::size_t k = 0; k < used_ && dimensions[k].stride <= length; k++)
            length += dimensions[k].stride * (dimensions[k].count - 1);
        found.end = found.begin + length;
        return found;
    }

    // Behind the last byte; `nowhere`: there is none, `anywhere`: not known.
    static constexpr long long nowhere = -(1ll << 62), anywhere = 1ll << 62;
    long long end() const
    {
        if (none_)
            return nowhere;
        if (full_ || is_far(first_, unit_))
            return anywhere;
        long long last = first_ * unit_ + bytes_;
        for (std::size_t k = 0; k < used_; k++) {
            if (is_far(dimensions_[k].stride, unit_) || is_far(dimensions_[k].stride * unit_, dimensions_[k].count))
                return anywhere;
            last += std::max(0ll, dimensions_[k].stride) * unit_ * (dimensions_[k].count - 1);
        }
        return last;
    }
    // From the first byte to behind the last; nothing: `begin` is not before `end`; everything: not known.
    ByteSection bounding_section() const
    {
        const long long behind = end();
        if (behind == nowhere || behind == anywhere)
            return behind == nowhere ? ByteSection{0, 0} : everything();
        long long begin = first_ * unit_;
        for (std::size_t k = 0; k < used_; k++) {
            if (is_far(dimensions_[k].stride * unit_, dimensions_[k].count))
                return everything();
            begin += std::min(0ll, dimensions_[k].stride) * unit_ * (dimensions_[k].count - 1);
        }
        return {begin, behind};
    }
    // Pieces of `width` bytes, of which each next one begins `period` bytes further on, and in which all bytes are. None or one: 0.
    struct Pieces {
        long long begin, width, period;
    };
    Pieces pieces() const
    {
        const ByteSection all = bounding_section();
        Pieces found{all.begin, all.end - all.begin, 0};
        if (none_ || full_ || all.begin == -anywhere)
            return found;
        long long longest = 0, count = 1;
        for (std::size_t k = 0; k < used_; k++) {
            const long long stride = std::abs(dimensions_[k].stride * unit_);
            if (stride > longest)
                longest = stride, count = dimensions_[k].count;
        }
        const long long width = found.width - longest * (count - 1);
        return longest != 0 && width < longest ? Pieces{all.begin, width, longest} : found;
    }
    static constexpr ByteSection everything() { return {-anywhere, anywhere}; }
    long long unit() const { return unit_; }

    static bool is_far(long long a, long long b) { return a < -most || a > most || (a < 0 ? -a : a) > most / b; }

private:
    static constexpr std::size_t room = 8;
    static constexpr long long most = 1ll << 48; // no address space has more bytes

    struct Dimension {
        long long count, stride;
    };

    void add(const Dimension &dimensions)
    {
        full_ |= used_ == room;
        if (!full_)
            dimensions_[used_++] = dimensions;
    }

    long long first_, bytes_, unit_;
    std::size_t used_ = 0;
    bool none_ = false, full_ = false; // there is no iteration; there are too many loops to say
    Dimension dimensions_[room] = {};
};

// `count` elements from element `first` on.
template <class T>
Lmad must_write(long long first, long long count = 1)
{
    const long long size = static_cast<long long>(sizeof(T));
    return {first, count * size, size};
}
template <class T>
Lmad footprint(long long first, long long count = 1)
{
    return must_write<T>(first, count);
}

// What parts touch from their first byte on, where their pieces have one period.
inline Lmad::Pieces pieces_of(std::initializer_list<Lmad> parts, long long begin)
{
    Lmad::Pieces all{begin, 0, 0};
    for (const Lmad &part : parts)
        all.period = std::max(all.period, part.pieces().period);
    for (const Lmad &part : parts) {
        const Lmad::Pieces own = part.pieces();
        if (own.width == 0)
            continue;
        if (all.period == 0 || (own.period != 0 && own.period != all.period))
            return {begin, 0, 0};
        all.width = std::max(all.width, (own.begin - begin) % all.period + own.width);
    }
    return all;
}

// The elements from the first of these bytes to the last, as `make` says them; the block where that is not known.
template <class T>
Extent bounding_section_of(std::initializer_list<Lmad> parts, Extent (*make)(long long, long long))
{
    constexpr long long size = static_cast<long long>(sizeof(T));
    long long begin = Lmad::anywhere, end = Lmad::nowhere;
    for (const Lmad &part : parts) {
        const ByteSection bounding_section = part.bounding_section();
        if (bounding_section.begin < bounding_section.end)
            begin = std::min(begin, bounding_section.begin), end = std::max(end, bounding_section.end);
    }
    if (begin == -Lmad::anywhere)
        return block();
    if (begin >= end)
        return make(0, -1);
    Extent found = make(floord(begin, size), floord(end - 1, size));
    const Lmad::Pieces all = pieces_of(parts, begin);
    if (begin % size == 0 && all.width < all.period)
        found.period = all.period, found.width = all.width;
    return found;
}

// All that is touched, of which the first byte and the last certainly are.
template <class T>
Extent section(std::initializer_list<Lmad> parts)
{
    return bounding_section_of<T>(parts, section);
}

// Of the registered block, all that may be touched.
template <class T>
Extent block(std::initializer_list<Lmad> parts)
{
    return bounding_section_of<T>(parts, block);
}

} // namespace ompc

#endif

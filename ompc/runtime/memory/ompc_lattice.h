// ompc_lattice.h: where the bytes of an access are: those of one turn of the loops around it, and for each of these loops
// how often it turns and how far apart the turns are.
//
//     for (i = 0; i < rows; i++) for (j = 0; j < columns; j++) next[i * width + j] = ...;
//     ompc::written<double>(0).each(rows, width).each(columns, 1)
//
// Of what a kernel surely writes before it reads it, the section without gaps need not be copied in: here all of it when rows
// are no longer than `columns`, else the first row. Of what it may touch, the end is asked (ompc_slices.h), or from where to
// where that is: `ompc::section<float>({...})`.

#ifndef OMPC_LATTICE_H
#define OMPC_LATTICE_H

#include "ompc_extent.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace ompc {

// Bytes from `begin` to `end`, relative to a pointer.
struct ByteSection {
    long long begin, end;
};

class Lattice {
public:
    // `bytes` bytes from the first of unit number `first` on.
    Lattice(long long first, long long bytes, long long unit) : first_(first), bytes_(bytes), unit_(unit) {}

    // The same in each of `count` turns, `apart` units further on each time.
    template <class Count>
    Lattice each(Count count, long long apart) const
    {
        Lattice all = *this;
        if (count <= 0)
            all.none_ = true;
        else if (count > 1 && apart != 0)
            all.add({static_cast<unsigned long long>(count) > most ? most + 1 : static_cast<long long>(count), apart});
        return all;
    }

    // The section without gaps around the least byte.
    ByteSection section() const
    {
        const ByteSection none{0, 0};
        if (none_ || full_ || is_far(first_, unit_))
            return none;
        ByteSection found{first_ * unit_, 0};
        Turns turns[room];
        for (std::size_t k = 0; k < used_; k++) {
            const bool back = turns_[k].apart < 0;
            if (is_far(turns_[k].apart, unit_) || is_far(turns_[k].apart * unit_, turns_[k].count))
                return none;
            turns[k] = {turns_[k].count, turns_[k].apart * (back ? -unit_ : unit_)};
            if (back)
                found.begin -= turns[k].apart * (turns[k].count - 1);
        }
        std::sort(turns, turns + used_, [](const Turns &a, const Turns &b) { return a.apart < b.apart; });
        long long length = bytes_;
        for (std::size_t k = 0; k < used_ && turns[k].apart <= length; k++)
            length += turns[k].apart * (turns[k].count - 1);
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
            if (is_far(turns_[k].apart, unit_) || is_far(turns_[k].apart * unit_, turns_[k].count))
                return anywhere;
            last += std::max(0ll, turns_[k].apart) * unit_ * (turns_[k].count - 1);
        }
        return last;
    }
    // From the first byte to behind the last; nothing: `begin` is not before `end`; everything: not known.
    ByteSection hull() const
    {
        const long long behind = end();
        if (behind == nowhere || behind == anywhere)
            return behind == nowhere ? ByteSection{0, 0} : everything();
        long long begin = first_ * unit_;
        for (std::size_t k = 0; k < used_; k++) {
            if (is_far(turns_[k].apart * unit_, turns_[k].count))
                return everything();
            begin += std::min(0ll, turns_[k].apart) * unit_ * (turns_[k].count - 1);
        }
        return {begin, behind};
    }
    static constexpr ByteSection everything() { return {-anywhere, anywhere}; }
    long long unit() const { return unit_; }

    static bool is_far(long long a, long long b) { return a < -most || a > most || (a < 0 ? -a : a) > most / b; }

private:
    static constexpr std::size_t room = 8;
    static constexpr long long most = 1ll << 48; // no address space has more bytes

    struct Turns {
        long long count, apart;
    };

    void add(const Turns &turns)
    {
        full_ |= used_ == room;
        if (!full_)
            turns_[used_++] = turns;
    }

    long long first_, bytes_, unit_;
    std::size_t used_ = 0;
    bool none_ = false, full_ = false; // there is no turn; there are too many loops to say
    Turns turns_[room] = {};
};

// `count` elements from element `first` on.
template <class T>
Lattice written(long long first, long long count = 1)
{
    const long long size = static_cast<long long>(sizeof(T));
    return {first, count * size, size};
}
template <class T>
Lattice touched(long long first, long long count = 1)
{
    return written<T>(first, count);
}

// The elements from the first of these bytes to the last, as `make` says them; the block where that is not known.
template <class T>
Extent hull_of(std::initializer_list<Lattice> parts, Extent (*make)(long long, long long))
{
    constexpr long long size = static_cast<long long>(sizeof(T));
    long long begin = Lattice::anywhere, end = Lattice::nowhere;
    for (const Lattice &part : parts) {
        const ByteSection hull = part.hull();
        if (hull.begin < hull.end)
            begin = std::min(begin, hull.begin), end = std::max(end, hull.end);
    }
    if (begin == -Lattice::anywhere)
        return block();
    return begin < end ? make(floord(begin, size), floord(end - 1, size)) : make(0, -1);
}

// All that is touched, of which the first byte and the last certainly are.
template <class T>
Extent section(std::initializer_list<Lattice> parts)
{
    return hull_of<T>(parts, section);
}

// Of the registered block, all that may be touched.
template <class T>
Extent block(std::initializer_list<Lattice> parts)
{
    return hull_of<T>(parts, block);
}

} // namespace ompc

#endif

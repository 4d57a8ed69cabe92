// ompc_slices.h: a launch in slices, so that its kernel runs beside the first copies of large arrays.
//
//     bus        | a[0..1M) | a[1M..2M) | a[2M..3M) | ...
//     kernels               | 0..1M     | 1M..2M    | ...
//
// The launcher states what the iterations of its outermost loop touch of an array: an LMAD (ompc_lmad.h) in the
// first one, and how far each next one is from it.
//
//     d_a.slides(ompc::footprint<double>(0).each(columns, 1), columns);
//     for (const ompc::Slice slice : launch.slices(rows))
//         OMPC_LAUNCH(launch, launch.shape(slice.trips), kernel, d_a.get(), slice.begin, slice.end);
//
// Where an array lacks much on the device, its copy is put off: each slice first copies what its iterations reach. What the
// slices before have not touched is as the host has it, so that it does not matter that they have begun. An array of which
// the launcher states nothing, or another array in the same memory, is copied before the first slice. With nothing put off,
// all iterations are one slice.

#ifndef OMPC_SLICES_H
#define OMPC_SLICES_H

#include "ompc_lmad.h"
#include "ompc_launch.h"
#include "ompc_ranges.h"
#include "ompc_resident.h"
#include "ompc_settings.h"
#include "ompc_trips.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ompc {

class SlicesOfLaunch {
public:
    // What iterations touch of a range ends at `end` in the first one, and `apart` bytes further on in each next one.
    void add(std::size_t range, const Lmad &footprint, long long apart)
    {
        if (used_ == room) {
            used_ = 0;
            full_ = true;
        }
        if (!full_)
            slides_[used_++] = {range, footprint.end(), Lmad::is_far(apart, footprint.unit()) ? -1 : apart * footprint.unit()};
    }

    // Puts off the copies of groups that lack much, and of which all is stated.
    void put_off(const std::vector<Range> &ranges, std::vector<Group> &groups)
    {
        const std::size_t part = settings().slice_bytes;
        for (std::size_t g = 0; g < groups.size() && used_ != 0 && part != 0; g++) {
            Group &group = groups[g];
            group.in_slices = false;
            if (group.resident == nullptr || group.bytes() < 2 * part || group.sure_bytes() != 0 || !are_stated(ranges, g))
                continue;
            const std::size_t parts = residents().away(group).first / part;
            group.in_slices = parts >= 2;
            count_ = std::max<Trips>(count_, group.in_slices ? std::min(parts, most_slices) : 1);
        }
    }

    // How many iterations each slice has, but for the last one.
    Trips share(Trips trips) const { return share(trips, count_, 64); } // neighbouring lanes stay together
    Trips share_of_tiles(Trips trips) const { return share(trips, std::min<Trips>(count_, few), 128); }

    // Copies what the iterations up to `end` need of what was put off; the `last` ones: all.
    void bring_in(const std::vector<Range> &ranges, const std::vector<Group> &groups, Trips end, bool last, Region &region) const
    {
        for (std::size_t g = 0; g < groups.size() && count_ > 1; g++)
            if (groups[g].in_slices)
                groups[g].resident->bring_in_to(last ? groups[g].end : reached(ranges, groups[g], g, end), groups[g], region);
    }

private:
    static constexpr std::size_t room = 24, most_slices = 64, few = 4;

    struct Slide {
        std::size_t range;
        long long end, apart; // bytes
    };

    static Trips share(Trips trips, Trips slices, Trips together)
    {
        const Trips share = (trips + slices - 1) / slices;
        return share < 8 * together ? share : (share + together - 1) / together * together;
    }

    bool are_stated(const std::vector<Range> &ranges, std::size_t group) const
    {
        for (std::size_t r = 0; r < ranges.size(); r++)
            if (ranges[r].group == group && !ranges[r].empty() &&
                std::none_of(slides_, slides_ + used_, [r](const Slide &slide) { return slide.range == r; }))
                return false;
        return true;
    }

    // Behind the last byte of a group that the iterations up to `end` touch.
    Address reached(const std::vector<Range> &ranges, const Group &group, std::size_t index, Trips end) const
    {
        Address furthest = group.begin;
        for (const Slide *slide = slides_; slide != slides_ + used_; slide++) {
            const Range &range = ranges[slide->range];
            if (range.group != index || slide->end == Lmad::nowhere)
                continue;
            const long long turns = static_cast<long long>(std::min<Trips>(end - 1, 1ull << 48)); // more are not for 8 bytes
            if (slide->end == Lmad::anywhere || slide->apart < 0 || Lmad::is_far(slide->apart, std::max(turns, 1ll)))
                return group.end;
            const long long reach = slide->end + slide->apart * turns + static_cast<long long>(range.pointer - group.begin);
            if (reach > 0)
                furthest = std::max(furthest, group.begin + static_cast<Address>(reach));
        }
        return std::min(furthest, group.end);
    }

    Slide slides_[room];
    std::size_t used_ = 0;
    bool full_ = false;
    Trips count_ = 1;
};

} // namespace ompc

#endif

// ompc_parts.h: how the iterations of a launch, and the arrays that it uses, are divided among devices (OMPC_DEVICES).
//
//     device 0 | rows 0 .. n/2 | of all arrays in stripes (ompc_stripes.h): the same half
//     device 1                 | rows n/2 .. n |
//
// A launcher says that its kernels may run on several devices at once, and what its iterations touch of arrays, as for slices
// (ompc_slices.h). From that follows how many bytes each device would read and write of its own memory and of the others', for
// each way to divide the iterations (none; equal parts; those whose elements each device has) and each way to place the arrays
// (as they are; all in stripes; all on the first device). Estimated times decide:
//
//     the launch      is divided as is best for the arrays as they are
//     a new array     is placed as is best for the launch that uses it first
//     another array   moves once launches have lost as much time by its place as moving it takes
//
// Of an array of which nothing is stated, iterations are taken to touch all places alike.
//
// In: what the launcher states.   Out: where the part of each device ends; which arrays are to be in stripes.
// Not here: who runs the parts and what waits for them -- ompc_device.h of the target.

#ifndef OMPC_PARTS_H
#define OMPC_PARTS_H

#include "ompc_lmad.h"
#include "ompc_ranges.h"
#include "ompc_stream_ids.h"
#include "ompc_trips.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ompc {

// Where a group lies: the host's address of its block, and the bytes of each device's stripe; 0: it is on the first device.
struct Placed {
    Address begin;
    std::size_t stripe;
};

class PartsOfLaunch {
public:
    // Measured on two H200s (NVLink): own memory; another device's; a launch more, and the waits for it.
    static constexpr double own_bytes_per_second = 4e12, other_bytes_per_second = 0.5e12, seconds_of_part = 4e-6;

    // Parts may run at once, of so many iterations of the outermost loop.
    void spreads(Trips trips) { trips_ = trips; }
    Trips trips() const { return trips_; }

    // What iterations touch of a range: the bytes in the first one, and how much further on in each next one.
    void add(std::size_t range, const Lmad &footprint, long long apart)
    {
        if (trips_ == 0)
            return;
        const ByteSection first = footprint.bounding_section();
        const bool is_known = first.begin != -Lmad::anywhere && !Lmad::is_far(apart, footprint.unit());
        slides_.push_back({range, first, is_known ? apart * footprint.unit() : 0, is_known});
    }

    // A way to divide the iterations, with its estimated time. The part of device d ends at end[d].
    struct Division {
        double seconds;
        Trips end[most_devices];
        unsigned parts; // 1: the first device has all

        bool is_spread() const { return parts > 1; }
    };

    // `kernel_seconds`: what the kernel takes one device apart from its accesses; `weighs`: does a launch more count? `always`: it
    // is divided whatever it would take, and arrays are in stripes, for tests.
    struct Asked {
        unsigned devices;
        double kernel_seconds;
        bool weighs, always;
    };

    // The best division where groups are placed so.
    Division best(const std::vector<Range> &ranges, const std::vector<Group> &groups, const std::vector<Placed> &placed, const Asked &asked)
    {
        Division best = whole();
        best.seconds = seconds(best, ranges, groups, placed, asked);
        for (const bool follows : {true, false}) {
            if (trips_ < 2 || asked.devices < 2)
                break;
            Division other = follows ? following(ranges, groups, placed, asked.devices) : equal(asked.devices);
            other.seconds = seconds(other, ranges, groups, placed, asked);
            if (other.is_spread() && (other.seconds < gain * best.seconds || (asked.always && !best.is_spread())))
                best = other;
        }
        return best;
    }

    // For the log and the profile: of the bytes that the parts touch, those that are another device's.
    struct Bytes {
        double own = 0, others = 0;
    };
    Bytes bytes(const Division &division, const std::vector<Range> &ranges, const std::vector<Group> &groups, const std::vector<Placed> &placed,
                const Asked &asked) const
    {
        Bytes all;
        for (unsigned part = 0; part < division.parts; part++) {
            const Bytes found = of_part(part, division, ranges, groups, placed, asked.devices);
            all.own += found.own;
            all.others += found.others;
        }
        return all;
    }

private:
    static constexpr double gain = 0.97; // less is not worth the risk that an estimate is

    struct Slide {
        std::size_t range;
        ByteSection first;
        long long apart;
        bool is_known;
    };

    Division whole() const
    {
        Division all{0, {}, 1};
        std::fill(all.end, all.end + most_devices, trips_);
        return all;
    }

    Division equal(unsigned devices) const
    {
        Division division = whole();
        division.parts = devices;
        for (unsigned part = 0; part + 1 < devices; part++)
            division.end[part] = rounded(trips_ / devices * (part + 1) + std::min<Trips>(part + 1, trips_ % devices), devices);
        return division;
    }

    // Each device gets the iterations whose elements of the largest array that is written, and of which that is known, are its own.
    Division following(const std::vector<Range> &ranges, const std::vector<Group> &groups, const std::vector<Placed> &placed, unsigned devices) const
    {
        Division division = whole();
        const Slide *of = nullptr;
        std::size_t most = 0;
        for (const Slide &slide : slides_) {
            const Range &range = ranges[slide.range];
            if (!slide.is_known || slide.apart <= 0 || range.empty() || range.group >= groups.size() || placed[range.group].stripe == 0)
                continue;
            const std::size_t counts = groups[range.group].bytes() * (range.written() ? 4 : 1);
            if (counts > most) {
                most = counts;
                of = &slide;
            }
        }
        if (of == nullptr)
            return division;
        const Placed &place = placed[ranges[of->range].group];
        const long long at = static_cast<long long>(ranges[of->range].pointer - place.begin) + of->first.begin; // of the first iteration
        division.parts = devices;
        for (unsigned part = 0; part + 1 < devices; part++) {
            const long long before = static_cast<long long>((part + 1) * place.stripe) - at;
            division.end[part] = before <= 0 ? 0 : rounded(std::min<Trips>(static_cast<Trips>(before / of->apart), trips_), devices);
        }
        return division;
    }

    // Neighbouring lanes stay together where there are many.
    Trips rounded(Trips end, unsigned devices) const
    {
        constexpr Trips together = 64;
        return trips_ < 16 * together * devices ? end : std::min(trips_, (end + together / 2) / together * together);
    }

    double seconds(const Division &division, const std::vector<Range> &ranges, const std::vector<Group> &groups, const std::vector<Placed> &placed,
                   const Asked &asked) const
    {
        double longest = 0;
        Trips begin = 0;
        for (unsigned part = 0; part < division.parts; begin = division.end[part++]) {
            const Bytes found = of_part(part, division, ranges, groups, placed, asked.devices);
            const double accesses = found.own / own_bytes_per_second + found.others / other_bytes_per_second;
            const double share = trips_ == 0 ? 1 : static_cast<double>(division.end[part] - begin) / static_cast<double>(trips_);
            longest = std::max(longest, accesses + asked.kernel_seconds * share); // the latter is a guess, and the former is not
        }
        return longest + (asked.weighs ? seconds_of_part * (division.parts - 1) : 0);
    }

    // What a part reads and writes.
    Bytes of_part(unsigned part, const Division &division, const std::vector<Range> &ranges, const std::vector<Group> &groups,
                  const std::vector<Placed> &placed, unsigned devices) const
    {
        Bytes all;
        for (std::size_t g = 0; g < groups.size(); g++) {
            const Bytes found = of_group(g, part, division, ranges, groups, placed[g], devices);
            const double ways = groups[g].out_bytes() != 0 && groups[g].copy_in ? 2 : 1; // what is written may be read, too
            all.own += ways * found.own;
            all.others += ways * found.others;
        }
        return all;
    }

    Bytes of_group(std::size_t g, unsigned part, const Division &division, const std::vector<Range> &ranges, const std::vector<Group> &groups,
                   const Placed &placed, unsigned devices) const
    {
        const Group &group = groups[g];
        const double bytes = static_cast<double>(group.bytes());
        const Trips begin = part == 0 ? 0 : division.end[part - 1], end = division.end[part];
        if (begin >= end && trips_ != 0)
            return {};
        const double share = trips_ == 0 ? 1 : static_cast<double>(end - begin) / static_cast<double>(trips_);
        if (!is_stated(g, ranges)) {
            const double own = placed.stripe != 0 ? own_bytes(part, devices, placed, group.begin, group.end) : part == 0 ? bytes : 0;
            return {share * own, share * (bytes - own)};
        }
        double own = 0, all = 0, of_all_parts = 0;
        for (const Slide &slide : slides_) {
            const Range &range = ranges[slide.range];
            if (range.group != g || range.empty() || slide.first.begin >= slide.first.end)
                continue;
            const auto [from, to] = touched(slide, range, group, begin, end);
            own += own_bytes(part, devices, placed, from, to);
            all += static_cast<double>(to - from);
            for (unsigned other = 0; other < division.parts; other++) {
                const Trips first = other == 0 ? 0 : division.end[other - 1];
                if (first < division.end[other]) {
                    const auto [other_from, other_to] = touched(slide, range, group, first, division.end[other]);
                    of_all_parts += static_cast<double>(other_to - other_from);
                }
            }
        }
        const double dense = of_all_parts > bytes ? bytes / of_all_parts : 1; // no element is taken to be touched twice
        return {dense * own, dense * (all - own)};
    }

    // From where to where iterations touch a group.
    static std::pair<Address, Address> touched(const Slide &slide, const Range &range, const Group &group, Trips begin, Trips end)
    {
        const long long furthest = static_cast<long long>(std::min<Trips>(end, 1ull << 48));
        if (!slide.is_known || Lmad::is_far(slide.apart, std::max(furthest, 1ll)))
            return {group.begin, group.end};
        const long long one = slide.apart * static_cast<long long>(begin), other = slide.apart * (furthest - 1);
        const long long base = static_cast<long long>(range.pointer - group.begin), bytes = static_cast<long long>(group.bytes());
        const auto within = [&](long long at) { return group.begin + static_cast<Address>(std::clamp(base + at, 0ll, bytes)); };
        return {within(slide.first.begin + std::min(one, other)), within(slide.first.end + std::max(one, other))};
    }

    // Of the bytes from one address to another, those that a device has.
    static double own_bytes(unsigned part, unsigned devices, const Placed &placed, Address from, Address to)
    {
        if (placed.stripe == 0)
            return part == 0 ? static_cast<double>(to - from) : 0;
        const Address begin = placed.begin + part * placed.stripe, end = part + 1 == devices ? ~Address{0} : begin + placed.stripe;
        return std::max(begin, from) < std::min(end, to) ? static_cast<double>(std::min(end, to) - std::max(begin, from)) : 0;
    }

    bool is_stated(std::size_t group, const std::vector<Range> &ranges) const
    {
        if (trips_ == 0)
            return false;
        for (std::size_t r = 0; r < ranges.size(); r++)
            if (ranges[r].group == group && !ranges[r].empty() &&
                std::none_of(slides_.begin(), slides_.end(), [r](const Slide &slide) { return slide.range == r; }))
                return false;
        return true;
    }

    std::vector<Slide> slides_;
    Trips trips_ = 0;
};

} // namespace ompc

#endif

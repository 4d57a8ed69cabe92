// ompc_coherence.h: OMPC_CHECK=coherence: are the two copies of what is on the device what the runtime takes them for?
//
// Where both sides of a resident block are right they are compared, before and behind each launch and when the program ends.
// A difference is a mistake, of the runtime's or of the plan's: the host has written and nobody noticed, or the kernel has
// written what its launcher did not say. It ends the program, and names the array, the byte, and the launches on both sides.
//
// OMPC_CHECK=overwrites, which coherence includes: what a launcher says to be overwritten is spoilt before the launch, on the
// device, and a number that is still so behind it ends the program. So it is in programs whose kernels are compiled to be
// debugged (nvcc -G), whatever the environment says. Each byte is spoilt by another value, which its address chooses. Numbers of 8
// bytes that are still so have been left, and so have smaller ones of which several are so one behind the other, members of
// structs included; a single one of 1 or 2 bytes may be what the kernel has computed. Nothing is said of what lies between the
// members of structs, and of unions.

#ifndef OMPC_COHERENCE_H
#define OMPC_COHERENCE_H

#include "ompc_failure.h"
#include "ompc_layout.h"
#include "ompc_ranges.h"
#include "ompc_resident.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace ompc {

class Coherence {
public:
    // A launch of `region` is about to copy (whatever happened since the last one is the host's doing), or is over.
    void before(const Region &region) { check(region, false); }
    void behind(const Region &region) { check(region, true); }

    // What the kernel surely overwrites becomes something else, on the device, so that it shows if it does not.
    static void spoil(const Group &group)
    {
        in_periods(group.sure_begin, group.sure_end, [&](Address at, std::size_t bytes) {
            device().write(group.device + (at - group.begin), spoilt() + at % period, bytes);
        });
    }

    // A launch of `region` is over: was that promise kept?
    static void expect_overwritten(const Region &region, const std::vector<Range> &ranges, const std::vector<Group> &groups)
    {
        for (const Range &range : ranges)
            if (range.group < groups.size() && !groups[range.group].packed &&
                (range.access == overwrite || range.sure_begin < range.sure_end))
                expect_overwritten(region, range, groups[range.group]);
    }

    static bool is_checked()
    {
        static const bool asked = is_asked("coherence");
        return asked;
    }
    static bool are_overwrites_checked()
    {
        static const bool asked = is_asked("overwrites");
        return asked || is_checked() || is_debugged.load(std::memory_order_relaxed);
    }

    inline static std::atomic<bool> is_debugged{false}; // kernels of the program were compiled to be debugged

private:
    static constexpr std::size_t period = 1 << 20;    // of the bytes by which things are spoilt
    static constexpr std::size_t most_read = 1 << 20; // bytes at a time
    static constexpr std::size_t sure_run = 8;        // bytes that are so, one behind the other, are no chance

    static bool is_asked(const char *check) { return text_of("OMPC_CHECK").find(check) != std::string::npos; }

    // The byte at each place, after a period: nothing that a kernel computes is like it, but by chance.
    static const char *spoilt()
    {
        static const char *const bytes = [] {
            char *const made = new char[period]; // never destroyed
            std::uint64_t state = 0x9e3779b97f4a7c15;
            for (std::size_t at = 0; at < period; at++) {
                state = state * 6364136223846793005 + 1442695040888963407;
                made[at] = static_cast<char>(state >> 56);
            }
            return made;
        }();
        return bytes;
    }

    // Calls `each(place, bytes)` for pieces that lie within one period.
    template <class Each>
    static void in_periods(Address begin, Address end, Each each)
    {
        for (Address at = begin; at < end;) {
            const std::size_t bytes = std::min<std::size_t>(end - at, period - at % period);
            each(at, bytes);
            at += bytes;
        }
    }

    // Numbers that are as they were spoilt. Of those of 4 bytes and less some are by chance: `small` counts them, and they are
    // `left` where several are so one behind the other.
    struct Kept {
        std::size_t all = 0, left = 0, small = 0, all_small = 0;
        Address first = 0, first_small = 0;
        std::size_t run = 0, run_bytes = 0;
        Address run_begin = 0;

        void number(Address at, std::size_t bytes, bool is_kept)
        {
            all++;
            all_small += bytes == 4;
            if (!is_kept) {
                run = run_bytes = 0;
                return;
            }
            if (run++ == 0)
                run_begin = at;
            run_bytes += bytes;
            if (bytes == 4 && small++ == 0)
                first_small = at;
            if (run_bytes < sure_run)
                return;
            if (left == 0)
                first = run_begin;
            left += run_bytes - bytes < sure_run ? run : 1;
        }

        // So many of 4 bytes: more are so in one of a million launches.
        std::size_t by_chance() const
        {
            return all_small <= 1 << 12 ? 0 : all_small <= 1 << 20 ? 1 : 2 + (all_small >> 28);
        }
    };

    static void expect_overwritten(const Region &region, const Range &range, const Group &group)
    {
        const bool whole = range.access == overwrite;
        const Address begin = std::max({range.begin, whole ? range.begin : range.sure_begin, group.sure_begin});
        const Address end = std::min({range.end, whole ? range.end : range.sure_end, group.sure_end});
        if (range.layout == nullptr || end <= begin)
            return;
        const Layout &layout = range.layout();
        const std::size_t size = layout.element;
        const Address first = begin < range.pointer ? range.pointer - (range.pointer - begin) / size * size
                                                    : range.pointer + (begin - range.pointer + size - 1) / size * size;
        const std::size_t at_a_time = size > most_read ? 0 : most_read / size * size;
        std::vector<char> copy(std::min<std::size_t>(end - begin, at_a_time));
        Kept kept;
        for (Address at = first; at_a_time != 0 && at + size <= end; at += at_a_time) {
            const std::size_t bytes = std::min<std::size_t>(at_a_time, (end - at) / size * size);
            device().read(copy.data(), group.device + (at - group.begin), bytes);
            for (std::size_t element = 0; element < bytes; element += size)
                for (const Number &number : layout.numbers)
                    if (number.kind != Kind::bytes)
                        kept.number(at + element + number.at, number.bytes,
                                    is_spoilt(&copy[element + number.at], at + element + number.at, number.bytes));
        }
        if (kept.left == 0 && kept.small > kept.by_chance()) {
            kept.left = kept.small;
            kept.first = kept.first_small;
        }
        if (kept.left != 0)
            fail(region,
                 "the kernel '" + std::string(region.id) + "' leaves " + std::to_string(kept.left) + " of " +
                     std::to_string(kept.all) + " numbers of '" + range.name + "' as they were, the first of them at byte " +
                     std::to_string(static_cast<long long>(kept.first - range.pointer)) + "; its launcher says that it overwrites them",
                 "OMPC477");
    }

    static bool is_spoilt(const char *bytes, Address place, std::size_t count)
    {
        for (std::size_t k = 0; k < count; k++)
            if (bytes[k] != spoilt()[(place + k) % period])
                return false;
        return true;
    }

    void check(const Region &region, bool behind)
    {
        residents().each([&](const Resident &block) {
            block.valid.each(block.pages, block.pages_end, [&](Address begin, Address end) {
                block.stale.each_gap(begin, end, [&](Address from, Address to) {
                    compare(block, from, std::min(to, block.memory.end), region, behind);
                });
            });
            for (const Edge &edge : block.edges)
                if (edge.known.size() == edge.bytes())
                    compare_known(block, edge, region, behind);
        });
        last_ = &region;
    }

    void compare(const Resident &block, Address begin, Address end, const Region &region, bool behind)
    {
        const char *const host = reinterpret_cast<const char *>(begin);
        const std::size_t differs = device().first_difference(host, block.device(begin), end - begin);
        if (differs != end - begin)
            report(block, begin + differs, region, behind);
    }

    // What the device has at an edge; the host's may be another meanwhile.
    void compare_known(const Resident &block, const Edge &edge, const Region &region, bool behind)
    {
        const std::size_t differs = device().first_difference(edge.known.data(), block.device(edge.begin), edge.bytes());
        if (differs != edge.bytes())
            report(block, edge.begin + differs, region, behind);
    }

    [[noreturn]] void report(const Resident &block, Address at, const Region &region, bool behind)
    {
        const std::string byte = "byte " + std::to_string(at - block.memory.begin) + " of " + std::to_string(block.memory.bytes());
        const std::string name = "'" + std::string(block.memory.name) + "' (" + byte + ")";
        const std::string since = last_ == nullptr ? "" : " since " + std::string(last_->file) + ":" + std::to_string(last_->line);
        fail(region, behind ? "the kernel has changed " + name + ", which its launch does not write"
                            : "the two copies of " + name + " differ: the host has changed its own unnoticed" + since,
             "OMPC469");
    }

    const Region *last_ = nullptr;
};

inline Coherence &coherence()
{
    static Coherence *const the_checker = new Coherence; // never destroyed
    return *the_checker;
}

} // namespace ompc

#endif

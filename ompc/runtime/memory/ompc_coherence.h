// ompc_coherence.h: OMPC_CHECK=coherence: are the two copies of what is on the device what the runtime takes them for?
//
// Where both sides of a resident block are right they are compared, before and behind each launch and when the program ends.
// A difference is a mistake, of the runtime's or of the plan's: the host has written and nobody noticed, or the kernel has
// written what its launcher did not say. It ends the program, and names the array, the byte, and the launches on both sides.
//
// OMPC_CHECK=overwrites, which coherence includes: what a launcher says to be overwritten is spoilt before the launch, on the
// device, and a number that is still so behind it ends the program. So it is in programs whose kernels are compiled to be
// debugged (nvcc -G), whatever the environment says. Looked at are arrays of numbers of one size, of 4 or 8 bytes: smaller ones
// may well be as they were spoilt, and so may what lies between the members of structs.

#ifndef OMPC_COHERENCE_H
#define OMPC_COHERENCE_H

#include "ompc_failure.h"
#include "ompc_layout.h"
#include "ompc_ranges.h"
#include "ompc_resident.h"

#include <algorithm>
#include <atomic>
#include <cstring>
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
        if (group.sure_bytes() != 0)
            device().fill(group.device + (group.sure_begin - group.begin), spoilt, group.sure_bytes());
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
    static constexpr int spoilt = 0xa5;
    static constexpr std::size_t few = 4096; // of so many random numbers of 4 bytes none is what spoilt ones are

    static bool is_asked(const char *check) { return text_of("OMPC_CHECK").find(check) != std::string::npos; }

    // Of all numbers in an element; 0: they have several, or one that other values than spoilt ones are like.
    static std::size_t size_of_numbers(const Range &range)
    {
        if (range.layout == nullptr)
            return 0;
        const Layout &layout = range.layout();
        for (const Number &number : layout.numbers)
            if (number.bytes != layout.unit)
                return 0;
        return layout.unit < 4 || layout.numbers.empty() || range.pointer % layout.unit != 0 ? 0 : layout.unit;
    }

    static void expect_overwritten(const Region &region, const Range &range, const Group &group)
    {
        const std::size_t size = size_of_numbers(range);
        const bool whole = range.access == overwrite;
        const Address begin = std::max({range.begin, whole ? range.begin : range.sure_begin, group.sure_begin});
        const Address end = std::min({range.end, whole ? range.end : range.sure_end, group.sure_end});
        if (size == 0 || end <= begin)
            return;
        const std::string kept(size, static_cast<char>(spoilt));
        std::vector<char> copy(std::min<std::size_t>(end - begin, 1 << 20));
        std::size_t count = 0;
        Address first = 0;
        for (Address at = begin; at < end; at += copy.size()) {
            const std::size_t bytes = std::min<std::size_t>(copy.size(), end - at);
            device().read(copy.data(), group.device + (at - group.begin), bytes);
            for (std::size_t k = 0; k + size <= bytes; k += size)
                if (std::memcmp(&copy[k], kept.data(), size) == 0 && count++ == 0)
                    first = at + k;
        }
        if (count > (size == 4 && (end - begin) / size > few ? 2u : 0u))
            fail(region,
                 "the kernel '" + std::string(region.id) + "' leaves " + std::to_string(count) + " of " +
                     std::to_string((end - begin) / size) + " numbers of '" + range.name + "' as they were, the first of them at byte " +
                     std::to_string(first - range.pointer) + "; its launcher says that it overwrites them",
                 "OMPC477");
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

// ompc_coherence.h: OMPC_CHECK=coherence: are the two copies of what is on the device what the runtime takes them for?
//
// Where both sides of a resident block are right they are compared, before and behind each launch and when the program ends.
// A difference is a mistake, of the runtime's or of the plan's: the host has written and nobody noticed, or the kernel has
// written what its launcher did not say. It ends the program, and names the array, the byte, and the launches on both sides.
// What a launcher says to be overwritten is spoilt before the launch, so that a byte that is not shows in what is copied back.

#ifndef OMPC_COHERENCE_H
#define OMPC_COHERENCE_H

#include "ompc_failure.h"
#include "ompc_resident.h"

#include <string>

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
            device().fill(group.device + (group.sure_begin - group.begin), 0xa5, group.sure_bytes());
    }

    static bool is_checked()
    {
        static const bool asked = text_of("OMPC_CHECK").find("coherence") != std::string::npos;
        return asked;
    }

private:
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

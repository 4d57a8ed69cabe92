// ompc_region.h: offloaded regions, and what is said about them.

#ifndef OMPC_REGION_H
#define OMPC_REGION_H

#include "ompc_region_costs.h"
#include "ompc_counters.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>

namespace ompc {

// Why a launch is refused, with its code.
struct Cause {
    unsigned bit; // in Region::said
    const char *code;
};
constexpr Cause no_device{1, "OMPC450"}, nested{2, "OMPC451"}, unknown_extent{4, "OMPC452"}, overlap{8, "OMPC453"},
    out_of_memory{16, "OMPC454"}, not_neutral{32, "OMPC351"}, changing_pointers{64, "OMPC467"}, too_early{512, "OMPC450"},
    too_many_prints{1024, "OMPC468"}, unusual_rounding{65536, "OMPC474"};
constexpr Cause several_teams{131072, "OMPC470"};
constexpr unsigned said_kept = 2048, said_disabled = 4096, said_launched = 8192, said_not_selected = 16384,
                   said_not_compared = 32768; // in Region::said, too: notes of ompc_log.h

// How often a region was launched, and ran on the host, by the bit of the cause (ompc_summary.cc).
struct Tally {
    static constexpr unsigned causes = 18;
    std::atomic<unsigned long long> launched{0}, host[causes] = {};

    void on_host(unsigned bit) { host[__builtin_ctz(bit)].fetch_add(1, std::memory_order_relaxed); }
};

namespace { // of each file of device code

bool file_is_loaded = false; // until its constructors have run (ompc_loading.h)

} // namespace

// The runtime may now use the device for the kernels of a file, of which `probe` is one.
void device_code_is_loaded(const void *probe);

class Team;
struct TeamRest;   // ompc_team.h
class CountedRows; // ompc_row_lengths.h

struct Region;

// A loop, by what its own region is called.
struct LoopName {
    const char *id;
    int line;
    Region *region = nullptr; // once it has been reached
};

// An offloaded region of the program: static data of its launcher. The strings must outlive the program's last launch.
struct Region {
    const char *id, *file;
    int line;
    const char *directive;
    Counters counters;
    Tally tally;
    Region *next = nullptr;
    const bool *loaded; // file_is_loaded of the launcher's file
    const bool has_pragma = true; // without one nobody expects the loop on the device
    std::atomic<unsigned> said{0}; // causes that have been reported
    bool prints_too_much = false;
    RegionCosts costs; // is it worth it?
    std::atomic<unsigned> kept_as{0}; // why it last stayed on the host, where nobody but the summary counts how often; else 0
    double estimated = 0; // seconds of the kernel of the launch under way, if it is to be measured
    int edges = -1;     // copies home that a launch makes of pages that others use, too; -1: nobody has looked
    double follow_seconds = -1; // what following a pointer of its tables took last; negative: nothing has been followed
    int size_class = 0; // of the launch under way
    Choices wished;      // by the environment, for launches of the class `wished_for`
    int wished_for = -1; // -1: it has not been asked
    CountedRows *rows = nullptr; // where it has counted some; they are never forgotten
    static constexpr unsigned most_loops = 8;
    LoopName loops[most_loops] = {}; // of a joint launch: what it does, in order; each has a region of its own
    unsigned joint = 0;              // how many they are
    unsigned learned = 0;            // RegionCosts::host_measurements when the host's times were last taken from theirs
    std::atomic<int> arrived{0}, meeting{0}; // ompc_team.h: the threads of a team that have come to the loop,
    double gathered_at = 0;                  // when the last of them came,
    std::atomic<Team *> first{nullptr};      // the one of them that launches it,
    int answer = 0;                          // and what it says,
    TeamRest *rests = nullptr;               // for how often, by sizes

    Region(const char *id, const char *file, int line, const char *directive, const bool *loaded = &file_is_loaded);
    Region(const char *id, const char *file, int line, const char *directive, std::initializer_list<LoopName> loops,
           const bool *loaded = &file_is_loaded);
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

    // A loop with so many operations in each of its iterations: does it surely stay on the host, as it did a moment ago? Small loops
    // take no longer than it takes to ask what their data is doing.
    template <class Trips>
    bool stays(double each, Trips iterations)
    {
        const unsigned cause = kept_as.load(std::memory_order_relaxed);
        if (cause == 0 || !costs.stays(std::max(each, least_work) * static_cast<double>(iterations)))
            return false;
        if (joint == 0)
            tally.on_host(cause);
        return true;
    }
};

// The host's times of a joint launch, from those of its loops, when all of them have been measured.
void learn_from_loops(Region &joint);

// What is copied for no loop is counted here.
inline Region &region_of_calls()
{
    static Region *const calls = new Region("calls", "library", 0, "arguments of calls"); // never destroyed
    return *calls;
}

// Counts a refusal and says, once per region and cause, why the region runs on the host (`a`, `why` and `b` joined).
void report_refusal(Region &region, const Cause &cause, const char *why, const char *a = "", const char *b = "");

} // namespace ompc

#endif

// ompc_history.h: what earlier runs of this program have shown: is it faster with the device, and if that is started early?
//
// To create a CUDA context takes a third of a second, even if another thread does it: a team of as many threads as there are
// processors misses the one on which CUDA starts, and at its end a process with a context takes a tenth of a second longer.
// Whether the loops of a program save more than that nobody knows at its first run, and estimates of what the host takes are
// wrong by ten times where it has vectors. So whole runs are measured, each way:
//
//     early    the context is created at once, before main, while the program reads its input
//     late     no context is created until a loop asks for the device, as it does when all loops have lost as much by waiting
//     host     no loop asks for the device
//
// The first run is a late one. What the host takes is measured there, of each loop that is not expected to take it much longer than
// the start of the device (LaunchState::prepare): a program whose loops are over before that never starts it.
//
// The next run of the same program, with the same arguments in the same folder, takes the way that was faster; or one that nobody
// has tried, but only while that may matter: not for runs of more than five seconds. The host is tried where no launch
// is expected to take it longer than the run and some starts of the device, as nothing can be ended within a loop, and where the loops that
// were measured there did not take longer than the whole run with the device; a run with the device where the fastest so far was
// longer than its start and its loops have something to gain, and the late one where the host alone was slower.
//
// A way that is tried, and is slower, ends as soon as that shows: a run with the device is taken to be as far through its time
// as it is through its loops, counted from the eighth where there are many, since there may be work without loops between the first; and one that is behind by so much that it will have lost the start of the device by its end starts
// it then, and asks all loops again. So does one whose way was the fastest, and that has lost as much.
// A run that takes half as long again as those before, or is as much faster, has other data: what is known of the other
// ways is forgotten. With as many loops as before it takes three times as long then: machines are sometimes busy.
//
// Of each loop it is kept, for each size that it had, how long an operation takes on the host, how many times as long as estimated its kernels take, and a launch at least. With
// an early start no loop has run on the host when the first is launched: then nobody would know whether the device pays.
//
// There is no history where loops are not asked whether they are worth a launch, and none for shared libraries. Where it is kept:
// ompc_history_file.h.

#ifndef OMPC_HISTORY_H
#define OMPC_HISTORY_H

#include "ompc_history_file.h"
#include "ompc_host.h"
#include "ompc_log.h"
#include "ompc_region_costs.h"
#include "ompc_settings.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ompc {

class History {
public:
    // Reads the file of this program.
    History()
    {
#ifndef OMPC_LIBRARY
        if (settings().weighs && !settings().disabled && file_.open())
            known_ = file_.known();
#endif
    }

    // Is the device to be started before main? `context`: seconds to create one. The program has code for it.
    bool starts_device(double context)
    {
        if (!known_.is_empty() && !std::exchange(is_chosen_, true)) {
            way_ = chosen(static_cast<Microseconds>(context * 1e6));
            limit_ = of_device() > 0 ? of_device() : known_.host;
            if (logs(log_regions))
                note(nullptr, "%s, as earlier runs suggest", description());
        }
        return way_ == &KnownRuns::early;
    }

    // A loop asks for the device.
    void asks(const char *id, const char *file, RegionCosts &costs, double operations)
    {
        asked_ += static_cast<long long>(costs.turns(operations)); // it has come so often
        if (!costs.is_to_be_recalled() || !file_.is_open())
            return;
        const HistoryFile::Hash key = HistoryFile::key(id, file);
        for (unsigned size = 0; size < sizes_apart; size++)
            if (const KnownLoop *const found = file_.known(key + size))
                costs.recall(static_cast<double>(found->host) * 1e-15, static_cast<double>(found->operations), static_cast<double>(found->factor) * 1e-3,
                             static_cast<double>(found->launch) * 1e-9);
    }
    // What this run has shown of one, for each size that it had: to be kept.
    void has_shown(const char *id, const char *file, const RegionCosts &costs)
    {
        RegionCosts::Shown shown;
        const HistoryFile::Hash key = file_.is_open() ? HistoryFile::key(id, file) : 0;
        for (unsigned size = 0; file_.is_open() && size < sizes_apart; size++)
            if (costs.has_shown(size, shown)) {
                KnownLoop found;
                found.host = static_cast<long long>(shown.each * 1e15);
                found.operations = static_cast<long long>(std::min(shown.operations, 1e18));
                found.factor = static_cast<long long>(std::min(shown.factor, 1e6) * 1e3);
                found.launch = static_cast<long long>(std::min(shown.launch, 1e6) * 1e9);
                file_.set(key + size, found);
            }
    }
    // It goes there; the host is expected to take so long for it, and so long at least, and has taken so long for what was alike.
    void launched(double seconds, double least, double measured)
    {
        largest_ = std::max(largest_, seconds);
        least_ += least;
        measured_ += measured;
    }

    // The host has run a loop that could have gone there.
    void ran_on_host(double seconds) { on_host_ += seconds; }

    // Do all loops stay on the host, as long as nothing else starts the device?
    bool keeps_all() const { return way_ == &KnownRuns::host && limit_ > 0; }

    // A run has taken so long when a loop asks, and to create a context takes so long: is it slower than one that starts early?
    bool has_lost(double seconds, double context)
    {
        const bool lost = is_behind(seconds, context);
        limit_ = lost ? 0 : limit_; // said once
        return lost;
    }
    // The same when a thread comes to so many loops (0: nobody knows how many): do they stay on the host without being asked one by one?
    bool passes(int loops, double seconds, double context)
    {
        const bool is_counted = loops > 0 || known_.host > 0; // a way that is tried is as far as its loops are
        if (!keeps_all() || !is_counted || is_behind(seconds, context))
            return false;
        asked_ += loops;
        return true;
    }

    // The run took so long. `is_started`: and has a context, which takes so long to create.
    void ends(double seconds, bool is_started, double context)
    {
        if (!file_.is_open() || (!is_started && known_.is_empty() && on_host_ < context))
            return; // the device could not have helped
        const bool has_given_up = is_started && way_ == &KnownRuns::host; // it was behind, and started the device then
        const Way way = !is_started ? &KnownRuns::host : has_given_up ? &KnownRuns::late : way_;
        const auto took = std::max<Microseconds>(static_cast<Microseconds>(seconds * 1e6), 1), before = known_.*way;
        KnownRuns known = known_;
        if (before > 0 && has_other_data(took, before))
            known.early = known.late = known.host = 0;
        known.*way = known.*way > 0 ? (before + took) / 2 : took;
        if (has_given_up) // all of it there would have taken longer
            known.host = std::max({known.host, known.late, known.early}) + std::max<Microseconds>(static_cast<Microseconds>(context * 1e6), 1);
        if (!keeps_all()) // where it does, nobody asks
            known.gain = static_cast<Microseconds>(std::min(RegionCosts::lost_by_all(), 1e6) * 1e6);
        if (is_started && way != &KnownRuns::host) {
            known.loops = asked_;
            known.largest = static_cast<Microseconds>(std::max(largest_, on_host_ + least_) * 1e6);
            known.measured = static_cast<Microseconds>((on_host_ + measured_) * 1e6);
        }
        file_.keep(known);
    }

private:
    using Way = Microseconds KnownRuns::*;
    static constexpr Microseconds matters = 5000000; // for shorter runs, how the device is started
    static constexpr long long first_loops = 8, many_loops = 64;
    static constexpr double least_share = 0.25;      // of the start of the device: being behind by less may be chance

    bool is_behind(double seconds, double context)
    {
        if (limit_ == 0 || way_ == &KnownRuns::early)
            return false;
        const double limit = static_cast<double>(limit_) * 1e-6;
        const bool is_tried = known_.*way_ == 0 && known_.loops > 0;
        const long long begins = known_.loops >= many_loops ? first_loops : 1; // what stands between the first ones is the same each way
        if (asked_ < begins && seconds <= limit)
            return false;
        first_ = first_ < 0 ? seconds : first_;
        const double done = static_cast<double>(std::max(asked_ - begins, 0LL)) / static_cast<double>(std::max(known_.loops, 1LL));
        const double share = is_tried ? std::min(1.0, done) : 1;
        return seconds > first_ + std::max(0.0, limit - first_) * share + context * std::max(share, least_share);
    }

    // Is a run that took so long, and not what it was expected to take, one of other data? A run with as many loops mostly is not: what
    // runs on the host and what they take there differs by as much as other programs are at work.
    bool has_other_data(Microseconds took, Microseconds before) const
    {
        const bool is_alike = known_.loops >= many_loops && 3 * std::abs(asked_ - known_.loops) <= known_.loops; // those that stay there are not all counted
        const Microseconds times = is_alike ? 6 : 3; // halves
        return 2 * took > times * before || times * took < 2 * before;
    }

    // The fastest way, or one to be tried; `start`: of the device.
    Way chosen(Microseconds start) const
    {
        Way fastest = nullptr;
        for (const Way way : {&KnownRuns::host, &KnownRuns::late, &KnownRuns::early}) // where they are equal, the first
            if (known_.*way != 0 && (fastest == nullptr || known_.*way < known_.*fastest))
                fastest = way;
        const Microseconds best = known_.*fastest;
        if (best >= matters)
            return fastest;
        if (known_.host == 0 && known_.largest <= best + 4 * start && known_.measured <= best + start / 4)
            return &KnownRuns::host;
        if (known_.early == 0 && best > start && known_.gain >= start / 2)
            return &KnownRuns::early;
        return known_.late == 0 && fastest != &KnownRuns::host ? &KnownRuns::late : fastest;
    }

    // What a run with the device takes, if that is known; else 0.
    Microseconds of_device() const
    {
        const Microseconds slower = std::max(known_.early, known_.late), faster = std::min(known_.early, known_.late);
        return faster > 0 ? faster : slower;
    }

    const char *description() const
    {
        if (way_ == &KnownRuns::host)
            return "all loops stay on the host";
        return way_ == &KnownRuns::early ? "the device is started at once" : "the device is started when a loop asks for it";
    }

    HistoryFile file_;
    KnownRuns known_;
    bool is_chosen_ = false;
    Way way_ = &KnownRuns::late; // of this run
    long long asked_ = 0;        // loops that asked so far
    double on_host_ = 0;               // loops there
    double largest_ = 0, least_ = 0;   // of the launches the largest, and all of them at least, if they were there
    double measured_ = 0;              // those of which that has been measured
    double first_ = -1;                // when the first loop asked
    Microseconds limit_ = 0;       // what a run with the device takes, or did on the host, until this one has lost against it; 0: not known
};

// Not on a thread of its own, which would have memory of its own as well: of a process that has had two threads, libc takes locks
// for each number of rand and each character of stdio, whose fast paths are for one.
inline History *read_apart()
{
    ompc_malloc_apart(1);
    History *const made = new History;
    ompc_malloc_apart(0);
    return made;
}

inline History &history()
{
    static History *const of_program = read_apart(); // never destroyed: the program's end asks it
    return *of_program;
}

} // namespace ompc

#endif

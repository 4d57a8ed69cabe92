// ompc_verify.h: OMPC_VERIFY=1: every loop that goes to the device is run by the host, too, and the results are compared.
//
// A launch of such a program is made on data that the host has as well. When its kernel is done, what it may have written is
// put aside, the launch is taken back, and the launcher returns 0: the host runs the user's own loop, on what there was
// before. Behind that loop OMPC_OFFLOAD calls ompc_host_done(), which compares the host's memory with what was put aside
// (ompc_compare.h). The program goes on with the host's results, so that one wrong loop does not spoil the next ones.
//
//     OMPC_OFFLOAD(...)     launcher: put_aside() -> a turn of the host's; ompc_host_turn() hands it to the loop's own variable
//         the loop
//                           ompc_host_done(turn): finish(turn)
//
// Of a team all threads have the same turn: the last one that comes to the end of the loop compares, the others wait for it.

#ifndef OMPC_VERIFY_H
#define OMPC_VERIFY_H

#include "ompc_compare.h"
#include "ompc_host.h"
#include "ompc_host_timer.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_region.h"
#include "ompc_settings.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ompc {

// The turn that the calling thread's last launcher gives to the host; 0: the host's results are not compared; left_out: the
// host is not to run the loop either (ompc_bounds_checks.h).
constexpr int left_out = -1;
inline int &turn_of_thread()
{
    static thread_local int turn = 0;
    return turn;
}

class Verification {
public:
    // What a launch may have written has been put aside, and the host is to run the loop.
    void put_aside(Region &region, std::vector<Written> written)
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        const int turn = ++last_turn_;
        waiting_[turn] = std::make_shared<Waiting>(Waiting{&region, region.counters.launches, std::move(written)});
        turn_of_thread() = turn;
    }

    // So many threads run the loop.
    void is_of_team(int turn, int threads)
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        waiting_.at(turn)->threads = threads;
    }

    // The calling thread has run its part of the loop.
    void finish(int turn)
    {
        ompc_tasks_done(); // the loop may be one
        std::unique_lock<std::mutex> guard(mutex_);
        const auto found = waiting_.find(turn);
        if (found == waiting_.end())
            return; // the others have waited for too long
        const std::shared_ptr<Waiting> waiting = found->second;
        if (++waiting->arrived < waiting->threads) {
            for (const double until = now() + patience; !waiting->is_over && now() < until; guard.lock()) {
                guard.unlock();
                rest();
            }
            if (!waiting->is_over && waiting_.erase(turn) != 0)
                give_up(*waiting->region, "a thread of its team did not come to its end");
            waiting->is_over = true;
            return;
        }
        guard.unlock(); // comparing reads memory that may be on the device
        const std::vector<Differences> differences = compare(*waiting);
        guard.lock();
        count(*waiting, differences);
        waiting_.erase(turn);
        waiting->is_over = true;
    }

    // A turn that nobody has taken: behind the loop of a C90 file nothing is called.
    void forget(int turn)
    {
        if (turn == 0)
            return;
        const std::lock_guard<std::mutex> guard(mutex_);
        const auto found = waiting_.find(turn);
        if (found == waiting_.end())
            return;
        give_up(*found->second->region, "its file is not compiled as C99 or later");
        waiting_.erase(found);
    }

    // With the lock held, or from put_aside's caller: a launch is not compared.
    void give_up(Region &region, const char *why)
    {
        not_compared_++;
        if ((region.said.fetch_or(said_not_compared) & said_not_compared) == 0)
            tell(&region, "OMPC_VERIFY: its results are not compared: %s", why);
    }

    // The program ends. True: something has differed.
    bool sum_up()
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (is_summed_up_ || ledger().owner != getpid())
            return false;
        is_summed_up_ = true;
        for (const auto &entry : waiting_)
            give_up(*entry.second->region, "the loop was left, or the program ended, before its end");
        unsigned long long compared = 0, differing = 0, loops = 0;
        for (const auto &entry : counts_) {
            compared += entry.second.compared;
            differing += entry.second.differing;
            loops += entry.second.differing != 0;
        }
        LogLine line(nullptr);
        line.add("OMPC_VERIFY: %llu launches of %zu loops were compared", compared, counts_.size());
        if (not_compared_ != 0)
            line.add(", %llu were not", not_compared_);
        if (differing != 0)
            line.add("; %llu launches of %llu loops differ [OMPC465]", differing, loops);
        else
            line.add(compared == 0 ? "" : "; none differs");
        line.write(true);
        return differing != 0;
    }

private:
    struct Waiting {
        Region *region;
        unsigned long long launch;
        std::vector<Written> written;
        int threads = 1, arrived = 0;
        bool is_over = false;
    };
    struct Counts {
        unsigned long long compared = 0, differing = 0;
    };
    static constexpr int patience = 20; // seconds

    static std::vector<Differences> compare(const Waiting &waiting)
    {
        const Comparison comparison(settings().verify_tolerance);
        std::vector<Differences> found;
        for (const Written &written : waiting.written)
            found.push_back(comparison.differences(written));
        return found;
    }

    void count(const Waiting &waiting, const std::vector<Differences> &differences)
    {
        Counts &counts = counts_[waiting.region];
        counts.compared++;
        bool any = false;
        for (std::size_t i = 0; i < differences.size(); i++)
            if (differences[i].count != 0) {
                any = true;
                report(waiting, waiting.written[i].name, differences[i]);
            }
        counts.differing += any;
        if (!any && logs(log_launches))
            note(waiting.region, "OMPC_VERIFY: launch %llu: the device and the host agree", waiting.launch);
    }

    // Once for each loop and array; of every launch at level 3 of the log.
    void report(const Waiting &waiting, const std::string &name, const Differences &found)
    {
        if (!told_.emplace(waiting.region, name).second && !logs(log_launches))
            return;
        LogLine line(waiting.region);
        line.add("OMPC_VERIFY: launch %llu: %s", waiting.launch, found.first.c_str());
        if (found.compared > 1)
            line.add("; %llu of %llu differ", found.count, found.compared);
        if (found.worst_by != 0)
            line.add("; relatively by %s%.2g", found.worst == found.first ? "" : "up to ", found.worst_by);
        if (found.worst_by != 0 && found.worst != found.first)
            line.add(" (%s)", found.worst.c_str());
        line.add(" [OMPC465]");
        line.write(true);
    }

    std::mutex mutex_; // taken with the ledger's lock held, never the other way round
    int last_turn_ = 1;
    std::map<int, std::shared_ptr<Waiting>> waiting_; // by turn
    std::map<const Region *, Counts> counts_;
    std::set<std::pair<const Region *, std::string>> told_;
    unsigned long long not_compared_ = 0;
    bool is_summed_up_ = false;
};

inline Verification &verification()
{
    static Verification *const the_verification = new Verification; // never destroyed
    return *the_verification;
}

// A launcher is called: of its predecessor nothing is left.
inline void forget_turn()
{
    if (settings().verify)
        verification().forget(std::exchange(turn_of_thread(), 0));
}

} // namespace ompc

#endif

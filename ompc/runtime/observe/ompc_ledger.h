// ompc_ledger.h: all regions, the totals of the process, and the lock of the runtime.
//
// What is counted of a region is in ompc_counters.h: with the lock held, and only where settings().profiling says so.
// Who times what is in ompc_timeline.h, what is written in ompc_ledger_file.cc.

#ifndef OMPC_LEDGER_H
#define OMPC_LEDGER_H

#include "ompc_connecting.h"
#include "ompc_counters.h"
#include "ompc_defaults.h"
#include "ompc_host.h"
#include "ompc_payoff.h"
#include "ompc_settings.h"

#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>

namespace ompc {

struct Region;

// What the device can do, for the profile: bytes of its memory, operations, and the seconds of a launch.
struct Rates {
    double memory_bytes_per_second, operations_per_second, launch_seconds;
};
Rates rates_of_device(); // ompc_resident.cc

// When the program's own code began, or nearly so.
inline double program_begun()
{
    static const double at = now();
    return at;
}

// All regions that have been reached, and the totals of the process.
struct Ledger {
    std::recursive_mutex lock;
    Region *first = nullptr, **last = &first;
    const char *target = OMPC_TARGET, *device = ""; // device: once it has been started
    const char *no_device = ""; // why none can be used, once that is known
    struct Messages {
        unsigned long long count = 0, bytes = 0;
        void add(std::size_t more) { count++, bytes += more; }
    };
    Messages to_peers, from_peers; // that went from device to device, and came so (ompc_peers.h)
    double init_seconds = 0, page_lock_seconds = 0;
    double operations_per_second = 0; // of the device, at most; 0: nobody knows
    pid_t owner = getpid();
    bool written = false;
};

// Holds the ledger's lock. Meanwhile the program's handlers of signals wait: they may touch memory that is on the device,
// and this thread may be in the middle of asking the device for something. What that takes the device has to pay for.
class Locked {
public:
    explicit Locked(std::recursive_mutex &lock) : lock_(lock)
    {
        if (depth()++ == 0)
            ompc_signals_hold(&held_);
        lock_.lock();
        begun_ = settings().weighs && depth() == 1 ? now() : 0;
    }
    ~Locked()
    {
        if (begun_ != 0)
            payoff().held_up(now() - begun_);
        lock_.unlock();
        if (--depth() == 0)
            ompc_signals_release(&held_);
    }
    // How long it has been held; 0: nobody asks what the device costs.
    double seconds() const { return begun_ != 0 ? now() - begun_ : 0; }
    Locked(const Locked &) = delete;
    Locked &operator=(const Locked &) = delete;

private:
    static int &depth()
    {
        static thread_local int of_thread = 0;
        return of_thread;
    }

    std::recursive_mutex &lock_;
    ompc_held_signals_t held_;
    double begun_;
};

inline Ledger &ledger();

// A child of fork finds the lock free: no other thread is in a launch when its copy is made.
inline void before_fork()
{
    if (!is_connecting_thread())
        ledger().lock.lock();
}
inline void after_fork()
{
    if (!is_connecting_thread())
        ledger().lock.unlock();
}
inline void after_fork_in_child()
{
    new (&ledger().lock) std::recursive_mutex; // its owner was a thread of the parent
}

inline Ledger &ledger()
{
    static Ledger *const the_ledger = [] {
        auto *const fresh = new Ledger;
        ompc_at_fork(before_fork, after_fork, after_fork_in_child);
        return fresh;
    }();
    return *the_ledger;
}

} // namespace ompc

#endif

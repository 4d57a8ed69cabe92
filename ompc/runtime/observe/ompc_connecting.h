// ompc_connecting.h: the device is started by a thread of its own while the program is still at work on its data.
//
// To start CUDA takes a third of a second. Under a debugger that thread forks meanwhile, an agent of the debugger's: what the
// runtime does before a fork of the program (ompc_ledger.h, ompc_resident.cc), which is to wait for this very thread and
// for the lock that its waiting caller holds, is not for such a child. It never runs the program.
//
// It waits until the program has run as long as the start takes, unless somebody wants the device before: a program that ends by
// then never makes a context, and no program that does so for nothing takes twice as long (what to do who cannot know how often
// he will ski: rent until that has cost as much as buying. Karlin and others, "Competitive snoopy caching", 1988).
//
// That thread, and those that CUDA makes for itself meanwhile, take no signals of the program's, also none for which it installs
// a handler later: a handler that waits there for what is on the device would stop the device.

#ifndef OMPC_CONNECTING_H
#define OMPC_CONNECTING_H

#include "ompc_host.h"

#include "ompc_settings.h"

#include <atomic>
#include <thread>
#include <unistd.h>

namespace ompc {

// Is the calling thread starting the device?
inline bool &is_connecting_thread()
{
    static thread_local bool is_so = false;
    return is_so;
}

class Connecting {
public:
    // `delay`: seconds, if nobody waits for it.
    template <class Connect>
    void start(Connect connect, double delay)
    {
        ompc_held_signals_t held;
        ompc_signals_hold_all(&held);
        state_ = State::waits;
        const double begin = now() + delay;
        thread_ = std::thread([this, connect, begin] {
            while (state_ == State::waits && now() < begin)
                usleep(look_microseconds);
            State waits = State::waits;
            if (state_ == State::wanted || state_.compare_exchange_strong(waits, State::wanted)) {
                begun_ = now();
                here(connect);
            }
        });
        ompc_signals_release(&held);
    }
    // On the thread that calls.
    template <class Connect>
    static void here(Connect connect)
    {
        ompc_held_signals_t held;
        ompc_signals_hold_all(&held);
        is_connecting_thread() = true;
        connect();
        is_connecting_thread() = false;
        ompc_signals_release(&held);
    }
    bool is_under_way() const { return thread_.joinable(); }

    // For how long it has been at work.
    double seconds() const { return begun_ > 0 ? now() - begun_ : 0; }

    void finish()
    {
        State waits = State::waits;
        state_.compare_exchange_strong(waits, State::wanted);
        thread_.join();
    }
    // Ends it, if it still waits.
    bool abandon()
    {
        State waits = State::waits;
        if (!is_under_way() || !state_.compare_exchange_strong(waits, State::abandoned))
            return false;
        thread_.join();
        return true;
    }

private:
    enum class State { waits, wanted, abandoned };
    static constexpr unsigned look_microseconds = 2000;

    std::atomic<State> state_{State::waits};
    std::atomic<double> begun_{0};
    std::thread thread_;
};

} // namespace ompc

#endif

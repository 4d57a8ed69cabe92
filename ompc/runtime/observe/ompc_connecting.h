// ompc_connecting.h: the device is started by a thread of its own while the program is still at work on its data.
//
// To start CUDA takes a third of a second. Under a debugger that thread forks meanwhile, an agent of the debugger's: what the
// runtime does before a fork of the program (ompc_ledger.h, ompc_resident.cc), which is to wait for this very thread and
// for the lock that its waiting caller holds, is not for such a child. It never runs the program.
//
// That thread, and those that CUDA makes for itself meanwhile, take no signals of the program's, also none for which it installs
// a handler later: a handler that waits there for what is on the device would stop the device.

#ifndef OMPC_CONNECTING_H
#define OMPC_CONNECTING_H

#include "ompc_host.h"
#include "ompc_settings.h"

#include <atomic>
#include <thread>

namespace ompc {

// Is the calling thread starting the device?
inline bool &is_connecting_thread()
{
    static thread_local bool is_so = false;
    return is_so;
}

class Connecting {
public:
    template <class Connect>
    void start(Connect connect)
    {
        ompc_held_signals_t held;
        ompc_signals_hold_all(&held);
        begun_ = now();
        is_over_ = false;
        thread_ = std::thread([this, connect] {
            here(connect);
            is_over_ = true;
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
    // For so long the thread has been at it; 0: there is none, or it has done its work.
    double seconds_so_far() const { return is_under_way() && !is_over_ ? now() - begun_ : 0; }
    void finish() { thread_.join(); }

private:
    double begun_ = 0;
    std::atomic<bool> is_over_{false};
    std::thread thread_;
};

} // namespace ompc

#endif

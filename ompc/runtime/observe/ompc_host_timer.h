// ompc_host_timer.h: how long the host takes for loops that could have gone to the device (ompc_cost_model.h).

#ifndef OMPC_HOST_TIMER_H
#define OMPC_HOST_TIMER_H

#include "ompc_history.h"
#include "ompc_payoff.h"
#include "ompc_host.h"
#include "ompc_ledger.h"
#include "ompc_region.h"
#include "ompc_settings.h"

namespace ompc {

// Measures the loops that the host runs, each on the thread that has come to it.
struct HostTimer {
    Region *region;
    double operations, begun;
    unsigned long long hindrances; // so far: where host code touched what was on the device
    bool tries;                    // to find out whether the loop needs a device

    static HostTimer &of_thread()
    {
        static thread_local HostTimer timer{nullptr, 0, 0, 0, false};
        return timer;
    }
    // Whatever was measured before was left by a jump, or is one around it.
    static void start(Region &region, double operations, bool tries)
    {
        of_thread() = {&region, operations, now(), payoff().hindrances(), tries};
    }
    static void stop()
    {
        HostTimer &timer = of_thread();
        if (timer.region == nullptr)
            return;
        const double seconds = now() - timer.begun;
        const Locked guard(ledger().lock);
        history().ran_on_host(seconds);
        RegionCosts::lost_by_all() += timer.tries ? seconds : 0;
        if (payoff().hindrances() == timer.hindrances)
            payoff().host_took(timer.region->costs, seconds, timer.operations);
        timer.region = nullptr;
    }
};
} // namespace ompc

#endif

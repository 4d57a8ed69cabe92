// ompc_host_timer.h: how long the host takes for loops that could have gone to the device (ompc_cost_model.h).

#ifndef OMPC_HOST_TIMER_H
#define OMPC_HOST_TIMER_H

#include "ompc_history.h"
#include "ompc_payoff.h"
#include "ompc_host.h"
#include "ompc_libc.h"
#include "ompc_ledger.h"
#include "ompc_region.h"
#include "ompc_settings.h"

#include <sys/resource.h>

namespace ompc {

// Measures the loops that the host runs, each on the thread that has come to it. A loop that touches memory for the first time says
// nothing of the next one: the system has to find and clear the pages.
struct HostTimer {
    Region *region;
    double operations, begun;
    unsigned long long hindrances; // so far: where host code touched what was on the device
    bool tries;                    // to find out whether the loop needs a device
    long pages;                    // that the system has given to the process so far

    static HostTimer &of_thread()
    {
        static thread_local HostTimer timer{nullptr, 0, 0, 0, false, 0};
        return timer;
    }
    // Whatever was measured before was left by a jump, or is one around it.
    static void start(Region &region, double operations, bool tries)
    {
        of_thread() = {&region, operations, now(), payoff().hindrances(), tries, pages_so_far()};
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
        const bool is_usual = static_cast<double>(pages_so_far() - timer.pages) <= pages_per_second * seconds;
        if (payoff().hindrances() == timer.hindrances && (is_usual || timer.region->costs.is_unusual_again(timer.operations)))
            payoff().host_took(timer.region->costs, seconds, timer.operations);
        timer.region = nullptr;
    }

private:
    static constexpr double pages_per_second = 1e5; // of which each takes half a microsecond at least

    static long pages_so_far()
    {
        rusage used{};
        return ompc_libc_getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_minflt : 0;
    }
};
} // namespace ompc

#endif

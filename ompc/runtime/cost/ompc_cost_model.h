// ompc_cost_model.h: the offload cost model: is a launch worth it? (`auto`)
//
// The host does ten thousand operations while a kernel is launched and waited for, and data that the device lacks takes longer
// to get there than most loops take. So a launcher says about how many operations its loop is, and from that, from where the
// data is now, and from the machine's costs (ompc_costs.h) follow four times:
//
//     host, device          the loop on either side, with its data there
//     to_device, to_host    until the data is there, and the device connected
//
// Moving is paid once, the rest each time. Nobody knows how often a loop will run again, so what is lost by staying where the
// data is adds up until it would have paid for moving (rent or buy): never more than twice as slow as knowing beforehand.
//
// Until the device is connected, that alone is more than most programs ever lose, and then nothing else is asked.
//
// How long an operation takes on the host is measured as soon as the host has run the loop once; until then it is a guess.
// Likewise the first kernels of a loop, and those of a millisecond and more (ompc_kernel_watch.h): by how much they differ
// from what is estimated. Whether all that has paid in the end is measured, too (ompc_payoff.h).
//
// Loops so short that their launches are most of what they take may be one block's work, all together (a chain). That is compared,
// too, and asks nothing of the host.
//
// OMPC_OFFLOAD says whether anybody asks (ompc_settings.h). Loops of target constructs are not asked about.

#ifndef OMPC_COST_MODEL_H
#define OMPC_COST_MODEL_H

#include "ompc_region_costs.h"
#include "ompc_costs.h"

#include <algorithm>

namespace ompc {

// About how long the kernel of a loop takes on a device that runs so many threads at once.
inline double kernel_seconds(double threads, double operations, double iterations)
{
    constexpr double operations_per_second = 2e12, seconds_of_one = 3e-9; // all threads; one thread, which waits for itself
    const double turns = std::max(1.0, iterations / threads);
    return std::max(operations / operations_per_second, turns * operations / std::max(iterations, 1.0) * seconds_of_one);
}

// The same, launch and all, where kernels take `factor` times as long as that; `waits`: for its end, too.
inline double device_seconds(const MachineCosts &costs, double kernel, bool waits, double factor = 1)
{
    return kernel * factor + (waits ? costs.launch_and_wait_seconds : costs.launch_seconds);
}

// What a chain saves: so many launches, of which the host would wait for some.
struct Saved {
    double launches = 0, waits = 0;
};

// About how long one block takes for what would be so many launches. On an H200 loops over vectors took 0.4 us and
// 0.02 ns for each operation more, until they left the processor's caches.
inline double block_seconds(const Saved &saved, double operations)
{
    constexpr double seconds_of_loop = 0.5e-6, seconds_of_operation = 0.03e-9;
    return saved.launches * seconds_of_loop + operations * seconds_of_operation;
}

// Is that less than the launches take by themselves?
inline bool one_block_pays(const MachineCosts &costs, const Saved &saved, double operations)
{
    const double waits = saved.waits * (costs.launch_and_wait_seconds - costs.launch_seconds);
    return block_seconds(saved, operations) <= saved.launches * costs.launch_seconds + waits;
}

} // namespace ompc

#endif

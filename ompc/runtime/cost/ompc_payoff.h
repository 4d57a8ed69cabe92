// ompc_payoff.h: has the device paid so far, in all? Then it goes on; else the program goes back to the host.
//
// Whether one loop is worth a launch (ompc_cost_model.h) is decided by estimates, and by itself. What the launches of all loops
// have cost is measured: the time for which the runtime held the program up, in launches and where host code touched what was
// on the device. Beside it is put what the host takes for the same loops, as measured, or where it has never run one, as it
// might at best. When the device has cost more than that, by 15 ms and 3 % of the time so far, all loops stay on the host:
//
//     the host's times are known then    the device was slower: until the program has run twice as long, or ten times where
//                                        that was clear; then once more. Or until the host has lost as much again by
//                                        taking longer than kernels would, if only what was moved once made the device slower;
//                                        four times as much each time
//     they are not                       loops are measured on the host as they come; as soon as those that have been measured
//                                        are slower there than all that the device has cost, they go back
//
// So a program is slower than on the host by a few per cent at most, whatever its kernels do, or copies between loops on
// either side. What is paid once is not counted: the context, and what the first launch of each
// loop costs (rent or buy); loops that never come again say nothing about those that do. Nor is what launches cost that
// nobody weighs (of `target` constructs, of unknown work), until a weighed one finds the device idle.

#ifndef OMPC_PAYOFF_H
#define OMPC_PAYOFF_H

#include "ompc_region_costs.h"
#include "ompc_together.h"

#include <type_traits>

namespace ompc {

class Payoff {
public:
    enum class Change { none, closed, opened };

    // The program was held up for so long, in the last launch or by what it has left on the device.
    void held_up(double seconds)
    {
        held_up_ += is_first_ || is_apart_ ? 0 : seconds;
        together_.held_up(is_first_ || is_apart_ ? 0 : seconds);
    }
    // How loops go to the device, as long as it is open to them. What they cost the other way says nothing of the way that begins.
    Together &together() { return together_; }
    Together::Change look_together(double elapsed)
    {
        const Together::Change change = is_closed_ ? Together::Change::none : together_.look(elapsed);
        if (change != Together::Change::none)
            begin();
        return change;
    }
    // Host code touched what was on the device: what it takes then is not what the host takes.
    void hinders() { hindrances_++; }
    unsigned long long hindrances() const { return hindrances_; }

    // A loop that nobody weighs has been launched: what the program is held up for now is that loop's.
    void launched_apart() { is_apart_ = true; }

    // The region has been launched, which takes a little longer still; `elapsed`: since the program began; `was_busy`: had
    // the device something to do before?
    Change launched(RegionCosts &costs, double operations, double elapsed, bool was_busy = false)
    {
        is_apart_ = is_apart_ && was_busy;
        if (is_apart_ || is_closed_)
            return Change::none;
        is_first_ = costs.offloaded() == 0;
        launches_++;
        host_ += is_first_ ? 0 : operations * costs.at_best();
        costs.offload(is_first_ ? least_operations : operations, operations);
        if (launches_ < fewest || held_up_ - host_ <= allowed_seconds + allowed_share * elapsed)
            return Change::none;
        is_closed_ = true;
        lost_ = held_up_ - host_;
        missed_ = 0;
        again_at_ = elapsed * (held_up_ > clearly * host_ ? 10 : 2);
        return Change::closed;
    }

    // The host has run the region, which took so long.
    void host_took(RegionCosts &costs, double seconds, double operations)
    {
        if (!costs.is_alike(operations))
            return;
        const double before = costs.at_best();
        costs.host_took(seconds, operations);
        is_known_better(costs, before);
    }
    // Of a joint launch: what its loops, which have regions of their own, take there for each operation.
    void host_takes(RegionCosts &costs, double each)
    {
        const double before = costs.at_best();
        costs.is_taken_to_take(each);
        is_known_better(costs, before);
    }

    // A loop stays on the host, which takes so much longer, or less long, than the device would with the data there.
    void stays(double longer) { missed_ += longer; }

    // Does everything stay on the host?
    bool is_closed() const { return is_closed_; }
    Change look(double elapsed)
    {
        if (!is_closed_ || (lost_ >= 0 && missed_ < patience_ * lost_ && elapsed < again_at_))
            return Change::none;
        patience_ *= lost_ >= 0 && missed_ >= patience_ * lost_ ? 4 : 1; // not again so soon
        is_closed_ = false;
        begin();
        together_.begin_apart(elapsed);
        return Change::opened;
    }

private:
    void begin()
    {
        held_up_ = host_ = 0;
        launches_ = 0;
    }
    void is_known_better(const RegionCosts &costs, double before)
    {
        const double more = costs.offloaded() * (costs.at_best() - before);
        host_ += more;
        lost_ -= more;
    }

    static constexpr double allowed_seconds = 15e-3, allowed_share = 0.03;
    static constexpr int fewest = 4; // launches that say anything
    static constexpr double clearly = 1.3, least_operations = 1e-9;

    bool is_apart_ = false, is_closed_ = false;
    bool is_first_ = true; // the last launch was its region's first
    double held_up_ = 0, host_ = 0; // seconds, since it was opened; the latter of the loops that were launched
    double lost_ = 0, again_at_ = 0;
    double missed_ = 0, patience_ = 1; // seconds, since it was closed; how many times what was lost
    unsigned long long hindrances_ = 0;
    int launches_ = 0;
    Together together_;
};

// Asked for by the handler of faults, which may not allocate: constant before the program begins, and never destroyed.
inline Payoff &payoff()
{
    static Payoff the_payoff;
    static_assert(std::is_trivially_destructible_v<Payoff>);
    return the_payoff;
}

} // namespace ompc

#endif

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
// either side. Programs have phases: of what has been gained or lost before, the older half counts half, each time that the program has
// run for a tenth longer, so that what one phase has gained pays for little of what the next one loses.
//
// What is paid once is no loss: the context, and what the first launch of each loop costs (rent or buy); loops that never come again
// say nothing about those that do. But where launches that are repeated gain nothing, what was paid once may be 40 ms and 4 % of the
// time so far, with what they lose. Nor is it a loss what launches cost that nobody weighs (of `target` constructs, of unknown work),
// until a weighed one finds the device idle.

#ifndef OMPC_PAYOFF_H
#define OMPC_PAYOFF_H

#include "ompc_region_costs.h"
#include "ompc_together.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace ompc {

class Payoff {
public:
    enum class Change { none, closed, opened };

    // The program was held up for so long, in the last launch or by what it has left on the device.
    void held_up(double seconds)
    {
        if (is_closed_)
            lost_ += lost_ > 0 ? seconds : 0; // what was there comes home
        debt_ += is_apart_ ? 0 : seconds;
        held_up_ += is_first_ || is_apart_ ? 0 : seconds;
        repeated_.held_up += repeats_ && !is_apart_ ? seconds : 0;
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
        forget(elapsed);
        is_first_ = !costs.has_been_offloaded();
        launches_++;
        repeats_ = !is_first_ && costs.is_measured(operations);
        repeated_.launches += repeats_ ? 1 : 0;
        repeated_.host += repeats_ ? operations * costs.at_best(operations) : 0;
        host_ += is_first_ ? 0 : operations * costs.at_best(operations);
        debt_ = std::max(debt_ - operations * costs.at_best(operations), 0.0);
        costs.offload(is_first_ ? 0 : operations, operations, halvings_);
        if (launches_ < fewest || (held_up_ - host_ <= allowed_seconds + allowed_share * window_ && !is_in_debt(elapsed)))
            return Change::none;
        is_closed_ = true;
        lost_ = is_in_debt(elapsed) ? debt_ : held_up_ - host_;
        missed_ = 0;
        again_at_ = elapsed * (held_up_ > clearly * host_ ? 10 : 2);
        return Change::closed;
    }

    // The host has run the region, which took so long.
    void host_took(RegionCosts &costs, double seconds, double operations)
    {
        const double before = costs.offloaded_on_host(halvings_);
        costs.host_took(seconds, operations);
        is_known_better(costs, before);
    }
    // Of a joint launch of so many operations: what its loops, which have regions of their own, take there for each.
    void host_takes(RegionCosts &costs, double each, double operations)
    {
        const double before = costs.offloaded_on_host(halvings_);
        costs.is_taken_to_take(each, operations);
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
        held_up_ = host_ = window_ = debt_ = 0;
        launches_ = 0;
        repeated_ = {};
        halvings_ += all_halvings;
    }
    // Has more been paid than a program may lose, with what is paid once, and is nothing of it gained back?
    bool is_in_debt(double elapsed) const
    {
        return repeated_.launches >= fewest && repeated_.held_up > repeated_.host && debt_ > most_debt_seconds + most_debt_share * elapsed;
    }
    // What was before counts half as much, now and then.
    void forget(double elapsed)
    {
        window_ += elapsed - std::exchange(looked_at_, elapsed);
        if (elapsed - halved_at_ < std::max(least_window, window_share * elapsed))
            return;
        halved_at_ = elapsed;
        held_up_ /= 2, host_ /= 2, window_ /= 2;
        repeated_.held_up /= 2, repeated_.host /= 2;
        halvings_++;
        together_.forget();
    }
    void is_known_better(const RegionCosts &costs, double before)
    {
        const double more = costs.offloaded_on_host(halvings_) - before;
        host_ += more;
        lost_ -= more;
    }

    static constexpr double allowed_seconds = 15e-3, allowed_share = 0.03;
    static constexpr int fewest = 4; // launches that say anything
    static constexpr double clearly = 1.3;
    static constexpr double most_debt_seconds = 40e-3, most_debt_share = 0.04;
    static constexpr double least_window = 0.5, window_share = 0.1; // seconds; of the time so far
    static constexpr Halvings all_halvings = 1000;                  // nothing is left

    bool is_apart_ = false, is_closed_ = false;
    bool is_first_ = true; // the last launch was its region's first
    double held_up_ = 0, host_ = 0; // seconds, since it was opened, and not forgotten; the latter of the loops that were launched
    double debt_ = 0;               // what launches have cost, the first of each loop included, and gains have not paid back
    double window_ = 0;             // seconds for which the program ran meanwhile
    double looked_at_ = 0, halved_at_ = 0;
    Halvings halvings_ = 0;
    double lost_ = 0, again_at_ = 0;
    double missed_ = 0, patience_ = 1; // seconds, since it was closed; how many times what was lost
    unsigned long long hindrances_ = 0;
    int launches_ = 0;
    struct Repeated {
        int launches = 0;
        double held_up = 0, host = 0;
    } repeated_; // of loops that had been launched before, and whose time on the host has been measured
    bool repeats_ = false; // so was the last launch
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

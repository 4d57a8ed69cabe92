// ompc_payoff.h: has the device paid so far, in all? Then it goes on; else the program goes back to the host.
//
// Whether one loop is worth a launch (ompc_profit.h) is decided by estimates, and by itself. What the launches of all loops
// have cost is measured: the time for which the runtime held the program up, in launches and where host code touched what was
// on the device. Beside it is put what the host takes for the same loops, as measured, or where it has never run one, as it
// might at best. When the device has cost more than that, by 15 ms and 3 % of the time so far, all loops stay on the host:
//
//     the host's times are known then    the device was slower: until the program has run twice as long, then once more
//     they are not                       each loop is measured on the host once; and if that is slower after all, they go back
//
// So a program is slower than on the host by a few per cent at most, whatever its kernels do, or copies between loops on
// either side. What is paid once is not counted: the context, and what a loop moves at its first launch (rent or buy).

#ifndef OMPC_PAYOFF_H
#define OMPC_PAYOFF_H

#include "ompc_balance.h"

namespace ompc {

class Payoff {
public:
    enum class Change { none, closed, opened };

    // The program was held up for so long.
    void held_up(double seconds) { held_up_ += seconds; }
    // Host code touched what was on the device: what it takes then is not what the host takes.
    void hinders() { hindrances_++; }
    unsigned long long hindrances() const { return hindrances_; }

    // Of that, what is paid once.
    void invested(double seconds) { held_up_ -= seconds; }

    // A loop that nobody weighs has been launched: what the program is held up for is not known to be these loops'.
    void knows_nothing() { counts_ = false; }

    // The region has been launched; `elapsed`: since the program began.
    Change launched(Balance &balance, double operations, double elapsed)
    {
        if (!counts_ || is_closed_)
            return Change::none;
        launches_++;
        host_ += operations * balance.at_best();
        unmeasured_ += balance.offload(operations) && !balance.is_measured() ? 1 : 0;
        if (launches_ < fewest || held_up_ - host_ <= allowed_seconds + allowed_share * elapsed)
            return Change::none;
        is_closed_ = true;
        lost_ = held_up_ - host_;
        closed_at_ = elapsed;
        return Change::closed;
    }

    // The host has run the region, which took so long.
    void host_took(Balance &balance, double seconds, double operations)
    {
        const bool is_first = !balance.is_measured();
        const double guessed = balance.at_best();
        balance.host_took(seconds, operations);
        if (!is_first || balance.offloaded() == 0)
            return;
        const double more = balance.offloaded() * (balance.at_best() - guessed);
        host_ += more;
        lost_ -= more;
        unmeasured_--;
    }

    // Does everything stay on the host?
    bool is_closed() const { return is_closed_; }
    Change look(double elapsed)
    {
        const bool was_better = unmeasured_ <= 0 && lost_ < 0;
        if (!is_closed_ || (!was_better && elapsed < 2 * closed_at_))
            return Change::none;
        is_closed_ = false;
        held_up_ = host_ = 0;
        launches_ = 0;
        return Change::opened;
    }

private:
    static constexpr double allowed_seconds = 15e-3, allowed_share = 0.03;
    static constexpr int fewest = 4; // launches that say anything

    bool counts_ = true, is_closed_ = false;
    double held_up_ = 0, host_ = 0; // seconds, since it was opened; the latter of the loops that were launched
    double lost_ = 0, closed_at_ = 0;
    unsigned long long hindrances_ = 0;
    int launches_ = 0, unmeasured_ = 0; // regions that were launched and have never run on the host
};

inline Payoff &payoff()
{
    static Payoff *const the_payoff = new Payoff;
    return *the_payoff;
}

} // namespace ompc

#endif

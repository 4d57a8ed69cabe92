// ompc_together.h: do the loops of a program go to the device together?
//
// A loop by itself goes where it is faster, and moves its data when it has lost as much as that takes (ompc_region_costs.h). For
// loops that use the same arrays that is too late, or never ends: of ten loops of a step each pays for what the others would have
// moved, and where one of them stays on the host, the arrays of all come and go in each step. So all of them are looked at, too, as
// one task whose data moves once (rent or buy for the program; the loops are the requests of a metrical task system, Borodin,
// Linial and Saks 1992, of which only the two states with all data on one side are considered):
//
//     as it is           the time for which the runtime has held the program up, and what the host took for the loops it kept
//     all on the device  what their kernels are estimated to take there
//     all on the host    what they take there, or might at best
//
// When the second is clearly the least, loops go together from then on: data is moved as long as all loops together have lost as
// much by not having it there, and a loop stays on the host only if it is faster there with what brings its data home and back each
// time. When that turns out to be slower than what it has replaced, each loop goes by itself again.
//
// In: each answer about a weighed loop.   Out: the offer as a loop sees it that goes together with others.
// Not here: whether the device pays at all (ompc_payoff.h).

#ifndef OMPC_TOGETHER_H
#define OMPC_TOGETHER_H

#include "ompc_region_costs.h"

#include <algorithm>

namespace ompc {

class Together {
public:
    enum class Change { none, together, apart };

    bool is_on() const { return is_on_; }

    // The offer to a loop, as it is to be weighed now.
    Offer seen(Offer offer) const
    {
        if (!is_on_)
            return offer;
        if (offer.to_host > 0) // the others want it there
            offer.host = clearly * (offer.host + offer.to_host + offer.back);
        offer.to_host = 0;
        if (offer.to_device <= credit_)
            offer.to_device = 0;
        return offer;
    }

    // What a loop takes: as likely, and at best, on the host; on the device, with its data there.
    struct Loop {
        double host, at_best, device;
    };
    // It has come so many times, and stayed on the host; or once more than that, and is launched, for which so much is moved.
    void kept(const Loop &loop, double times)
    {
        count(loop, times);
        kept_ += loop.host * times;
        credit_ += std::max(loop.host - loop.device, 0.0) * times;
    }
    void launched(const Loop &loop, double times, double to_device)
    {
        if (times > 1)
            kept(loop, times - 1);
        count(loop, 1);
        moved_ += to_device;
        credit_ = std::max(credit_ + std::max(loop.host - loop.device, 0.0) - to_device, 0.0);
        if (is_on_ && to_device > 0)
            RegionCosts::ask_all_again(); // loops that stay on the host for a while would take home what has been moved
    }
    void held_up(double seconds) { held_up_ += seconds; }
    // What loops have lost so far has paid for the device's start.
    void pays(double seconds) { credit_ = std::max(credit_ - seconds, 0.0); }

    // The device is there. Is it time to go together, or each by itself again?
    Change look(double elapsed)
    {
        last_ = elapsed;
        const double cost = held_up_ + kept_;
        const double margin = patience_ * (allowed_seconds + allowed_share * (elapsed - begun_));
        if (is_on_) {
            const double before = apart_ * host_;
            if (apart_ == 0 || host_ < least_seconds || cost - moved_ <= clearly * before + margin)
                return Change::none;
            together_ = (cost - moved_) / host_;
            patience_ *= 4;
        } else {
            const bool is_best = clearly * device_ < std::min(at_best_, cost) && device_ + margin < cost;
            if (!is_best || (together_ > 0 && clearly * together_ * host_ > cost))
                return Change::none;
            apart_ = launches_ >= fewest ? cost / host_ : 0; // of a program that has been on the host alone, that is said by Payoff
        }
        is_on_ = !is_on_;
        begin(elapsed);
        return is_on_ ? Change::together : Change::apart;
    }
    // What was before counts half as much.
    void forget()
    {
        begun_ += (last_ - begun_) / 2;
        for (double *const each : {&held_up_, &kept_, &moved_, &host_, &at_best_, &device_, &launches_})
            *each /= 2;
    }
    // All loops were on the host meanwhile.
    void begin_apart(double elapsed)
    {
        is_on_ = false;
        begin(elapsed);
    }

private:
    void count(const Loop &loop, double times)
    {
        host_ += loop.host * times;
        at_best_ += loop.at_best * times;
        device_ += loop.device * times;
        launches_ += times;
    }
    void begin(double elapsed)
    {
        begun_ = last_ = elapsed;
        held_up_ = kept_ = moved_ = host_ = at_best_ = device_ = launches_ = 0;
    }

    static constexpr double allowed_seconds = 15e-3, allowed_share = 0.03, clearly = 1.25;
    static constexpr double least_seconds = 30e-3; // of loops, before anything is known of them
    static constexpr double fewest = 4;

    bool is_on_ = false;
    double credit_ = 0;                                      // seconds that loops have lost on the host, or gained, and nothing has been moved for
    double begun_ = 0, last_ = 0;                            // since then, as far as it is not forgotten:
    double held_up_ = 0, kept_ = 0, moved_ = 0;              // seconds
    double host_ = 0, at_best_ = 0, device_ = 0;             // seconds of all loops
    double launches_ = 0;
    double apart_ = 0, together_ = 0;                        // what either took, by what the host would have; 0: not known
    double patience_ = 1;
};

} // namespace ompc

#endif

// ompc_region_costs.h: the cost model of one region: what has been lost by staying where the data is, and how fast host and
// device are (ompc_cost_model.h).

#ifndef OMPC_REGION_COSTS_H
#define OMPC_REGION_COSTS_H

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

extern "C" int omp_get_max_threads(void) __attribute__((weak));
extern "C" int omp_get_num_threads(void) __attribute__((weak));

namespace ompc {

// Seconds: the loop on either side, with its data there; until its data is there; until the device has again what the host would write.
struct Offer {
    double host = 0, device = 0, to_device = 0, to_host = 0, back = 0;
};

// Of an iteration, where what is known of its work says that there is none: for (k = 0; k < i; k++) for i = 0.
constexpr double least_work = 1;

inline bool are_similar(double operations, double others)
{
    return operations <= 2 * others && operations >= others / 2;
}

// Loops of a region may have other sizes from call to call, as on the levels of a multigrid cycle, each with data of its own: what
// is known is kept for each power of two.
constexpr unsigned sizes_apart = 40;
inline unsigned size_of(double operations)
{
    int exponent = 0;
    static_cast<void>(std::frexp(operations, &exponent));
    return static_cast<unsigned>(std::clamp(exponent, 0, static_cast<int>(sizes_apart) - 1));
}

// Of what the program has done so far the older half counts half (ompc_payoff.h): how often that has been so.
using Halvings = unsigned;

// Of one region: what has been lost so far, and how fast the host and the device are.
class RegionCosts {
public:
    // Does one thread of the host run the loop, whatever team there is?
    explicit RegionCosts(bool is_serial = false) : is_serial_(is_serial) {}

    // From now on the device is nearer than it was: no answer is known any more.
    static void ask_all_again() { times().fetch_add(1, std::memory_order_relaxed); }
    // How often that has been so.
    static unsigned asked_again() { return times().load(std::memory_order_relaxed); }

    // Is the answer known without asking what the data is doing? A loop that has stayed on the host stays there for a while.
    // Threads may ask at once, without the ledger's lock: then they may skip a few times more.
    bool stays(double operations)
    {
        Known &known = known_of(operations);
        const unsigned skips = known.time == times() ? known.skips.load(relaxed) : 0;
        if (skips == 0 || !are_similar(operations, known.operations.load(relaxed)))
            return false;
        known.skips.store(skips - 1, relaxed);
        known.skipped.store(known.skipped.load(relaxed) + 1, relaxed);
        return true;
    }
    // How often it stays now, as it was last asked about, without being asked: a team counts these times for itself.
    unsigned skips_of_team()
    {
        Known &known = known_of(last());
        const unsigned skips = known.time == times() ? known.skips.exchange(0, relaxed) : 0;
        known.skipped.store(known.skipped.load(relaxed) + skips, relaxed);
        return skips;
    }
    // It stays for a while, though nobody has compared anything.
    void rests(double operations)
    {
        answered(operations);
        stays_for(skips_in(unseen_seconds, operations, most_skips_at_all), operations);
    }
    // It is asked about the next time: its data had to be fetched, and may have to be again.
    void does_not_rest(double operations) { stays_for(0, operations); }

    bool favours_device(const Offer &offer, double operations)
    {
        Known &known = known_of(operations);
        const double gain = offer.host - offer.device;         // each time
        const double moving = offer.to_device - offer.to_host; // once
        const bool better = gain >= 0, better_now = gain >= moving;
        const double times = turns(operations);
        answered(operations);
        if (std::exchange(known.has_fetched, false) && offer.to_host > 0)
            known.patience = std::min(2 * known.patience, most_patience);
        if (better == better_now) {
            known.lost = 0;
            stays_for(better ? 0 : skips_in(unseen_seconds, operations, most_skips()), operations);
            return better;
        }
        known.lost += (better ? gain : -gain) * times;
        lost_by_all() += better ? gain * times : 0;
        const double left = (better ? moving : -moving * known.patience) - known.lost;
        if (left > 0) {
            if (better && gain > 0) // on the host for now; an eighth of what is left may pass unseen
                stays_for(static_cast<unsigned>(std::min<double>(most_skips(), left / gain / 8)), operations);
            return better_now;
        }
        known.lost = 0;
        known.has_fetched = !better;
        return better;
    }

    // Is that the answer whatever the data is doing? Nothing is on the device; `at_best`: if it could all stay there and cost
    // nothing to move.
    bool surely_stays(const Offer &at_best, double operations)
    {
        const double gain = at_best.host - at_best.device, lost = known_of(operations).lost;
        if (lost + std::max(gain, 0.0) * turns(operations) >= at_best.to_device || favours_device(at_best, operations))
            return false;
        if (gain < 0)
            stays_for(skips_in(unseen_seconds, operations, most_skips_at_all), operations); // or until the device is connected
        return true;
    }

    // Where the device is much slower than estimated, nobody can say that the host is: it is to be tried, if it may be fast.
    double host_seconds(double operations) const
    {
        const double measured = measured_near(operations);
        const double each = device_factor(operations) > 2 ? at_best(operations) : measured > 0 ? measured : guess();
        return fork_seconds() + operations * each;
    }
    // The same where work comes before the answer that is lost if the host is faster. What a small loop has taken is mostly its
    // beginning and end, and says little of one that is much larger.
    double careful_host_seconds(double operations) const
    {
        return is_like_measured(operations) ? host_seconds(operations) : std::min(host_seconds(operations), fork_seconds() + operations * guess());
    }

    // What a loop takes that the host has run with nearly as many operations; of any other one nothing is known: 0.
    double measured_host_seconds(double operations) const
    {
        const double measured = measured_near(operations);
        return measured > 0 && is_like_measured(operations) ? fork_seconds() + operations * measured : 0;
    }

    // The same where nobody is going to try: what makes the device slower than estimated is taken to do so to the host.
    double likely_host_seconds(double operations) const
    {
        const double measured = measured_near(operations);
        return fork_seconds() + operations * (measured > 0 ? measured : guess() * std::max(1.0, device_factor(operations)));
    }

    // The same as it might be at best.
    double least_host_seconds(double operations) const { return fork_seconds() + operations * at_best(operations); }

    // What loops have lost on the host by waiting for a device, all together.
    static double &lost_by_all()
    {
        static double seconds = 0;
        return seconds;
    }

    // Nobody knows how fast the host is at the loop, and it is expected to take it so many seconds at most: is it to be tried?
    bool tries_host(double operations, double seconds)
    {
        const bool is_tried = !is_measured() && tries_ < most_tries && fork_seconds() + operations * guess() <= seconds;
        tries_ += is_tried ? 1 : 0;
        return is_tried;
    }

    // Of an operation on the host: as measured for this size, a larger one, or one that is not much smaller; else if it is fast. What was
    // measured once, in a program that has just begun or on a machine that had other things to do, is doubted where another size is faster.
    double at_best(double operations) const
    {
        const double measured = measured_near(operations, least_alike);
        if (measured <= 0)
            return guess() / 8;
        return known_of(operations).times > 1 ? measured : std::min(measured, most_times_as_slow * fastest());
    }
    bool is_measured() const { return measured_operations_ > 0; }
    bool is_measured(double operations) const { return measured_near(operations, least_alike) > 0; }
    // How many operations it had when it was last asked about, and what each of so many takes on the host, where that is measured.
    double last() const { return last_.load(relaxed); }
    double measured(double operations) const { return measured_near(operations); }
    void is_taken_to_take(double each, double operations)
    {
        known_of(operations).host = each;
        known_of(operations).times++;
        measured_operations_ = std::max(measured_operations_, operations);
    }
    // Earlier runs have shown how long an operation takes on the host, in loops of so many, how many times as long as estimated kernels
    // take, and how long a launch holds the program up at least; 0: nobody knows. What this run shows counts for more.
    bool is_to_be_recalled() { return !std::exchange(is_recalled_, true); }
    void recall(double each, double operations, double factor, double launch)
    {
        Known &known = known_of(operations);
        if (known.host <= 0 && each > 0) {
            known.host = each;
            known.times = 2; // at least, where it mattered
            measured_operations_ = std::max(measured_operations_, operations);
            host_measurements()++;
        }
        if (!known.is_timed && factor > 0)
            known.recalled_factor = factor;
        if (known.last_launch <= 0)
            known.launch = known.last_launch = launch;
    }
    // What this run has shown of one size; false: nothing.
    struct Shown {
        double each = 0, operations = 0, factor = 0, launch = 0;
    };
    bool has_shown(unsigned size, Shown &shown) const
    {
        const Known &known = known_[size];
        shown = {known.host, known.operations.load(relaxed), known.is_timed ? known.factor : 0, known.launch};
        return (known.host > 0 || known.is_timed || known.launch > 0) && shown.operations > 0;
    }
    // How often it has come since it was last asked about with such a size, with this time.
    double turns(double operations) const { return 1 + known_of(operations).skipped.load(relaxed); }
    // How often the host has run a loop and was measured: of all of them.
    static unsigned &host_measurements()
    {
        static unsigned so_far = 0;
        return so_far;
    }

    // The device has done so many operations of a loop with that many, and what the host would have taken for all of them since then.
    void offload(double operations, double size, Halvings now)
    {
        Known &known = known_of(size);
        known.offloaded = operations + since(known, now);
        known.halved = now;
        has_been_offloaded_ = true;
    }
    bool has_been_offloaded() const { return has_been_offloaded_; }
    double offloaded_on_host(Halvings now) const
    {
        double seconds = 0;
        for (unsigned size = 0; has_been_offloaded_ && size < sizes_apart; size++)
            if (known_[size].offloaded > 0)
                seconds += since(known_[size], now) * at_best(std::ldexp(0.75, static_cast<int>(size)));
        return seconds;
    }

    // A processor that had other things to do says little: one long time raises what is expected (0: nothing) by half at most.
    static double smoothed(double expected, double found) { return expected > 0 ? std::min(found, 1.5 * expected) : found; }

    void host_took(double seconds, double operations)
    {
        const double each = std::max(seconds - fork_seconds(), seconds / 2) / operations;
        host_measurements()++;
        known_of(operations).host = smoothed(known_of(operations).host, each);
        known_of(operations).times++;
        measured_operations_ = std::max(measured_operations_, operations);
    }

    // Such a loop touches new memory each time that it is measured: then that is what it takes.
    bool is_unusual_again(double operations) { return ++known_of(operations).unusual >= most_tries; }

    // The threads of a team had met for so long before one of them launched, and behind that: a part of each launch.
    void meeting_took(double seconds) { meeting_ = smoothed(meeting_, seconds); }
    double meeting_seconds() const { return meeting_; }

    // A launch of so many operations, for which nothing was moved and nothing else was under way, held the program up for so long. One
    // that took long says nothing: the processor had other things to do.
    void launch_took(double seconds, double operations)
    {
        Known &known = known_of(operations);
        known.launch = known.last_launch > 0 ? std::min(seconds, known.last_launch) : 0;
        known.last_launch = seconds;
    }
    // At least so long does the next one; 0: nobody knows.
    double launch_seconds(double operations) const { return known_of(operations).launch; }
    // The loop stays on the host, where nobody finds out that launches have become faster.
    void doubts_launches(double operations)
    {
        Known &known = known_of(operations);
        known.launch *= 0.98, known.last_launch *= 0.98;
    }

    // A kernel of so many operations took so long. Estimates know nothing of how its accesses lie in memory, or of what waits for what.
    void device_took(double seconds, double estimated, double operations)
    {
        Known &known = known_of(operations);
        known.measurements++;
        known.factor = smoothed(known.is_timed ? known.factor : 0, std::max(seconds / estimated, 0.1));
        known.is_timed = true;
    }
    // A kernel was too short to say by how much.
    void device_is_quick(double operations)
    {
        known_of(operations).measurements++;
        known_of(operations).factor = 1;
    }
    // Is a kernel that is estimated to take so long to be measured? That takes microseconds; before a loop's first one it may
    // be loaded, which takes milliseconds.
    bool is_to_be_measured(double estimated) const
    {
        return estimated > 0 && has_been_offloaded_ && (known_of(last()).measurements < 3 || estimated * device_factor(last()) >= 1e-3);
    }
    // How many times as long as estimated kernels take.
    double device_factor(double operations) const
    {
        const double factor = nearest(operations, sizes_apart, [](const Known &known) { return known.factor; });
        const double recalled = factor > 0 ? 0 : nearest(operations, sizes_apart, [](const Known &known) { return known.recalled_factor; });
        return factor > 0 ? factor : recalled > 0 ? recalled : 1;
    }
    // How many times as long as expected launches may take that nobody has measured: with less at stake, no device is started for them.
    double doubt() const
    {
        const auto is_known = [](const Known &known) { return known.is_timed || known.recalled_factor > 0; };
        return std::any_of(known_, known_ + sizes_apart, is_known) ? 1 : 2;
    }

private:
    static constexpr std::memory_order relaxed = std::memory_order_relaxed;

    // Of one size. Seconds of an operation on the host, and how many times as long as estimated kernels take, are 0 where nobody knows.
    struct Known {
        std::atomic<double> operations{0};
        std::atomic<unsigned> skips{0}, skipped{0}, time{0}; // how often it stays without being asked, and has since it was asked
        double host = 0, factor = 0, recalled_factor = 0;    // the last by earlier runs
        double lost = 0;
        // Has the data been fetched, so that the loop is done on the host from now on? Where the device has it again at the next
        // time, that was in vain, and so many times as much is to be lost before it is done again.
        double patience = 1;
        double launch = 0, last_launch = 0;
        double offloaded = 0; // operations
        Halvings halved = 0;  // when that was so
        int measurements = 0, times = 0, unusual = 0; // of kernels, and on the host; of the latter those that touched new memory
        bool has_fetched = false, is_timed = false; // the latter: a kernel was long enough to say by how much
    };
    Known &known_of(double operations) { return known_[size_of(operations)]; }
    const Known &known_of(double operations) const { return known_[size_of(operations)]; }
    void stays_for(unsigned skips, double operations) { known_of(operations).skips.store(skips, relaxed); }

    // What is known of the size, or of the nearest one, of which so many below; else 0.
    template <class Value>
    double nearest(double operations, unsigned below, const Value &value) const
    {
        const unsigned size = size_of(operations);
        for (unsigned apart = 0; apart < sizes_apart; apart++) {
            if (size + apart < sizes_apart && value(known_[size + apart]) > 0)
                return value(known_[size + apart]);
            if (apart <= std::min(size, below) && value(known_[size - apart]) > 0)
                return value(known_[size - apart]);
        }
        return 0;
    }
    double measured_near(double operations, unsigned below = sizes_apart) const
    {
        return is_measured() ? nearest(operations, below, [](const Known &known) { return known.host; }) : 0;
    }
    // Of an operation on the host, of any size that has been measured.
    double fastest() const
    {
        double least = 0;
        for (const Known &known : known_)
            least = known.host > 0 && (least <= 0 || known.host < least) ? known.host : least;
        return least;
    }
    static double since(const Known &known, Halvings now)
    {
        return std::ldexp(known.offloaded, -static_cast<int>(std::min(now - known.halved, 1000U)));
    }

    bool is_like_measured(double operations) const { return operations <= most_times_as_many * measured_operations_; }

    // Nothing has been skipped since, and nothing is to be.
    void answered(double operations)
    {
        Known &known = known_of(operations);
        known.skips.store(0, relaxed);
        known.skipped.store(0, relaxed);
        known.operations.store(operations, relaxed);
        known.time.store(times(), relaxed);
        last_.store(operations, relaxed);
    }
    double threads() const
    {
        if (is_serial_)
            return 1;
        const int team = omp_get_num_threads == nullptr ? 1 : omp_get_num_threads();
        const int most = omp_get_max_threads == nullptr ? 1 : omp_get_max_threads();
        return std::max({team, most, 1});
    }
    // How often all have been asked again.
    static std::atomic<unsigned> &times()
    {
        static std::atomic<unsigned> so_far{0};
        return so_far;
    }
    // How often the host runs the loop in so many seconds: `most` times at most.
    unsigned skips_in(double seconds, double operations, unsigned most) const
    {
        return static_cast<unsigned>(std::min<double>(most, seconds / (1e-9 + operations * at_best(operations))));
    }
    // What stands between launches may have its data elsewhere soon.
    unsigned most_skips() const { return is_serial_ ? 7 : most_skips_at_all; }
    double guess() const { return 0.5e-9 / threads(); }
    double fork_seconds() const { return threads() > 1 ? 2e-6 : 0; }

    const bool is_serial_;
    static constexpr int most_tries = 3;
    static constexpr unsigned most_skips_at_all = 63;
    static constexpr double unseen_seconds = 1e-3; // a loop that takes longer is asked each time: what is known of the whole run may change
    static constexpr double most_times_as_many = 16, most_patience = 1024;
    static constexpr double most_times_as_slow = 4; // memory, and what lies in caches
    static constexpr unsigned least_alike = 2; // so many powers of two smaller is a loop that says how long an operation takes
    double measured_operations_ = 0; // at most
    bool is_recalled_ = false, has_been_offloaded_ = false;
    double meeting_ = 0;
    int tries_ = 0; // of the host, without a measurement so far
    std::atomic<double> last_{0};
    Known known_[sizes_apart];
};

} // namespace ompc

#endif

// Guards: loops that share data go to the device together where that is faster, and not where it is not: programs played through.

#include "ompc_cost_model.h"
#include "ompc_payoff.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

using ompc::Offer;
using ompc::Payoff;
using ompc::RegionCosts;
using ompc::Together;

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            std::printf("line %d: %s does not hold\n", __LINE__, #condition);     \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

namespace {

constexpr double in_seconds_per_byte = 1 / 9.4e9, out_seconds_per_byte = 1 / 18.6e9, copy_seconds = 9e-6;

struct Array {
    double bytes;
    bool at_host = true, on_device = false;
};

struct Loop {
    double host, device;              // seconds
    std::vector<int> reads, writes;   // arrays
    double times_as_slow = 1;         // as estimated, on the device
    int offset = 0;                   // of the arrays, in each second step: a function that is called for two of them
    RegionCosts costs = RegionCosts();
    bool is_serial = false;           // no loop of ompc's: always on the host
    int launches = 0;

    // As many as the host is expected to do in that time.
    double operations() const { return host * 1e12 / RegionCosts().likely_host_seconds(1e12); }
};

// A program whose steps run the same loops. Which side has what of an array is as the runtime keeps it.
class Program {
public:
    Program(std::vector<Array> arrays, bool goes_together, int hinders = 0)
        : arrays_(std::move(arrays)), goes_together_(goes_together), hinders_(hinders)
    {
    }

    Loop &add(double host, double device, std::vector<int> reads, std::vector<int> writes)
    {
        loops_.emplace_back();
        Loop &loop = loops_.back();
        loop.host = host, loop.device = device, loop.reads = std::move(reads), loop.writes = std::move(writes);
        return loop;
    }

    double run(int steps)
    {
        for (int step = 0; step < steps; step++)
            for (Loop &loop : loops_)
                come(loop, loop.offset * (step % 2));
        return elapsed_;
    }
    double host_alone(int steps) const { return steps * sum([](const Loop &loop) { return loop.host; }); }
    double device_alone(int steps) const
    {
        return steps * sum([](const Loop &loop) { return loop.is_serial ? loop.host : loop.device * loop.times_as_slow; });
    }

private:
    template <class F>
    double sum(F f) const
    {
        double all = 0;
        for (const Loop &loop : loops_)
            all += f(loop);
        return all;
    }

    void come(Loop &loop, int offset)
    {
        if (loop.is_serial || !asks(loop, offset))
            on_host(loop, offset);
        else
            on_device(loop, offset);
    }

    bool asks(Loop &loop, int offset)
    {
        const double operations = loop.operations();
        payoff_.look(elapsed_);
        if (payoff_.is_closed())
            return false;
        if (loop.costs.stays(operations))
            return false;
        Offer offer;
        offer.host = loop.costs.host_seconds(operations);
        offer.device = std::max(loop.device, loop.costs.launch_seconds(operations));
        each(loop, offset, [&](Array &array, bool is_written) {
            offer.to_device += array.on_device ? 0 : array.bytes * in_seconds_per_byte + copy_seconds;
            offer.to_host += array.at_host ? 0 : array.bytes * out_seconds_per_byte + copy_seconds;
            offer.back += is_written ? array.bytes * in_seconds_per_byte + copy_seconds : 0;
        });
        const double times = loop.costs.turns(operations), host = loop.costs.likely_host_seconds(operations);
        const Together::Loop part{host, std::min(host, loop.costs.least_host_seconds(operations)), offer.device};
        Together &together = payoff_.together();
        const bool goes = loop.costs.favours_device(goes_together_ ? together.seen(offer) : offer, operations);
        if (goes)
            together.launched(part, times, offer.to_device);
        else
            together.kept(part, times), loop.costs.doubts_launches(operations);
        if (goes_together_ && payoff_.look_together(elapsed_) != Together::Change::none)
            RegionCosts::ask_all_again();
        return goes;
    }

    template <class F>
    void each(const Loop &loop, int offset, F f)
    {
        for (const int k : loop.reads)
            f(arrays_[static_cast<std::size_t>(k + offset)], false);
        for (const int k : loop.writes)
            f(arrays_[static_cast<std::size_t>(k + offset)], true);
    }

    void on_host(Loop &loop, int offset)
    {
        double held = 0;
        each(loop, offset, [&](Array &array, bool is_written) {
            held += array.at_host ? 0 : array.bytes * out_seconds_per_byte + copy_seconds;
            array.at_host = true;
            array.on_device = array.on_device && !is_written;
        });
        elapsed_ += held + loop.host;
        payoff_.held_up(held);
        if (held == 0 && !loop.is_serial)
            payoff_.host_took(loop.costs, loop.host, loop.operations());
    }

    // On a busy machine one launch in so many takes a hundred times as long.
    bool is_hindered(Loop &loop) const { return hinders_ > 0 && loop.launches++ % hinders_ == 0; }

    void on_device(Loop &loop, int offset)
    {
        double held = loop.device * loop.times_as_slow * (is_hindered(loop) ? 100 : 1), moving = 0;
        each(loop, offset, [&](Array &array, bool is_written) {
            moving += array.on_device ? 0 : array.bytes * in_seconds_per_byte + copy_seconds;
            array.on_device = true;
            array.at_host = array.at_host && !is_written;
        });
        payoff_.launched(loop.costs, loop.operations(), elapsed_ += held + moving);
        payoff_.held_up(held + moving);
        if (moving == 0)
            loop.costs.launch_took(held, loop.operations());
    }

    std::vector<Array> arrays_;
    std::deque<Loop> loops_;
    Payoff payoff_;
    double elapsed_ = 0;
    const bool goes_together_;
    const int hinders_;
};

// Conjugate gradients with loops over edges, each of which the host does faster: two of rows, and two of columns, which are in all pages.
Program gradients(bool goes_together, int hinders = 0)
{
    Program program({{8e6}, {8e6}, {8e6}, {8e6}, {8e6}, {8e6}, {16e3}, {16e3}}, goes_together, hinders);
    const auto edges = [&program](int whole, int rows) {
        for (int side = 0; side < 4; side++)
            program.add(3e-6, 5e-6, {}, {side < 2 ? rows : whole});
    };
    program.add(400e-6, 25e-6, {0, 1, 2, 6}, {3});
    program.add(330e-6, 25e-6, {2, 3}, {4, 5, 7});
    edges(4, 7);
    program.add(160e-6, 12e-6, {5}, {2, 6});
    edges(2, 6);
    return program;
}

// Thirty loops over twenty large arrays, of which each loop uses a few.
Program flow(bool goes_together)
{
    Program program(std::vector<Array>(20, Array{128e6}), goes_together);
    for (int k = 0; k < 30; k++)
        program.add(8e-3, 0.3e-3, {k % 20, (3 * k + 1) % 20, (7 * k + 2) % 20}, {(11 * k + 5) % 20});
    return program;
}

void loops_that_share_data_go_together()
{
    constexpr int steps = 5000;
    Program apart = gradients(false), together = gradients(true);
    const double by_themselves = apart.run(steps), all = together.run(steps);
    CHECK(all < 1.3 * together.device_alone(steps) + 0.1);
    CHECK(all <= by_themselves);
}

// A launch that takes long once says nothing of the next ones.
void loops_stay_together_on_a_busy_machine()
{
    constexpr int steps = 5000;
    for (const int hinders : {3, 50, 700, 4000}) {
        Program program = gradients(true, hinders);
        const double hindered = program.device_alone(steps) * (1 + 100.0 / hinders);
        CHECK(program.run(steps) < 1.25 * hindered + 0.1);
    }
}

void many_large_arrays_move_soon()
{
    constexpr int steps = 20;
    Program apart = flow(false), together = flow(true);
    const double by_themselves = apart.run(steps), all = together.run(steps);
    const double moving = 20 * 128e6 * in_seconds_per_byte;
    CHECK(all < together.device_alone(steps) + 3 * moving);
    CHECK(all < 0.8 * by_themselves);
}

// Serial code looks at an array in each step, and writes to it.
void what_bounces_stays()
{
    constexpr int steps = 3000;
    Program program({{64e6}, {64e6}}, true);
    program.add(2e-3, 0.1e-3, {0}, {1});
    program.add(2e-3, 0.1e-3, {1}, {0});
    program.add(1e-3, 0, {}, {0}).is_serial = true;
    CHECK(program.run(steps) < 1.05 * program.host_alone(steps) + 0.1);
}

void kernels_that_are_slow_are_left()
{
    constexpr int steps = 2000;
    Program program({{8e6}, {8e6}}, true);
    program.add(1e-3, 0.1e-3, {0}, {1}).times_as_slow = 40;
    program.add(1e-3, 0.1e-3, {1}, {0});
    CHECK(program.run(steps) < 1.05 * program.host_alone(steps) + 0.1);
}

// One loop is much faster on the host, and shares nothing with the others.
void what_is_better_by_itself_goes_by_itself()
{
    constexpr int steps = 2000;
    Program program({{8e6}, {8e6}, {8e6}}, true);
    program.add(1e-3, 0.05e-3, {0}, {1});
    program.add(1e-3, 0.05e-3, {1}, {0});
    program.add(0.1e-3, 5e-3, {}, {2});
    CHECK(program.run(steps) < 1.1 * steps * 0.2e-3 + 0.1);
}

} // namespace

int main()
{
    loops_that_share_data_go_together();
    loops_stay_together_on_a_busy_machine();
    many_large_arrays_move_soon();
    what_bounces_stays();
    kernels_that_are_slow_are_left();
    what_is_better_by_itself_goes_by_itself();
    std::puts("ok");
    return 0;
}

// Guards: a loop goes where it is faster, and moves only once staying has cost as much; what the host was measured to do.

#include "ompc_payoff.h"
#include "ompc_cost_model.h"

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            std::printf("line %d: %s does not hold\n", __LINE__, #condition);     \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

using ompc::RegionCosts;
using ompc::Offer;

// Launches of one kind until the device is favoured, `most` at most.
static int launches_until(RegionCosts &costs, const Offer &offer, bool device, int most, double operations = 1000)
{
    for (int k = 1; k <= most; k++)
        if (!costs.stays(operations) && costs.favours_device(offer, operations) == device)
            return k;
    return most + 1;
}

static void clear_cases()
{
    RegionCosts a, b;
    CHECK(a.favours_device({1, 0.5, 0, 0}, 10) && a.favours_device({1, 0.5, 0.4, 0}, 10)); // also with the move
    CHECK(!b.favours_device({0.5, 1, 0, 0}, 10));
    int asked = 0;
    for (int k = 0; k < 640; k++)
        asked += !b.stays(10) && !b.favours_device({0.5, 1, 0, 0}, 10);
    CHECK(asked == 9 || asked == 10); // the others were not asked about
    CHECK(!b.stays(100) && b.favours_device({5, 1, 0, 0}, 100)); // much more work is another question
}

// What a team is told once counts as often as it was told, and costs no meeting meanwhile.
static void teams_are_told()
{
    RegionCosts costs;
    CHECK(costs.meeting_seconds() == 0);
    for (const double seconds : {3.0, 2.0, 5.0})
        costs.meeting_took(seconds);
    CHECK(costs.meeting_seconds() == 3); // half as much again as before, at most
    CHECK(!costs.favours_device({1e-5, 1, 0, 0}, 1000) && costs.turns(1000) == 1);
    const unsigned told = costs.skips_of_team();
    CHECK(told == 63 && costs.skips_of_team() == 0 && !costs.stays(1000));
    CHECK(costs.turns(1000) == 1.0 + told);
}

static void recalled()
{
    RegionCosts costs, measured;
    CHECK(costs.is_to_be_recalled() && !costs.is_to_be_recalled());
    costs.recall(2e-9, 1e6, 3, 0);
    CHECK(costs.is_measured() && costs.measured(1e6) == 2e-9 && costs.device_factor(1e6) == 3);
    measured.host_took(1e-3, 1e6);
    const double before = measured.measured(1e6);
    measured.recall(5, 1e6, 0, 0);
    CHECK(measured.measured(1e6) == before && measured.device_factor(1e6) == 1);
    measured.recall(5, 1e9, 0, 1e-4);
    CHECK(measured.launch_seconds(1e9) == 1e-4 && measured.launch_seconds(1e6) == 0);
    CHECK(measured.measured(1e6) == before && measured.measured(1e9) == 5);
}

static void moves_are_bought()
{
    RegionCosts costs;
    const int k = launches_until(costs, {2, 1, 100, 0}, true, 1000); // gains 1 each time, moving costs 100
    CHECK(100 <= k && k <= 115);
    CHECK(costs.favours_device({2, 1, 0, 0}, 1000)); // there
    RegionCosts back;
    CHECK(back.favours_device({1, 2, 0, 50}, 1000)); // the data is there
    const int home = launches_until(back, {1, 2, 0, 50}, false, 1000);
    CHECK(48 <= home && home <= 52);
    RegionCosts never;
    CHECK(launches_until(never, {1, 1.5, 100, 0}, true, 1000) == 1001);
}

// The data is on the device whenever the loop comes, though the host has fetched it before: that is done less and less often.
static void what_does_not_last_is_bought_seldom()
{
    RegionCosts costs;
    int fetched = 0;
    for (int k = 0; k < 4000; k++)
        fetched += !costs.stays(1000) && !costs.favours_device({1, 2, 0, 50}, 1000);
    CHECK(4 <= fetched && fetched <= 7); // after 50, 100, 200 ... launches
    RegionCosts lasting;
    for (int times = 0; times < 5; times++) {
        const int home = launches_until(lasting, {1, 2, 0, 50}, false, 1000);
        CHECK(48 <= home && home <= 52 + 63); // behind launches that are not asked about
        CHECK(!lasting.favours_device({1, 2, 50, 0}, 1000)); // it stayed there, for a while
    }
}

static void what_the_context_costs_is_enough_to_know()
{
    RegionCosts costs;
    const Offer gains{2, 1, 10, 0}, loses{1, 2, 10, 0};
    int known = 0;
    while (costs.surely_stays(gains, 1000))
        known++;
    CHECK(known == 9); // then the data is asked about
    const int more = launches_until(costs, {2, 1, 20, 0}, true, 100);
    CHECK(10 <= more && more <= 12); // what was lost before counts
    RegionCosts small;
    CHECK(small.surely_stays(loses, 1000) && small.stays(1000));
    CHECK(!RegionCosts().surely_stays({20, 1, 10, 0}, 1000));
}

static void the_host_is_measured()
{
    RegionCosts costs;
    const double guessed = costs.host_seconds(1e9);
    CHECK(guessed > 1e-3 && guessed < 1);
    costs.host_took(2.0, 1e9);
    CHECK(costs.host_seconds(1e9) > 1.9 && costs.host_seconds(1e9) < 2.1);
    costs.host_took(1.0, 1e9);
    CHECK(costs.host_seconds(2e9) > 1.9 && costs.host_seconds(2e9) < 2.1);
    costs.host_took(100.0, 1e9); // it was interrupted
    CHECK(costs.host_seconds(1e9) < 1.6);
    for (int k = 0; k < 20; k++)
        costs.host_took(100.0, 1e9); // it is slower now
    CHECK(costs.host_seconds(1e9) > 99);
    RegionCosts small;
    const double usual = small.host_seconds(1e9);
    small.host_took(20e-6, 100);
    CHECK(small.careful_host_seconds(1000) > 100e-6 && small.careful_host_seconds(1e9) <= usual); // not 200 s
    small.host_took(3, 1e9);
    CHECK(small.careful_host_seconds(1e9) > 2.9);
}

static void the_device_is_estimated()
{
    const ompc::MachineCosts costs;
    const double threads = 132 * 2048;
    const double empty = ompc::device_seconds(costs, ompc::kernel_seconds(threads, 1, 1), false);
    CHECK(empty >= costs.launch_seconds && empty < 2 * costs.launch_seconds);
    CHECK(ompc::device_seconds(costs, ompc::kernel_seconds(threads, 1, 1), true) >= costs.launch_and_wait_seconds);
    CHECK(ompc::device_seconds(costs, ompc::kernel_seconds(threads, 1e6, 1), false) > 1e-3); // one thread does it all
    CHECK(ompc::device_seconds(costs, ompc::kernel_seconds(threads, 1e9, 1e8), false) < 1e-3);
}

static void one_block_does_what_is_short()
{
    const ompc::MachineCosts costs;
    CHECK(ompc::one_block_pays(costs, {2, 0}, 2 * 17.0 * 1000));     // two loops over a thousand elements
    CHECK(!ompc::one_block_pays(costs, {2, 0}, 2 * 17.0 * 100000));  // or over many more
    CHECK(ompc::one_block_pays(costs, {2, 2}, 2 * 17.0 * 10000));    // for each of which the host would wait
    CHECK(!ompc::one_block_pays(costs, {2, 0}, 2 * 17.0 * 10000));
    CHECK(ompc::one_block_pays(costs, {4000, 1000}, 1e6) && !ompc::one_block_pays(costs, {1, 0}, 1e6));
}

// While it is skipped nobody sees that the whole run has fallen behind.
static void long_loops_are_asked_each_time()
{
    RegionCosts costs, small;
    costs.host_took(8e-3, 1e6);
    costs.rests(1e6);
    CHECK(!costs.stays(1e6));
    small.host_took(8e-6, 1e3);
    small.rests(1e3);
    int skips = 0;
    for (; small.stays(1e3); skips++) {}
    CHECK(skips == 63);
}

static void loops_that_stay_are_not_asked_again()
{
    RegionCosts costs;
    CHECK(!costs.stays(100));
    costs.rests(100);
    for (int k = 0; k < 63; k++)
        CHECK(costs.stays(k % 2 ? 120 : 70));
    CHECK(!costs.stays(100)); // now and then
    costs.rests(100);
    CHECK(!costs.stays(201) && !costs.stays(49) && costs.stays(100)); // another size is another question
    RegionCosts::ask_all_again();
    CHECK(!costs.stays(100));
}

static void each_size_has_a_rest_of_its_own()
{
    RegionCosts levels;
    for (double size = 64; size < 1e6; size *= 2)
        levels.rests(size);
    for (int k = 0; k < 3; k++)
        for (double size = 64; size < 1e6; size *= 2)
            CHECK(levels.stays(size));
    CHECK(levels.turns(64) == 4 && levels.turns(4096) == 4);
}

// What short launches hold the program up for is more than the kernel and a launch by itself.
static void launches_are_measured()
{
    RegionCosts costs;
    CHECK(costs.launch_seconds(1000) == 0);
    costs.launch_took(4, 1000);
    CHECK(costs.launch_seconds(1000) == 0); // once is never
    for (const double seconds : {2.0, 9.0})
        costs.launch_took(seconds, 1000);
    CHECK(costs.launch_seconds(1000) == 2 && costs.launch_seconds(600) == 2 && costs.launch_seconds(9000) == 0);
    costs.launch_took(8, 1000);
    CHECK(costs.launch_seconds(1000) == 8);
    costs.doubts_launches(1000);
    CHECK(costs.launch_seconds(1000) < 8);
    for (int k = 0; k < 2; k++)
        costs.launch_took(1e-4, 9000);
    CHECK(costs.launch_seconds(9000) == 1e-4 && costs.launch_seconds(1000) > 7); // each size by itself
}

// Until then estimates may be wrong by two.
static void what_nobody_has_measured_is_doubted()
{
    RegionCosts unknown, recalled, measured;
    CHECK(unknown.doubt() == 2);
    recalled.recall(0, 0, 1.5, 0);
    measured.device_is_quick(1e6);
    measured.device_took(1e-3, 1e-3, 1e6);
    CHECK(recalled.doubt() == 1 && measured.doubt() == 1);
}

static void the_device_is_measured()
{
    const ompc::MachineCosts machine;
    RegionCosts costs;
    CHECK(costs.device_factor(1e12) == 1);
    const double guessed = costs.host_seconds(1e12);
    costs.device_took(5, 0.5, 1e12);
    CHECK(costs.device_factor(1e12) == 10 && costs.host_seconds(1e12) < guessed / 7); // is to be tried
    costs.device_took(500, 0.5, 1e12); // others were at work
    CHECK(costs.device_factor(1e12) == 15);
    costs.device_took(0.25, 0.5, 1e12);
    CHECK(costs.device_factor(1e12) == 0.5);
    costs.device_took(0, 0.5, 1e12);
    CHECK(costs.device_factor(1e12) > 0);
    CHECK(costs.device_factor(1e9) == costs.device_factor(1e12)); // until it is measured
    costs.device_took(1.5, 0.5, 1e9);
    CHECK(costs.device_factor(1e9) == 3 && costs.device_factor(1e12) < 1);
    const double once = ompc::device_seconds(machine, ompc::kernel_seconds(1e5, 1e9, 256), false), ten = ompc::device_seconds(machine, ompc::kernel_seconds(1e5, 1e9, 256), false, 10);
    CHECK(ten > 9 * once && ten < 10 * once);
}

using ompc::Payoff;

// Steps of a program, with a loop of 1e6 operations each, until all loops stay on the host; `slow`: seconds on the device.
static int steps_until_closed(Payoff &payoff, RegionCosts &costs, double slow, double host, double &elapsed, int most)
{
    for (int k = 1; k <= most; k++) {
        elapsed += slow + host;
        if (payoff.launched(costs, 1e6, elapsed) == Payoff::Change::closed)
            return k;
        payoff.held_up(slow);
    }
    return most + 1;
}

static void a_device_that_does_not_pay_is_left()
{
    Payoff payoff;
    RegionCosts costs;
    costs.host_took(1e-3, 1e6);
    double elapsed = 0;
    const int steps = steps_until_closed(payoff, costs, 3e-3, 0, elapsed, 1000);
    CHECK(4 <= steps && steps <= 12 && payoff.is_closed()); // 2 ms lost in each
    CHECK(payoff.look(1.5 * elapsed) == Payoff::Change::none && payoff.is_closed());
    CHECK(payoff.look(9 * elapsed) == Payoff::Change::none && payoff.look(10.5 * elapsed) == Payoff::Change::opened);
    CHECK(payoff.launched(costs, 1e6, elapsed) == Payoff::Change::none); // from the beginning again
}

static void a_device_that_pays_stays()
{
    Payoff payoff;
    RegionCosts costs, unknown;
    costs.host_took(1e-3, 1e6);
    double elapsed = 0;
    CHECK(steps_until_closed(payoff, costs, 0.9e-3, 1e-3, elapsed, 10000) == 10001);
    CHECK(steps_until_closed(payoff, costs, 1.02e-3, 1e-3, elapsed, 1000) == 1001); // a few per cent
    const double at_best = unknown.at_best(1e6) * 1e6;
    CHECK(steps_until_closed(payoff, unknown, at_best / 2, 1e-3, elapsed, 10000) == 10001);
}

static void what_is_not_known_is_tried()
{
    Payoff payoff;
    RegionCosts costs;
    double elapsed = 0;
    CHECK(steps_until_closed(payoff, costs, 50e-3, 0, elapsed, 100) <= 5);
    payoff.host_took(costs, 0.5, 1e6); // ten times as long
    CHECK(payoff.look(elapsed) == Payoff::Change::opened && !payoff.is_closed());
    CHECK(steps_until_closed(payoff, costs, 50e-3, 0, elapsed, 100) == 101);
    Payoff other;
    RegionCosts fast;
    CHECK(steps_until_closed(other, fast, 50e-3, 0, elapsed, 1000) <= 1000);
    other.host_took(fast, 1e-3, 1e6);
    CHECK(other.look(elapsed) == Payoff::Change::none && other.is_closed());
}

// A conjugate gradient: the matrix is made once by loops that never come again, then 1900 products, 1.8 ms on the host each.
static void a_loop_that_never_comes_again_keeps_nobody()
{
    Payoff payoff;
    RegionCosts making[5], product;
    double elapsed = 0.3;
    for (RegionCosts &each : making) {
        payoff.launched(each, 1e6, elapsed += 40e-3);
        payoff.held_up(40e-3);
    }
    int on_host = 0;
    for (int k = 0; k < 1900; k++) {
        payoff.look(elapsed);
        if (payoff.is_closed()) {
            on_host++;
            elapsed += 1.8e-3;
            payoff.host_took(product, 1.8e-3, 1e6);
        } else {
            payoff.launched(product, 1e6, elapsed += 0.16e-3);
            payoff.held_up(0.16e-3);
        }
    }
    CHECK(on_host <= 3);
}

// A multigrid: the loop comes in small sizes, too, of which each operation takes the host long.
static void small_sizes_say_nothing_of_large_ones()
{
    Payoff payoff;
    RegionCosts costs;
    double elapsed = 0;
    CHECK(steps_until_closed(payoff, costs, 40e-3, 0, elapsed, 100) <= 6);
    payoff.host_took(costs, 10e-6, 10);
    CHECK(payoff.look(elapsed) == Payoff::Change::none && payoff.is_closed());
    payoff.host_took(costs, 4e-3, 1e6);
    CHECK(payoff.look(elapsed) == Payoff::Change::none && payoff.is_closed());
}

// A conjugate gradient again: once a launch waits for what another one moves, and after that the device would be much faster.
static void what_was_lost_once_is_weighed_against_what_the_host_loses()
{
    Payoff payoff;
    RegionCosts product;
    double elapsed = 2;
    int on_host = 0;
    for (int k = 0; k < 1900; k++) {
        payoff.look(elapsed);
        if (payoff.is_closed()) {
            on_host++;
            elapsed += 8e-3;
            if (product.is_measured())
                payoff.stays(product.turns(product.last()) * 7.7e-3);
            else
                payoff.host_took(product, 8e-3, 1e6);
        } else {
            payoff.launched(product, 1e6, elapsed += 0.3e-3);
            payoff.held_up(k == 5 ? 0.15 : 0.3e-3);
        }
    }
    CHECK(0 < on_host && on_host < 100);
}

// The device would be faster, but for what is copied each time: each time that it is tried it is left for longer.
static void what_is_lost_each_time_is_tried_less_and_less_often()
{
    Payoff payoff;
    RegionCosts costs;
    costs.host_took(5e-3, 1e6);
    double elapsed = 0, lost = 0;
    for (int k = 0; k < 10000; k++) {
        payoff.look(elapsed);
        if (payoff.is_closed()) {
            elapsed += 5e-3;
            payoff.stays(4.5e-3);
        } else {
            payoff.launched(costs, 1e6, elapsed += 25e-3);
            payoff.held_up(25e-3);
            lost += 20e-3;
        }
    }
    CHECK(lost <= 0.05 * elapsed + 0.1);
}

// A multigrid solves on a fine grid, which pays, and then on the next one, which does not: that is left soon.
static void what_a_phase_has_gained_does_not_pay_for_the_next_one()
{
    Payoff payoff;
    RegionCosts costs;
    costs.host_took(10e-3, 1e6);
    costs.host_took(1e-3, 1e5);
    double elapsed = 0, lost = 0;
    for (; elapsed < 10; elapsed += 8e-3) {
        CHECK(payoff.launched(costs, 1e6, elapsed) == Payoff::Change::none);
        payoff.held_up(8e-3);
    }
    while (!payoff.is_closed() && lost < 10) {
        payoff.launched(costs, 1e5, elapsed += 5e-3);
        payoff.held_up(5e-3);
        lost += 4e-3;
    }
    CHECK(lost < 0.06 * elapsed);
}

// Loading kernels and moving data has cost 200 ms, and what comes then loses a little each time: that is left at once.
static void what_was_paid_once_and_gains_nothing_is_given_up()
{
    Payoff payoff;
    RegionCosts loops[10];
    double elapsed = 1;
    for (RegionCosts &each : loops) {
        each.host_took(1e-3, 1e6);
        CHECK(payoff.launched(each, 1e6, elapsed += 20e-3) == Payoff::Change::none);
        payoff.held_up(20e-3);
    }
    const int more = steps_until_closed(payoff, loops[0], 1.5e-3, 0, elapsed, 100);
    CHECK(more <= 6);
    CHECK(payoff.look(elapsed + 0.1) == Payoff::Change::none); // not before the host has lost as much
    payoff.stays(0.15);
    CHECK(payoff.look(elapsed + 0.2) == Payoff::Change::none);
    payoff.stays(0.1);
    CHECK(payoff.look(elapsed + 0.3) == Payoff::Change::opened);
}

// Each time step has gained much before its results are fetched and written: that is no reason to leave.
static void what_comes_now_and_then_is_a_part_of_the_whole()
{
    Payoff payoff;
    RegionCosts costs;
    costs.host_took(4e-3, 1e6);
    double elapsed = 0;
    for (int k = 0; k < 20000; k++) {
        CHECK(payoff.launched(costs, 1e6, elapsed += 1e-3) == Payoff::Change::none);
        payoff.held_up(k % 500 == 499 ? 100e-3 : 1e-3);
    }
}

// What the host takes for an operation is another question on each level: small ones are in its caches.
static void each_size_is_measured_by_itself()
{
    RegionCosts costs;
    costs.host_took(1, 1e9);
    CHECK(costs.measured(1e9) > 0.9e-9 && costs.measured(1e8) == costs.measured(1e9) && costs.is_measured(1e8) && !costs.is_measured(1e10));
    costs.host_took(1e-2, 1e8);
    CHECK(costs.measured(1e8) < 0.11e-9 && costs.measured(1e9) > 0.9e-9 && costs.measured(1e7) == costs.measured(1e8));
    RegionCosts once; // when the program had just begun
    once.host_took(1e-3, 1e6);
    once.host_took(1, 1e8);
    CHECK(once.at_best(1e8) < 5e-9 && once.at_best(1e6) > 0.9e-9);
    once.host_took(0.9, 1e8);
    CHECK(once.at_best(1e8) > 8e-9);
    RegionCosts levels;
    CHECK(launches_until(levels, {2, 1, 100, 0}, true, 60, 1e6) == 61);
    CHECK(launches_until(levels, {2, 1, 100, 0}, true, 1000, 1e3) > 90); // what the other one has lost is another level's
}

static void what_is_paid_once_is_no_loss()
{
    Payoff payoff;
    RegionCosts costs;
    costs.host_took(1e-3, 1e6);
    double elapsed = 1;
    payoff.held_up(1); // the context, nothing has been launched
    payoff.launched(costs, 1e6, elapsed);
    payoff.held_up(1); // what it moves
    CHECK(steps_until_closed(payoff, costs, 0.5e-3, 0, elapsed, 1000) == 1001);
}

// A target construct among loops that are weighed: what it takes, and what waits for it, is its own affair.
static void launches_that_nobody_weighs_concern_only_themselves()
{
    Payoff payoff;
    RegionCosts costs;
    costs.host_took(1e-3, 1e6);
    double elapsed = 1;
    for (int k = 0; k < 100; k++) {
        CHECK(payoff.launched(costs, 1e6, elapsed += 0.5e-3) == Payoff::Change::none);
        payoff.held_up(0.5e-3);
        payoff.launched_apart();
        payoff.held_up(1);
        CHECK(payoff.launched(costs, 1e6, elapsed += 1.5, true) == Payoff::Change::none);
        payoff.held_up(1); // waits for the launch before
    }
    CHECK(!payoff.is_closed());
    payoff.launched_apart();
    CHECK(steps_until_closed(payoff, costs, 1, 0, elapsed, 1000) <= 10);
}

int main()
{
    a_device_that_does_not_pay_is_left();
    a_device_that_pays_stays();
    what_is_not_known_is_tried();
    a_loop_that_never_comes_again_keeps_nobody();
    small_sizes_say_nothing_of_large_ones();
    what_was_lost_once_is_weighed_against_what_the_host_loses();
    what_is_lost_each_time_is_tried_less_and_less_often();
    what_is_paid_once_is_no_loss();
    what_a_phase_has_gained_does_not_pay_for_the_next_one();
    what_comes_now_and_then_is_a_part_of_the_whole();
    what_was_paid_once_and_gains_nothing_is_given_up();
    each_size_is_measured_by_itself();
    launches_that_nobody_weighs_concern_only_themselves();
    clear_cases();
    one_block_does_what_is_short();
    long_loops_are_asked_each_time();
    loops_that_stay_are_not_asked_again();
    each_size_has_a_rest_of_its_own();
    launches_are_measured();
    what_nobody_has_measured_is_doubted();
    the_device_is_measured();
    moves_are_bought();
    teams_are_told();
    recalled();
    what_does_not_last_is_bought_seldom();
    what_the_context_costs_is_enough_to_know();
    the_host_is_measured();
    the_device_is_estimated();
    std::puts("ok");
    return 0;
}

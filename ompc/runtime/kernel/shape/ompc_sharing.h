// ompc_sharing.h: thread groups of a launch: how many lanes of a warp, and warps of a block, share an iteration.
//
// ThreadGroup (ompc_thread_group.h) is what a kernel has of it.

#ifndef OMPC_SHARING_H
#define OMPC_SHARING_H

#include "ompc_shape.h"
#include "ompc_trips.h"

#include <cstddef>

namespace ompc {

struct Warp {
    static constexpr unsigned log2 = 5, size = 1u << log2;
};

constexpr unsigned most_sharing_threads = 256, most_row_threads = 512; // of a block; of one that has one row at a time
constexpr unsigned most_warps_log2 = 3, row_warps_log2 = 4;
static_assert(Warp::size << most_warps_log2 == most_sharing_threads && Warp::size << row_warps_log2 == most_row_threads, "whole warps");
constexpr unsigned many_entries = 16; // of a row for each of its lanes

// An iteration has 1 << lanes_log2 lanes in each of 1 << warps_log2 warps. Where those are several, they are a block, which has
// as many iterations as one of its warps.
struct GroupShape {
    unsigned lanes_log2 = 0, warps_log2 = 0;
    unsigned threads = 0;  // of a block; 0: any number
    bool by_block = false; // the form of the kernel (ompc_block_per_row.h)

    Trips size() const { return Trips{1} << (lanes_log2 + warps_log2); }
    bool divides() const { return size() != 1; }
    // How many threads so many iterations have.
    Trips slots(Trips trips) const
    {
        const unsigned at_once = Warp::log2 - lanes_log2;
        return warps_log2 == 0 ? trips << lanes_log2 : (trips + (1u << at_once) - 1) >> at_once << (Warp::log2 + warps_log2);
    }
    // What the launch asks, when the user asks `asked`.
    Asked shape(Asked asked = {}) const
    {
        asked.threads = threads != 0 ? threads : asked.threads;
        return asked;
    }
};

// What an iteration has several threads for.
enum class GroupFor {
    turns,        // lanes of a warp: there are few iterations, and lanes take turns at their rows
    reading,      // likewise: neighbouring lanes divide a row whose entries lie side by side
    reading_some, // likewise; and what is left of a long one costs little to divide among others
    filling,      // lanes of a warp, or
    warps,        // several warps: there are fewer iterations than keep the device busy
    across,       // points with long sums: neighbouring points read neighbouring elements, warps come before lanes
    along,        // likewise: neighbouring entries do, lanes come first
    tiles,        // as `across`, and otherwise tiles share what they read: it takes fewer points, and longer sums
    rows,         // points with loops that store: neighbouring entries are neighbours in memory, lanes read whole sectors
    columns,      // likewise: neighbouring points are
    block_rows,   // as `rows`, and points have arrays in memory of the block, which has one of them: whole warps
    block_columns,
    terms_along,  // terms that are combined in order, by producer warps: neighbouring entries of a row lie side by side
    terms_across, // likewise: those of neighbouring rows do
};

// What producer warps have neighbours along.
enum class Side { along, across };

// Of the rows of a launch, as far as the host knows them: the entries of the longest one, and of all.
struct RowLengths {
    Trips longest = 0, all = 0;
};

// How a device is filled: it has room for so many threads. `asked`: 0, or how many threads of an iteration the user wants.
struct GroupLimits {
    unsigned multiprocessors;
    Trips threads;
    unsigned asked;
};

// For iterations whose rows have about so many entries (0: nobody knows), and threads `of_lane` at least. `blocks`: the kernel has a
// form in which an iteration has all lanes of a block, and nobody asks for blocks of another size. By measurements on an H200, and
// for points on an H100 (benchmarks/results, 2026-11-25).
struct GroupWanted {
    static constexpr unsigned some_lanes = 8; // read whole sectors, and cost little where rows are short
    static constexpr Trips worth_helping = 64; // entries of a row
    GroupFor purpose;
    Trips entries = 0, of_lane = 1;
    RowLengths rows = {};
    bool blocks = false;

    GroupShape shape(Trips trips, const GroupLimits &device) const
    {
        switch (purpose) {
        case GroupFor::warps:
            return of_warps(trips, device);
        case GroupFor::across:
        case GroupFor::along:
        case GroupFor::tiles:
            return of_point(trips, device);
        case GroupFor::rows:
        case GroupFor::columns:
            return of_stores(trips, device);
        case GroupFor::block_rows:
        case GroupFor::block_columns:
            return of_whole_warps(of_stores(trips, device));
        case GroupFor::terms_along:
        case GroupFor::terms_across:
            return of_producers(trips, device);
        default:
            return of_lanes(trips, device);
        }
    }

private:
    GroupShape of_lanes(Trips trips, const GroupLimits &device) const
    {
        GroupWanted wanted = *this;
        wanted.entries = entries != 0 ? entries : rows.all / trips;
        GroupShape group;
        const unsigned asked = device.asked;
        const auto pays = [&](unsigned lanes) { return asked != 0 ? lanes <= asked : wanted.pays(lanes, trips, device.threads); };
        while (group.lanes_log2 < Warp::log2 && pays(2u << group.lanes_log2))
            group.lanes_log2++;
        const bool whole_warp = group.lanes_log2 == Warp::log2;
        if (blocks && whole_warp && (asked != 0 ? asked > Warp::size : wanted.blocks_pay(trips, device.threads)))
            return {Warp::log2, row_warps_log2, most_row_threads, true};
        group.by_block = is_uneven(group.size());
        return group;
    }

    // All warps, where a lane has `of_lane` entries then, and several lanes of each while a multiprocessor has no block and a half.
    GroupShape of_warps(Trips trips, const GroupLimits &device) const
    {
        GroupShape group;
        const auto pays = [&] { return device.asked != 0 ? 2 * group.size() <= device.asked : 2 * group.size() * of_lane <= entries; };
        const auto few = [&] { return (2 * trips << group.lanes_log2) < 3 * static_cast<Trips>(device.multiprocessors) * Warp::size; };
        while (group.warps_log2 < most_warps_log2 && pays())
            group.warps_log2++;
        while (group.warps_log2 == most_warps_log2 && group.lanes_log2 < Warp::log2 && pays() && (device.asked != 0 || few()))
            group.lanes_log2++;
        group.threads = Warp::size << group.warps_log2;
        return group;
    }

    // One thread where that, or a tile of points for each block, keeps the device busy. Half of its threads are enough, since each
    // has work all the time.
    GroupShape of_point(Trips points, const GroupLimits &device) const
    {
        GroupShape group;
        const bool tiled = purpose == GroupFor::tiles, several = device.asked != 0 || (tiled ? 16 : 8) * points <= device.threads;
        const Trips least = tiled ? 512 : 64;
        const auto grow = [&](unsigned &log2, unsigned most) {
            while (several && log2 < most) {
                const Trips parts = 2 * group.size();
                if (device.asked != 0 ? parts > device.asked : parts * of_lane * least > entries || parts * points > device.threads / 2)
                    return;
                log2++;
            }
        };
        if (purpose == GroupFor::along)
            grow(group.lanes_log2, Warp::log2);
        grow(group.warps_log2, most_warps_log2);
        grow(group.lanes_log2, Warp::log2);
        group.threads = Warp::size << group.warps_log2;
        return group;
    }

    // As many lanes as read what is there, or also fill the device.
    GroupShape of_stores(Trips points, const GroupLimits &device) const
    {
        GroupShape group;
        const auto grow = [&](unsigned &log2, unsigned most, bool fills) {
            while (log2 < most) {
                const Trips parts = 2 * group.size();
                const bool worth = entries == 0 || (fills ? entries >= parts : 4 * entries >= 3 * parts);
                if (device.asked != 0 ? parts > device.asked : !worth || (fills && parts * points > device.threads / 2))
                    return;
                log2++;
            }
        };
        if (purpose == GroupFor::rows || purpose == GroupFor::block_rows)
            grow(group.lanes_log2, Warp::log2, false);
        grow(group.warps_log2, most_warps_log2, true);
        grow(group.lanes_log2, Warp::log2, true);
        group.threads = Warp::size << group.warps_log2;
        return group;
    }

    static GroupShape of_whole_warps(GroupShape group)
    {
        const bool whole = group.lanes_log2 == Warp::log2 || group.warps_log2 != 0;
        group.lanes_log2 = whole ? Warp::log2 : 0;
        return group;
    }

    // All warps of a block for 32 iterations, or none but their own.
    GroupShape of_producers(Trips trips, const GroupLimits &device) const
    {
        const bool pays = entries >= worth_helping && (purpose == GroupFor::terms_along || 4 * trips <= device.threads);
        return device.asked == 1 || (device.asked == 0 && !pays) ? GroupShape{} : GroupShape{0, most_warps_log2, most_sharing_threads};
    }

    // Does the longest row take half as long as all? That is what it costs the blocks to meet for the rows of their lanes. `lanes`
    // of a row, but all those of the warp divide what is left of long rows where they can.
    bool is_uneven(Trips lanes) const
    {
        const bool by_warp = purpose == GroupFor::reading_some;
        const Trips longest = by_warp ? rows.longest : rows.longest * Warp::size / lanes;
        return longest > many_entries * most_sharing_threads && longest > rows.all / (by_warp ? 4096 : 1024);
    }

    // The lanes of a block for each: where warps alone leave half of the device idle, and rows are long.
    bool blocks_pay(Trips trips, Trips threads_of_device) const
    {
        const bool few = 2 * Warp::size * trips <= threads_of_device;
        return entries != 0 ? few && entries >= many_entries * most_sharing_threads * of_lane
                            : most_row_threads * trips <= threads_of_device;
    }

    // So many lanes, for so many iterations on a device with room for so many threads.
    bool pays(unsigned lanes, Trips trips, Trips threads) const
    {
        switch (purpose) {
        case GroupFor::turns:
            return turns_pay(lanes, trips, threads);
        case GroupFor::reading: // rounded: rows of 3 are better read by 4 lanes than by 2
            return entries != 0 ? is_read(lanes) : lanes <= some_lanes || lanes * trips <= threads;
        case GroupFor::reading_some: // neighbouring rows often need the same other elements: some of them at a time
            return lanes <= some_lanes ? entries == 0 || is_read(lanes)
                                       : entries >= lanes * many_entries || lanes * trips <= threads;
        default:
            return lanes * trips <= threads / 8 && (entries == 0 || entries >= lanes * of_lane);
        }
    }

    bool is_read(unsigned lanes) const { return 4 * entries >= 3 * lanes * of_lane; }

    // Where rows are long enough there are more lanes than the device has room for, so that no multiprocessor is left without
    // work at the end. All lanes of a warp for one row only where there is nothing else to do.
    bool turns_pay(unsigned lanes, Trips trips, Trips threads) const
    {
        constexpr unsigned half = Warp::size / 2;
        constexpr Trips times = 3, least = 8; // entries
        if (lanes > half)
            return half * trips <= threads / 8;
        return lanes * trips <= threads || (lanes * trips <= times * threads && lanes * least <= entries);
    }
};

// Of so many iterations, those that threads have together: so many points each (ompc_unroll_and_jam.h).
OMPC_ANYWHERE constexpr Trips groups_of(unsigned points, Trips trips)
{
    return trips / points + (trips % points != 0);
}

} // namespace ompc

#endif

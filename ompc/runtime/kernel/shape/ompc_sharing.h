// ompc_sharing.h: how the lanes (ompc_lanes.h) or the warps (ompc_producer_warps.h) of a launch share its iterations.

#ifndef OMPC_SHARING_H
#define OMPC_SHARING_H

#include "ompc_shape.h"
#include "ompc_trips.h"

#include <cstddef>

namespace ompc {

struct Warp {
    static constexpr unsigned size = 32;
};

constexpr unsigned most_sharing_threads = 256;
constexpr unsigned most_row_threads = 512; // of a block that has one row at a time
constexpr unsigned many_entries = 16; // of a row for each of its lanes

// How the lanes of a launch are distributed: an iteration has 1 << log2 of them, of one warp, or all those of a block.
struct Lanes {
    static constexpr unsigned of_warp = 5, of_block = 9; // log2
    static_assert(1u << of_warp == Warp::size && 1u << of_block == most_row_threads, "whole warps and blocks");
    unsigned log2;
    bool by_block = false; // the form of the kernel (ompc_block_per_row.h)

    OMPC_ANYWHERE Trips slots(Trips trips) const { return trips << log2; }
    // Has a block an iteration whose first thread has this slot?
    OMPC_ANYWHERE bool any(std::size_t first, std::size_t trips) const { return first >> log2 < trips; }
    OMPC_ANYWHERE std::size_t iteration(std::size_t slot) const { return slot >> log2; }
    OMPC_ANYWHERE bool own(std::size_t slot, std::size_t trips) const
    {
        return (slot & ((1u << log2) - 1)) == 0 && slot >> log2 < trips;
    }
    // What the launch asks, when the user asks `asked`.
    Asked shape(Asked asked = {}) const
    {
        asked.threads = log2 == of_block ? most_row_threads : asked.threads;
        return asked;
    }
};

// What an iteration has several lanes for.
enum class LanesFor {
    turns,        // there are few iterations, and lanes take turns at their rows
    reading,      // neighbouring lanes divide a row whose entries lie side by side
    reading_some, // likewise; and what is left of a long one costs little to divide among others
    filling,      // there are fewer iterations than keep the device busy
};

// Of the rows of a launch, as far as the host knows them: the entries of the longest one, and of all.
struct RowLengths {
    Trips longest = 0, all = 0;
};

// For iterations whose rows have about so many entries (0: nobody knows), and lanes `of_lane` at least. `blocks`: the kernel has a
// form in which an iteration has all lanes of a block, and nobody asks for blocks of another size.
struct LanesWanted {
    static constexpr unsigned some_lanes = 8; // read whole sectors, and cost little where rows are short
    LanesFor purpose;
    Trips entries = 0, of_lane = 1;
    RowLengths rows = {};
    bool blocks = false;

    // Does the longest row take half as long as all? That is what it costs the blocks to meet for the rows of their lanes. By
    // measurements on an H200; `lanes` of a row, but all those of the warp divide what is left of long rows where they can.
    bool is_uneven(Trips lanes) const
    {
        const bool by_warp = purpose == LanesFor::reading_some;
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
        case LanesFor::turns:
            return turns_pay(lanes, trips, threads);
        case LanesFor::reading: // rounded: rows of 3 are better read by 4 lanes than by 2
            return entries != 0 ? is_read(lanes) : lanes <= some_lanes || lanes * trips <= threads;
        case LanesFor::reading_some: // neighbouring rows often need the same other elements: some of them at a time
            return lanes <= some_lanes ? entries == 0 || is_read(lanes)
                                       : entries >= lanes * many_entries || lanes * trips <= threads;
        default:
            return lanes * trips <= threads / 8 && (entries == 0 || entries >= lanes * of_lane);
        }
    }

private:
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

// `asked`: 0, or how many lanes the user wants.
inline Lanes lanes_for(LanesWanted wanted, Trips trips, Trips threads, unsigned asked)
{
    wanted.entries = wanted.entries != 0 ? wanted.entries : wanted.rows.all / trips;
    Lanes lanes{0};
    while (lanes.log2 < Lanes::of_warp && (asked != 0 ? 2u << lanes.log2 <= asked : wanted.pays(2u << lanes.log2, trips, threads)))
        lanes.log2++;
    if (wanted.blocks && lanes.log2 == Lanes::of_warp && (asked != 0 ? asked > Warp::size : wanted.blocks_pay(trips, threads)))
        return {Lanes::of_block, true};
    lanes.by_block = wanted.is_uneven(lanes.slots(1));
    return lanes;
}

constexpr unsigned most_warps_of_group = most_sharing_threads / Warp::size;

// How iterations are distributed whose entries the warps of a block divide: an iteration has 1 << log2 lanes in each of them.
struct ThreadGroup {
    unsigned log2, warps;

    OMPC_ANYWHERE Trips slots(Trips trips) const { return (trips + at_once() - 1) / at_once() * width(); }
    // Has the block of this slot an iteration?
    OMPC_ANYWHERE bool any(std::size_t slot, std::size_t trips) const { return slot / width() * at_once() < trips; }
    OMPC_ANYWHERE std::size_t iteration(std::size_t slot) const
    {
        return slot / width() * at_once() + (slot % Warp::size >> log2);
    }
    OMPC_ANYWHERE bool own(std::size_t slot, std::size_t trips) const
    {
        return slot % width() < Warp::size && (slot & ((1u << log2) - 1)) == 0 && iteration(slot) < trips;
    }
    Asked shape() const { return Asked{width(), 0}; }
    // Has an iteration several threads?
    bool divides() const { return log2 != 0 || warps != 1; }
    // One iteration for each block, or none has several threads.
    ThreadGroup of_whole_warps() const { return log2 == 5 ? *this : warps > 1 ? ThreadGroup{5, warps} : ThreadGroup{0, 1}; }

private:
    OMPC_ANYWHERE unsigned at_once() const { return Warp::size >> log2; }
    OMPC_ANYWHERE unsigned width() const { return warps * Warp::size; }
};

// For so many iterations with so many entries, on a device with so many multiprocessors: all warps, where a lane has `of_lane`
// entries then, and several lanes of each while a multiprocessor has no block and a half. `asked`: so many lanes, or 0.
inline ThreadGroup thread_group_for(Trips trips, Trips entries, Trips of_lane, unsigned multiprocessors, unsigned asked)
{
    ThreadGroup thread_group{0, 1};
    const auto pays = [&](unsigned lanes) { return asked != 0 ? lanes <= asked : lanes * of_lane <= entries; };
    while (thread_group.warps < most_warps_of_group && pays(2 * thread_group.warps))
        thread_group.warps *= 2;
    while (thread_group.log2 < 5 && pays(2 * thread_group.warps << thread_group.log2) && thread_group.warps == most_warps_of_group &&
           (asked != 0 || (2 * trips << thread_group.log2) < 3 * static_cast<Trips>(multiprocessors) * Warp::size))
        thread_group.log2++;
    return thread_group;
}

// What a point with a long sum can have several threads for.
enum class SplitOf {
    across, // neighbouring points read neighbouring elements: the warps of a block come before several lanes of each
    along, // neighbouring entries do: the lanes of a warp come first
    tiles, // as `across`, and otherwise tiles share what they read: it takes fewer points, and longer sums
    rows, // loops that store, whose neighbouring entries are neighbours in memory: lanes read whole sectors
    columns, // the same, whose neighbouring points are
};

// For so many points, each with loops of so many entries (0: nobody knows), which store.
inline ThreadGroup shared_for(Trips points, Trips entries, SplitOf of, Trips threads, unsigned asked)
{
    ThreadGroup group{0, 1};
    const auto parts = [&] { return Trips{2} * group.warps << group.log2; };
    const auto read = [&] { return asked != 0 ? parts() <= asked : entries == 0 || 4 * entries >= 3 * parts(); };
    const auto fill = [&] {
        return asked != 0 ? parts() <= asked : (entries == 0 || entries >= parts()) && parts() * points <= threads / 2;
    };
    while (of == SplitOf::rows && group.log2 < 5 && read())
        group.log2++;
    while (group.warps < most_warps_of_group && fill())
        group.warps *= 2;
    while (group.log2 < 5 && fill())
        group.log2++;
    return group;
}

// For so many points, each with a sum of so many entries, on a device with room for so many threads: {0, 1} where one thread for
// each point, or a tile of them for each block, keeps the device busy. Half of its threads are enough, since each has work all the
// time. `asked`: so many threads for each, or 0. By measurements on an H100 (benchmarks/results, 2026-11-25).
inline ThreadGroup split_for(Trips points, Trips entries, Trips of_thread, SplitOf of, Trips threads, unsigned asked)
{
    if (of == SplitOf::rows || of == SplitOf::columns)
        return shared_for(points, entries, of, threads, asked);
    ThreadGroup group{0, 1};
    const bool tiled = of == SplitOf::tiles;
    const Trips least = tiled ? 512 : 64;
    if (asked == 0 && (tiled ? 16 : 8) * points > threads)
        return group;
    const auto pays = [&] {
        const Trips parts = Trips{2} * group.warps << group.log2;
        return asked != 0 ? parts <= asked : parts * of_thread * least <= entries && parts * points <= threads / 2;
    };
    const auto by_lanes = [&] {
        while (group.log2 < 5 && pays())
            group.log2++;
    };
    if (of == SplitOf::along)
        by_lanes();
    while (group.warps < most_warps_of_group && pays())
        group.warps *= 2;
    by_lanes();
    return group;
}

constexpr bool whole_warps = true; // an iteration has arrays in memory of its block

// Of so many iterations, those that threads have together: so many points each (ompc_unroll_and_jam.h).
OMPC_ANYWHERE constexpr Trips groups_of(unsigned points, Trips trips)
{
    return trips / points + (trips % points != 0);
}

constexpr unsigned helping_warps = most_sharing_threads / Warp::size;
constexpr Trips worth_helping = 64; // entries of a row

enum class Side { along, across };

// How the iterations of a launch are distributed: 32 for each `warps` warps.
struct ProducerWarps {
    unsigned warps;

    OMPC_ANYWHERE Trips slots(Trips trips) const { return warps == 1 ? trips : (trips + Warp::size - 1) / Warp::size * width(); }
    // Has the block of this slot an iteration, or the lane, where nobody helps?
    OMPC_ANYWHERE bool any(std::size_t slot, std::size_t trips) const
    {
        return warps == 1 ? slot < trips : slot / width() * Warp::size < trips;
    }
    OMPC_ANYWHERE std::size_t iteration(std::size_t slot) const
    {
        return warps == 1 ? slot : slot / width() * Warp::size + slot % Warp::size;
    }
    OMPC_ANYWHERE bool own(std::size_t slot, std::size_t trips) const
    {
        return slot / Warp::size % warps == 0 && iteration(slot) < trips;
    }
    Asked shape() const { return warps == 1 ? Asked{} : Asked{warps * Warp::size, 0}; }

private:
    OMPC_ANYWHERE unsigned width() const { return warps * Warp::size; }
};

// For so many iterations, with loops of so many entries at most, on a device with room for so many threads.
inline ProducerWarps producers_for(Trips trips, Trips entries, Side side, Trips threads, unsigned asked)
{
    const bool pays = entries >= worth_helping && (side == Side::along || 4 * trips <= threads);
    return {asked == 1 || (asked == 0 && !pays) ? 1 : helping_warps};
}

} // namespace ompc

#endif

// ompc_group_costs.h: cost model of a launch whose iterations have groups of threads: about how long it takes.
//
// A kernel waits for the slowest of three, and a little for the others: instructions (every multiprocessor starts some in a
// cycle), memory, and the time that a thread takes for its share, as often as the device has to begin with new threads.
//
//     one thread for each row of a matrix      rows lie apart: sectors are read again, unless they stay in the cache
//     a warp for each row                      most of short rows is combining; of few rows, waiting for memory
//     a block for each row                     likewise, for longer rows, and fewer of them
//
// Measured on an H200 for 17 loops at 6 to 10 sizes each, with all groups (`python -m benchmarks.groups`; benchmarks/results,
// 2026-11-26-h200-2), to which the constants are fitted: what is chosen takes 1.05 times as long as the best, in the geometric mean,
// at most 1.6 times.
// Source: Hong and Kim, "An analytical model for a GPU architecture with memory-level and thread-level parallelism awareness" (2009).

#ifndef OMPC_GROUP_COSTS_H
#define OMPC_GROUP_COSTS_H

#include "ompc_trips.h"

#include <algorithm>
#include <cmath>

namespace ompc {

// What an iteration does in the loops that its threads share.
struct SharedWork {
    Trips entries = 0;              // of the longest of these loops; 0: nobody knows
    unsigned instructions = 8;      // of an entry
    unsigned along = 0, across = 0; // bytes of an entry beside those of the next entry; beside those of the next iteration
    unsigned common = 0;            // bytes that all iterations read: the lanes of a warp together, while they are at one entry
    unsigned sums = 0, loops = 1;   // that are combined in the end; one after the other
    unsigned together = 1;          // entries of a thread whose reads do not wait for each other
    unsigned held = 0;              // bytes of an entry in arrays that a block has in the device's memory
    Trips held_by_block = 0;        // bytes of these arrays
};

// What an iteration has with a group of one.
enum class Single {
    same,    // a thread of the same kernel
    thread,  // one of another kernel, whose reads wait for each other
    scratch, // likewise, and private arrays in local memory, which are in memory of the block otherwise
    tiles,   // a point of a tile
    turns,   // a lane of the same kernel, whose warp goes through rows together anyway, and combines entries in order
};

// Times are in cycles, work is that of a multiprocessor.
struct GroupCosts {
    static constexpr double begin = 500, memory_latency = 1250, read_latency = 400, lone_latency = 150, scratch_latency = 110;
    static constexpr double meeting = 60, warps_meeting = 150, combining = 60, in_order = 18; // latencies
    static constexpr double around = 90, of_lanes = 30, of_warps = 60, of_sum = 30;           // instructions
    static constexpr double issued = 4, bytes = 18;                                           // in a cycle
    static constexpr double cache = 380e3; // of a multiprocessor, of that of the device
    static constexpr double row_cache = 95e3, overlap = 0.1, resident = 0.55; // of the warps that could be, as registers allow

    double multiprocessors, warps_at_once;
    SharedWork work;
    Single single;
    double of_tiles; // instead of a group

    double cycles(Trips points, unsigned lanes_log2, unsigned warps_log2) const
    {
        const double lanes = 1u << lanes_log2, groups_of_warps = 1u << warps_log2, size = lanes * groups_of_warps;
        if (size == 1 && single == Single::tiles)
            return of_tiles;
        const bool alone = size == 1 && (single == Single::thread || single == Single::scratch);
        const double warps = std::ceil(points * lanes / 32) * groups_of_warps, at_once = multiprocessors * warps_at_once * resident;
        const double steps = std::ceil(entries() / size);
        double issue = warps * instructions(lanes_log2, warps_log2, steps) / (issued * multiprocessors);
        double wait = latency(lanes_log2, warps_log2, steps, alone);
        if (single == Single::turns) {
            issue += points * entries() / lanes * 2 / (issued * multiprocessors);
            wait += entries() * in_order;
        }
        const double rows = std::min(warps, at_once) / groups_of_warps * 32 / lanes;
        const double parts[] = {issue, wait * std::max(1.0, warps / at_once), memory(points, lanes, rows, alone)};
        const double slowest = *std::max_element(parts, parts + 3);
        return slowest + overlap * (parts[0] + parts[1] + parts[2] - slowest);
    }

private:
    double entries() const { return static_cast<double>(work.entries); }

    // Of a warp.
    double instructions(unsigned lanes_log2, unsigned warps_log2, double steps) const
    {
        const double meets = (lanes_log2 != 0 ? of_lanes : 0) + (warps_log2 != 0 ? of_warps : 0);
        const double of_entry = work.instructions + (lanes_log2 != 0 ? work.common : 0);
        return around + work.loops * (steps * of_entry + meets) + lanes_log2 * of_sum * work.sums;
    }

    // Of a thread. Entries that are long themselves are waited for, too.
    double latency(unsigned lanes_log2, unsigned warps_log2, double steps, bool alone) const
    {
        const double batches = alone ? 0 : std::floor(steps / work.together), left = steps - batches * work.together;
        const double one = !alone ? read_latency : single == Single::scratch ? scratch_latency : lone_latency;
        const double meets = (lanes_log2 != 0 ? meeting : 0) + (warps_log2 != 0 ? warps_meeting : 0);
        const double computes = work.instructions >= 40 ? steps * work.instructions : 0;
        return begin + computes + work.loops * (batches * memory_latency + left * one + meets) + lanes_log2 * combining * work.sums;
    }

    // So many rows are begun at the same time. What neighbouring lanes do not read together is read again, as far as rows do not stay
    // in the cache; of columns, warps read shorter pieces.
    double memory(Trips points, double lanes, double rows, bool alone) const
    {
        const double held = alone && single == Single::scratch ? 16 : 0;
        const double begun = rows / multiprocessors * entries() * (static_cast<double>(work.along) / work.loops + held);
        double along = 1;
        if (begun > row_cache && single != Single::turns)
            along = std::min(std::pow(begun / row_cache, 0.8), std::pow(32 / lanes, 0.6));
        const double across = work.across != 0 ? std::pow(lanes, 0.4) : 1;
        double of_entry = work.along * along + work.across * across + held / 2 * (work.across != 0 ? 1 : along);
        if (!alone) { // of arrays of blocks, what does not fit is written to memory, and read again
            const double of_blocks = rows / multiprocessors * static_cast<double>(work.held_by_block);
            of_entry += of_blocks > cache ? work.held * (1 - cache / of_blocks) : 0;
        }
        return points * entries() * of_entry / (multiprocessors * bytes);
    }
};

} // namespace ompc

#endif

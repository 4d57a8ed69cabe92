// ompc_sharing.h: thread groups of a launch: how many lanes of a warp, and warps of a block, share an iteration.
//
// ThreadGroup (ompc_thread_group.h) is what a kernel has of it.

#ifndef OMPC_SHARING_H
#define OMPC_SHARING_H

#ifndef __CUDACC_RTC__ // NVRTC gets no launchers
#include "ompc_group_costs.h"
#endif
#include "ompc_shape.h"
#include "ompc_trips.h"
#include "ompc_warp.h"

#include <cstddef>

namespace ompc {

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

// Which threads come to share an iteration, in which order: groups of 1, 2, 4, ... threads.
enum class Joining {
    lanes,       // of a warp; all of a block at last, where the kernel has a form for that (ompc_block_per_row.h)
    turns,       // lanes of a warp, which take turns at rows and combine entries in order
    lanes_first, // lanes of a warp, then warps of a block
    warps_first, // warps of a block, then lanes of each: lanes go on having neighbouring iterations
    whole_warps, // of a block, which has one iteration, since this has arrays in the block's memory
    blocks,      // all of a block, or none but the iteration's own: there are as many iterations as the device has blocks for
    producers,   // all warps of a block, whose first one combines what they compute
};

// What producer warps have neighbours along.
enum class Side { along, across };

// Of the rows of a launch, as far as the host knows them: the entries of the longest one, and of all.
struct RowLengths {
    Trips longest = 0, all = 0;
};

#ifndef __CUDACC_RTC__

// `asked`: 0, or how many threads of an iteration the user wants.
struct GroupLimits {
    unsigned multiprocessors;
    Trips threads; // that the device has room for
    unsigned asked;
};

// What the launch chooses a group by: how threads join it, what they share, and what else it knows.
struct GroupWanted {
    static constexpr Trips worth_helping = 64; // entries of a row
    static constexpr Trips likely = 100;       // entries of a row, where nobody knows how many
    Joining joining;
    SharedWork work;
    Single single = Single::same;
    Side side = Side::along;
    RowLengths lengths = {};
    bool of_warp = false, has_blocks = false;
    double of_tiles = 0;

    constexpr GroupWanted along(unsigned bytes) const { return with(&SharedWork::along, bytes); }
    constexpr GroupWanted across(unsigned bytes) const { return with(&SharedWork::across, bytes); }
    constexpr GroupWanted common(unsigned bytes) const { return with(&SharedWork::common, bytes); }
    constexpr GroupWanted sums(unsigned n) const { return with(&SharedWork::sums, n); }
    constexpr GroupWanted loops(unsigned n) const { return with(&SharedWork::loops, n); }
    constexpr GroupWanted together(unsigned n) const { return with(&SharedWork::together, n); }
    // An entry's bytes in arrays of so many bytes that a block has in the device's memory.
    constexpr GroupWanted held(unsigned bytes, Trips by_block) const
    {
        GroupWanted wanted = with(&SharedWork::held, bytes);
        wanted.work.held_by_block = by_block;
        return wanted;
    }
    // Another kernel has a thread, or a tile, for an iteration.
    constexpr GroupWanted instead_of_thread() const { return instead_of(joining == Joining::whole_warps ? Single::scratch : Single::thread); }
    // A tile, which takes so many cycles (ompc_tiling.h); 0: there are none, but a thread of another kernel.
    constexpr GroupWanted instead_of_tiles(double cycles) const
    {
        GroupWanted wanted = instead_of(cycles == 0 ? Single::thread : Single::tiles);
        wanted.of_tiles = cycles;
        return wanted;
    }
    // The host knows how long the rows are.
    constexpr GroupWanted rows(RowLengths of_rows) const
    {
        GroupWanted wanted = *this;
        wanted.lengths = of_rows;
        return wanted;
    }
    // All lanes of a warp divide what is left of its long rows.
    constexpr GroupWanted rows_of_warp(RowLengths of_rows) const
    {
        GroupWanted wanted = rows(of_rows);
        wanted.of_warp = true;
        return wanted;
    }
    // The kernel has a form in which an iteration has all lanes of a block, and nobody asks for blocks of another size.
    constexpr GroupWanted blocks() const
    {
        GroupWanted wanted = *this;
        wanted.has_blocks = true;
        return wanted;
    }

    GroupShape shape(Trips trips, const GroupLimits &device) const
    {
        if (joining == Joining::producers)
            return of_producers(trips, device);
        GroupShape best = group(0);
        if (trips == 0)
            return best;
        SharedWork known = work;
        known.entries = lengths.all != 0 ? lengths.all / trips : work.entries != 0 ? work.entries : likely;
        const Trips warps = device.threads / Warp::size / device.multiprocessors;
        const GroupCosts costs{static_cast<double>(device.multiprocessors), static_cast<double>(warps), known, single, of_tiles};
        const auto cycles = [&](const GroupShape &of) { return costs.cycles(trips, of.lanes_log2, of.warps_log2); };
        const auto asked = [&](const GroupShape &of) { return of.size() <= device.asked || (of.by_block && device.asked > Warp::size); };
        for (unsigned n = 1; n <= most(); n++) {
            const GroupShape next = group(n);
            if (device.asked != 0 ? asked(next) : cycles(next) < cycles(best))
                best = next;
        }
        best.by_block |= joining == Joining::lanes && is_uneven(best.size());
        return best;
    }

private:
    constexpr GroupWanted with(unsigned SharedWork::*what, unsigned n) const
    {
        GroupWanted wanted = *this;
        wanted.work.*what = n;
        return wanted;
    }
    constexpr GroupWanted instead_of(Single what) const
    {
        GroupWanted wanted = *this;
        wanted.single = what;
        return wanted;
    }

    unsigned most() const
    {
        switch (joining) {
        case Joining::lanes:
            return has_blocks ? Warp::log2 + 1 : Warp::log2;
        case Joining::whole_warps:
            return 1 + most_warps_log2;
        case Joining::blocks:
            return 1;
        default:
            return joining == Joining::turns ? Warp::log2 : Warp::log2 + most_warps_log2;
        }
    }

    // The n-th one in this order, from one thread on.
    GroupShape group(unsigned n) const
    {
        switch (joining) {
        case Joining::lanes:
        case Joining::turns:
            return n > Warp::log2 ? GroupShape{Warp::log2, row_warps_log2, most_row_threads, true} : GroupShape{n};
        case Joining::lanes_first:
            return n > Warp::log2 ? of_warps(Warp::log2, n - Warp::log2) : of_warps(n, 0);
        case Joining::warps_first:
            return n > most_warps_log2 ? of_warps(n - most_warps_log2, most_warps_log2) : of_warps(0, n);
        case Joining::blocks:
            return n == 0 ? of_warps(0, 0) : of_warps(Warp::log2, most_warps_log2);
        default:
            return n == 0 ? of_warps(0, 0) : of_warps(Warp::log2, n - 1);
        }
    }

    static GroupShape of_warps(unsigned lanes_log2, unsigned warps_log2) { return {lanes_log2, warps_log2, Warp::size << warps_log2}; }

    // All warps of a block for 32 iterations, or none but their own.
    GroupShape of_producers(Trips trips, const GroupLimits &device) const
    {
        const bool pays = work.entries >= worth_helping && (side == Side::along || 4 * trips <= device.threads);
        return device.asked == 1 || (device.asked == 0 && !pays) ? GroupShape{} : GroupShape{0, most_warps_log2, most_sharing_threads};
    }

    // Does the longest row take half as long as all? That is what it costs the blocks to meet for the rows of their lanes. `lanes`
    // of a row, but all those of the warp divide what is left of long rows where they can.
    bool is_uneven(Trips lanes) const
    {
        const Trips longest = of_warp ? lengths.longest : lengths.longest * Warp::size / lanes;
        return longest > many_entries * most_sharing_threads && longest > lengths.all / (of_warp ? 4096 : 1024);
    }
};

// For rows of so many entries, of so many instructions each.
constexpr GroupWanted by_lanes(Trips entries, unsigned instructions)
{
    return {Joining::lanes, {entries, instructions}};
}
constexpr GroupWanted in_turns(Trips entries, unsigned instructions)
{
    return {Joining::turns, {entries, instructions}, Single::turns};
}
constexpr GroupWanted by_lanes_first(Trips entries, unsigned instructions)
{
    return {Joining::lanes_first, {entries, instructions}};
}
constexpr GroupWanted by_warps_first(Trips entries, unsigned instructions)
{
    return {Joining::warps_first, {entries, instructions}};
}
constexpr GroupWanted by_whole_warps(Trips entries, unsigned instructions)
{
    return {Joining::whole_warps, {entries, instructions}, Single::scratch};
}
constexpr GroupWanted by_blocks(Trips entries, unsigned instructions)
{
    return {Joining::blocks, {entries, instructions}};
}
constexpr GroupWanted by_producers(Side side, Trips entries)
{
    return {Joining::producers, {entries}, Single::same, side};
}

#endif

// Of so many iterations, those that threads have together: so many points each (ompc_unroll_and_jam.h).
OMPC_ANYWHERE constexpr Trips groups_of(unsigned points, Trips trips)
{
    return trips / points + (trips % points != 0);
}

} // namespace ompc

#endif

// ompc_scan.h: prefixes of the iterations of a launch, for `#pragma omp scan`, in one pass over them.
//
//     for (size_t tile = ompc::next_tile(s_scan); tile < tiles; tile = ompc::next_tile(s_scan)) {
//         int s_values[ompc::scan_rows] = {};                     what the thread's iterations of the tile put in
//         ompc::each_of_tile(tile, trips, [&](size_t t, int row) { ... s_values[row] = ...; });
//         ompc::scan_tile<true>(s_values, tile, trips, s_scan);   what they see then; true: each with its own
//         ...
//     }
//     ompc::finish(s_scan);                                       all threads of the grid
//
// A tile is some consecutive iterations, which a block has. Blocks take tiles in their order, by a ticket, so that whoever has
// the tiles in front of a block's own runs or has ended: a block may wait for them. It publishes the total of its tile before
// it waits (decoupled look-back: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
//
// What is combined with what depends on the number of the iteration alone, not on who is ready first: the totals of 32 tiles
// are combined by the last of them, those of 32 such groups by the last of these (a family), and only families wait for each
// other in turn. Floating-point results are the same in each run, on any device.
//
// Values are combined in the order of iterations, and only those of iterations that there are.

#ifndef OMPC_SCAN_H
#define OMPC_SCAN_H

#include "ompc_atomic.h"
#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_operators.h"
#include "ompc_reduce.h"
#include "ompc_scan_tiles.h"
#include "ompc_sharing.h"
#include "ompc_trips.h"
#include "ompc_unroll.h"

#include <cstddef>

namespace ompc {

// Of one list item. An entry of `values` holds once the same one of `ready` is not 0: for each tile its total, then for each
// group of tiles, then what all families up to one come to. `tickets`: how many tiles have been taken.
template <class Op, class T>
struct Scan {
    Reduction<Op, T> whole; // without the original value
    T original;
    T *values;
    unsigned *ready;
    unsigned long long *tickets;
    Trips tiles;
};

// A value, if there is one.
template <class T>
struct Perhaps {
    bool is;
    T value;
};

template <class Op, class T>
__device__ inline Perhaps<T> joined(const Perhaps<T> &earlier, const Perhaps<T> &later)
{
    if (!earlier.is || !later.is)
        return earlier.is ? earlier : later;
    return {true, Op::apply(earlier.value, later.value)};
}

// The next tile; all threads of the block call this.
template <class Op, class T>
__device__ inline Trips next_tile(const Scan<Op, T> &scan)
{
    OMPC_SHARED unsigned long long tile;
    __syncthreads(); // the tile before is done, and its number read
    if (block_rank() == 0)
        tile = atomicAdd(scan.tickets, 1ull);
    __syncthreads();
    return tile;
}

// The number of the calling thread's iteration in a row of a tile.
__device__ inline std::size_t in_tile(Trips tile, int row)
{
    return static_cast<std::size_t>(tile * scan_tile_size + static_cast<unsigned>(row) * scan_threads + threadIdx.x);
}

// Does the calling thread's iterations of a tile. Where all are there, none is asked about: what they read is read at once then.
template <class Iteration>
__device__ inline void each_of_tile(Trips tile, Trips trips, const Iteration &iteration)
{
    if (trips - tile * scan_tile_size >= scan_tile_size) {
        OMPC_UNROLL
        for (int row = 0; row < scan_rows; row++)
            iteration(in_tile(tile, row), row);
        return;
    }
    OMPC_UNROLL
    for (int row = 0; row < scan_rows; row++)
        if (in_tile(tile, row) < trips)
            iteration(in_tile(tile, row), row);
}

// What the values of the first lanes up to the calling one come to, of `lanes` in all.
template <class Op, class T>
__device__ inline T scan_warp(T value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 1; delta < Warp::size; delta *= 2) {
        const T earlier = ompc::shuffle_up(all_lanes, value, delta);
        if (lane >= delta && lane < lanes)
            value = Op::apply(earlier, value);
    }
    return value;
}

template <class Op, class T>
__device__ inline void publish(const Scan<Op, T> &scan, Trips entry, const T &value)
{
    scan.values[entry] = value;
    __threadfence(); // the value is seen before the word that it is there
    atomic_write(&scan.ready[entry], 1u);
}

// Waits until those entries are ready that are `wanted`, and reads them: one latency for all three.
template <class Op, class T>
__device__ inline void read_when_ready(const Scan<Op, T> &scan, const Trips (&entries)[3], const bool (&wanted)[3], T (&values)[3])
{
    for (;;) {
        unsigned are_ready = 1;
        OMPC_UNROLL
        for (int k = 0; k < 3; k++)
            are_ready &= wanted[k] ? atomic_read(&scan.ready[entries[k]]) : 1u;
        if (are_ready != 0)
            break;
#ifndef __CUDACC__
        emulate::the_grid.abandon("a block waits for a tile that no block has taken before");
#endif
    }
    __threadfence();
    OMPC_UNROLL
    for (int k = 0; k < 3; k++)
        if (wanted[k])
            values[k] = ompc::read_fresh(&scan.values[entries[k]]);
}

// What the values of the first `count` lanes come to. A warp calls this.
template <class Op, class T>
__device__ inline Perhaps<T> total_of(T value, unsigned count, unsigned lane)
{
    if (count == 0)
        return {false, value};
    return {true, of_lane(ompc::scan_warp<Op>(value, lane, count), count - 1)};
}

// What all tiles before `tile` come to, whose own total is `total`. A warp calls this. Whoever ends a group says what it comes to
// before it waits for other groups: else these would wait for each other in turn.
template <class Op, class T>
__device__ inline Perhaps<T> before_tile(const Scan<Op, T> &scan, Trips tile, unsigned lane, const T &total)
{
    const Trips group = tile / scan_fan, family = group / scan_fan;
    const unsigned in_group = static_cast<unsigned>(tile % scan_fan), in_family = static_cast<unsigned>(group % scan_fan);
    const Trips groups = scan.tiles, families = groups + scan_groups(scan.tiles); // where their entries begin
    const bool ends_group = in_group == scan_fan - 1, ends_family = ends_group && in_family == scan_fan - 1;
    const Trips entries[3] = {group * scan_fan + lane, groups + family * scan_fan + lane, families + family - 1};
    const bool wanted[3] = {lane < in_group, lane < in_family, family != 0};
    T values[3] = {total, total, total};
    if (lane == 0)
        ompc::publish(scan, tile, total);
    ompc::read_when_ready(scan, entries, {wanted[0], wanted[1] && !ends_group, wanted[2] && !ends_group}, values);
    const Perhaps<T> tiles_before = ompc::total_of<Op>(values[0], in_group, lane);
    const Perhaps<T> up_to_own = ompc::joined<Op>(tiles_before, Perhaps<T>{true, total});
    if (ends_group) {
        if (lane == 0)
            ompc::publish(scan, groups + group, up_to_own.value);
        ompc::read_when_ready(scan, entries, {false, wanted[1], wanted[2]}, values);
    }
    const Perhaps<T> groups_before = ompc::total_of<Op>(values[1], in_family, lane);
    const Perhaps<T> up_to_groups = ompc::joined<Op>(Perhaps<T>{wanted[2], values[2]}, groups_before);
    if (ends_family && lane == 0)
        ompc::publish(scan, families + family, ompc::joined<Op>(up_to_groups, up_to_own).value);
    return ompc::joined<Op>(up_to_groups, tiles_before);
}

// What each of the first `segments` of a tile comes to becomes what all iterations before it come to; where there are none, it
// stays. A warp calls this; a lane has some segments side by side.
template <class Op, class T>
__device__ inline void scan_segments(T *of_segment, unsigned segments, unsigned lane, Trips tile, const Scan<Op, T> &scan)
{
    constexpr unsigned each = scan_tile_size / Warp::size / Warp::size;
    T *const own = of_segment + lane * each;
    const unsigned lanes = (segments - 1) / each + 1, behind = lane * each < segments ? segments - lane * each : 0;
    const unsigned count = behind < each ? behind : each;
    T value = count != 0 ? own[0] : of_segment[0]; // of lanes that have none nobody asks
    for (unsigned k = 1; k < count; k++)
        own[k] = value = Op::apply(value, own[k]);
    value = ompc::scan_warp<Op>(value, lane, lanes);
    const Perhaps<T> tiles_before = ompc::before_tile(scan, tile, lane, of_lane(value, lanes - 1));
    const Perhaps<T> lanes_before{lane != 0, ompc::shuffle_up(all_lanes, value, 1)};
    const Perhaps<T> before = ompc::joined<Op>(tiles_before, lanes_before);
    for (unsigned k = count; k-- > 0;) {
        const Perhaps<T> found = k == 0 ? before : ompc::joined<Op>(before, Perhaps<T>{true, own[k - 1]});
        if (found.is)
            own[k] = found.value;
    }
}

// How many iterations of a tile of `count` are in the segment.
template <bool is_whole>
__device__ inline unsigned lanes_of(unsigned segment, unsigned count)
{
    const unsigned begin = segment * Warp::size, left = begin < count ? count - begin : 0;
    return is_whole || left > Warp::size ? Warp::size : left;
}

// What iterations put in becomes what those of their segment up to them come to. All rows go one step together: none has to wait
// for the other. All threads of the block call this.
template <bool is_whole, class Op, class T>
__device__ inline void scan_rows_of(T (&values)[scan_rows], T *of_segment, unsigned count)
{
    const unsigned rank = block_rank(), lane = rank % Warp::size, first = rank / Warp::size;
    constexpr unsigned warps = scan_threads / Warp::size;
    OMPC_UNROLL
    for (unsigned delta = 1; delta < Warp::size; delta *= 2) {
        OMPC_UNROLL
        for (int row = 0; row < scan_rows; row++) {
            const T earlier = ompc::shuffle_up(all_lanes, values[row], delta);
            if (lane >= delta && lane < ompc::lanes_of<is_whole>(first + static_cast<unsigned>(row) * warps, count))
                values[row] = Op::apply(earlier, values[row]);
        }
    }
    OMPC_UNROLL
    for (int row = 0; row < scan_rows; row++) {
        const unsigned segment = first + static_cast<unsigned>(row) * warps;
        if (lane + 1 == ompc::lanes_of<is_whole>(segment, count))
            of_segment[segment] = values[row];
    }
}

// What a thread's iterations see: what is in front of their segments, what is in front of them there, and `inclusive`: their own.
template <bool inclusive, bool is_whole, class Op, class T>
__device__ inline void see_prefixes(T (&values)[scan_rows], const T *of_segment, unsigned count, bool is_first, const T &original)
{
    const unsigned rank = block_rank(), lane = rank % Warp::size, first = rank / Warp::size;
    constexpr unsigned warps = scan_threads / Warp::size;
    OMPC_UNROLL
    for (int row = 0; row < scan_rows; row++) {
        const unsigned segment = first + static_cast<unsigned>(row) * warps;
        const Perhaps<T> neighbour{lane != 0, ompc::shuffle_up(all_lanes, values[row], 1)};
        if (!is_whole && segment * Warp::size + lane >= count)
            continue;
        const Perhaps<T> before{!is_first || segment != 0, of_segment[segment]};
        const Perhaps<T> seen = ompc::joined<Op>(before, inclusive ? Perhaps<T>{true, values[row]} : neighbour);
        values[row] = seen.is ? Op::apply(original, seen.value) : original;
    }
}

// All threads of the block call this, each with what its iterations of the tile have put in, and have what these see then.
template <bool inclusive, class Op, class T>
__device__ inline void scan_tile(T (&values)[scan_rows], Trips tile, Trips trips, const Scan<Op, T> &scan)
{
    OMPC_SHARED T of_segment[scan_tile_size / Warp::size]; // 32 iterations: its total, then what is before it
    const unsigned rank = block_rank();
    const Trips left = trips - tile * scan_tile_size;
    const unsigned count = left < scan_tile_size ? static_cast<unsigned>(left) : scan_tile_size;
    const bool is_whole = count == scan_tile_size;
    __syncthreads(); // an earlier scan may still be reading of_segment
    if (is_whole)
        ompc::scan_rows_of<true, Op>(values, of_segment, count);
    else
        ompc::scan_rows_of<false, Op>(values, of_segment, count);
    __syncthreads();
    if (rank < Warp::size)
        ompc::scan_segments(of_segment, (count - 1) / Warp::size + 1, rank, tile, scan);
    __syncthreads();
    if (tile == scan.tiles - 1) {
        const unsigned last = count - 1;
        OMPC_UNROLL
        for (int row = 0; row < scan_rows; row++)
            if (static_cast<unsigned>(row) * scan_threads + rank == last) {
                const Perhaps<T> before{tile != 0 || last / Warp::size != 0, of_segment[last / Warp::size]};
                *scan.whole.result = ompc::joined<Op>(before, Perhaps<T>{true, values[row]}).value;
                __threadfence_system(); // whoever says that the launch is done has seen it (finish)
            }
    }
    if (is_whole)
        ompc::see_prefixes<inclusive, true, Op>(values, of_segment, count, tile == 0, scan.original);
    else
        ompc::see_prefixes<inclusive, false, Op>(values, of_segment, count, tile == 0, scan.original);
}

// Says that the launch is done, when the last block comes here; all threads of the grid call this.
template <class Op, class T>
__device__ inline void finish(const Scan<Op, T> &scan)
{
    const Reduction<Op, T> &to = scan.whole;
    __syncthreads();
    if (block_rank() != 0)
        return;
    __threadfence();
    if (atomicAdd(to.finished, 1u) != gridDim.x * gridDim.y * gridDim.z - 1)
        return;
    *to.finished = 0;
    if (to.done != nullptr) {
        __threadfence_system(); // the result is seen before the ticket
        *static_cast<volatile unsigned *>(to.done) = to.ticket;
    }
}

} // namespace ompc

#endif

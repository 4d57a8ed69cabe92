// ompc_tiling.h: whether a launch takes a kernel with tiles (ompc_tiles.h, ompc_transposed.h), and which.

#ifndef OMPC_TILING_H
#define OMPC_TILING_H

#include "ompc_cuda.h"
#include "ompc_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ompc {

constexpr int tile_side = 16, tile_threads = tile_side * tile_side;

// `points` of a thread along y; 0: too little work for tiles, or none was asked for. `cycles`: about how long they take.
struct Tiling {
    int points = 0;
    Shape shape{};
    double cycles = 0;
};

// Bytes of shared memory of blocks whose threads have 8, 4 or 2 points along y, where the launch gives it to them.
struct TileMemory {
    unsigned eight = 0, four = 0, two = 0;
    unsigned of(int points) const { return points == 8 ? eight : points == 4 ? four : points == 2 ? two : 0; }
};

// The fewest iterations of the inner loop for which staging pays.
constexpr Trips least_inner_trips = 16;
constexpr Trips least_tile_side = 8;

#ifndef __CUDACC_RTC__ // NVRTC gets no launchers

// Cost model of tiles, in cycles of a multiprocessor. An iteration of the inner loop takes a block as long as its threads wait for
// each other and for shared memory, and takes a multiprocessor as long as all of its blocks have instructions; both are longer
// for more points, but not by as much as there are more. As many blocks are resident as registers allow; the next ones begin
// when these are done.
//
//     8 points along both axes     a matrix of thousands of rows: each element that is staged is read by 128 threads
//     2                            of hundreds: else most multiprocessors would have nothing to do
//     2                            many small matrices: most of larger tiles would be outside of them
//
// Measured on an H200 for six loops at 7 to 10 sizes each (`python -m benchmarks.groups --of tiles`; benchmarks/results,
// 2026-11-26-h200-3), to which the constants are fitted: what is chosen takes 1.01 times as long as the best tiles in the
// geometric mean, at most 1.09 times; fitted to some of the loops, at most 1.02 in the mean for the others.
struct TileCosts {
    static constexpr double begin = 2700, latency = 58, latency_of_point = 1.7, issue = 16, issue_of_point = 4;
    static constexpr double registers = 44, registers_of_point = 1.8, all_registers = 65536;

    unsigned multiprocessors;

    double cycles(Trips blocks, int points_of_thread, Trips inner) const
    {
        const double of_each = std::ceil(static_cast<double>(blocks) / multiprocessors);
        const double resident = all_registers / tile_threads / (registers + points_of_thread * registers_of_point);
        const double turns = std::ceil(of_each / std::max(1.0, std::floor(resident)));
        const double waits = turns * (latency + points_of_thread * latency_of_point), issues = of_each * (issue + points_of_thread * issue_of_point);
        return turns * begin + static_cast<double>(inner) * std::hypot(waits, issues);
    }
};

// The tiles that take the least time, unless one side has fewer points than half of the smallest tile's. `narrower`: how many times
// fewer points a thread has along x than along y. `chosen`: the points, or -1. `always`: tiles are chosen, of whatever size.
// Kernels that are given `memory` have no tiles with one point.
inline Tiling tiling_of(const DeviceLimits &device, Trips z, Trips y, Trips x, Trips inner, int narrower, const TileMemory &memory = {},
                        int chosen = -1, bool always = false)
{
    const char *const asked = std::getenv("OMPC_TILES");
    const int wanted = asked == nullptr || *asked == '\0' ? chosen : std::atoi(asked), smallest = memory.eight == 0 ? 1 : 2;
    if (inner == 0 || (wanted < 0 && !always && (inner < least_inner_trips || std::min(y, x) < least_tile_side * smallest)))
        return {};
    Tiling best;
    for (int points = 8; points >= smallest; points /= 2) {
        const int narrow = std::max(1, points / narrower);
        const Trips down = ceiling(y, static_cast<Trips>(tile_side) * points), across = ceiling(x, static_cast<Trips>(tile_side) * narrow);
        const Trips deep = std::max<Trips>(z, 1);
        const double cycles = TileCosts{device.multiprocessors}.cycles(deep * down * across, points * narrow, inner);
        const bool better = wanted < 0 ? best.points == 0 || cycles < best.cycles : wanted == points;
        if (better && memory.of(points) <= device.block_shared) {
            const auto side = [](Trips n, unsigned long long limit) { return static_cast<unsigned>(std::min<Trips>(n, limit)); };
            const dim3 grid(side(across, grid_x_limit), side(down, grid_yz_limit), side(deep, grid_yz_limit));
            best = {points, {grid, dim3(tile_side, tile_side, 1), memory.of(points)}, cycles};
        }
    }
    return best;
}

// How many rows a thread gets where neighbouring rows share what they read: as many as leave work for all threads. `crowded`:
// eight need so many registers that few threads are resident, which costs more than shared reads gain. `chosen`: so many, or 0;
// then `most` do not count.
inline unsigned rows_of(const DeviceLimits &device, Trips z, Trips y, Trips x, bool crowded, unsigned chosen = 0, unsigned most = 8)
{
    const char *const asked = std::getenv("OMPC_TILES");
    if (asked != nullptr && *asked != '\0')
        return std::atoi(asked) == 8 ? 8 : std::atoi(asked) == 4 ? 4 : 1;
    if (chosen != 0)
        return chosen >= 8 ? 8 : chosen >= 4 ? 4 : 1;
    const Trips threads = static_cast<Trips>(device.multiprocessors) * device.threads_per_multiprocessor;
    for (const unsigned rows : {8u, 4u})
        if (y >= rows && rows <= most && !(rows == 8 && crowded) && std::max<Trips>(z, 1) * x >= threads / std::max<Trips>(ceiling(y, rows), 1))
            return rows;
    return 1;
}

// How many of so many iterations a thread computes together where they read the same (ompc_unroll_and_jam.h): two, which take a
// tenth less time, unless more multiprocessors would have nothing to do at the end then. `chosen`: so many, or 0.
inline unsigned points_of(const DeviceLimits &device, Trips trips, unsigned chosen = 0)
{
    const char *const asked = std::getenv("OMPC_TILES");
    if (asked != nullptr && *asked != '\0')
        return std::atoi(asked) >= 2 ? 2 : 1;
    if (chosen != 0)
        return chosen >= 2 ? 2 : 1;
    // A block has 32 iterations, or groups of them (ompc_thread_group.h): how busy are all multiprocessors until the last is
    // done?
    const Trips blocks = ceiling(trips, warp_threads), halves = ceiling(trips, 2 * warp_threads);
    const auto turns = [&](Trips n) { return ceiling(n, device.multiprocessors); };
    return 2 * halves >= 3 * static_cast<Trips>(device.multiprocessors) && 20 * turns(halves) <= 11 * turns(blocks) ? 2 : 1;
}

#endif

// Of a half-plane of points, `inside` (y, x): has a rectangle one of them?
template <class Inside>
OMPC_ANYWHERE bool has_corner(const Inside &inside, std::size_t y, std::size_t last_y, std::size_t x, std::size_t last_x)
{
    return inside(y, x) || inside(y, last_x) || inside(last_y, x) || inside(last_y, last_x);
}

// Are all points of a rectangle in the half-plane?
template <class Inside>
OMPC_ANYWHERE bool has_all_corners(const Inside &inside, std::size_t y, std::size_t last_y, std::size_t x, std::size_t last_x)
{
    return inside(y, x) && inside(y, last_x) && inside(last_y, x) && inside(last_y, last_x);
}

// Of so many columns, those in which the half-plane has a point of the rows from `first` to `last`: from one end to some column.
struct Stretch {
    std::size_t begin, end;
};
template <class Inside>
OMPC_ANYWHERE Stretch stretch_of(const Inside &inside, std::size_t first, std::size_t last, std::size_t columns)
{
    const auto has_any = [&](std::size_t column) { return inside(first, column) || inside(last, column); };
    if (columns == 0)
        return {0, 0};
    const bool at_begin = has_any(0);
    if (at_begin == has_any(columns - 1))
        return {0, at_begin ? columns : 0};
    std::size_t low = 0, high = columns - 1; // where it is as at the begin, and where it is as at the end
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (has_any(middle) == at_begin ? low : high) = middle;
    }
    return at_begin ? Stretch{0, high} : Stretch{high, columns};
}

// The lines of a tile that have points, of the places from 0 to `end`: from `first` to `last`.
struct Lines {
    int first, last, end;
};

// `has` (p): has the line at that place one? At least one has. Lines that have are neighbours, and an end of the tile is among
// them, unless only lines between its ends have none: a half-plane has no such.
template <class Has>
OMPC_ANYWHERE Lines lines_that_have(int end, const Has &has)
{
    const bool from_first = has(0);
    if (has(end) && from_first)
        return {0, end, end};
    int with = from_first ? 0 : end, without = from_first ? end : 0;
    while (with - without > 1 || without - with > 1) {
        const int between = (with + without) / 2;
        (has(between) ? with : without) = between;
    }
    return from_first ? Lines{0, with, end} : Lines{with, end, end};
}

// Of a half-plane of points, in a tile that has some of them: the rows from `y` on in which there are points, of those with so
// many columns, and the columns likewise.
template <class Inside>
OMPC_ANYWHERE Lines rows_inside(const Inside &inside, std::size_t y, int end, Trips columns)
{
    return lines_that_have(end, [&](int p) { return inside(y + p, 0) || inside(y + p, columns - 1); });
}
template <class Inside>
OMPC_ANYWHERE Lines columns_inside(const Inside &inside, std::size_t x, int end, Trips rows)
{
    return lines_that_have(end, [&](int p) { return inside(0, x + p) || inside(rows - 1, x + p); });
}

constexpr int transposed_width = 32, transposed_height = 8;
static_assert(transposed_width == warp_threads, "a warp is a row of threads");

// Tiles where there are enough points along both axes to fill a warp; `points` is 0 where not. `chosen`: 0: none; -1: nothing.
// There are at most so many blocks.
inline Tiling transposing_of(Trips z, Trips y, Trips x, int side, int chosen = -1, unsigned long long left = ~0ull)
{
    const char *const asked = std::getenv("OMPC_TILES");
    const int wanted = asked != nullptr && *asked != '\0' ? std::atoi(asked) : chosen;
    const Trips least = transposed_width;
    if (wanted >= 0 ? wanted == 0 : y < least || x < least)
        return {};
    const auto take = [&left](Trips n, unsigned long long limit) {
        const unsigned long long taken = std::max(1ull, std::min<unsigned long long>({n, limit, left}));
        left /= taken;
        return static_cast<unsigned>(taken);
    };
    const Trips length = static_cast<Trips>(side);
    const unsigned across = take(ceiling(x, length), grid_x_limit), down = take(ceiling(y, length), grid_yz_limit);
    return {1, {dim3(across, down, take(std::max<Trips>(z, 1), grid_yz_limit)), dim3(transposed_width, transposed_height, 1)}};
}

} // namespace ompc

#endif

// ompc_shape.h: how many threads and blocks a launch gets.
//
// Kernels stride over the grid, so every shape is right; a good one gives each multiprocessor work when there is little,
// and fills the device several times over when there is much, without more blocks than that but for three loops.

#ifndef OMPC_SHAPE_H
#define OMPC_SHAPE_H

#include "ompc_cuda.h"
#include "ompc_trips.h"

#include <algorithm>
#include <cstddef>

namespace ompc {

// openmpc: one thread per iteration in blocks of 128, memory allocated and freed by every launch, synchronous copies.
enum Mode { automatic, openmpc };

struct DeviceLimits {
    unsigned multiprocessors, threads_per_multiprocessor;
    std::size_t memory; // bytes that the device has
    std::size_t shared = 0;       // bytes of shared memory that a multiprocessor has for its blocks
    std::size_t block_shared = 0; // bytes of it that one block may ask for
};

struct Shape {
    dim3 grid, block;
    unsigned shared = 0; // bytes of the memory that each block has (ompc_histograms.h)
    bool whole = false; // there is a thread for each iteration
    unsigned long long blocks() const { return static_cast<unsigned long long>(grid.x) * grid.y * grid.z; }
};

constexpr unsigned block_threads = 256, warp_threads = 32, openmpc_threads = 128;
constexpr unsigned long long grid_x_limit = 0x7fffffff, grid_yz_limit = 65535;
constexpr unsigned least_resident_blocks = 4; // of a multiprocessor, so that it has enough reads under way
// A kernel with a reduction writes one partial result per block, so it gets fewer blocks: twice what is resident.
constexpr unsigned fills = 16, fills_with_reduction = 2, openmpc_reduction_blocks = 65535;

inline unsigned long long ceiling(unsigned long long a, unsigned long long b)
{
    return a == 0 ? 1 : (a - 1) / b + 1;
}

// The most blocks of `threads` threads that a grid gets; `times`: as many times those that are resident, 0: nobody has said.
inline unsigned long long most_blocks(const DeviceLimits &device, unsigned threads, Mode mode, bool reduces, unsigned times = 0)
{
    if (mode == openmpc)
        return reduces ? openmpc_reduction_blocks : grid_x_limit;
    const unsigned long long resident = static_cast<unsigned long long>(device.multiprocessors) *
                                        std::max(1u, device.threads_per_multiprocessor / std::max(threads, warp_threads));
    return resident * (times != 0 ? times : reduces ? fills_with_reduction : fills);
}

// The smallest power of two that covers `trips`, at most `limit`.
inline unsigned covering(Trips trips, unsigned limit)
{
    unsigned n = 1;
    while (n < limit && n < trips)
        n *= 2;
    return n;
}

// The most partial results that a reduction can need in any shape.
inline std::size_t most_partials(const DeviceLimits &device, Mode mode)
{
    return static_cast<std::size_t>(most_blocks(device, 1, mode, true));
}

// What the user asks: threads of a block, and blocks at most; 0: nothing. How many threads there can be; 0: any number. And
// what was found good: the width of a block, and how many times as many blocks as are resident (ompc_tuning.h).
struct Asked {
    unsigned threads = 0, blocks = 0;
    std::size_t most_threads = 0;
    unsigned width = warp_threads; // of a block along x, at most
    unsigned with_accumulators = 512;    // threads of a block that has copies of arrays (ompc_histograms.h)
    unsigned exact_width = 0, fills = 0;
    bool whole = false; // as many blocks as there is work for
    bool parts_of_blocks = false; // what threads have in memory of the launch (ompc_expanded.h), here blocks have

    Asked with_parts_of_blocks() const
    {
        Asked found = *this;
        found.parts_of_blocks = true;
        return found;
    }
    // Of so many parts each thread, or each block, has one; 0: nobody needs any.
    void has_parts(std::size_t parts)
    {
        if (!parts_of_blocks)
            most_threads = parts;
        else if (parts != 0 && (blocks == 0 || blocks > parts))
            blocks = static_cast<unsigned>(parts);
    }
};

// For kernels of which neighbouring threads along x read the same memory: there it comes to a block in longer stretches.
constexpr Asked wide_blocks{0, 0, 0, 4 * warp_threads};
// The same where the kernel has a form for grids with a thread for each point.
constexpr Asked one_turn{0, 0, 0, 4 * warp_threads, 512, 0, 0, true};
constexpr Asked one_turn_of_planes{0, 0, 0, 2 * warp_threads, 512, 0, 0, true}; // rows behind each other
constexpr Asked one_turn_of_points{0, 0, 0, warp_threads, 512, 0, 0, true};

// For kernels with copies that need few registers: blocks are large, since each has to add its copies to the array.
constexpr Asked short_bodies{0, 0, 0, warp_threads, 1024};

// For kernels whose blocks have tables that they write back (ompc_collected_adds.h): no more of them than have much to do.
constexpr Asked few_blocks{0, 0, 0, warp_threads, 512, 0, fills_with_reduction};

// The width for so many iterations: so that few threads of the last block have none.
inline unsigned width_of(Trips x, unsigned most)
{
    while (most > warp_threads && x < 8 * static_cast<Trips>(most))
        most /= 2;
    return most;
}

// Blocks of up to 32 x 8 threads (32 x 4 for openmpc), x innermost; smaller ones while some multiprocessor would get none.
inline Shape shape_of(const DeviceLimits &device, Mode mode, bool reduces, Trips z, Trips y, Trips x,
                      Asked asked = {})
{
    const bool flat = z == 1 && y == 1;
    const std::size_t most = asked.most_threads ? asked.most_threads : static_cast<std::size_t>(-1);
    asked.threads = asked.threads > most ? 0 : asked.threads;
    unsigned threads = asked.threads ? asked.threads : mode == openmpc ? openmpc_threads : block_threads, bx = 0, by = 0;
    for (;; threads /= 2) {
        bx = flat ? threads : std::min(threads, asked.exact_width ? asked.exact_width : covering(x, width_of(x, asked.width)));
        by = flat ? 1 : asked.exact_width ? threads / bx : std::min(threads / bx, covering(y, std::max(1u, threads / bx)));
        if (bx * by > most)
            continue;
        if (asked.threads || mode == openmpc || threads <= warp_threads || z * ceiling(y, by) * ceiling(x, bx) >= device.multiprocessors)
            break;
    }
    // Blocks of a cuboid come in the order of memory; one that went on far away would find nothing in the cache.
    const bool bounded = (z == 1 && !asked.whole) || reduces || asked.fills;
    unsigned long long left = bounded ? most_blocks(device, bx * by, mode, reduces, asked.fills) : grid_x_limit;
    if (reduces)
        left = std::min<unsigned long long>(left, most_partials(device, mode));
    if (asked.blocks)
        left = std::min<unsigned long long>(left, asked.blocks);
    left = std::min<unsigned long long>(left, most / (bx * by));
    if (asked.exact_width && !asked.blocks && !asked.most_threads) // a warp's threads along x: kernels may leave out some (first_after)
        left = std::max<unsigned long long>(left, ceiling(warp_threads, bx));
    const auto take = [&left](unsigned long long wanted, unsigned long long limit) {
        const unsigned long long n = std::max(1ull, std::min({wanted, limit, left}));
        left /= n;
        return static_cast<unsigned>(n);
    };
    const Trips wanted_x = ceiling(x, bx), wanted_y = ceiling(y, by), wanted_z = std::max<Trips>(z, 1);
    const unsigned gx = take(wanted_x, grid_x_limit);
    const unsigned gy = take(wanted_y, grid_yz_limit);
    const unsigned gz = take(wanted_z, grid_yz_limit);
    return {dim3(gx, gy, gz), dim3(bx, by, 1), 0, gx == wanted_x && gy == wanted_y && gz == wanted_z};
}

} // namespace ompc

#endif

// ompc_grid.h: the kernel that is running on the emulated device, as its lanes see it.
//
// Who runs them is in ompc_scheduler.h.

#ifndef OMPC_GRID_H
#define OMPC_GRID_H

#include <cstring>

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace ompc {
namespace emulate {

constexpr unsigned warp_lanes = 32;

class Fiber;

struct Lane {
    uint3 thread{};
    unsigned rank = 0;
    Fiber *fiber = nullptr;
    // While it waits in its warp:
    unsigned mask = 0;
    int source = 0;
    unsigned long long sent = 0, received = 0;
    bool ended = false;
};

// Thrown by a lane that ends where it stands.
struct ThreadEnded {
};

// There is one kernel at a time.
class Grid {
public:
    Lane *lane = nullptr;
    uint3 block_index{};
    dim3 block_dim, grid_dim;
    unsigned char *memory = nullptr;

    // The calling lane waits for all lanes of the block. Does one of them say `vote`?
    bool meet_block(bool vote = false);

    // The calling lane waits for those of its warp that `mask` names, and gets what the lane `source` sent.
    unsigned long long meet_warp(unsigned mask, unsigned long long value, int source);

    int lane_in_warp() const { return static_cast<int>(lane->rank % warp_lanes); }

    // Abandons the running lane: the kernel has gone wrong. Does not return.
    void abandon(const char *problem);

    // What the launch gives each block.
    unsigned char *block_memory() const { return memory; }
};

extern Grid the_grid;

// Sends `value` to the warp; gets that of the lane `source`.
template <class T>
inline T shuffle(unsigned mask, T value, int source)
{
    static_assert(sizeof(T) <= sizeof(unsigned long long), "shuffles of up to 8 bytes");
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = the_grid.meet_warp(mask, bits, source);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace emulate
} // namespace ompc

#endif

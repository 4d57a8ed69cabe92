// ompc_scan_tiles.h: into which tiles a launch that makes prefixes divides its iterations (ompc_scan.h). The host and kernels.

#ifndef OMPC_SCAN_TILES_H
#define OMPC_SCAN_TILES_H

#include "ompc_trips.h"

namespace ompc {

// A thread has `scan_rows` iterations of a tile, a block's width apart: neighbouring threads have neighbouring iterations. The
// numbers do not depend on the device, since results of floating-point sums would.
constexpr unsigned scan_threads = 256, scan_fan = 32; // of a block; tiles of a group, groups of a family
constexpr int scan_rows = 16;
constexpr unsigned scan_tile_size = scan_threads * scan_rows;
static_assert(scan_tile_size % 1024 == 0, "a lane combines as many segments of 32 iterations as each other one");

OMPC_ANYWHERE constexpr Trips scan_tiles(Trips trips)
{
    return trips / scan_tile_size + (trips % scan_tile_size != 0);
}
OMPC_ANYWHERE constexpr Trips scan_groups(Trips tiles)
{
    return tiles / scan_fan + (tiles % scan_fan != 0);
}
// Of tiles, groups and families.
OMPC_ANYWHERE constexpr Trips scan_entries(Trips tiles)
{
    return tiles + scan_groups(tiles) + scan_groups(scan_groups(tiles));
}

} // namespace ompc

#endif

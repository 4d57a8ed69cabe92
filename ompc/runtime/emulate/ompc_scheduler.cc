// ompc_scheduler.cc: what lanes call of the scheduler, and where they start.

#include "ompc_scheduler.h"

namespace ompc {
namespace emulate {

void Scheduler::start_lanes()
{
    Fiber::enter();
    scheduler().start_lanes_here();
}

Grid the_grid;

bool Grid::meet_block(bool vote)
{
    return scheduler().meet_block(vote);
}

unsigned long long Grid::meet_warp(unsigned mask, unsigned long long value, int source)
{
    return scheduler().meet_warp(mask, value, source);
}

void Grid::abandon(const char *problem)
{
    scheduler().abandon(problem);
}

} // namespace emulate
} // namespace ompc

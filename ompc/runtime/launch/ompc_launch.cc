// ompc_launch.cc: what launchers call (ompc_launch.h): a launch, which is the same for every program.

#include "ompc_host.h"
#include "ompc_inspection.h"
#include "ompc_launch_state.h"

#include <cerrno>
#include <new>

// Of one program's units of the device, which all have it.
#define OMPC_CALLED_FROM_C extern "C" __attribute__((weak, used))

namespace ompc {

// Loops of a joint launch that have been done, and that the thread has not yet passed. Between them it runs nothing else: where a
// launch is refused, or has been passed, there are none.
static int &fused_left()
{
    static thread_local int left = 0;
    return left;
}

OMPC_CALLED_FROM_C int ompc_fuses(int others, int done)
{
    fused_left() = done != 0 ? others : 0;
    return done;
}

OMPC_CALLED_FROM_C int ompc_fused(void)
{
    return fused_left() > 0 && fused_left()-- > 0;
}

// Somebody who counts launches, or wants to know why there are none, hears of each loop.
OMPC_CALLED_FROM_C int ompc_all_stay(int loops)
{
#ifdef OMPC_LIBRARY // whose launchers look at bounds of arrays, too
    return loops < 0;
#else
    if (settings().profiling || settings().summary || settings().mandatory || settings().verify || logs(log_refusals))
        return 0;
    return settings().disabled || LaunchState::all_stay(loops);
#endif
}

bool inspected::matters()
{
    return !settings().disabled && device().absence() == nullptr;
}

Launch::Launch(Region &region, Mode mode) : state_(*new (thread_arena().take_room(sizeof(LaunchState))) LaunchState(region, mode)) {}

// For the program the loop is no call: errno is as it was.
Launch::~Launch()
{
    const int before = state_.errno_before();
    state_.~LaunchState();
    thread_arena().give_room(&state_);
    errno = before;
}

bool Launch::begin(double each, Trips iterations)
{
    return state_.begin(each, iterations);
}

int Launch::end()
{
    return state_.end();
}

void Launch::saves(double launches, double waits)
{
    state_.saves(launches, waits);
}

void Launch::messages(Messages &messages, Printer printer)
{
    state_.messages(messages, printer);
}

void Launch::clears(void *symbol, std::size_t bytes)
{
    state_.clears(symbol, bytes);
}

void Launch::tuned(const Tuned *table, std::size_t entries)
{
    state_.tuned(table, entries);
}

Shape Launch::shape(Trips z, Trips y, Trips x, Asked asked)
{
    return state_.shape(z, y, x, asked);
}

Tiling Launch::tiling(Trips z, Trips y, Trips x, Trips inner, int narrower, const TileMemory &memory)
{
    return state_.tiling(z, y, x, inner, narrower, memory);
}

Tiling Launch::transposing(Trips z, Trips y, Trips x, int side)
{
    return state_.transposing(z, y, x, side);
}

unsigned Launch::points(Trips trips)
{
    return state_.points(trips);
}

GroupShape Launch::group(Trips trips, const GroupWanted &wanted)
{
    return state_.group(trips, wanted);
}

RowLengths Launch::row_lengths(Trips trips, std::initializer_list<std::size_t> from, RowLengths (*count)(const void *of_rows, Trips rows),
                               const void *of_rows)
{
    return state_.row_lengths(trips, from, [&] { return count(of_rows, trips); });
}

std::size_t Launch::block_bytes(std::size_t root) const
{
    return state_.block_bytes(root);
}

unsigned Launch::rows_at_most(unsigned most, const void *eight, Trips z, Trips y, Trips x)
{
    return state_.rows(most, eight, z, y, x);
}

void Launch::start(const Shape &shape, const Kernel &kernel)
{
    state_.run(shape, kernel);
}

std::size_t Launch::add_array(const char *name, const volatile void *host, const Extent &extent, std::size_t element, Access access, HostBuffer buffer,
                              LayoutOf layout)
{
    return state_.array(name, host, extent, element, access, buffer, layout);
}

std::size_t Launch::add_linked(const char *name, std::size_t holder, const Pointers &pointers, const Extent &extent, std::size_t element, Access access,
                               LayoutOf layout)
{
    return state_.linked(name, holder, pointers, extent, element, access, layout);
}

std::size_t Launch::add_reduction(const PendingReduction &pending, std::size_t result_bytes, const char *not_neutral)
{
    return state_.reduction(pending, result_bytes, not_neutral);
}

std::size_t Launch::add_scan(std::size_t size, Trips trips)
{
    return state_.scan(size, trips);
}

std::size_t Launch::add_expanded(const char *name, std::size_t count, std::size_t size, Trips iterations)
{
    return state_.expanded(name, count, size, iterations);
}

std::size_t Launch::add_scratch(const char *name, std::size_t bytes)
{
    return state_.scratch(name, bytes);
}

std::size_t Launch::add_copies(std::size_t root, std::size_t number, std::size_t copied, long long most)
{
    return state_.copies(root, number, copied, most);
}

void Launch::add_constant(const char *name, const void *symbol, std::size_t bytes, const volatile void *host)
{
    state_.constant(name, symbol, bytes, host);
}

void Launch::stays(const char *name, const void *host, std::size_t bytes)
{
    state_.constant(name, nullptr, bytes, host);
}

void Launch::not_verified(const void *variable)
{
    state_.not_verified(variable);
}

void Launch::set_distinct(std::size_t array)
{
    state_.set_distinct(array);
}

void Launch::set_former(std::size_t array, std::size_t of)
{
    state_.set_former(array, of);
}

void Launch::set_written(std::size_t array, long long first, long long last)
{
    state_.set_written(array, first, last);
}

void Launch::overwrites(std::size_t array, const Lmad &must_write)
{
    state_.overwrites(array, must_write);
}

void Launch::expect_overwritten()
{
    Coherence::is_debugged.store(true, std::memory_order_relaxed);
}

void Launch::slides(std::size_t array, const Lmad &footprint, long long apart)
{
    state_.slides(array, footprint, apart);
}

void Launch::set_linked_distinct(std::size_t linked)
{
    state_.set_linked_distinct(linked);
}

void Launch::set_linked_apart(std::size_t linked)
{
    state_.set_linked_apart(linked);
}

std::size_t Launch::root_of_linked(std::size_t linked) const
{
    return state_.root_of_linked(linked);
}

Trips Launch::share(Trips trips, Trips all, bool of_tiles)
{
    return state_.share(trips, all, of_tiles);
}

Slice Launch::slice(Trips at, Trips share, Trips trips)
{
    return state_.slice(at, share, trips);
}

Trips Launch::next(Trips trips)
{
    return state_.next(trips);
}

void Launch::spreads(Trips trips)
{
    state_.spreads(trips);
}

Address Launch::host_address(std::size_t array) const
{
    return state_.host_address(array);
}

Address Launch::device_address(std::size_t array) const
{
    return state_.device_address(array);
}

void *Launch::expanded_memory(std::size_t index) const
{
    return state_.expanded_memory(index);
}

void *Launch::scratch_memory(std::size_t index) const
{
    return state_.scratch_memory(index);
}

AccumulatorMemory Launch::accumulator_memory(std::size_t index) const
{
    return state_.accumulator_memory(index);
}

ReductionPlaces Launch::reduction_places(std::size_t index) const
{
    return state_.reduction_places(index);
}

ScanPlaces Launch::scan_places(std::size_t index) const
{
    return state_.scan_places(index);
}

} // namespace ompc

// ompc_target.cc: what the lines above target constructs call (ompc_host.h), whichever file they stand in.

#include "ompc_target.h"

#include "ompc_host.h"
#include "ompc_ledger.h"
#include "ompc_bounds_checks.h"
#include "ompc_of_thread.h"
#include "ompc_present.h"

#include <vector>

#define OMPC_CALLED_FROM_C extern "C" __attribute__((weak, used))

extern "C" void GOMP_taskwait(void) __attribute__((weak));  // in gcc's and LLVM's OpenMP runtimes

namespace ompc {

// The ranges of the `target data` regions that this thread is in, outermost first.
static std::vector<std::vector<ompc_global>> &data_regions()
{
    return OfThread<std::vector<std::vector<ompc_global>>>::get();
}

static Address address_of(const ompc_global &range)
{
    return reinterpret_cast<Address>(range.base);
}

// Memory that leaves an array of a call's is not mapped: the loops that use it are left out (ompc_bounds_checks.h).
static bool may_be_mapped(const ompc_global &range)
{
    return borrowed_bounds().is_empty() || !borrowed_bounds().is_left_by(address_of(range), range.bytes);
}

static void leave_all(const ompc_global *ranges, std::size_t count, bool all, bool from)
{
    const Locked guard(ledger().lock);
    for (std::size_t i = 0; i < count; i++)
        present().leave(address_of(ranges[i]), ranges[i].bytes, all, from);
}

} // namespace ompc

OMPC_CALLED_FROM_C int ompc_tasks_done(void)
{
    if (GOMP_taskwait != nullptr)
        GOMP_taskwait();
    return 1;
}

OMPC_CALLED_FROM_C int ompc_target_host(void)
{
    ompc::target_in_parallel() = ompc::in_parallel();
    if (ompc::target_in_parallel())
        ompc::any_target_in_parallel() = true;
    const ompc::Locked guard(ompc::ledger().lock);
    ompc::present().written_by_host();
    return 0;
}

// Nobody knows when it ends: from now on launches copy what is mapped.
OMPC_CALLED_FROM_C int ompc_target_deferred(int loops)
{
    if (loops != 0 && ompc::in_parallel())
        ompc::any_deferred_in_parallel() = true;
    const ompc::Locked guard(ompc::ledger().lock);
    ompc::present().keep_nothing();
    return ompc_target_host();
}

OMPC_CALLED_FROM_C void ompc_target_keep_nothing(void)
{
    ompc::present().keep_nothing(); // before main
}

OMPC_CALLED_FROM_C int ompc_target_home(void)
{
    const ompc::Locked guard(ompc::ledger().lock);
    ompc::present().read_by_host();
    return 1;
}

// Blocks that may go while they are mapped are watched; what cannot be watched is not kept.
OMPC_CALLED_FROM_C void ompc_target_enter(const struct ompc_global *ranges, __SIZE_TYPE__ count)
{
    const ompc::Locked guard(ompc::ledger().lock);
    for (std::size_t i = 0; i < count; i++) {
        void *base = nullptr;
        std::size_t bytes = 0;
        if (ompc::may_be_mapped(ranges[i]) && ompc_block_find(ranges[i].base, &base, &bytes) != 0 && ompc_block_watch(base) != 0)
            ompc::present().enter(ompc::address_of(ranges[i]), ranges[i].bytes, true);
    }
}

OMPC_CALLED_FROM_C void ompc_target_exit(const struct ompc_global *ranges, __SIZE_TYPE__ count, enum ompc_exit kind)
{
    ompc::leave_all(ranges, count, kind == ompc_delete, kind == ompc_from);
}

OMPC_CALLED_FROM_C int ompc_target_begin(const struct ompc_global *ranges, __SIZE_TYPE__ count)
{
    const ompc::Locked guard(ompc::ledger().lock);
    ompc::data_regions().emplace_back(ranges, ranges + count);
    for (std::size_t i = 0; i < count; i++)
        if (ompc::may_be_mapped(ranges[i]))
            ompc::present().enter(ompc::address_of(ranges[i]), ranges[i].bytes, false);
    return 1;
}

OMPC_CALLED_FROM_C int ompc_target_end(void)
{
    const std::vector<ompc_global> ranges = ompc::data_regions().back();
    ompc::data_regions().pop_back();
    ompc::leave_all(ranges.data(), ranges.size(), false, true);
    return 0;
}

OMPC_CALLED_FROM_C void ompc_target_update(const struct ompc_global *ranges, __SIZE_TYPE__ count, int to)
{
    const ompc::Locked guard(ompc::ledger().lock);
    for (std::size_t i = 0; i < count; i++)
        if (to != 0)
            ompc::present().update_to(ompc::address_of(ranges[i]), ranges[i].bytes);
        else
            ompc::present().update_from(ompc::address_of(ranges[i]), ranges[i].bytes);
}

// ompc_history.cc: at the end of a program: how long it took, and its loops (ompc_history.h).

#include "ompc_history.h"

#include "ompc_device.h"
#include "ompc_ledger.h"
#include "ompc_start.h"

namespace ompc {

static void write_history()
{
    if (ledger().owner != getpid())
        return; // a child of fork has another end
    const Locked guard(ledger().lock);
    if (has_failed())
        return;
    const bool is_started = device().is_connected();
    const double context = is_started ? machine_costs().context_seconds : MachineCosts().context_seconds;
    const double seconds = now() - program_begun() + (is_started ? context / 3 : 0); // until the system has taken it away
    for (const Region *region = ledger().first; region != nullptr; region = region->next)
        history().has_shown(region->id, region->file, region->costs);
    history().ends(seconds, is_started, context);
}

void write_history_at_exit()
{
#ifndef OMPC_LIBRARY
    if (!settings().weighs || settings().disabled)
        return;
    ledger(); // is this process's
    ompc_at_exit(write_history);
#endif
}

} // namespace ompc

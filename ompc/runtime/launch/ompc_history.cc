// ompc_history.cc: at the end of a program: has the device paid for its start (ompc_history.h)?

#include "ompc_history.h"

#include "ompc_device.h"
#include "ompc_ledger.h"
#include "ompc_payoff.h"
#include "ompc_start.h"

namespace ompc {

static void write_history()
{
    if (ledger().owner != getpid())
        return; // a child of fork has another end
    const Locked guard(ledger().lock);
    if (device().is_connected() && !has_failed())
        history().ends(payoff().has_paid(machine_costs().context_seconds));
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

// ompc_start.cc: the runtime starts, before main. Libraries that share it with the program, or each other, start it once.
//
// Nothing else of it runs before main, but what constructors of the program's files ask of it: they may come earlier, and find
// what they need made by the first who asks.

#include "ompc_start.h"

#include "ompc_ledger.h"

namespace ompc {

// Handlers of the program's end run in the order opposite to that in which they are registered here.
inline bool start_runtime()
{
    explain_log();
    program_begun();
    offer_page_locked_memory();
    write_ledger_at_exit();
    start_verification();
    explain_settings();
    tell_summary_at_exit();
    write_history_at_exit();
    return true;
}
inline const bool has_started = start_runtime();

} // namespace ompc

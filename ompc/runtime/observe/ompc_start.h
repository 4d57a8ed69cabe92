// ompc_start.h: what the runtime does before main, once in a process: start_runtime() calls it in this order (ompc_start.cc).

#ifndef OMPC_START_H
#define OMPC_START_H

namespace ompc {

void explain_log();              // ompc_spelling.cc
void offer_page_locked_memory(); // of the target: ompc_device.cc
void write_ledger_at_exit();     // ompc_ledger_file.cc
void start_verification();       // ompc_verify.cc
void explain_settings();         // ompc_spelling.cc
void tell_summary_at_exit();     // ompc_summary.cc
void write_history_at_exit();    // ompc_history.cc

} // namespace ompc

#endif

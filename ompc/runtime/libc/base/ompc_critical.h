/* ompc_critical.h: handlers of signals wait while their thread is inside malloc, or inside the block table (private to the
   units of C).

   A handler may touch guarded memory, for which the runtime looks into the table and calls malloc. The thread that it has
   interrupted would wait for its own lock, for ever. So ompc_signals.c has each handler of the program called by `on_signal`,
   which sends the signal again where `ompc_critical` is not 0, blocked until the thread has left. Without a signal in between, this
   costs the counting. */

#ifndef OMPC_CRITICAL_H
#define OMPC_CRITICAL_H

#include "ompc_replaces.h"

#include "ompc_libc.h"

#ifdef OMPC_REPLACES_SYSTEM_CALLS
/* Not in memory that the first access allocates: malloc itself counts here. There is little of the other kind for libraries
   that are loaded later, so those whose malloc is not replaced do without. */
#define OF_THREAD_AT_START OMPC_OWN __thread __attribute__((tls_model("initial-exec")))

extern OF_THREAD_AT_START volatile int ompc_critical;               /* how many calls deep */
extern OF_THREAD_AT_START volatile unsigned long long ompc_put_off; /* the signals that wait, from bit 0 for number 1 on */
OMPC_OWN void ompc_let_signals_in(void);

static inline void critical_begin(void)
{
    ompc_critical++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void critical_end(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ompc_critical--;
    if (ompc_critical == 0 && ompc_put_off != 0)
        ompc_let_signals_in();
}

#else
static inline void critical_begin(void)
{
}

static inline void critical_end(void)
{
}
#endif

#endif

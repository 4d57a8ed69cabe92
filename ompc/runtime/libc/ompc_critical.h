/* ompc_critical.h: handlers of signals wait while their thread is inside malloc, or inside the block table (private to
   ompc_heap.c).

   A handler may touch guarded memory, for which the runtime looks into the table and calls malloc. The thread that it has
   interrupted would wait for its own lock, for ever. So ompc_signals.h has each handler of the program called by `on_signal`,
   which sends the signal again where `critical` is not 0, blocked until the thread has left. Without a signal in between, this
   costs the counting. */

#ifndef OMPC_CRITICAL_H
#define OMPC_CRITICAL_H

#include "ompc_replaces.h"

#include "ompc_libc.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
/* Not in memory that the first access allocates: malloc itself counts here. There is little of the other kind for libraries
   that are loaded later, so those whose malloc is not replaced do without. */
#define OF_THREAD_AT_START static __thread __attribute__((tls_model("initial-exec")))

OF_THREAD_AT_START volatile int critical;               /* how many calls deep */
OF_THREAD_AT_START volatile unsigned long long put_off; /* the signals that wait, from bit 0 for number 1 on */

static void critical_begin(void)
{
    critical++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* What has waited comes now: before this returns. */
static void let_signals_in(void)
{
    const int saved = errno;
    const unsigned long long waiting = put_off;
    sigset_t set;
    put_off = 0;
    sigemptyset(&set);
    for (int number = 1; number <= 64; number++)
        if ((waiting >> (number - 1) & 1) != 0)
            sigaddset(&set, number);
    ompc_libc_pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    errno = saved;
}

static void critical_end(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    critical--;
    if (critical == 0 && put_off != 0)
        let_signals_in();
}

#else
static void critical_begin(void)
{
}

static void critical_end(void)
{
}
#endif

#endif

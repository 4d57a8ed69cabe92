/* ompc_jumps.h: functions of libc that leave frames without their cleanups (private to ompc_heap.c).

   Which frames stay cannot be told, so all automatic arrays are copied back and are forgotten (ompc_automatic_arrays.h). longjmp
   is in ompc_signals.h. */

#ifndef OMPC_JUMPS_H
#define OMPC_JUMPS_H

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_guards.h"

#include <ucontext.h>

static void forget_automatic_arrays(void)
{
    const int count = automatics.count;
    if (count == 0 || !pthread_equal(pthread_self(), automatics.initial))
        return;
    for (int i = 0; i < count; i++) {
        automatic_t *const entry = &automatics.of[i];
        const size_t bytes = entry->bytes;
        entry->bytes = 0;
        if (bytes != 0 && (entry->flags & WATCHED) != 0 && guards_on)
            tell_device(entry->base, bytes, exempt_from_guards);
    }
    automatics.count = 0;
}

EXPORTED int setcontext(const ucontext_t *to)
{
    forget_automatic_arrays();
    NEXT(setcontext, to);
}

EXPORTED __attribute__((noreturn)) void pthread_exit(void *result)
{
    static __typeof__(pthread_exit) *next;
    forget_automatic_arrays();
    if (next == NULL)
        next = (__typeof__(pthread_exit) *)next_function("pthread_exit");
    next(result);
    __builtin_unreachable();
}

#endif

/* ompc_system_calls.h: what functions that hand memory to the kernel do first (private to the units of C). */

#ifndef OMPC_SYSTEM_CALLS_H
#define OMPC_SYSTEM_CALLS_H

#include "ompc_replaces.h"

#include "ompc_guards.h"
#include "ompc_interposition.h"

#include <sys/socket.h>

OMPC_OWN void ompc_touched_message(const struct msghdr *message, int writes);

/* For the program alone: CUDA, and what it calls on a thread of the program, must not wait for itself. */
static inline void clock_is_read(const void *caller)
{
    if (guards_are_on() && is_programs_own(caller))
        ompc_guard_hooks.wait();
}
#define CLOCK_IS_READ clock_is_read(__builtin_return_address(0))

#endif

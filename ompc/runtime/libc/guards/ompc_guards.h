/* ompc_guards.h: guarded pages: host memory of which the device has newer bytes (private to the units of C). */

#ifndef OMPC_GUARDS_H
#define OMPC_GUARDS_H

#include "ompc_replaces.h"

#include "ompc_host.h"
#include "ompc_interposition.h"

#include <signal.h>
#include <stdint.h>

extern int __mprotect(void *base, size_t bytes, int protection);

extern OMPC_OWN ompc_guard_hooks_t ompc_guard_hooks;
extern OMPC_OWN int ompc_guards_are_on; /* seen from assembly too (ompc_passes.c) */
extern OMPC_OWN int ompc_libc_frees; /* a library is loaded that finds libc's free in front of ours: all new blocks are libc's */

/* The bounding section of everything that is guarded: most callers need to know no more. */
extern OMPC_OWN volatile uintptr_t ompc_guarded_low, ompc_guarded_high;

OMPC_OWN void ompc_tell_device(uintptr_t base, size_t bytes, int writes);
OMPC_OWN void ompc_exempted(const volatile void *base, size_t bytes);
OMPC_OWN void ompc_guards_end(const char *function);
OMPC_OWN void ompc_bring_home_for_core(void);
OMPC_OWN void ompc_fault_entry(int number, siginfo_t *info, void *context);
OMPC_OWN void ompc_make_room_for_memory_file(void);
OMPC_OWN void ompc_reopen_memory_file(void);

/* Sanitizers call functions of libc before anything that is compiled for them can run: what is extern they would look at. */
#define QUIET __attribute__((no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))
QUIET static inline int guards_are_on(void)
{
    return ompc_guards_are_on;
}

static inline int guards_reach(uintptr_t begin, size_t bytes)
{
    return guards_are_on() && bytes != 0 && begin < ompc_guarded_high && begin + bytes > ompc_guarded_low;
}

/* Code that ompc does not see, or the kernel, is about to read or write there. */
static inline void footprint(uintptr_t base, size_t bytes, int writes)
{
    if (guards_reach(base, bytes))
        ompc_tell_device(base, bytes, writes);
}

#endif

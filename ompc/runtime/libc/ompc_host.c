/* ompc_host.c: loops on the host, and what runs before main.

   The units of C stand in front of libc: they replace malloc and its like (ompc_malloc.c), system calls, signals. That needs
   glibc and a dynamically linked program (OMPC_STATIC: it is not); elsewhere heap blocks are unknown, and loops over arrays
   reached through them run on the host. AddressSanitizer and ThreadSanitizer own malloc, so there their hooks are used. What
   units share is hidden: it is neither the program's nor another runtime's.

   OMPC_LIBRARY: this is part of a library that a process loads which is not ours. Nothing of it is replaced: not its malloc,
   nor its handlers of signals. Its memory is known by what calls are given (ompc_library.cc). */

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_forks.h"
#include "ompc_guards.h"
#include "ompc_host.h"
#include "ompc_passes.h"
#include "ompc_signals.h"

__attribute__((visibility("default"))) extern const char ompc_missing__link_with_ompc_cc[];
const char ompc_missing__link_with_ompc_cc[] = "the runtime of object files that ompc cc made";

/* Before constructors of the program. Its own handlers of forks may touch what is on the device, and come before ours. */
__attribute__((constructor(101))) static void start(void)
{
#ifdef OMPC_REPLACES_SYSTEM_CALLS
    ompc_find_initial_stack();
    ompc_make_room_for_memory_file();
    ompc_look_at_first_mask();
    ompc_program_has_begun = 1;
#endif
    ompc_watch_forks();
}

static int (*on_host_turn)(void);
static int (*on_host_skips)(void);
static void (*on_host_done)(int);

void ompc_on_host_turn(int (*callback)(void))
{
    on_host_turn = callback;
}

void ompc_on_host_skips(int (*callback)(void))
{
    on_host_skips = callback;
}

void ompc_on_host_done(void (*callback)(int))
{
    on_host_done = callback;
}

int ompc_host_turn(int stays)
{
    return stays && on_host_turn != NULL ? on_host_turn() : stays;
}

int ompc_host_skips(void)
{
    return on_host_skips != NULL && on_host_skips();
}

int ompc_host_done(int turn)
{
    if (on_host_done != NULL)
        on_host_done(turn);
    return 0;
}

/* ompc_heap.c: the block table, the interposed malloc family, and page-locked host arrays.

   Nothing in the table calls malloc, recurses, or needs a constructor. Interposition needs glibc and a dynamically linked
   program (OMPC_STATIC: it is not); elsewhere heap blocks are unknown, and loops over arrays reached through them run on
   the host. AddressSanitizer and ThreadSanitizer own malloc, so there their hooks are used.

   OMPC_LIBRARY: this is part of a library that a process loads which is not ours. Nothing of it is replaced: not its malloc,
   nor its handlers of signals. Its memory is known by what calls are given (ompc_library.cc). */

#include "ompc_automatic_arrays.h"
#include "ompc_blocks.h"
#include "ompc_forks.h"
#include "ompc_malloc.h"
#include "ompc_page_locked.h"
#ifdef OMPC_REPLACES_SYSTEM_CALLS
#include "ompc_at_exit.h"
#include "ompc_guards.h"
#include "ompc_jumps.h"
#include "ompc_notices.h"
#include "ompc_signals.h"
#include "ompc_system_places.h"
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) extern const char ompc_missing__link_with_ompc_cc[];
const char ompc_missing__link_with_ompc_cc[] = "the runtime of object files that ompc cc made";

/* ---- the table ---------------------------------------------------------------------------------------------------- */

void ompc_block_lend(const volatile void *base, size_t bytes)
{
    large_add((uintptr_t)base, bytes, LENT);
}

void ompc_block_remove(const volatile void *base)
{
    size_t bytes;
    int flags;
    block_take((uintptr_t)base, &bytes, &flags);
}

int ompc_block_find(const volatile void *address, void **base, size_t *bytes)
{
    uintptr_t start;
    size_t size;
    int flags = 0;
    const uintptr_t at = (uintptr_t)address;
    const int is_found = automatic_find(at, &start, &size) || row_find(at, &start, &size) || small_find(at, &start, &size) ||
                         large_find(at, &start, &size, &flags);
    /* An array, or what is mapped, may be what the program's own malloc gives away in parts, to the runtime too. */
    if (!is_found || ((flags & PAGE_LOCKED) == 0 && ompc_malloc_is_the_programs() && !automatic_find(at, &start, &size)))
        return 0;
    *base = (void *)start;
    *bytes = size;
    return (flags & READ_ONLY) != 0 ? ompc_block_read_only : 1;
}

int ompc_block_watch(const volatile void *base)
{
    uintptr_t slab[2];
    return row_slab((uintptr_t)base, WATCHED, slab) >= 0 || large_flags((uintptr_t)base, WATCHED) >= 0;
}

int ompc_block_pages(const volatile void *address, ompc_block_pages_t *found)
{
    span_t span;
    uintptr_t slab[2];
    if (row_slab((uintptr_t)address, 0, slab) >= 0)
        span = (span_t){slab[0], slab[0], slab[1]};
    else if (!large_span((uintptr_t)address, (uintptr_t)sysconf(_SC_PAGESIZE), &span))
        return 0;
    *found = (ompc_block_pages_t){(void *)span.base, (void *)span.begin, span.end - span.begin};
    return 1;
}

int ompc_block_guardable(const volatile void *address, ompc_guardable_t *found)
{
    uintptr_t block[2], pages[2];
    const uintptr_t at = (uintptr_t)address, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const int flags = row_slab(at, 0, block);
    if (flags >= 0 && (flags & UNGUARDED) != 0)
        return 0;
    const int watched = flags >= 0 ? row_slab(at, WATCHED, pages) >= 0 : automatic_guardable(at, page, block, pages);
    int of_large = 0;
    if (!watched && !large_guardable(at, page, block, pages, &of_large))
        return 0;
    *found = (ompc_guardable_t){(void *)block[0], (void *)pages[0], block[1] - block[0], pages[1] - pages[0], watched,
                                (of_large & READ_ONLY) != 0};
    return 1;
}

void *ompc_slab_of(const volatile void *address)
{
    uintptr_t slab[2];
    return row_slab((uintptr_t)address, 0, slab) < 0 ? NULL : (void *)slab[0];
}

void ompc_block_on_release(void (*callback)(void *base, size_t bytes))
{
    __atomic_store_n(&on_release, callback, __ATOMIC_RELEASE);
}

/* The section of arrays with pages of their own; the last one is ours, so that nothing follows the program's in a page. */
static char last_page[4096] __attribute__((aligned(4096), section(OMPC_ARRAYS)));
extern char __start_ompc_arrays[] __attribute__((visibility("hidden")));

static int is_apart(const volatile void *base)
{
    return (const volatile char *)base >= __start_ompc_arrays && (const volatile char *)base < last_page;
}

void ompc_register_globals(const struct ompc_global *globals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (globals[i].base != NULL && globals[i].bytes != 0) {
            large_add((uintptr_t)globals[i].base, globals[i].bytes, GLOBAL | (is_apart(globals[i].base) ? OWN_PAGES : 0));
            ask_for_large_pages((void *)(uintptr_t)globals[i].base, globals[i].bytes);
            large_memory_is_there(globals[i].bytes);
        }
}

/* ---- loops on the host --------------------------------------------------------------------------------------------- */

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

/* ---- page guards, where the system has what they need --------------------------------------------------------------- */

#ifdef OMPC_REPLACES_SYSTEM_CALLS
int ompc_protect(void *pages, size_t bytes, int protection)
{
    return __mprotect(pages, bytes, protection);
}
#else

void ompc_guards_may_be(const void *base, size_t bytes)
{
    (void)base, (void)bytes;
}

int ompc_guards_prepare(void)
{
    return 0;
}

int ompc_guards_start(const ompc_guard_hooks_t *hooks)
{
    return (void)hooks, 0;
}

const char *ompc_guards_refused(void)
{
    return NULL;
}

int ompc_protect(void *pages, size_t bytes, int protection)
{
    return mprotect(pages, bytes, protection);
}

void ompc_at_exit(void (*handler)(void))
{
    atexit(handler);
}

int ompc_runs_on_after_exit(const void *of_device_runtime)
{
    (void)of_device_runtime;
    return 1;
}

int ompc_write_through(void *host, const void *from, size_t bytes)
{
    return memcpy(host, from, bytes) != NULL;
}

int ompc_read_through(void *to, const void *host, size_t bytes)
{
    return memcpy(to, host, bytes) != NULL;
}

int ompc_system_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return sigaction(number, action, before);
}

void ompc_signals_hold(ompc_held_signals_t *held)
{
    held->any = 0;
}

void ompc_signals_hold_all(ompc_held_signals_t *held)
{
    held->any = 0;
}

void ompc_signals_release(const ompc_held_signals_t *held)
{
    (void)held;
}

/* Nobody sees handlers being installed: the system is asked. A library's arrays are borrowed for the call. */
int ompc_others_may_write(void)
{
    int any = 0;
#ifndef OMPC_LIBRARY
    for (int number = 1; number < NSIG && !any; number++) {
        struct sigaction now;
        any = sigaction(number, NULL, &now) == 0 && ((now.sa_flags & SA_SIGINFO) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN));
    }
#endif
    return any;
}

#endif

/* ---- page-locked host arrays -------------------------------------------------------------------------------------- */

void *ompc_malloc_host(size_t bytes)
{
    const size_t wanted = bytes == 0 ? 1 : bytes;
    void *base = page_locked_memory(wanted);
    if (base != NULL)
        return base;
    if (posix_memalign(&base, 64, wanted) != 0) {
        char text[96];
        const int length = snprintf(text, sizeof text, "ompc: no memory for a host array of %zu bytes [OMPC455]\n", bytes);
        ompc_libc_write(STDERR_FILENO, text, (size_t)length);
        exit(70);
    }
    return base;
}

static void release_host(void *base)
{
    if (base == NULL)
        return;
    size_t bytes;
    int flags = large_flags((uintptr_t)base, 0);
    if (flags >= 0 && (flags & PAGE_LOCKED) != 0 && block_take((uintptr_t)base, &bytes, &flags))
        page_locked_release(base);
    else
        free(base);
}

void ompc_release_host(void *variable)
{
    void *base;
    memcpy(&base, variable, sizeof base);
    release_host(base);
}

static struct global_array {
    struct global_array *next;
    void *base;
} *global_arrays;

void *ompc_malloc_host_global(size_t bytes)
{
    void *base = memset(ompc_malloc_host(bytes), 0, bytes);
    struct global_array *entry = malloc(sizeof *entry);
    if (entry != NULL) { /* else it is left to the end of the process */
        entry->base = base;
        entry->next = global_arrays;
        global_arrays = entry;
    }
    return base;
}

/* A destructor of the program runs after all that was given to atexit. */
__attribute__((destructor)) static void release_global_arrays(void)
{
    while (global_arrays != NULL) {
        struct global_array *entry = global_arrays;
        global_arrays = entry->next;
        release_host(entry->base);
        free(entry);
    }
}

/* ---- _exit -------------------------------------------------------------------------------------------------------- */

static void (*on_immediate_exit)(void);

void ompc_on_immediate_exit(void (*callback)(void))
{
    on_immediate_exit = callback;
}

#ifdef __linux__
static void immediate_exit(int status)
{
    if (on_immediate_exit != NULL)
        on_immediate_exit(); /* and stays: a child of vfork ends in its parent's memory */
    ompc_libc_end(status);
}

EXPORTED __attribute__((noreturn)) void _exit(int status)
{
    immediate_exit(status);
    __builtin_unreachable();
}

EXPORTED __attribute__((noreturn)) void _Exit(int status)
{
    immediate_exit(status);
    __builtin_unreachable();
}
#endif

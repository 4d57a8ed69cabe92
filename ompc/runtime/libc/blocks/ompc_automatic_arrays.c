/* ompc_automatic_arrays.c: automatic arrays of the initial thread.

   OMPC_AUTOMATIC_ARRAY(a) stands behind the declaration of `a`: it enters the array here, and takes it out where control
   leaves the scope, before the frame goes. Where control has come into the scope behind it, the guard that it declares is
   not initialised, and known to nobody. Where control leaves frames in another way (longjmp, setcontext, pthread_exit)
   all of them are copied back and are forgotten: those of frames that stay are copied by each launch from then on.

   Small ones are never guarded, so that each launch copies them; they leave room for large ones.

   Other threads have stacks elsewhere. So one thread writes the list, whose signal handlers may do so in between: an entry
   is there while its size is not 0, which is written last, and a handler leaves the list as long as it was. */

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_blocks.h"
#include "ompc_host.h"
#include "ompc_libc.h"
#include "ompc_rows.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

enum { AUTOMATIC_LEAST = 64 * 1024, AUTOMATIC_MOST = 256, AUTOMATIC_SMALL = 192 };

typedef struct {
    uintptr_t base, guard;
    volatile size_t bytes; /* 0: none is here */
    int flags;
} automatic_t;

static struct {
    volatile int count;
    automatic_t of[AUTOMATIC_MOST];
    uintptr_t lowest, end; /* of the initial thread's stack */
    pthread_t initial;
} automatics;

extern int omp_in_parallel(void) __attribute__((weak)); /* absent when the program is linked without OpenMP */

#ifdef OMPC_REPLACES_SYSTEM_CALLS /* jumps are seen (ompc_jumps.c) */
extern void *__libc_stack_end __attribute__((weak));

void ompc_find_initial_stack(void)
{
    const uintptr_t most = (uintptr_t)1 << 44; /* of a stack without limit, which mapped memory stays away from */
    struct rlimit limit;
    if (&__libc_stack_end == NULL || ompc_libc_getrlimit(RLIMIT_STACK, &limit) != 0)
        return;
    automatics.initial = pthread_self();
    automatics.end = (uintptr_t)__libc_stack_end;
    automatics.lowest = automatics.end - (limit.rlim_cur < most ? (uintptr_t)limit.rlim_cur : most);
}

void ompc_forget_automatic_arrays(void (*tell)(uintptr_t base, size_t bytes))
{
    const int count = automatics.count;
    if (count == 0 || !pthread_equal(pthread_self(), automatics.initial))
        return;
    for (int i = 0; i < count; i++) {
        automatic_t *const entry = &automatics.of[i];
        const size_t bytes = entry->bytes;
        entry->bytes = 0;
        if (bytes != 0 && (entry->flags & WATCHED) != 0)
            tell(entry->base, bytes);
    }
    automatics.count = 0;
}

#endif

/* The entry of the array that holds an address; NULL: there is none. */
static automatic_t *automatic_holder(uintptr_t address)
{
    if (address < automatics.lowest || address >= automatics.end)
        return NULL;
    for (int i = automatics.count - 1; i >= 0; i--)
        if (address - automatics.of[i].base < automatics.of[i].bytes)
            return &automatics.of[i];
    return NULL;
}

int ompc_automatic_find(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    const automatic_t *const found = automatic_holder(address);
    if (found == NULL)
        return 0;
    *base = found->base;
    *bytes = found->bytes;
    return 1;
}

/* Adds to the flags of the block at `base`. */
void ompc_block_flags(uintptr_t base, int added)
{
    uintptr_t slab[2];
    automatic_t *const found = automatic_holder(base);
    if (found != NULL)
        found->flags |= added;
    else if (ompc_row_slab(base, added, slab) < 0)
        ompc_large_flags(base, added);
}

/* The array and its whole pages; who asks is told when it goes. */
int ompc_automatic_guardable(uintptr_t address, uintptr_t page, uintptr_t block[2], uintptr_t pages[2])
{
    automatic_t *const found = automatic_holder(address);
    if (found == NULL || (found->flags & UNGUARDED) != 0)
        return 0;
    found->flags |= WATCHED;
    block[0] = found->base;
    block[1] = found->base + found->bytes;
    pages[0] = (block[0] + page - 1) / page * page;
    pages[1] = block[1] / page * page;
    return pages[0] < pages[1];
}

static void automatic_take(automatic_t *entry)
{
    const uintptr_t base = entry->base;
    const size_t bytes = entry->bytes;
    const int watched = (entry->flags & WATCHED) != 0;
    entry->bytes = 0;
    while (automatics.count > 0 && automatics.of[automatics.count - 1].bytes == 0)
        automatics.count--;
    if (watched) {
        const int saved = errno;
        ompc_tell_watcher(base, bytes);
        errno = saved;
    }
}

/* Frames below `here` have gone without a word; so has what the new array lies on. */
static void take_what_has_gone(uintptr_t here, uintptr_t base, size_t bytes)
{
    for (int i = automatics.count - 1; i >= 0; i--) {
        automatic_t *const entry = &automatics.of[i];
        if (entry->bytes != 0 && (entry->base < here || (entry->base < base + bytes && base < entry->base + entry->bytes)))
            automatic_take(entry);
    }
}

/* Never a part of its caller, in whose frame the array lies: `here` is below that. */
__attribute__((noinline)) __UINTPTR_TYPE__ ompc_automatic_enter(uintptr_t base, size_t bytes, uintptr_t guard)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const int small = bytes < AUTOMATIC_LEAST;
    if (bytes == 0 || here < automatics.lowest || here > base || base >= automatics.end || bytes > automatics.end - base ||
        (omp_in_parallel != NULL && omp_in_parallel() != 0))
        return 0;
    take_what_has_gone(here, base, bytes);
    const int i = automatics.count;
    if (i == AUTOMATIC_MOST || (small && i >= AUTOMATIC_SMALL))
        return 0;
    automatic_t *const entry = &automatics.of[i];
    entry->bytes = 0;
    automatics.count = i + 1;
    entry->base = base;
    entry->guard = guard;
    entry->flags = small ? UNGUARDED : 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    entry->bytes = bytes;
    return base;
}

void ompc_automatic_leave(const __UINTPTR_TYPE__ *guard)
{
    if (*guard == 0)
        return;
    for (int i = automatics.count - 1; i >= 0; i--)
        if (automatics.of[i].guard == (uintptr_t)guard && automatics.of[i].bytes != 0) {
            automatic_take(&automatics.of[i]);
            return;
        }
}

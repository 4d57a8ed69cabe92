/* ompc_blocks.c: the block table: blocks come and go, and who is told of it; which one holds an address.

   Nothing in the table calls malloc, recurses, or needs a constructor. */

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_blocks.h"
#include "ompc_host.h"
#include "ompc_interposition.h"
#include "ompc_rows.h"

#include <errno.h>

static void (*on_release)(void *base, size_t bytes);

void ompc_tell_watcher(uintptr_t base, size_t bytes)
{
    void (*const tell)(void *, size_t) = __atomic_load_n(&on_release, __ATOMIC_ACQUIRE);
    if (tell != NULL)
        tell((void *)base, bytes);
}

/* Large pages, where the system gives them on request: memory is touched and page-locked in half the time. */
void ompc_ask_for_large_pages(void *base, size_t bytes)
{
    enum { LARGE_PAGE = 1 << 21, WORTH_IT = 16 << 20 };
    if (bytes < WORTH_IT)
        return;
    const int saved = errno;
    const uintptr_t begin = ((uintptr_t)base + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    const uintptr_t end = ((uintptr_t)base + bytes) / LARGE_PAGE * LARGE_PAGE;
    ompc_system_call()(SYS_madvise, begin, end - begin, MADV_HUGEPAGE); /* or not */
    errno = saved;
}

void ompc_block_lend(const volatile void *base, size_t bytes)
{
    ompc_large_add((uintptr_t)base, bytes, LENT);
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
    const int is_found = ompc_automatic_find(at, &start, &size) || ompc_row_find(at, &start, &size) ||
                         ompc_small_find(at, &start, &size) || ompc_large_find(at, &start, &size, &flags);
    /* An array, or what is mapped, may be what the program's own malloc gives away in parts, to the runtime too. */
    if (!is_found || ((flags & PAGE_LOCKED) == 0 && ompc_malloc_is_the_programs() && !ompc_automatic_find(at, &start, &size)))
        return 0;
    *base = (void *)start;
    *bytes = size;
    return (flags & READ_ONLY) != 0 ? ompc_block_read_only : 1;
}

int ompc_block_watch(const volatile void *base)
{
    uintptr_t slab[2];
    return ompc_row_slab((uintptr_t)base, WATCHED, slab) >= 0 || ompc_large_flags((uintptr_t)base, WATCHED) >= 0;
}

int ompc_block_pages(const volatile void *address, ompc_block_pages_t *found)
{
    span_t span;
    uintptr_t slab[2];
    if (ompc_row_slab((uintptr_t)address, 0, slab) >= 0)
        span = (span_t){slab[0], slab[0], slab[1]};
    else if (!ompc_large_span((uintptr_t)address, (uintptr_t)sysconf(_SC_PAGESIZE), &span))
        return 0;
    *found = (ompc_block_pages_t){(void *)span.base, (void *)span.begin, span.end - span.begin};
    return 1;
}

int ompc_block_guardable(const volatile void *address, ompc_guardable_t *found)
{
    uintptr_t block[2], pages[2];
    const uintptr_t at = (uintptr_t)address, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const int flags = ompc_row_slab(at, 0, block);
    if (flags >= 0 && (flags & UNGUARDED) != 0)
        return 0;
    const int watched = flags >= 0 ? ompc_row_slab(at, WATCHED, pages) >= 0 : ompc_automatic_guardable(at, page, block, pages);
    int of_large = 0;
    if (!watched && !ompc_large_guardable(at, page, block, pages, &of_large))
        return 0;
    *found = (ompc_guardable_t){(void *)block[0], (void *)pages[0], block[1] - block[0], pages[1] - pages[0], watched,
                                (of_large & READ_ONLY) != 0};
    return 1;
}

void *ompc_slab_of(const volatile void *address)
{
    uintptr_t slab[2];
    return ompc_row_slab((uintptr_t)address, 0, slab) < 0 ? NULL : (void *)slab[0];
}

void ompc_block_on_release(void (*callback)(void *base, size_t bytes))
{
    __atomic_store_n(&on_release, callback, __ATOMIC_RELEASE);
}

/* The section of arrays with pages of their own; the last one is ours, so that nothing follows the program's in a page. */
static char last_page[4096] __attribute__((aligned(4096), section(OMPC_ARRAYS)));
extern char __start_ompc_arrays[] __attribute__((visibility("hidden")));

/* Their addresses in memory: a program of -mcmodel=medium may have arrays of more than 2 GB between them and this code. */
static char *const volatile limits_of_arrays[2] = {__start_ompc_arrays, last_page};

static int is_apart(const volatile void *base)
{
    return (const volatile char *)base >= limits_of_arrays[0] && (const volatile char *)base < limits_of_arrays[1];
}

void ompc_register_globals(const struct ompc_global *globals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (globals[i].base != NULL && globals[i].bytes != 0) {
            ompc_large_add((uintptr_t)globals[i].base, globals[i].bytes, GLOBAL | (is_apart(globals[i].base) ? OWN_PAGES : 0));
            ompc_ask_for_large_pages((void *)(uintptr_t)globals[i].base, globals[i].bytes);
        }
}

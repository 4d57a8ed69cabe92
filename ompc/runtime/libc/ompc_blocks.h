/* ompc_blocks.h: blocks come and go, small or large, and who is told of it (private to ompc_heap.c). */

#ifndef OMPC_BLOCKS_H
#define OMPC_BLOCKS_H

#include "ompc_replaces.h"

#include "ompc_host.h"
#include "ompc_large_blocks.h"
#include "ompc_interposition.h"
#include "ompc_small_blocks.h"

#include <errno.h>

static void (*on_release)(void *base, size_t bytes);

static void tell_watcher(uintptr_t base, size_t bytes)
{
    void (*const tell)(void *, size_t) = __atomic_load_n(&on_release, __ATOMIC_ACQUIRE);
    if (tell != NULL)
        tell((void *)base, bytes);
}

static void (*on_large_memory)(void);
static int has_large_memory;

/* Large pages, where the system gives them on request: memory is touched and page-locked in half the time. */
static void ask_for_large_pages(void *base, size_t bytes)
{
    enum { LARGE_PAGE = 1 << 21, WORTH_IT = 16 << 20 };
    if (bytes < WORTH_IT)
        return;
    const int saved = errno;
    const uintptr_t begin = ((uintptr_t)base + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    const uintptr_t end = ((uintptr_t)base + bytes) / LARGE_PAGE * LARGE_PAGE;
    system_call()(SYS_madvise, begin, end - begin, MADV_HUGEPAGE); /* or not */
    errno = saved;
}

static void large_memory_is_there(size_t bytes)
{
    enum { MEGABYTE = 1 << 20 };
#ifdef OMPC_LIBRARY
    bytes = 0; /* the process may fork before it uses the device */
#endif
    if (bytes < MEGABYTE || __atomic_exchange_n(&has_large_memory, 1, __ATOMIC_ACQ_REL))
        return;
    if (on_large_memory != NULL)
        on_large_memory();
}

void ompc_on_large_memory(void (*callback)(void))
{
    on_large_memory = callback;
    if (__atomic_load_n(&has_large_memory, __ATOMIC_ACQUIRE))
        callback();
}

/* A place in a page holds one block that starts at a multiple of 16; all others are "large". */
static int is_small(uintptr_t base, size_t bytes)
{
    return bytes < LARGE && base % (1 << GRAIN_BITS) == 0 && base >> 48 == 0;
}

void ompc_block_add(const volatile void *base, size_t bytes)
{
    if (is_small((uintptr_t)base, bytes))
        small_add((uintptr_t)base, bytes);
    else
        large_add((uintptr_t)base, bytes, 0);
}

/* Forgets a block, after telling the watcher: 1 and its size and flags, or 0 when it is unknown. */
static int block_take(uintptr_t base, size_t *bytes, int *flags)
{
    *flags = 0;
    if (base % (1 << GRAIN_BITS) == 0 && small_remove(base, bytes))
        return 1;
    if (!large_remove(base, bytes, flags))
        return 0;
    if ((*flags & WATCHED) != 0)
        tell_watcher(base, *bytes);
    return 1;
}

#endif

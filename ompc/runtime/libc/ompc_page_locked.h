/* ompc_page_locked.h: page-locked blocks, of which the device side gives the memory (private to ompc_heap.c). */

#ifndef OMPC_PAGE_LOCKED_H
#define OMPC_PAGE_LOCKED_H

#include "ompc_replaces.h"

#include "ompc_host.h"
#include "ompc_large_blocks.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *(*page_locked_allocate)(size_t bytes);
static void (*page_locked_release)(void *base);

void ompc_host_allocator(void *(*allocate)(size_t bytes), void (*release)(void *base))
{
    page_locked_allocate = allocate;
    page_locked_release = release;
}

/* A page-locked block, in the table; NULL where there is none to be had. */
static void *page_locked_memory(size_t bytes)
{
    void *base = page_locked_allocate == NULL ? NULL : page_locked_allocate(bytes);
    if (base != NULL)
        large_add((uintptr_t)base, bytes, PAGE_LOCKED);
    return base;
}

/* Only where free and realloc are ours can a block that the program frees be another than malloc's. */
static void *page_locked_block(size_t bytes)
{
#ifdef OMPC_REPLACES_MALLOC
    return bytes == 0 || ompc_malloc_is_the_programs() ? NULL : page_locked_memory(bytes);
#else
    return (void)bytes, NULL;
#endif
}

void *ompc_malloc_host_block(size_t bytes)
{
    void *base = page_locked_block(bytes);
    return base == NULL ? malloc(bytes) : base;
}

void *ompc_calloc_host_block(size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *base = page_locked_block(total);
    return base == NULL ? calloc(count, bytes) : memset(base, 0, total);
}

#endif

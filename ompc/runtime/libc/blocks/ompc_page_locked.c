/* ompc_page_locked.c: page-locked blocks and host arrays, of which the device side gives the memory. */

#include "ompc_replaces.h"

#include "ompc_blocks.h"
#include "ompc_host.h"
#include "ompc_libc.h"
#include "ompc_page_locked.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *(*page_locked_allocate)(size_t bytes);
static void (*page_locked_release)(void *base);

void ompc_host_allocator(void *(*allocate)(size_t bytes), void (*release)(void *base))
{
    page_locked_allocate = allocate;
    page_locked_release = release;
}

void ompc_page_locked_release(void *base)
{
    page_locked_release(base);
}

/* A page-locked block, in the table; NULL where there is none to be had. */
static void *page_locked_memory(size_t bytes)
{
    void *base = page_locked_allocate == NULL ? NULL : page_locked_allocate(bytes);
    if (base != NULL)
        ompc_large_add((uintptr_t)base, bytes, PAGE_LOCKED);
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

/* ---- host arrays -------------------------------------------------------------------------------------------------- */

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
    int flags = ompc_large_flags((uintptr_t)base, 0);
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

/* ompc_blocks.h: blocks come and go, small or large, and who is told of it (private to the units of C). */

#ifndef OMPC_BLOCKS_H
#define OMPC_BLOCKS_H

#include "ompc_replaces.h"

#include "ompc_large_blocks.h"
#include "ompc_small_blocks.h"

OMPC_OWN void ompc_tell_watcher(uintptr_t base, size_t bytes);
OMPC_OWN void ompc_ask_for_large_pages(void *base, size_t bytes);

/* A place in a page holds one block that starts at a multiple of 16; all others are "large". */
static inline int is_small(uintptr_t base, size_t bytes)
{
    return bytes < LARGE && base % (1 << GRAIN_BITS) == 0 && base >> 48 == 0;
}

/* Forgets a block, after telling the watcher: 1 and its size and flags, or 0 when it is unknown. */
static inline int block_take(uintptr_t base, size_t *bytes, int *flags)
{
    *flags = 0;
    if (base % (1 << GRAIN_BITS) == 0 && small_remove(base, bytes))
        return 1;
    if (!ompc_large_remove(base, bytes, flags))
        return 0;
    if ((*flags & WATCHED) != 0)
        ompc_tell_watcher(base, *bytes);
    return 1;
}

#endif

/* ompc_large_blocks.h: blocks by address (private to the units of C). */

#ifndef OMPC_LARGE_BLOCKS_H
#define OMPC_LARGE_BLOCKS_H

#include "ompc_replaces.h"

#include "ompc_lock.h"

#include <stdint.h>

enum { WATCHED = 1, PAGE_LOCKED = 2, GLOBAL = 4, OWN_PAGES = 8, UNGUARDED = 16, LENT = 32, MAPPED = 64, READ_ONLY = 128, OF_FILE = 256 };

/* A block and the pages in which it lies, from `begin` to `end`. */
typedef struct {
    uintptr_t base, begin, end;
} span_t;

extern OMPC_OWN lock_t ompc_large_lock;
OMPC_OWN int ompc_large_add(uintptr_t base, size_t bytes, int flags);
OMPC_OWN int ompc_large_remove(uintptr_t base, size_t *bytes, int *flags);
OMPC_OWN int ompc_large_find(uintptr_t address, uintptr_t *base, size_t *bytes, int *flags);
OMPC_OWN int ompc_large_flags(uintptr_t base, int added);
OMPC_OWN int ompc_large_span(uintptr_t address, uintptr_t page, span_t *span);
OMPC_OWN int ompc_large_guardable(uintptr_t address, uintptr_t page, uintptr_t block[2], uintptr_t pages[2], int *flags);
OMPC_OWN int ompc_large_in(uintptr_t begin, uintptr_t end, int kinds, uintptr_t block[2], int *flags);

#endif

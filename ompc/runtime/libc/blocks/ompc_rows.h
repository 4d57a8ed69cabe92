/* ompc_rows.h: blocks of some hundred bytes to a megabyte, side by side in slabs (private to the units of C). */

#ifndef OMPC_ROWS_H
#define OMPC_ROWS_H

#include "ompc_replaces.h"

#include "ompc_lock.h"

#include <stdint.h>

enum { ROW_LEAST = 512, ROW_END = 1 << 20, ROW_ALIGNMENT = 64, RANGE_BITS = 38 };

extern OMPC_OWN lock_t ompc_rows_lock;
extern OMPC_OWN uintptr_t ompc_rows_begin; /* 0: no rows are kept apart */
OMPC_OWN void *ompc_row_take(const void *caller, size_t bytes, int *is_zero);
OMPC_OWN int ompc_row_give(uintptr_t base);
OMPC_OWN int ompc_row_find(uintptr_t address, uintptr_t *base, size_t *bytes);
OMPC_OWN int ompc_row_slab(uintptr_t address, int added, uintptr_t bounds[2]);

static inline int maybe_row(uintptr_t address)
{
    const uintptr_t begin = __atomic_load_n(&ompc_rows_begin, __ATOMIC_ACQUIRE);
    return begin != 0 && address - begin < (uintptr_t)1 << RANGE_BITS;
}

/* Most blocks are no rows: that costs no call. */
static inline void *row_take(const void *caller, size_t bytes, int *is_zero)
{
    const int may_be = bytes >= ROW_LEAST && bytes < ROW_END && __atomic_load_n(&ompc_rows_begin, __ATOMIC_ACQUIRE) != 0;
    return may_be ? ompc_row_take(caller, bytes, is_zero) : NULL;
}

static inline int row_give(uintptr_t base)
{
    return maybe_row(base) && ompc_row_give(base);
}

#endif

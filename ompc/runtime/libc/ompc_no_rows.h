/* ompc_no_rows.h: where malloc is not ours, rows are wherever it puts them (private to ompc_heap.c). */

#ifndef OMPC_ROWS_H
#define OMPC_ROWS_H

#include "ompc_replaces.h"

#include <stddef.h>
#include <stdint.h>

void ompc_keep_rows_apart(void)
{
}

static int row_find(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    return (void)address, (void)base, (void)bytes, 0;
}

static int row_slab(uintptr_t address, int added, uintptr_t bounds[2])
{
    return (void)address, (void)added, (void)bounds, -1;
}

static void lock_places(void)
{
}

static void unlock_places(void)
{
}

#endif

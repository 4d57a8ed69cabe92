/* ompc_page_blocks.h: memory for blocks that have their pages to themselves (private to the units of C). */

#ifndef OMPC_PAGE_BLOCKS_H
#define OMPC_PAGE_BLOCKS_H

#include "ompc_replaces.h"

#include "ompc_lock.h"

enum { PAGE = 4096 };

extern OMPC_OWN lock_t ompc_kept_lock;
OMPC_OWN void *ompc_pages_take(size_t alignment, size_t bytes, int *is_zero);
OMPC_OWN void ompc_pages_give(void *base, size_t bytes);
OMPC_OWN void *ompc_pages_resize(void *base, size_t before, size_t bytes);

#endif

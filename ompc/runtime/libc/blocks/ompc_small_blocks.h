/* ompc_small_blocks.h: blocks by page (private to the units of C).

   A program may have millions of small blocks, so each costs a few instructions: a page of memory in which blocks start
   has a bit and a size for each of the 256 places where malloc can start one. Finding a block looks at two pages. */

#ifndef OMPC_SMALL_BLOCKS_H
#define OMPC_SMALL_BLOCKS_H

#include "ompc_replaces.h"

#include "ompc_lock.h"

#include <stdint.h>

enum { LARGE = 4096, PAGE_BITS = 12, GRAIN_BITS = 4, GRAINS = 1 << (PAGE_BITS - GRAIN_BITS) };
enum { LEAF_BITS = 18, ROOT_BITS = 48 - PAGE_BITS - LEAF_BITS, SHARDS = 64 };

typedef struct page {
    struct page *next_free;
    unsigned count;
    uint64_t starts[GRAINS / 64]; /* all zero while count is 0, so that a page is reusable as it is */
    uint16_t bytes[GRAINS];
} page_t;

extern OMPC_OWN page_t **ompc_page_roots[1 << ROOT_BITS];

extern OMPC_OWN struct shard {
    lock_t lock;
    page_t *free_pages;
    char *fresh, *fresh_end;
} __attribute__((aligned(64))) ompc_shards[SHARDS];

OMPC_OWN page_t **ompc_new_leaf(page_t ***root); /* NULL: no memory. The next one, too. */
OMPC_OWN page_t *ompc_new_page(struct shard *s);
OMPC_OWN int ompc_small_find(uintptr_t address, uintptr_t *base, size_t *bytes);

static inline struct shard *shard_of(uintptr_t address)
{
    return &ompc_shards[(uint64_t)(address >> 20) * 0x9E3779B97F4A7C15u >> 58];
}

/* The page table's entry for an address; with `create`, made when it is missing. NULL: none. */
static inline page_t **page_entry(uintptr_t address, int create)
{
    if (address >> 48)
        return NULL;
    page_t ***root = &ompc_page_roots[address >> (PAGE_BITS + LEAF_BITS)];
    page_t **leaf = __atomic_load_n(root, __ATOMIC_ACQUIRE);
    if (leaf == NULL && create)
        leaf = ompc_new_leaf(root);
    return leaf == NULL ? NULL : &leaf[address >> PAGE_BITS & ((1u << LEAF_BITS) - 1)];
}

static inline unsigned grain_of(uintptr_t address)
{
    return address >> GRAIN_BITS & (GRAINS - 1);
}

static inline void small_add(uintptr_t base, size_t bytes)
{
    struct shard *s = shard_of(base);
    const int locked = lock(&s->lock);
    page_t **entry = page_entry(base, 1);
    if (entry != NULL && *entry == NULL)
        *entry = ompc_new_page(s);
    if (entry != NULL && *entry != NULL) {
        page_t *page = *entry;
        const unsigned grain = grain_of(base);
        const uint64_t bit = (uint64_t)1 << (grain & 63);
        page->count += (page->starts[grain / 64] & bit) == 0;
        page->starts[grain / 64] |= bit;
        page->bytes[grain] = (uint16_t)bytes;
    }
    unlock(&s->lock, locked);
}

/* Forgets the small block at `base`: 1 and its size, or 0 when there is none. */
static inline int small_remove(uintptr_t base, size_t *bytes)
{
    int found = 0;
    struct shard *s = shard_of(base);
    const int locked = lock(&s->lock);
    page_t **entry = page_entry(base, 0);
    const unsigned grain = grain_of(base);
    const uint64_t bit = (uint64_t)1 << (grain & 63);
    if (entry != NULL && *entry != NULL && ((*entry)->starts[grain / 64] & bit) != 0) {
        page_t *page = *entry;
        found = 1;
        *bytes = page->bytes[grain];
        page->starts[grain / 64] &= ~bit;
        if (--page->count == 0) {
            page->next_free = s->free_pages;
            s->free_pages = page;
            *entry = NULL;
        }
    }
    unlock(&s->lock, locked);
    return found;
}

#endif

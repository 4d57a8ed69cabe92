/* ompc_small_blocks.h: blocks by page (private to ompc_heap.c).

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

static page_t **roots[1 << ROOT_BITS];

static struct shard {
    lock_t lock;
    page_t *free_pages;
    char *fresh, *fresh_end;
} __attribute__((aligned(64))) shards[SHARDS];

static struct shard *shard_of(uintptr_t address)
{
    return &shards[(uint64_t)(address >> 20) * 0x9E3779B97F4A7C15u >> 58];
}

/* The page table's entry for an address; with `create`, made when it is missing. NULL: none. */
static page_t **page_entry(uintptr_t address, int create)
{
    if (address >> 48)
        return NULL;
    page_t ***root = &roots[address >> (PAGE_BITS + LEAF_BITS)];
    page_t **leaf = __atomic_load_n(root, __ATOMIC_ACQUIRE);
    if (leaf == NULL && create) {
        const size_t bytes = sizeof(page_t *) << LEAF_BITS;
        page_t **fresh = system_memory(bytes);
        if (fresh == NULL)
            return NULL;
        if (__atomic_compare_exchange_n(root, &leaf, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            leaf = fresh;
        else
            __munmap(fresh, bytes);
    }
    return leaf == NULL ? NULL : &leaf[address >> PAGE_BITS & ((1u << LEAF_BITS) - 1)];
}

static page_t *new_page(struct shard *s)
{
    page_t *page = s->free_pages;
    if (page != NULL) {
        s->free_pages = page->next_free;
        return page;
    }
    if ((size_t)(s->fresh_end - s->fresh) < sizeof(page_t)) {
        enum { CHUNK = 256 * 1024 };
        s->fresh = system_memory(CHUNK);
        s->fresh_end = s->fresh == NULL ? NULL : s->fresh + CHUNK;
        if (s->fresh == NULL)
            return NULL;
    }
    page = (page_t *)(void *)s->fresh;
    s->fresh += sizeof(page_t);
    return page;
}

static unsigned grain_of(uintptr_t address)
{
    return address >> GRAIN_BITS & (GRAINS - 1);
}

static void small_add(uintptr_t base, size_t bytes)
{
    struct shard *s = shard_of(base);
    const int locked = lock(&s->lock);
    page_t **entry = page_entry(base, 1);
    if (entry != NULL && *entry == NULL)
        *entry = new_page(s);
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
static int small_remove(uintptr_t base, size_t *bytes)
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

/* The last block that starts in the page of `last` at or below it. */
static int last_start(uintptr_t last, uintptr_t *base, size_t *bytes)
{
    int found = 0;
    struct shard *s = shard_of(last);
    const int locked = lock(&s->lock);
    page_t **entry = page_entry(last, 0);
    if (entry != NULL && *entry != NULL) {
        const page_t *page = *entry;
        int word = (int)grain_of(last) / 64;
        uint64_t bits = page->starts[word] & (~(uint64_t)0 >> (63 - grain_of(last) % 64));
        while (bits == 0 && --word >= 0)
            bits = page->starts[word];
        if (bits != 0) {
            const unsigned grain = (unsigned)word * 64 + 63 - (unsigned)__builtin_clzll(bits);
            found = 1;
            *base = (last >> PAGE_BITS << PAGE_BITS) + ((uintptr_t)grain << GRAIN_BITS);
            *bytes = page->bytes[grain];
        }
    }
    unlock(&s->lock, locked);
    return found;
}

static int small_find(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    const uintptr_t page = address >> PAGE_BITS << PAGE_BITS;
    const int found = last_start(address, base, bytes) || (page != 0 && last_start(page - 1, base, bytes));
    return found && address - *base < *bytes;
}

#endif

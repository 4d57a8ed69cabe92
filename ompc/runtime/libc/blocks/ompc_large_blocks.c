/* ompc_large_blocks.c: a skip list of blocks, ordered by address. */

#include "ompc_replaces.h"

#include "ompc_large_blocks.h"
#include "ompc_lock.h"

enum { LEVELS = 20 };
typedef struct node {
    uintptr_t base;
    size_t bytes;
    int flags, levels;
    struct node *next[]; /* `levels` of them */
} node_t;

lock_t ompc_large_lock;

static struct {
    uint32_t random;
    node_t *first[LEVELS];
    node_t *free_nodes[LEVELS + 1];
    char *fresh, *fresh_end;
} large;

/* For each level, the link that leads to the first node whose base is at or above `base`. */
static void large_links(uintptr_t base, node_t **links[LEVELS])
{
    node_t **at = large.first;
    for (int level = LEVELS - 1; level >= 0; level--) {
        while (at[level] != NULL && at[level]->base < base)
            at = at[level]->next;
        links[level] = &at[level];
    }
}

static node_t *new_node(void)
{
    large.random = large.random * 1664525u + 1013904223u;
    const int levels = 1 + (__builtin_ctz(large.random >> 8 | 1u << (LEVELS - 1)));
    const size_t bytes = sizeof(node_t) + (size_t)levels * sizeof(node_t *);
    node_t *node = large.free_nodes[levels];
    if (node != NULL) {
        large.free_nodes[levels] = node->next[0];
        return node;
    }
    if ((size_t)(large.fresh_end - large.fresh) < bytes) {
        enum { CHUNK = 64 * 1024 };
        large.fresh = system_memory(CHUNK);
        large.fresh_end = large.fresh == NULL ? NULL : large.fresh + CHUNK;
        if (large.fresh == NULL)
            return NULL;
    }
    node = (node_t *)(void *)large.fresh;
    large.fresh += bytes;
    node->levels = levels;
    return node;
}

/* 0: there is no memory for it. */
int ompc_large_add(uintptr_t base, size_t bytes, int flags)
{
    const int locked = lock(&ompc_large_lock);
    node_t **links[LEVELS];
    large_links(base, links);
    node_t *node = *links[0];
    if (node == NULL || node->base != base) {
        node = new_node();
        for (int level = 0; node != NULL && level < node->levels; level++) {
            node->next[level] = *links[level];
            *links[level] = node;
        }
    }
    if (node != NULL) {
        node->base = base;
        node->bytes = bytes;
        node->flags = flags;
    }
    unlock(&ompc_large_lock, locked);
    return node != NULL;
}

int ompc_large_remove(uintptr_t base, size_t *bytes, int *flags)
{
    int found = 0;
    const int locked = lock(&ompc_large_lock);
    node_t **links[LEVELS];
    large_links(base, links);
    node_t *node = *links[0];
    if (node != NULL && node->base == base) {
        found = 1;
        *bytes = node->bytes;
        *flags = node->flags;
        for (int level = 0; level < node->levels; level++)
            *links[level] = node->next[level];
        node->next[0] = large.free_nodes[node->levels];
        large.free_nodes[node->levels] = node;
    }
    unlock(&ompc_large_lock, locked);
    return found;
}

/* The block that holds `address`, or NULL. The caller has the lock. */
static const node_t *large_holder(uintptr_t address)
{
    const node_t *below = NULL;
    node_t **at = large.first;
    for (int level = LEVELS - 1; level >= 0; level--)
        while (at[level] != NULL && at[level]->base <= address) {
            below = at[level];
            at = at[level]->next;
        }
    return below != NULL && address - below->base < below->bytes ? below : NULL;
}

int ompc_large_find(uintptr_t address, uintptr_t *base, size_t *bytes, int *flags)
{
    const int locked = lock(&ompc_large_lock);
    const node_t *holder = large_holder(address);
    if (holder != NULL) {
        *base = holder->base;
        *bytes = holder->bytes;
        *flags = holder->flags;
    }
    unlock(&ompc_large_lock, locked);
    return holder != NULL;
}

static span_t span_of(const node_t *block, uintptr_t page)
{
    return (span_t){block->base, block->base / page * page, (block->base + block->bytes + page - 1) / page * page};
}

/* The pages to lock for the block that holds `address`: see ompc_block_pages. */
int ompc_large_span(uintptr_t address, uintptr_t page, span_t *span)
{
    const int locked = lock(&ompc_large_lock);
    const node_t *holder = large_holder(address);
    int found = 0;
    if (holder != NULL && (holder->flags & (PAGE_LOCKED | LENT | READ_ONLY | OF_FILE)) == 0) {
        const uintptr_t first_whole = (holder->base + page - 1) / page * page;
        const uintptr_t end_of_whole = (holder->base + holder->bytes) / page * page;
        found = first_whole < end_of_whole;
        *span = span_of(holder, page);
        if ((holder->flags & GLOBAL) != 0) { /* its neighbours may be locked too, or not */
            span->begin = first_whole;
            span->end = (holder->flags & OWN_PAGES) != 0 && page == 4096 ? span->end : end_of_whole;
        }
    }
    unlock(&ompc_large_lock, locked);
    return found;
}

/* The block that holds `address`, and the whole pages that nothing else lies in: see ompc_block_guardable. */
int ompc_large_guardable(uintptr_t address, uintptr_t page, uintptr_t block[2], uintptr_t pages[2], int *flags)
{
    const int locked = lock(&ompc_large_lock);
    const node_t *holder = large_holder(address);
    const int found = holder != NULL && (holder->flags & (PAGE_LOCKED | UNGUARDED | LENT)) == 0;
    if (found) {
        *flags = holder->flags;
        block[0] = holder->base;
        block[1] = holder->base + holder->bytes;
        pages[0] = (block[0] + page - 1) / page * page;
        pages[1] = ((holder->flags & OWN_PAGES) != 0 && page == 4096 ? block[1] + page - 1 : block[1]) / page * page;
    }
    unlock(&ompc_large_lock, locked);
    return found && pages[0] < pages[1];
}

/* Adds `added` to the flags of the block at `base`: its flags then, or -1 when it is unknown. */
int ompc_large_flags(uintptr_t base, int added)
{
    const int locked = lock(&ompc_large_lock);
    node_t **links[LEVELS];
    large_links(base, links);
    node_t *node = *links[0];
    const int found = node != NULL && node->base == base;
    const int flags = found ? node->flags |= added : -1;
    unlock(&ompc_large_lock, locked);
    return flags;
}

/* The first block with one of these flags that lies in a range, or partly: 0 when there is none. */
int ompc_large_in(uintptr_t begin, uintptr_t end, int kinds, uintptr_t block[2], int *flags)
{
    const int locked = lock(&ompc_large_lock);
    node_t **links[LEVELS];
    large_links(begin, links);
    const node_t *found = large_holder(begin);
    if (found == NULL || (found->flags & kinds) == 0)
        for (found = *links[0]; found != NULL && (found->flags & kinds) == 0 && found->base < end;)
            found = found->next[0];
    const int overlaps = found != NULL && found->base < end;
    if (overlaps) {
        block[0] = found->base;
        block[1] = found->base + found->bytes;
        *flags = found->flags;
    }
    unlock(&ompc_large_lock, locked);
    return overlaps;
}

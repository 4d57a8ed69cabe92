/* ompc_small_blocks.c: pages of the table of small blocks, and which block holds an address. */

#include "ompc_replaces.h"

#include "ompc_small_blocks.h"

page_t **ompc_page_roots[1 << ROOT_BITS];
struct shard ompc_shards[SHARDS];

page_t **ompc_new_leaf(page_t ***root)
{
    const size_t bytes = sizeof(page_t *) << LEAF_BITS;
    page_t **leaf = NULL, **fresh = system_memory(bytes);
    if (fresh == NULL)
        return NULL;
    if (__atomic_compare_exchange_n(root, &leaf, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return fresh;
    __munmap(fresh, bytes);
    return leaf;
}

page_t *ompc_new_page(struct shard *s)
{
    page_t *page = s->free_pages;
    if (page != NULL) {
        s->free_pages = page->next_free;
        return page;
    }
    if ((size_t)(s->fresh_end - s->fresh) < sizeof(page_t)) {
        enum { CHUNK = 256 * 1024 };
        const int follows = s->fresh_end != NULL; /* another one, which is full */
        s->fresh = system_memory_with(CHUNK, follows ? MAP_POPULATE : 0);
        s->fresh_end = s->fresh == NULL ? NULL : s->fresh + CHUNK;
        if (s->fresh == NULL)
            return NULL;
    }
    page = (page_t *)(void *)s->fresh;
    s->fresh += sizeof(page_t);
    return page;
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

int ompc_small_find(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    const uintptr_t page = address >> PAGE_BITS << PAGE_BITS;
    const int found = last_start(address, base, bytes) || (page != 0 && last_start(page - 1, base, bytes));
    return found && address - *base < *bytes;
}

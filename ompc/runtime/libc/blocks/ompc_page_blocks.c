/* ompc_page_blocks.c: memory for blocks that have their pages to themselves.

   Each has a mapping of its own. What is freed is kept for the next block of nearly its size, so that a program which
   allocates in a loop does not pay for fresh pages each time. (libc's memalign does that too, and leaves holes: a program
   that held three blocks of 2.4 MB, replaced in turn, came to need 80 MB.) */

#include "ompc_replaces.h"

#include "ompc_interposition.h"
#include "ompc_lock.h"
#include "ompc_page_blocks.h"

#include <errno.h>
#include <sys/mman.h>

/* So much, as libc keeps: of one block, and of all together. */
enum { KEPT_OF_ONE = 32 << 20, KEPT_OF_ALL = 64 << 20, KEPT_BLOCKS = 64 };

typedef struct {
    char *base;
    size_t bytes;
} pages_t;

lock_t ompc_kept_lock;

static struct {
    size_t bytes;
    int count;
    pages_t of[KEPT_BLOCKS]; /* the oldest first */
} kept;

/* Of a block, the mapping: a page behind it is nobody's, so that no two blocks are neighbours. 0: too large. */
static size_t mapping_of(size_t bytes)
{
    return bytes > SIZE_MAX / 2 ? 0 : (bytes + PAGE - 1) / PAGE * PAGE + PAGE;
}

static void unmap(char *base, size_t bytes)
{
    const int saved = errno;
    if (bytes != 0)
        __munmap(base, bytes);
    errno = saved;
}

static void forget_kept(int i)
{
    kept.bytes -= kept.of[i].bytes;
    kept.count--;
    for (; i < kept.count; i++)
        kept.of[i] = kept.of[i + 1];
}

/* The smallest mapping that fits and has little to spare; NULL: none. The rest of it goes back to the system. */
static char *kept_pages(size_t alignment, size_t bytes)
{
    int best = -1;
    const int locked = lock(&ompc_kept_lock);
    for (int i = 0; i < kept.count; i++)
        if (kept.of[i].bytes >= bytes && kept.of[i].bytes - bytes <= bytes / 4 && (uintptr_t)kept.of[i].base % alignment == 0 &&
            (best < 0 || kept.of[i].bytes < kept.of[best].bytes))
            best = i;
    const pages_t found = best < 0 ? (pages_t){NULL, 0} : kept.of[best];
    if (best >= 0)
        forget_kept(best);
    unlock(&ompc_kept_lock, locked);
    if (found.base != NULL)
        unmap(found.base + bytes, found.bytes - bytes);
    return found.base;
}

static char *fresh_pages(size_t alignment, size_t bytes)
{
    const size_t more = alignment > PAGE ? alignment - PAGE : 0;
    char *const mapped = bytes > SIZE_MAX / 2 - more
                             ? MAP_FAILED
                             : system_map(NULL, bytes + more, PROT_READ | PROT_WRITE, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    char *const base = mapped + (alignment - (uintptr_t)mapped % alignment) % alignment;
    unmap(mapped, (size_t)(base - mapped));
    unmap(base + bytes, more - (size_t)(base - mapped));
    return base;
}

#ifdef OMPC_REPLACES_SYSTEM_CALLS
static void *system_remap(void *base, size_t before, size_t bytes)
{
    static __typeof__(mremap) *next;
    if (next == NULL)
        next = (__typeof__(mremap) *)next_function("mremap");
    return next(base, before, bytes, MREMAP_MAYMOVE);
}
#else
#define system_remap(base, before, bytes) mremap(base, before, bytes, MREMAP_MAYMOVE)
#endif

/* Memory for a block at a multiple of `alignment`, a power of two; NULL: none. `is_zero`: it has not been used before. */
void *ompc_pages_take(size_t alignment, size_t bytes, int *is_zero)
{
    const size_t mapping = mapping_of(bytes);
    if (alignment < PAGE)
        alignment = PAGE;
    char *base = mapping == 0 ? NULL : kept_pages(alignment, mapping);
    *is_zero = base == NULL;
    if (base == NULL && mapping != 0)
        base = fresh_pages(alignment, mapping);
    return base;
}

void ompc_pages_give(void *base, size_t bytes)
{
    const size_t mapping = mapping_of(bytes);
    if (mapping > KEPT_OF_ONE) {
        unmap(base, mapping);
        return;
    }
    pages_t gone[KEPT_BLOCKS];
    int count = 0;
    const int locked = lock(&ompc_kept_lock);
    while (kept.count == KEPT_BLOCKS || kept.bytes + mapping > KEPT_OF_ALL) {
        gone[count++] = kept.of[0];
        forget_kept(0);
    }
    kept.of[kept.count++] = (pages_t){base, mapping};
    kept.bytes += mapping;
    unlock(&ompc_kept_lock, locked);
    for (int i = 0; i < count; i++)
        unmap(gone[i].base, gone[i].bytes);
}

/* The block in another size, perhaps elsewhere; NULL: the system cannot move it, and it is as it was. */
void *ompc_pages_resize(void *base, size_t before, size_t bytes)
{
    const size_t mapping = mapping_of(bytes);
    const int saved = errno;
    void *const moved = mapping == 0 ? MAP_FAILED : system_remap(base, mapping_of(before), mapping);
    errno = saved;
    return moved == MAP_FAILED ? NULL : moved;
}

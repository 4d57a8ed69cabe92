/* ompc_mappings.c: memory that the program maps itself.

   A private mapping that can be read is a block like malloc's: a file of weights, an arena. What is no block: shared
   mappings, which other processes see, and write to; large pages, which cannot be guarded one by one; reservations, of
   which most is never there; stacks; code; and what shared libraries map for themselves. Of a file the pages that it has are
   the block: behind them, nothing can be read.

   Pages that cannot be written to are the host's for ever, so they stay so when the guards are gone; and neither they nor
   those of files are page-locked, for which the system would make a copy of each. */

#include "ompc_replaces.h"

#include "ompc_blocks.h"
#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_large_blocks.h"
#include "ompc_mappings.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
uintptr_t ompc_page_end(uintptr_t address)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return (address + page - 1) / page * page;
}

/* So many bytes of a mapping are there, in whole pages. */
static size_t bytes_there(size_t bytes, int file, off64_t at)
{
    struct stat of_file;
    if (file < 0)
        return ompc_page_end(bytes);
    if (ompc_system_call()(SYS_fstat, file, &of_file) != 0 || !S_ISREG(of_file.st_mode) || of_file.st_size <= at)
        return 0;
    const uintptr_t rest = (uintptr_t)(of_file.st_size - at);
    return ompc_page_end(rest < bytes ? rest : bytes);
}

static void block_is_mapped(void *base, size_t bytes, int protection, int how, int file, off64_t at)
{
    enum { NONE_OF = MAP_HUGETLB | MAP_NORESERVE | MAP_GROWSDOWN | MAP_STACK };
    const int kind = how & MAP_TYPE;
    if (kind != MAP_PRIVATE || (how & NONE_OF) != 0 || (protection & (PROT_READ | PROT_EXEC)) != PROT_READ)
        return;
    const int saved = errno, of = (how & MAP_ANONYMOUS) != 0 ? -1 : file;
    const size_t there = bytes_there(bytes, of, at);
    const int flags = MAPPED | OWN_PAGES | (of < 0 ? 0 : OF_FILE) | ((protection & PROT_WRITE) != 0 ? 0 : READ_ONLY);
    if (there != 0)
        ompc_large_add((uintptr_t)base, there, flags);
    errno = saved;
}

/* What is mapped in a range is no block any more: it goes, or is what the runtime does not follow. Of blocks that are there in
   part, the rest is copied back and stays a block. */
void ompc_forget_mapped(uintptr_t begin, size_t bytes)
{
    const int saved = errno;
    const uintptr_t end = begin + bytes;
    uintptr_t block[2];
    int flags, now;
    size_t size;
    while (end > begin && ompc_large_in(begin, end, MAPPED, block, &flags)) {
        if (block[0] < begin || block[1] > end)
            ompc_exempted((void *)block[0], block[1] - block[0]);
        if (!block_take(block[0], &size, &now))
            break; /* another thread has forgotten it */
        if (block[0] < begin)
            ompc_large_add(block[0], begin - block[0], flags & ~WATCHED);
        if (block[1] > end)
            ompc_large_add(end, block[1] - end, flags & ~WATCHED);
    }
    errno = saved;
}

/* The system refuses others, and then nothing changes. */
static int is_range_of_pages(const void *base, size_t bytes)
{
    return bytes != 0 && (uintptr_t)base == ompc_page_end((uintptr_t)base) && (uintptr_t)base + bytes > (uintptr_t)base;
}

static void *map(const void *caller, void *where, size_t bytes, int protection, int how, int file, off64_t at)
{
    if ((how & MAP_FIXED) != 0 && is_range_of_pages(where, bytes))
        ompc_forget_mapped((uintptr_t)where, ompc_page_end(bytes));
    void *const base = __mmap(where, bytes, protection, how, file, at);
    if (base != MAP_FAILED && is_programs_own(caller))
        block_is_mapped(base, bytes, protection, how, file, at);
    return base;
}

EXPORTED void *mmap(void *where, size_t bytes, int protection, int how, int file, off_t at)
{
    return map(__builtin_return_address(0), where, bytes, protection, how, file, at);
}

EXPORTED void *mmap64(void *where, size_t bytes, int protection, int how, int file, off64_t at)
{
    return map(__builtin_return_address(0), where, bytes, protection, how, file, at);
}

EXPORTED int munmap(void *base, size_t bytes)
{
    if (is_range_of_pages(base, bytes))
        ompc_forget_mapped((uintptr_t)base, ompc_page_end(bytes));
    return __munmap(base, bytes);
}

/* What it was is a block again where it is then, if there is no file that it could be larger than. */
EXPORTED void *mremap(void *base, size_t before, size_t bytes, int how, ...)
{
    static __typeof__(mremap) *next;
    if (next == NULL)
        next = (__typeof__(mremap) *)next_function("mremap");
    va_list more;
    va_start(more, how);
    void *const where = (how & MREMAP_FIXED) != 0 ? va_arg(more, void *) : NULL;
    va_end(more);
    const int saved = errno;
    uintptr_t block[2];
    int flags = 0;
    const int is_block = is_range_of_pages(base, before) && ompc_large_in((uintptr_t)base, (uintptr_t)base + 1, MAPPED, block, &flags);
    if (is_range_of_pages(base, before)) {
        ompc_exempted(base, ompc_page_end(before));
        ompc_forget_mapped((uintptr_t)base, ompc_page_end(before));
    }
    if (where != NULL && is_range_of_pages(where, bytes))
        ompc_forget_mapped((uintptr_t)where, ompc_page_end(bytes));
    errno = saved;
    void *const moved = next(base, before, bytes, how, where);
    const void *const now = moved == MAP_FAILED ? base : moved;
    if (is_block && (flags & OF_FILE) == 0)
        ompc_large_add((uintptr_t)now, ompc_page_end(moved == MAP_FAILED ? before : bytes), flags & (MAPPED | OWN_PAGES | READ_ONLY));
    return moved;
}

/* Pages that the program protects itself are never guarded again; what it cannot read is no block. */
void ompc_protected_by_program(void *base, size_t bytes, int protection)
{
    ompc_exempted(base, bytes);
    if ((protection & (PROT_READ | PROT_EXEC)) != PROT_READ && is_range_of_pages(base, bytes))
        ompc_forget_mapped((uintptr_t)base, ompc_page_end(bytes));
}

EXPORTED int mprotect(void *base, size_t bytes, int protection)
{
    if (is_program(__builtin_return_address(0)))
        ompc_protected_by_program(base, bytes, protection);
    else
        footprint((uintptr_t)base, bytes, 1); /* an allocator opens all that it has, blocks of the program's among it */
    return __mprotect(base, bytes, protection);
}

#if __GLIBC_PREREQ(2, 27)
BEFORE(int, pkey_mprotect, (void *base, size_t bytes, int protection, int key),
       (base, bytes, protection, key), ompc_protected_by_program(base, bytes, key >= 0 ? PROT_NONE : protection))
#endif

/* Some advice changes what is in the pages. */
int ompc_leaves_contents(int advice)
{
    switch (advice) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
    case MADV_DODUMP:
    case MADV_DONTDUMP:
        return 1;
    default:
        return 0;
    }
}

/* The system reads what it locks. */
BEFORE(int, mlock, (const void *base, size_t bytes), (base, bytes), footprint((uintptr_t)base, bytes, 0))

/* Other pages take the places of those in a range: what is page-locked would be the old ones. */
void ompc_pages_change(uintptr_t begin, size_t bytes)
{
    const int saved = errno;
    const uintptr_t end = begin + bytes;
    uintptr_t block[2];
    int flags, now;
    size_t size;
    ompc_exempted((void *)begin, bytes);
    for (uintptr_t at = begin; at < end && ompc_large_in(at, end, WATCHED, block, &flags); at = block[1]) {
        ompc_exempted((void *)block[0], block[1] - block[0]);
        if (block_take(block[0], &size, &now))
            ompc_large_add(block[0], size, (now | UNGUARDED) & ~WATCHED);
    }
    errno = saved;
}

EXPORTED int madvise(void *base, size_t bytes, int advice)
{
    if (!ompc_leaves_contents(advice) && is_program(__builtin_return_address(0)))
        ompc_pages_change((uintptr_t)base, bytes);
    NEXT(madvise, base, bytes, advice);
}
#endif

/* ompc_malloc.c: malloc, free and their like, in front of libc's.

   Every block that the program has is in the table. Blocks of 64 KB and more have their pages to themselves
   (ompc_page_blocks.c), rows lie in slabs (ompc_rows.c), all others are libc's, or of a library that replaces libc's malloc.
   Under AddressSanitizer and ThreadSanitizer, which own malloc, their hooks tell of blocks. */

#include "ompc_replaces.h"

#include "ompc_at_exit.h"
#include "ompc_blocks.h"
#include "ompc_guards.h"
#include "ompc_host.h"
#include "ompc_interposition.h"
#include "ompc_page_blocks.h"
#include "ompc_page_locked.h"
#include "ompc_rows.h"

#include <errno.h>
#include <string.h>

/* Here, where it is a part of malloc. */
void ompc_block_add(const volatile void *base, size_t bytes)
{
    if (is_small((uintptr_t)base, bytes))
        small_add((uintptr_t)base, bytes);
    else
        ompc_large_add((uintptr_t)base, bytes, 0);
}

#if defined OMPC_SANITIZER_OWNS_MALLOC

EXPORTED void __sanitizer_malloc_hook(const volatile void *base, size_t bytes);
EXPORTED void __sanitizer_free_hook(const volatile void *base);

void __sanitizer_malloc_hook(const volatile void *base, size_t bytes)
{
    if (base != NULL)
        ompc_block_add(base, bytes);
}

void __sanitizer_free_hook(const volatile void *base)
{
    if (base != NULL)
        ompc_block_remove(base);
}

#elif defined OMPC_REPLACES_MALLOC

/* What is behind these: libc's, or those of a library that the program is linked with or that is preloaded (jemalloc,
   tcmalloc, mimalloc), which keep what is small. They must be of one library: memory that one of them gives, its `free` takes. */
static struct {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t count, size_t bytes);
    void *(*realloc)(void *base, size_t bytes);
    void *(*memalign)(size_t alignment, size_t bytes); /* NULL: it has none */
    void (*free)(void *base);
    int state; /* 0: to be found; 1: being found, by one thread; 2: found */
} behind;

/* For dlsym, if it allocates, and for the runtime before main (ompc_malloc_apart): never given back. */
static char early[1 << 20] __attribute__((aligned(16)));
static size_t early_used;
static __thread int is_apart;

void ompc_malloc_apart(int apart)
{
    is_apart = apart;
}

static void *early_block(size_t bytes)
{
    const size_t rounded = (bytes + 15) / 16 * 16;
    if (rounded > sizeof early - early_used)
        return NULL;
    early_used += rounded;
    return early + early_used - rounded;
}

static int is_early(const void *base)
{
    return (const char *)base >= early && (const char *)base < early + sizeof early;
}

static const void *library_of(const void *function)
{
    Dl_info found;
    return function != NULL && dladdr(function, &found) != 0 ? found.dli_fbase : NULL;
}

static void find_behind(void)
{
    behind.state = 1;
    behind.malloc = (void *(*)(size_t))next_function("malloc");
    behind.calloc = (void *(*)(size_t, size_t))next_function("calloc");
    behind.realloc = (void *(*)(void *, size_t))next_function("realloc");
    behind.free = (void (*)(void *))next_function("free");
    const void *const library = library_of((const void *)behind.malloc);
    const char *const names[] = {"memalign", "aligned_alloc"};
    for (int i = 0; i < 2 && behind.memalign == NULL; i++) {
        void *const function = dlsym(RTLD_NEXT, names[i]);
        if (library_of(function) == library)
            behind.memalign = (void *(*)(size_t, size_t))function;
    }
    behind.state = 2;
}

static int is_found(void)
{
    if (behind.state == 0)
        find_behind();
    return behind.state == 2;
}

static void *behind_malloc(size_t bytes)
{
    void *const block = is_apart ? early_block(bytes) : NULL;
    if (block != NULL)
        return block;
    return is_found() ? behind.malloc(bytes) : early_block(bytes);
}

static void *behind_calloc(size_t count, size_t bytes)
{
    void *const block = is_apart ? early_block(count * bytes) : NULL; /* of memory that nobody had before */
    if (block != NULL)
        return block;
    return is_found() ? behind.calloc(count, bytes) : early_block(count * bytes);
}

static void behind_free(void *base)
{
    if (!is_early(base) && is_found())
        behind.free(base);
}

static void *behind_realloc(void *base, size_t bytes)
{
    if (!is_early(base))
        return is_found() ? behind.realloc(base, bytes) : early_block(bytes);
    void *const moved = behind_malloc(bytes);
    const size_t rest = sizeof early - (size_t)((char *)base - early);
    return moved == NULL ? NULL : memcpy(moved, base, bytes < rest ? bytes : rest);
}

static void *added(void *base, size_t bytes)
{
    if (base != NULL)
        ompc_block_add(base, bytes);
    return base;
}

/* Blocks from this size on have their pages to themselves, so that these can be guarded; rows share slabs that can be. */
enum { PAGES_ALONE = 64 * 1024 };

/* Not where libc's free may get what malloc gives. */
static int gets_pages(size_t bytes)
{
    return bytes >= PAGES_ALONE && !ompc_libc_frees;
}

/* Can what it asks for be a row? CUDA's runtime, which is linked with the program, allocates when it is called, and registers
   kernels before main: its memory must not lie in pages that may be guarded, since it uses it to bring them home. */
static int gets_row(const void *caller)
{
    return ompc_main_is_near && is_programs_own(caller) && !ompc_libc_frees;
}

/* A block in pages of its own, at a multiple of `alignment`. `is_zero` may be NULL. */
static void *block_in_pages(size_t alignment, size_t bytes, int *is_zero)
{
    int fresh;
    void *base = ompc_pages_take(alignment, bytes, &fresh);
    if (base != NULL && !ompc_large_add((uintptr_t)base, bytes, OWN_PAGES)) {
        ompc_pages_give(base, bytes);
        base = NULL;
    }
    if (base == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (is_zero != NULL)
        *is_zero = fresh;
    ompc_ask_for_large_pages(base, bytes);
    return base;
}

/* What malloc gives to code at `caller`. */
static void *block_for(const void *caller, size_t bytes)
{
    int is_zero;
    critical_begin();
    void *block = gets_row(caller) ? row_take(caller, bytes, &is_zero) : NULL;
    if (block == NULL)
        block = gets_pages(bytes) ? block_in_pages(PAGE, bytes, NULL) : added(behind_malloc(bytes), bytes);
    critical_end();
    return block;
}

static void *our_malloc(size_t bytes)
{
    return block_for(__builtin_return_address(0), bytes);
}

EXPORTED void *malloc(size_t bytes) __attribute__((alias("our_malloc")));

/* Does the program, or a library that it is linked with statically, have a malloc of its own? Ours is weak. The runtime of a
   shared library stands behind the program's, which may be ours, too. */
int ompc_malloc_is_the_programs(void)
{
    void *(*volatile in_force)(size_t) = malloc;
    return in_force != our_malloc && is_in_executable();
}

/* A block that its pages, or libc, may have zeroed already. */
static void *zeroed_block_for(const void *caller, size_t bytes, int *is_zero)
{
    *is_zero = 0;
    void *const row = gets_row(caller) ? row_take(caller, bytes, is_zero) : NULL;
    if (row != NULL)
        return row;
    if (gets_pages(bytes))
        return block_in_pages(PAGE, bytes, is_zero);
    *is_zero = 1;
    return added(behind_calloc(1, bytes), bytes);
}

EXPORTED void *calloc(size_t count, size_t bytes)
{
    size_t total;
    int is_zero;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    critical_begin();
    void *const base = zeroed_block_for(__builtin_return_address(0), total, &is_zero);
    critical_end();
    return base == NULL || is_zero ? base : memset(base, 0, total);
}

/* Frees a block that the table has no longer. */
static void release_block(void *base, size_t bytes, int flags)
{
    if ((flags & PAGE_LOCKED) != 0)
        ompc_page_locked_release(base);
    else if ((flags & OWN_PAGES) != 0)
        ompc_pages_give(base, bytes);
    else
        behind_free(base);
}

static void free_block(void *base)
{
    size_t bytes = 0;
    int flags = 0;
    if (row_give((uintptr_t)base))
        return;
    block_take((uintptr_t)base, &bytes, &flags);
    release_block(base, bytes, flags);
}

EXPORTED void free(void *base)
{
    if (base == NULL)
        return;
    critical_begin();
    free_block(base);
    critical_end();
}

/* The block grows or shrinks where it lies, or with its pages; NULL: it must be copied, and is as it was. */
static void *resized(void *base, size_t before, size_t bytes)
{
    int flags;
    const int known = ompc_large_flags((uintptr_t)base, 0);
    if (known < 0 || (known & OWN_PAGES) == 0 || !gets_pages(bytes) || !block_take((uintptr_t)base, &before, &flags))
        return NULL;
    void *const moved = ompc_pages_resize(base, before, bytes);
    ompc_large_add((uintptr_t)(moved == NULL ? base : moved), moved == NULL ? before : bytes, OWN_PAGES);
    return moved;
}

/* A small block of libc's, to a size that is libc's too. */
static void *libc_resized(void *base, size_t before, size_t bytes)
{
    ompc_block_remove(base);
    void *const moved = behind_realloc(base, bytes);
    if (moved == NULL && bytes != 0)
        ompc_block_add(base, before); /* it failed: the old block is still there */
    return added(moved, bytes);
}

static void *moved_block(const void *caller, void *base, size_t bytes)
{
    void *block;
    size_t before = 0;
    uintptr_t slab[2];
    if (!ompc_block_find(base, &block, &before))
        return added(behind_realloc(base, bytes), bytes);
    const int is_row = ompc_row_slab((uintptr_t)base, 0, slab) >= 0;
    const int flags = is_row ? 0 : ompc_large_flags((uintptr_t)base, 0);
    const int is_of_libc = !is_row && (flags < 0 || (flags & (PAGE_LOCKED | OWN_PAGES)) == 0);
    if (is_row && bytes <= before && bytes > before / 2 && !ompc_libc_frees)
        return base;
    footprint((uintptr_t)base, before, 1);
    if (is_of_libc && (ompc_libc_frees || bytes < (gets_row(caller) && ompc_rows_begin != 0 ? ROW_LEAST : PAGES_ALONE)))
        return libc_resized(base, before, bytes);
    void *moved = resized(base, before, bytes);
    if (moved != NULL || bytes == 0) {
        if (moved == NULL)
            free(base);
        return moved;
    }
    moved = flags >= 0 && (flags & PAGE_LOCKED) != 0 ? ompc_malloc_host_block(bytes) : block_for(caller, bytes);
    if (moved != NULL) {
        memcpy(moved, base, before < bytes ? before : bytes);
        free(base);
    }
    return moved;
}

static void *block_again(const void *caller, void *base, size_t bytes)
{
    critical_begin();
    void *const block = base == NULL ? block_for(caller, bytes) : moved_block(caller, base, bytes);
    critical_end();
    return block;
}

EXPORTED void *realloc(void *base, size_t bytes)
{
    return block_again(__builtin_return_address(0), base, bytes);
}

EXPORTED void *reallocarray(void *base, size_t count, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return block_again(__builtin_return_address(0), base, total);
}

static void *aligned_block_for(const void *caller, size_t alignment, size_t bytes)
{
    int is_zero;
    critical_begin();
    void *block = gets_row(caller) && alignment <= ROW_ALIGNMENT ? row_take(caller, bytes, &is_zero) : NULL;
    if (block == NULL && (gets_pages(bytes) || !is_found() || behind.memalign == NULL))
        block = block_in_pages(alignment, bytes == 0 ? 1 : bytes, NULL);
    else if (block == NULL)
        block = added(behind.memalign(alignment, bytes), bytes);
    critical_end();
    return block;
}

/* Of two as libc has it: the next one. 0: there is none. */
static size_t power_of_two(size_t alignment)
{
    size_t power = 1;
    while (power < alignment && power != 0)
        power *= 2;
    return power;
}

EXPORTED void *memalign(size_t alignment, size_t bytes)
{
    const size_t power = power_of_two(alignment);
    if (power != 0)
        return aligned_block_for(__builtin_return_address(0), power, bytes);
    errno = EINVAL;
    return NULL;
}

/* Where libc's refuses what is no power of two, so does this. */
EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
    const size_t power = power_of_two(alignment);
    if (power != 0 && (power == alignment || !__GLIBC_PREREQ(2, 38)))
        return aligned_block_for(__builtin_return_address(0), power, bytes);
    errno = EINVAL;
    return NULL;
}

EXPORTED int posix_memalign(void **result, size_t alignment, size_t bytes)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    const int saved = errno;
    void *base = aligned_block_for(__builtin_return_address(0), alignment, bytes);
    errno = saved;
    if (base == NULL)
        return ENOMEM;
    *result = base;
    return 0;
}

EXPORTED void *valloc(size_t bytes)
{
    return aligned_block_for(NULL, PAGE, bytes);
}

EXPORTED void *pvalloc(size_t bytes)
{
    size_t whole;
    if (__builtin_add_overflow(bytes, PAGE - 1, &whole)) {
        errno = ENOMEM;
        return NULL;
    }
    return aligned_block_for(NULL, PAGE, whole / PAGE * PAGE);
}

/* Only libc's own blocks are as libc knows them. */
EXPORTED size_t malloc_usable_size(void *base)
{
    void *block;
    size_t bytes;
    uintptr_t slab[2];
    const int flags = base == NULL ? 0 : ompc_large_flags((uintptr_t)base, 0);
    const int is_of_libc = !is_early(base) && (flags < 0 || (flags & (PAGE_LOCKED | OWN_PAGES)) == 0);
    if (base != NULL && (ompc_row_slab((uintptr_t)base, 0, slab) >= 0 || !is_of_libc) && ompc_block_find(base, &block, &bytes))
        return bytes;
    NEXT(malloc_usable_size, base);
}

#endif

#ifndef OMPC_REPLACES_MALLOC
void ompc_malloc_apart(int is_apart)
{
    (void)is_apart;
}

int ompc_malloc_is_the_programs(void)
{
    return 0;
}
#endif

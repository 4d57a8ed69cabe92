/* ompc_malloc.h: malloc, free and their like, in front of libc's (private to ompc_heap.c).

   Every block that the program has is in the table. Blocks of 64 KB and more have their pages to themselves
   (ompc_page_blocks.h), rows lie in slabs (ompc_rows.h), all others are libc's. Under AddressSanitizer and ThreadSanitizer,
   which own malloc, their hooks tell of blocks. */

#ifndef OMPC_MALLOC_H
#define OMPC_MALLOC_H

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

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *base, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void *__libc_valloc(size_t bytes);
extern void *__libc_pvalloc(size_t bytes);
extern void __libc_free(void *base);

static void *added(void *base, size_t bytes)
{
    if (base != NULL)
        ompc_block_add(base, bytes);
    return base;
}

/* Blocks from this size on have their pages to themselves, so that these can be guarded; rows share slabs that can be. */
enum { PAGES_ALONE = 64 * 1024 };

/* A block in pages of its own, at a multiple of `alignment`. `is_zero` may be NULL. */
static void *block_in_pages(size_t alignment, size_t bytes, int *is_zero)
{
    int fresh;
    void *base = pages_take(alignment, bytes, &fresh);
    if (base != NULL && !large_add((uintptr_t)base, bytes, OWN_PAGES)) {
        pages_give(base, bytes);
        base = NULL;
    }
    if (base == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (is_zero != NULL)
        *is_zero = fresh;
    ask_for_large_pages(base, bytes);
    large_memory_is_there(bytes);
    return base;
}

/* What malloc gives to code at `caller`. */
static void *block_for(const void *caller, size_t bytes)
{
    int is_zero;
    void *const row = is_program(caller) ? row_take(bytes, &is_zero) : NULL;
    if (row != NULL)
        return row;
    return bytes >= PAGES_ALONE ? block_in_pages(PAGE, bytes, NULL) : added(__libc_malloc(bytes), bytes);
}

EXPORTED void *malloc(size_t bytes)
{
    return block_for(__builtin_return_address(0), bytes);
}

EXPORTED void *calloc(size_t count, size_t bytes)
{
    size_t total;
    int is_zero = 0;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *base = is_program(__builtin_return_address(0)) ? row_take(total, &is_zero) : NULL;
    if (base == NULL && total < PAGES_ALONE)
        return added(__libc_calloc(count, bytes), total);
    if (base == NULL)
        base = block_in_pages(PAGE, total, &is_zero);
    return base == NULL || is_zero ? base : memset(base, 0, total);
}

/* Frees a block that the table has no longer. */
static void release_block(void *base, size_t bytes, int flags)
{
    if ((flags & PAGE_LOCKED) != 0)
        page_locked_release(base);
    else if ((flags & OWN_PAGES) != 0)
        pages_give(base, bytes);
    else
        __libc_free(base);
}

EXPORTED void free(void *base)
{
    size_t bytes = 0;
    int flags = 0;
    if (base == NULL || row_give((uintptr_t)base))
        return;
    block_take((uintptr_t)base, &bytes, &flags);
    release_block(base, bytes, flags);
}

/* The block grows or shrinks where it lies, or with its pages; NULL: it must be copied, and is as it was. */
static void *resized(void *base, size_t before, size_t bytes)
{
    int flags;
    const int known = large_flags((uintptr_t)base, 0);
    if (known < 0 || (known & OWN_PAGES) == 0 || bytes < PAGES_ALONE || !block_take((uintptr_t)base, &before, &flags))
        return NULL;
    void *const moved = pages_resize(base, before, bytes);
    large_add((uintptr_t)(moved == NULL ? base : moved), moved == NULL ? before : bytes, OWN_PAGES);
    return moved;
}

/* A small block of libc's, to a size that is libc's too. */
static void *libc_resized(void *base, size_t before, size_t bytes)
{
    ompc_block_remove(base);
    void *const moved = __libc_realloc(base, bytes);
    if (moved == NULL && bytes != 0)
        ompc_block_add(base, before); /* it failed: the old block is still there */
    return added(moved, bytes);
}

static void *block_again(const void *caller, void *base, size_t bytes)
{
    void *block;
    size_t before = 0;
    uintptr_t slab[2];
    if (base == NULL)
        return block_for(caller, bytes);
    if (!ompc_block_find(base, &block, &before))
        return added(__libc_realloc(base, bytes), bytes);
    const int is_row = row_slab((uintptr_t)base, 0, slab) >= 0;
    const int flags = is_row ? 0 : large_flags((uintptr_t)base, 0);
    const int is_of_libc = !is_row && (flags < 0 || (flags & (PAGE_LOCKED | OWN_PAGES)) == 0);
    if (is_row && bytes <= before && bytes > before / 2)
        return base;
    touched((uintptr_t)base, before, 1);
    if (is_of_libc && bytes < (is_program(caller) && rows.begin != 0 ? ROW_LEAST : PAGES_ALONE))
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
    void *const row = is_program(caller) && alignment <= ROW_ALIGNMENT ? row_take(bytes, &is_zero) : NULL;
    if (row != NULL)
        return row;
    return bytes >= PAGES_ALONE ? block_in_pages(alignment, bytes, NULL) : added(__libc_memalign(alignment, bytes), bytes);
}

EXPORTED void *memalign(size_t alignment, size_t bytes)
{
    return aligned_block_for(__builtin_return_address(0), alignment, bytes);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
    return aligned_block_for(__builtin_return_address(0), alignment, bytes);
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
    return bytes >= PAGES_ALONE ? block_in_pages(PAGE, bytes, NULL) : added(__libc_valloc(bytes), bytes);
}

EXPORTED void *pvalloc(size_t bytes)
{
    return bytes >= PAGES_ALONE ? block_in_pages(PAGE, bytes, NULL) : added(__libc_pvalloc(bytes), bytes);
}

/* Only libc's own blocks are as libc knows them. */
EXPORTED size_t malloc_usable_size(void *base)
{
    void *block;
    size_t bytes;
    uintptr_t slab[2];
    const int flags = base == NULL ? 0 : large_flags((uintptr_t)base, 0);
    const int is_of_libc = flags < 0 || (flags & (PAGE_LOCKED | OWN_PAGES)) == 0;
    if (base != NULL && (row_slab((uintptr_t)base, 0, slab) >= 0 || !is_of_libc) && ompc_block_find(base, &block, &bytes))
        return bytes;
    NEXT(malloc_usable_size, base);
}

#endif

#endif

/* A library that replaces malloc with as little as it may: blocks with a mark in front, never used again. Memory of others
   that it is given to free ends the program. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static char memory[64 << 20] __attribute__((aligned(16)));
static size_t used;

typedef struct {
    size_t bytes, mark;
} head_t;

void *malloc(size_t bytes)
{
    const size_t needed = (sizeof(head_t) + bytes + 15) / 16 * 16;
    const size_t at = __atomic_fetch_add(&used, needed, __ATOMIC_SEQ_CST);
    if (bytes > sizeof memory || at + needed > sizeof memory)
        return NULL;
    *(head_t *)(memory + at) = (head_t){bytes, 0x6d616c6c};
    return memory + at + sizeof(head_t);
}

static head_t *head_of(void *base)
{
    head_t *const head = (head_t *)base - 1;
    if ((char *)base < memory || (char *)base >= memory + sizeof memory || head->mark != 0x6d616c6c)
        _exit(9);
    return head;
}

void free(void *base)
{
    if (base != NULL)
        head_of(base)->mark = 0;
}

void *calloc(size_t count, size_t bytes)
{
    return malloc(count * bytes); /* never used before */
}

void *realloc(void *base, size_t bytes)
{
    void *const moved = malloc(bytes);
    if (base != NULL && moved != NULL) {
        const size_t before = head_of(base)->bytes;
        memcpy(moved, base, before < bytes ? before : bytes);
        free(base);
    }
    return moved;
}

size_t malloc_usable_size(void *base)
{
    return base == NULL ? 0 : head_of(base)->bytes;
}

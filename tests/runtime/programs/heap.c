/* Guards: blocks that libc allocates, moves of realloc, interior addresses, blocks on page borders, many threads, fork while
   another thread allocates. */

#define _GNU_SOURCE
#include "ompc_host.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition); \
            _exit(1);                                                     \
        }                                                                 \
    } while (0)

static void *early;
__attribute__((constructor(101))) static void before_main(void)
{
    early = malloc(77);
}

static int is_block(const void *p, const void *base, size_t bytes)
{
    void *found = NULL;
    size_t size = 0;
    return ompc_block_find(p, &found, &size) && found == base && size == bytes;
}

static int is_unknown(uintptr_t address)
{
    void *found;
    size_t size;
    return !ompc_block_find((const void *)address, &found, &size);
}

/* A freed address must not stay known; it is kept as a number, since the compiler knows what free does. */
static void release(void *p)
{
    const volatile uintptr_t address = (uintptr_t)p;
    free(p);
    CHECK(is_unknown(address));
}

static void family(void)
{
    CHECK(is_block((char *)early + 76, early, 77) && !is_block((char *)early + 77, early, 77));
    for (size_t bytes = 1; bytes < 20000; bytes = bytes * 3 / 2 + 1) {
        char *p = malloc(bytes);
        CHECK(is_block(p, p, bytes) && is_block(p + bytes - 1, p, bytes) && malloc_usable_size(p) >= bytes);
        char *q = realloc(p, bytes * 5);
        CHECK(is_block(q + bytes * 5 - 1, q, bytes * 5));
        q = reallocarray(q, 1, bytes);
        CHECK(is_block(q + bytes - 1, q, bytes));
        release(q);
        p = calloc(bytes, 3);
        CHECK(is_block(p + 3 * bytes - 1, p, 3 * bytes) && p[3 * bytes - 1] == 0);
        release(p);
        void *aligned = NULL;
        CHECK(posix_memalign(&aligned, 256, bytes) == 0 && (uintptr_t)aligned % 256 == 0 && is_block(aligned, aligned, bytes));
        release(aligned);
        p = aligned_alloc(64, (bytes + 63) / 64 * 64);
        CHECK(is_block(p, p, (bytes + 63) / 64 * 64));
        release(p);
        p = memalign(4096, bytes);
        CHECK(is_block(p, p, bytes));
        release(p);
        p = valloc(bytes);
        CHECK(is_block(p, p, bytes));
        release(p);
    }
    free(NULL);
    char *p = realloc(NULL, 10);
    CHECK(is_block(p, p, 10));
    release(p);
    p = malloc(100);
#ifndef __SANITIZE_ADDRESS__ /* it ends the program there */
    volatile size_t huge = SIZE_MAX / 2;
    errno = 0;
    CHECK(reallocarray(p, huge, 4) == NULL && errno == ENOMEM && is_block(p, p, 100));
    CHECK(realloc(p, huge) == NULL && is_block(p, p, 100));
    void *none = &none;
    CHECK(posix_memalign(&none, 3, 8) == EINVAL);
#endif
    release(p);
}

static void from_libc(void)
{
    char *copy = strdup("hello");
    CHECK(is_block(copy + 5, copy, 6));
    free(copy);
    FILE *file = tmpfile();
    for (int i = 0; i < 1000; i++)
        fputc('x', file);
    rewind(file);
    char *line = NULL;
    size_t bytes = 0;
    CHECK(getline(&line, &bytes, file) == 1000 && is_block(line + 999, line, bytes));
    release(line);
    fclose(file);
}

static void *stress(void *argument)
{
    unsigned random = (unsigned)(uintptr_t)argument * 2654435761u;
    enum { SLOTS = 200 };
    static __thread char *slots[SLOTS];
    static __thread size_t sizes[SLOTS];
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525u + 1013904223u;
        const unsigned slot = (random >> 8) % SLOTS;
        if (slots[slot] != NULL) {
            CHECK(is_block(slots[slot] + sizes[slot] / 2, slots[slot], sizes[slot]));
            if (random >> 31) {
                free(slots[slot]);
                slots[slot] = NULL;
                continue;
            }
        }
        sizes[slot] = 1 + (random >> 4) % (random % 16 == 0 ? 30000 : 300);
        slots[slot] = realloc(slots[slot], sizes[slot]);
        CHECK(is_block(slots[slot] + sizes[slot] - 1, slots[slot], sizes[slot]));
    }
    for (int slot = 0; slot < SLOTS; slot++)
        free(slots[slot]);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[4];
    for (uintptr_t i = 0; i < 4; i++)
        CHECK(pthread_create(&thread[i], NULL, stress, (void *)(i + 1)) == 0);
    for (int i = 0; i < 20; i++) { /* the child's table is whole whatever the threads were doing */
        const pid_t child = fork();
        if (child == 0) {
            char *p = malloc(50);
            CHECK(is_block(p, p, 50));
            _exit(0);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
}

static volatile int released; /* the compiler knows that free writes to no variable */
static void count_release(void *base, size_t bytes)
{
    void *p = malloc(10); /* allowed in the callback */
    released = released + (base != NULL && bytes == 50000);
    free(p);
}

static void watched(void)
{
    ompc_block_on_release(count_release);
    char *p = malloc(50000), *q = malloc(50000);
    CHECK(ompc_block_watch(p) && ompc_block_watch(q) && !ompc_block_watch(p + 1));
    free(p);
    CHECK(released == 1);
    q = realloc(q, 200000);
    CHECK(released == 2);
    free(q);
    CHECK(released == 2);
    static char global[100];
    ompc_block_add(global, 100);
    CHECK(is_block(global + 99, global, 100));
    ompc_block_remove(global);
    CHECK(is_unknown((uintptr_t)global));
}

int main(void)
{
    family();
    from_libc();
    threads();
    watched();
    puts("ok");
    return 0;
}

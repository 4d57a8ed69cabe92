/* Guards: page-locked heap blocks that any code may free and reallocate, as malloc's own; limits of malloc and calloc. */

#define _GNU_SOURCE
#include "host_blocks.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            printf("line %d: %s does not hold\n", __LINE__, #condition);  \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

static double *kept, *kept_too;

static void free_at_exit(void)
{
    free(kept);
}

__attribute__((destructor)) static void free_in_destructor(void)
{
    free(kept_too);
}

static int is_block(const void *p, size_t bytes)
{
    void *base;
    size_t size;
    return ompc_block_find((const char *)p + bytes - 1, &base, &size) && base == p && size == bytes;
}

static void allocate(void)
{
    for (size_t bytes = 1; bytes < 300000; bytes = bytes * 5 / 2 + 1) {
        unsigned char *p = ompc_malloc_host_block(bytes);
        CHECK(p != NULL && (uintptr_t)p % 16 == 0 && is_block(p, bytes) && as_expected(p));
        memset(p, 7, bytes);
        unsigned char *q = ompc_calloc_host_block(bytes, 3);
        CHECK(q != NULL && (uintptr_t)q % 16 == 0 && is_block(q, 3 * bytes) && as_expected(q));
        CHECK(q[0] == 0 && q[3 * bytes - 1] == 0);
        p = realloc(p, 4 * bytes);
        CHECK(p != NULL && p[0] == 7 && p[bytes - 1] == 7 && is_block(p, 4 * bytes) && as_expected(p));
        p = realloc(p, (bytes + 1) / 2);
        CHECK(p != NULL && p[(bytes + 1) / 2 - 1] == 7 && is_block(p, (bytes + 1) / 2));
        free(q);
        p = reallocarray(p, 10, bytes);
        CHECK(p != NULL && p[0] == 7);
        free(p);
    }
}

/* Volatile: the compiler must not know the sizes. */
static void limits(void)
{
    volatile size_t huge = SIZE_MAX / 4, none = 0;
    CHECK(ompc_calloc_host_block(huge, 8) == NULL && errno == ENOMEM);
    free(ompc_malloc_host_block(none));
    free(ompc_calloc_host_block(none, 8));
    char *p = ompc_malloc_host_block(100);
    strcpy(p, "kept");
    CHECK(reallocarray(p, huge, 8) == NULL && strcmp(p, "kept") == 0 && is_block(p, 100));
    free(p);
    /* Blocks of libc's own functions, which free and reallocate through the same names. */
    char *line = ompc_malloc_host_block(1);
    size_t bytes = 1;
    FILE *file = tmpfile();
    fputs("a line that is longer than one character\n", file);
    rewind(file);
    CHECK(getline(&line, &bytes, file) == 41 && strncmp(line, "a line", 6) == 0);
    fclose(file);
    free(line);
}

static void launches(void)
{
    double *x = ompc_malloc_host_block(1000 * sizeof *x), *y = malloc(1000 * sizeof *y);
    for (int i = 0; i < 1000; i++)
        x[i] = y[i] = i;
    for (int k = 0; k < 1000; k++)
        CHECK(ompc_twice(1000, x) == 1 && (k % 100 || ompc_twice(1000, y) == 1) && (x[999] /= 2) == 999);
    CHECK(x[1] > 1e300 && y[1] == 1024);
    free(y);
    free(x);
}

int main(int argc, char **argv)
{
    kept = ompc_malloc_host_block(100);
    kept_too = ompc_malloc_host_block(100);
    atexit(free_at_exit); /* runs after what a launch has given to atexit, or before: both must do */
    allocate();
    limits();
    if (argc < 2) /* with an argument: the device is disabled */
        launches();
    kept = realloc(kept, 200);
    puts("ok");
    (void)argv;
    return 0;
}

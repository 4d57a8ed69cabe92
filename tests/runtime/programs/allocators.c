/* Every kind of allocation, in front of whichever library has malloc: the runtime knows the blocks, and each is freed by the
   one that gave it. */
#define _GNU_SOURCE
#include "ompc_host.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void check(void *base, size_t bytes, const char *what)
{
    void *block;
    size_t known;
    if (base == NULL || !ompc_block_find((char *)base + bytes - 1, &block, &known) || block != base || known < bytes) {
        printf("%s of %zu bytes\n", what, bytes);
        wrong = 1;
    } else
        memset(base, 1, bytes);
}

int main(void)
{
    for (size_t bytes = 8; bytes < (4 << 20); bytes = bytes * 3 + 8) {
        void *p[8] = {malloc(bytes), calloc(bytes / 8, 8), memalign(128, bytes), aligned_alloc(64, bytes / 64 * 64 + 64), NULL,
                      memalign(100, bytes), valloc(bytes), pvalloc(bytes)};
        if (posix_memalign(&p[4], 4096, bytes) != 0 || (uintptr_t)p[4] % 4096 != 0 || (uintptr_t)p[5] % 128 != 0)
            wrong = 1;
        for (size_t i = 0; i + 8 <= bytes; i++)
            wrong |= i < bytes / 8 * 8 && ((char *)p[1])[i] != 0;
        for (int i = 0; i < 8; i++)
            check(p[i], bytes, "a block");
        for (int i = 0; i < 2; i++) {
            p[i] = realloc(p[i], 2 * bytes), wrong |= ((char *)p[i])[bytes - 1] != 1;
            check(p[i], 2 * bytes, "a larger block");
            p[i] = realloc(p[i], bytes / 2 + 1), check(p[i], bytes / 2 + 1, "a smaller block");
            wrong |= malloc_usable_size(p[i]) < bytes / 2 + 1;
        }
        for (int i = 0; i < 8; i++)
            free(p[i]);
    }
    char *text = strdup("a text of libc's"), *line = NULL, *printed = NULL;
    size_t room = 0;
    FILE *file = fopen("/proc/self/maps", "r"); /* opened, buffered and read by libc's own calls of malloc */
    wrong |= getline(&line, &room, file) < 10 || asprintf(&printed, "%d", 5) != 1;
    check(text, strlen(text) + 1, "strdup's");
    fclose(file), free(text), free(line), free(printed);
    free(realloc(NULL, 10)), free(reallocarray(NULL, 10, 10));
    printf(wrong ? "wrong\n" : "ok\n");
    return wrong;
}

/* Guards: rows in slabs, pages that serve again, blocks that libc allocates, moves of realloc, interior addresses, blocks on page borders, many threads, fork while
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

/* The same, but a row's block may be larger than was asked for. */
static int is_in_block(const void *p, const void *base, size_t bytes)
{
    void *found = NULL;
    size_t size = 0;
    return ompc_block_find(p, &found, &size) && found == base && size >= bytes && size <= 2 * bytes + 64;
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
            CHECK(is_in_block(slots[slot] + sizes[slot] / 2, slots[slot], sizes[slot]));
            if (random >> 31) {
                free(slots[slot]);
                slots[slot] = NULL;
                continue;
            }
        }
        sizes[slot] = 1 + (random >> 4) % (random % 16 == 0 ? 30000 : 300);
        slots[slot] = realloc(slots[slot], sizes[slot]);
        CHECK(is_in_block(slots[slot] + sizes[slot] - 1, slots[slot], sizes[slot]));
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

#ifndef __SANITIZE_ADDRESS__ /* malloc is its own there */
static ompc_guardable_t slab_of(const void *p)
{
    ompc_guardable_t found = {NULL, NULL, 0, 0, 0, 0};
    return ompc_block_guardable(p, &found) ? found : (ompc_guardable_t){NULL, NULL, 0, 0, 0, 0};
}

static volatile size_t slabs_released, bytes_released;
static void count_slab(void *base, size_t bytes)
{
    slabs_released = slabs_released + (base != NULL);
    bytes_released = bytes_released + bytes;
}

/* One place in the code. */
__attribute__((noinline, noclone)) static char *zeros(void)
{
    char *const row = calloc(1000, sizeof(double));
    CHECK(row != NULL);
    return row;
}

/* Rows lie side by side in slabs that can be guarded; nothing of libc's does, and no stack. */
static void rows(void)
{
    enum { ROWS = 3000, BYTES = 1000 * sizeof(double) };
    static char *row[ROWS];
    ompc_block_on_release(count_slab);
    ompc_keep_rows_apart();
    int neighbours = 0;
    for (int i = 0; i < ROWS; i++) {
        row[i] = i % 3 == 0 ? malloc(BYTES) : i % 3 == 1 ? zeros() : aligned_alloc(64, BYTES);
        CHECK((uintptr_t)row[i] % 64 == 0 && is_in_block(row[i] + BYTES - 1, row[i], BYTES) && malloc_usable_size(row[i]) >= BYTES);
        const ompc_guardable_t slab = slab_of(row[i]);
        CHECK((char *)slab.base <= row[i] && row[i] + BYTES < (char *)slab.base + slab.bytes && slab.watched);
        CHECK(slab.base == slab.pages && slab.bytes == slab.page_bytes);
        neighbours += i >= 3 && row[i] == row[i - 3] + malloc_usable_size(row[i - 3]);
        CHECK(i % 3 == 0 || slab.base != slab_of(row[i - 1]).base); /* of another place in the code */
        CHECK(i % 3 != 1 || (row[i][0] == 0 && row[i][BYTES - 1] == 0));
        memset(row[i], i, BYTES);
    }
    ompc_held_signals_t held;
    ompc_signals_hold(&held); /* the runtime is at work: this is not the program that asks */
    void *const of_runtime[] = {malloc(BYTES), calloc(1000, sizeof(double)), aligned_alloc(64, BYTES), realloc(malloc(100), BYTES)};
    ompc_signals_release(&held);
    for (int i = 0; i < 4; i++) {
        CHECK(ompc_slab_of(of_runtime[i]) == NULL && ompc_slab_of(row[i]) != NULL);
        free(of_runtime[i]);
    }
    CHECK(neighbours > ROWS - 60 && slab_of(malloc(100)).base == NULL && slab_of(malloc(64 * 1024)).base != slab_of(row[0]).base);
    ompc_block_pages_t pages;
    CHECK(ompc_block_pages(row[5], &pages) && pages.pages == slab_of(row[5]).base && ompc_block_watch(pages.base));
    const volatile uintptr_t seventh = (uintptr_t)row[7];
    release(row[7]);
    CHECK(!is_unknown((uintptr_t)row[8]));
    row[7] = zeros();
    CHECK((uintptr_t)row[7] == seventh && row[7][0] == 0 && row[7][BYTES - 1] == 0);
    char *larger = realloc(row[2], 3 * BYTES);
    CHECK(larger[0] == 2 && larger[BYTES - 1] == 2 && is_in_block(larger, larger, 3 * BYTES));
    row[2] = realloc(larger, 100);
    CHECK(row[2][99] == 2 && slab_of(row[2]).base == NULL);
    row[2] = realloc(row[2], BYTES);
    CHECK(row[2][99] == 2 && slab_of(row[2]).base != NULL);
    row[2] = realloc(row[2], 3000000);
    CHECK(row[2][99] == 2 && is_block(row[2], row[2], 3000000));

    FILE *const file = tmpfile();
    CHECK(file != NULL && fprintf(file, "%s", "text") == 4 && slab_of(file->_IO_write_base).base == NULL);
    fclose(file);
    char *const buffer = malloc(10000);
    FILE *const other = tmpfile();
    CHECK(slab_of(buffer).base != NULL && setvbuf(other, buffer, _IOFBF, 10000) == 0 && slab_of(buffer).base == NULL);
    fclose(other);

    const size_t released = slabs_released; /* of realloc's blocks, which were alone in theirs */
    CHECK(released <= 3);
    for (int i = ROWS - 1; i >= 0; i--) {
        CHECK(row[i][99] == (char)i || i == 7);
        free(row[i]);
    }
    CHECK(slabs_released > released + 3 && bytes_released > ROWS * (size_t)BYTES && is_unknown(seventh));
}

/* Blocks with pages of their own: what is freed serves again, and no more than 64 MB of it is kept. */
static void pages(void)
{
    enum { LARGE = 5000000 };
    char *p = calloc(LARGE, 1);
    memset(p, 1, LARGE);
    const volatile uintptr_t before = (uintptr_t)p;
    release(p);
    p = calloc(LARGE - 1000, 1);
    CHECK((uintptr_t)p == before && p[0] == 0 && p[LARGE - 1001] == 0);
    memset(p, 2, LARGE - 1000);
    p = realloc(p, 10 * LARGE);
    CHECK(p[0] == 2 && p[LARGE - 1001] == 2 && is_block(p + 10 * LARGE - 1, p, 10 * LARGE));
    p = realloc(p, 70000);
    CHECK(p[69999] == 2 && is_block(p, p, 70000));
    p = realloc(p, 60000);
    CHECK(p[59999] == 2 && is_in_block(p, p, 60000));
    free(p);
    char *const aligned = aligned_alloc(1 << 20, 100000);
    CHECK((uintptr_t)aligned % (1 << 20) == 0 && is_block(aligned + 99999, aligned, 100000));
    free(aligned);
    static char *many[40];
    for (int i = 0; i < 40; i++)
        memset(many[i] = malloc(LARGE), 3, LARGE);
    for (int i = 0; i < 40; i++)
        free(many[i]);
    long size, resident;
    FILE *const file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld %ld", &size, &resident) == 2 && resident < (100 << 20) / 4096);
    fclose(file);
    volatile size_t too_much = (size_t)-1;
    errno = 0;
    CHECK(malloc(too_much) == NULL && errno == ENOMEM && malloc(too_much / 2) == NULL);
}
#endif

/* A table of files that grows in a process with threads waits for all processors: milliseconds, in the first launch. */
static void table_of_files(void)
{
    char line[256];
    int room = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        sscanf(line, "FDSize: %d", &room);
    if (status != NULL)
        fclose(status);
    CHECK(status == NULL || room > 700);
}

int main(void)
{
    table_of_files();
    family();
    from_libc();
    threads();
    watched();
#ifndef __SANITIZE_ADDRESS__
    rows();
    pages();
    threads();
#endif
    puts("ok");
    return 0;
}

/* Guards: sections and blocks (a neighbour that is overwritten), two pointers into one block, overlap, constants,
   lastprivate, shapes, page-locked blocks that are reallocated or freed, refusals that change something on the host. */

#define _GNU_SOURCE
#include "arrays.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            printf("line %d: %s does not hold\n", __LINE__, #condition);  \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

static double global_x[100], global_y[100], weights[5] = {1, 2, 3, 4, 5};

static void blocks(void)
{
    double *heap = malloc(100 * sizeof *heap);
    for (int i = 0; i < 100; i++)
        heap[i] = i, global_y[i] = 1000;
    CHECK(ompc_add(100, heap, global_y) == 1);
    CHECK(ompc_add_openmpc(50, heap + 50, global_y + 50) == 1);
    for (int i = 0; i < 100; i++)
        CHECK(global_y[i] == 1000 + (i < 50 ? i : 2 * i));
    CHECK(ompc_add(0, heap, global_y) == 1);

    CHECK(ompc_move(40, heap + 60, heap) == 1); /* one block, two pointers */
    for (int i = 0; i < 100; i++)
        CHECK(heap[i] == (i < 40 ? i + 60 : i));
    heap = realloc(heap, 200000);
    for (int i = 0; i < 25000; i++)
        heap[i] = 1;
    CHECK(ompc_add(100, heap, global_x) == 1 && global_x[99] == 1);
    free(heap);
}

static void refusals(void)
{
    double stack[100] = {1};
    CHECK(ompc_add(50, global_x, global_x + 50) == 0);
    CHECK(ompc_add(50, global_x, global_x + 50) == 0); /* said once */
    CHECK(ompc_add(100, stack, global_y) == 0);
    CHECK(ompc_constant_alias(weights) == 0 && weights[0] == 1);
    char *freed = malloc(64);
    ompc_block_remove(freed); /* as if it were unknown */
    CHECK(ompc_cube(1, 1, 1, freed) == 0);
    ompc_block_add(freed, 64);
    free(freed);
}

static void sections(void)
{
    int x[20];
    for (int i = 0; i < 20; i++)
        x[i] = -100;
    CHECK(ompc_middle(3, 9, x) == 1);
    CHECK(ompc_middle(-4, 4, x + 15) == 1);
    for (int i = 0; i < 20; i++)
        CHECK(x[i] == (i >= 11 && i <= 19 ? i - 15 : i >= 3 && i <= 9 ? i : -100));
    short all[33];
    CHECK(ompc_fill(33, all) == 1 && all[0] == 0 && all[32] == 96);
    CHECK(ompc_nothing(0, NULL) == 1 && ompc_nothing(0, x) == 1);
    union {
        char bytes[16];
        struct point p[4];
        double align;
    } *u = calloc(3, sizeof *u);
    u[1].p[2].tag = 5;
    CHECK(ompc_struct(4, u[1].p) == 1 && u[1].p[2].n == 5 && u[1].p[3].x == 3);
    free(u);
}

static void constants(void)
{
    double y[12];
    CHECK(ompc_weighted(12, y, weights) == 1 && y[0] == 1 && y[11] == 2);
    CHECK(ompc_weighted(12, y, weights) == 1 && y[1] == 2); /* nothing is copied */
    weights[1] = 20;                                        /* the copy is refreshed */
    CHECK(ompc_weighted(12, y, weights) == 1 && y[11] == 20);
    weights[1] = 2;
    double other[5] = {6, 7, 8, 9, 10};
    CHECK(ompc_weighted(12, y, other) == 1 && y[11] == 7);
    CHECK(ompc_weighted(12, y, weights) == 1 && y[11] == 2);
}

static void last(void)
{
    double x[500], x_last = -1;
    int i_last = -1;
    for (int i = 0; i < 500; i++)
        x[i] = i;
    CHECK(ompc_last(500, x, &x_last, &i_last) == 1 && x_last == 998 && i_last == 500);
}

static void shapes(void)
{
    static const int rows[] = {1, 2, 33, 1000}, columns[] = {1, 3, 7};
    static double t[1000][7];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 3; c++) {
            memset(t, 0, sizeof t);
            CHECK(ompc_table(rows[r], columns[c], t) == 1);
            for (int i = 0; i < 1000; i++)
                for (int j = 0; j < 7; j++)
                    CHECK(t[i][j] == (i < rows[r] && j < columns[c] ? 10 * i + j : 0));
        }
    int *cells = calloc(5 * 70 * 90, sizeof *cells);
    CHECK(ompc_cube(5, 70, 90, cells) == 1);
    for (int i = 0; i < 5 * 70 * 90; i++)
        CHECK(cells[i] == 1);
    free(cells);
}

static void pinned(void)
{
    const long n = 1 << 18; /* 2 MiB */
    double *x = malloc((size_t)n * sizeof *x);
    for (int round = 0; round < 3; round++) {
        for (long i = 0; i < n; i++)
            x[i] = (double)i;
        CHECK(ompc_pinned(n, x) == 1 && ompc_pinned(n, x) == 1);
        CHECK(x[n - 1] == 4.0 * (double)(n - 1));
        x = realloc(x, (size_t)(n + 1000 * round) * sizeof *x); /* moves, or not: must be unlocked before */
        CHECK(x != NULL);
    }
    free(x);
    double *locked OMPC_RELEASED = ompc_malloc_host(1000 * sizeof(double));
    double *global = ompc_malloc_host_global(1000 * sizeof(double));
    locked[999] = 21;
    CHECK(ompc_pinned(1000, locked) == 1 && locked[999] == 42 && global[999] == 0);
    CHECK(ompc_add(1000, locked, global) == 1 && global[999] == 42);
}

static void threads(void)
{
    int refused = 0;
#pragma omp parallel num_threads(2) reduction(+ : refused)
    refused += ompc_add(100, global_x, global_y) == 0;
    CHECK(refused == 2);
}

/* What is mapped stays on the device: host and device differ until one of them is asked for the other's values. */
static void mapped(void)
{
    enum { n = 1000, bytes = n * sizeof(double) };
    double *x = malloc(bytes), *y = malloc(bytes);
    for (int i = 0; i < n; i++)
        x[i] = 1, y[i] = 0;
    OMPC_TARGET_ENTER({x, bytes}, {y, bytes}, {NULL, 8}, {x, 0})
    CHECK(ompc_add(n, x, y) == 1 && y[5] == 0);
    y[6] = 3; /* the host's, until an update takes it */
    OMPC_TARGET_UPDATE(0, {y, 48})
    CHECK(y[5] == 1 && y[6] == 3 && y[n - 1] == 0);
    OMPC_TARGET_UPDATE(0, {y, bytes})
    CHECK(y[6] == 1 && y[n - 1] == 1);
    x[5] = x[6] = 7;
    CHECK(ompc_add(n, x, y) == 1 && y[5] == 1);
    OMPC_TARGET_UPDATE(1, {x + 5, 8})
    CHECK(ompc_add(n, x, y) == 1);
    OMPC_TARGET_ENTER({y + 10, 80})
    OMPC_TARGET_EXIT(from, {y, bytes}) /* one of two */
    CHECK(y[5] == 1);
    OMPC_TARGET_EXIT(from, {y, bytes})
    CHECK(y[5] == 9 && y[6] == 3);
    CHECK(ompc_add(n, x, y) == 1 && y[5] == 16 && y[6] == 4);

    OMPC_TARGET_ENTER({y, 800})
    OMPC_TARGET_ENTER({y + 50, 800}) /* overlaps: left alone */
    CHECK(ompc_add(100, x, y) == 1 && y[5] == 16);
    CHECK(ompc_move(100, y + 1, x + 200) == 1); /* narrowed to what is mapped of y */
    CHECK(ompc_middle(50, 190, (int *)(y + 20)) == 1); /* a part and more: everything is copied back */
    CHECK(y[5] == 23);
    CHECK(ompc_target_host() == 0 && x[200] == y[1] && x[210] == y[11]);
    x[5] = 1;
    CHECK(ompc_add(100, x, y) == 1 && y[5] == 23 && ompc_target_home() == 1 && y[5] == 24);
    OMPC_TARGET_EXIT(delete, {y, 8})

    free(x); /* its entry goes */
    x = malloc(bytes);
    for (int i = 0; i < n; i++)
        x[i] = 2;
    CHECK(ompc_add(100, x, y) == 1 && y[5] == 26);
    OMPC_TARGET_DATA({y, bytes})
    {
        OMPC_TARGET_DATA({y, 80}, {x, bytes})
            CHECK(ompc_add(100, x, y) == 1 && y[5] == 26);
        CHECK(y[5] == 26);
    }
    CHECK(y[5] == 28);
    free(x);
    free(y);
}

/* Threads that OpenMP does not know of launch one after another, each its own data. */
static void *worker(void *argument)
{
    const int number = *(int *)argument, n = 900 + 100 * number;
    double *x = malloc((size_t)n * sizeof *x), *y = calloc((size_t)n, sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = number + i % 3;
    for (int round = 1; round <= 60; round++) {
        CHECK(round % 7 == number ? ompc_add_openmpc(n, x, y) == 1 : ompc_add(n, x, y) == 1);
        CHECK(y[n - 1] == round * x[n - 1] && y[0] == round * x[0]);
        if (round % 10 == number) {
            int *cells = calloc(3 * 5 * 7, sizeof *cells);
            CHECK(ompc_cube(3, 5, 7, cells) == 1 && cells[104] == 1);
            free(cells);
        }
    }
    free(x);
    free(y);
    return NULL;
}

static void concurrent(void)
{
    pthread_t threads[4];
    int numbers[4] = {1, 2, 3, 4};
    for (int k = 0; k < 4; k++)
        CHECK(pthread_create(&threads[k], NULL, worker, &numbers[k]) == 0);
    for (int k = 0; k < 4; k++)
        pthread_join(threads[k], NULL);
}

/* Threads read what is on the device, each from another page on. */
enum { READERS = 4, SHORTS = 1 << 18, SHORTS_OF_PAGE = 2048 };
static struct {
    short *x;
    int shorts, sink; /* 0: none; for the kernel of the system to read from what is on the device */
    pthread_barrier_t begin;
} shared;

static void *reader(void *argument)
{
    pthread_barrier_wait(&shared.begin);
    for (int k = 0, i = *(int *)argument * (shared.shorts / READERS); k < shared.shorts; k += SHORTS_OF_PAGE, i += SHORTS_OF_PAGE) {
        volatile short *const element = &shared.x[i % shared.shorts];
        if (shared.sink != 0 && i / SHORTS_OF_PAGE % 2 == 1)
            CHECK(write(shared.sink, (void *)element, sizeof *element) == sizeof *element);
        CHECK(*element == (short)(3 * (i % shared.shorts)));
        *element = *element;
    }
    return NULL;
}

static void start_readers(pthread_t *threads, int shorts)
{
    static int numbers[READERS] = {0, 1, 2, 3};
    shared.x = aligned_alloc(4096, (size_t)shorts * sizeof *shared.x);
    shared.shorts = shorts;
    CHECK(ompc_fill(shorts, shared.x) == 1);
    CHECK(pthread_barrier_init(&shared.begin, NULL, READERS + 1) == 0);
    for (int k = 0; k < READERS; k++)
        CHECK(pthread_create(&threads[k], NULL, reader, &numbers[k]) == 0);
    pthread_barrier_wait(&shared.begin);
}

/* A block leaves the device while they wait in the faults of its pages. */
static void leaving(void)
{
    pthread_t threads[READERS];
    for (int round = 0; round < 40; round++) {
        start_readers(threads, SHORTS);
        CHECK(mprotect(shared.x, SHORTS * sizeof *shared.x, PROT_READ | PROT_WRITE) == 0);
        for (int k = 0; k < READERS; k++)
            pthread_join(threads[k], NULL);
        free(shared.x);
    }
}

/* The program ends meanwhile. */
static void ending(void)
{
    pthread_t threads[READERS];
    shared.sink = open("/dev/null", O_WRONLY);
    start_readers(threads, 1 << 24);
    exit(9);
}

static void forked(void)
{
    double x[] = {1, 2, 3}, x_last = 0;
    const pid_t child = fork();
    if (child == 0)
        _exit(ompc_last(3, x, &x_last, &(int){0}) != 0 && x_last == 6 ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {{"blocks", blocks}, {"refusals", refusals}, {"sections", sections}, {"constants", constants}, {"last", last},
                 {"shapes", shapes}, {"pinned", pinned},     {"threads", threads},   {"mapped", mapped},
                 {"concurrent", concurrent}, {"forked", forked},     {"leaving", leaving},   {"ending", ending}};
    if (argc > 1 && strcmp(argv[1], "immediate") == 0) {
        blocks();
        _exit(3);
    }
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc > 1 && strcmp(argv[1], tests[i].name) == 0) {
            tests[i].run();
            puts("ok");
            return 0;
        }
    return 2;
}

OMPC_GLOBALS({global_x, sizeof global_x}, {global_y, sizeof global_y}, {weights, sizeof weights})

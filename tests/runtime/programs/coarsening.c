/* Guards: arrays that share pages, of which those are page-locked in place that are an array's own; heap blocks page-locked and freed again and again; a constant
   and a pageable array on the same pages; 1,000 launches that take no memory. */

#include "coarsening.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            printf("line %d: %s does not hold\n", __LINE__, #condition);  \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

enum { N = 40000, M = 300000 };
static double u[N] = {1}, v[N] = {2}, small[3] = {5, 6, 7}, w[N] = {3}; /* initialised: in the order of the text */
static double five[5] = {0, 0, 0, 0, 0};

static long resident_pages(void)
{
    long size, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld %ld", &size, &resident) == 2);
    fclose(file);
    return resident;
}

static void launch(int times)
{
    for (int k = 0; k < times; k++) {
        CHECK(ompc_scale(N, -1, u, five) == 1 && ompc_scale(N, -1, v, five) == 1);
        CHECK(ompc_scale(N, -1, w, five) == 1 && ompc_scale(3, -1, small, five) == 1);
    }
}

/* Free memory is the whole device's, which other processes use too: one quiet moment is enough to show no growth. */
static int keeps_device_memory(void)
{
    for (int tries = 0; tries < 50; tries++) {
        const long free_bytes = device_bytes_free();
        launch(100);
        if (device_bytes_free() >= free_bytes)
            return 1;
    }
    return 0;
}

static void globals(void)
{
    for (int i = 1; i < N; i++) {
        u[i] = i;
        v[i] = 2 * i;
        w[i] = 3 * i;
    }
    launch(50);
    CHECK(is_page_locked(&u[N / 2]) && is_page_locked(&v[N / 2]) && is_page_locked(&w[N / 2]));
    const long resident = resident_pages();
    launch(1000);
    CHECK(resident_pages() <= resident + 64 && keeps_device_memory());
    CHECK(u[0] == 1 && v[0] == 2 && w[0] == 3 && small[0] == 5 && small[2] == 7);
    for (int i = 1; i < N; i++)
        CHECK(u[i] == i && v[i] == 2 * i && w[i] == 3 * i);
}

/* Blocks that share pages with one another, freed in turn. */
static void blocks(int rounds)
{
    double *x[3] = {NULL, NULL, NULL};
    for (int k = 0; k < rounds; k++) {
        free(x[k % 3]);
        double *p = x[k % 3] = malloc((M + k % 100) * sizeof *p);
        CHECK(p != NULL);
        for (int i = 0; i < M; i++)
            p[i] = i;
        five[4] = k;
        CHECK(ompc_scale(M, 3, p, five) == 1);
        CHECK(p[0] == 0 && p[4] == 12 + k && p[M - 1] == 3.0 * (M - 1) + k && p[M - 2] == 3.0 * (M - 2));
        CHECK(is_page_locked(p + M / 2));
    }
    five[4] = 0;
    for (int i = 0; i < 3; i++)
        free(x[i]);
}

int main(void)
{
    globals();
    blocks(60);
    const long resident = resident_pages();
    blocks(60);
    CHECK(resident_pages() <= resident + 1000); /* a block has 600; what is freed is kept, for the next */
    puts("ok");
    return 0;
}

OMPC_GLOBALS({u, sizeof u}, {v, sizeof v}, {small, sizeof small}, {w, sizeof w})

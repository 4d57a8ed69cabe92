/* What each thread of a team has for itself: rows of tables, blocks that it allocates, arrays and sums that are not merged. */
/* args: 3000 5 */
/* args: 40 2 */
/* args: 3 1 */
/* args: 0 3 */
/* expect-gpu: 14 */
/* expect-host: OMPC345 OMPC309 OMPC345 OMPC345 OMPC345 OMPC355 */
/* refuses: OMPC453 OMPC458 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BINS 24

static int key[4000], before[4000], kept[64][BINS], seen[64], total[BINS];
static double weight[4000];
static int tally[BINS];
#pragma omp threadprivate(tally)

static int *new_row(int n)
{
    return calloc(n, sizeof(int));
}

static int *same_row(int *row, int n)
{
    return n < 0 ? NULL : row;
}

static int above(int count)
{
    for (int b = 0; b < BINS; b++)
        if (tally[b] > count)
            return b;
    return -1;
}

static void show(const char *what)
{
    long all = 0;
    for (int k = 0; k < 64 * BINS; k++)
        all = (all * 31 + kept[k / BINS][k % BINS] + seen[k / BINS] + total[k % BINS]) % 1000003;
    printf("%s %ld\n", what, all);
    memset(kept, 0, sizeof kept);
    memset(seen, 0, sizeof seen);
    memset(total, 0, sizeof total);
}

/* k-means: rows of rows, of which some lie in one block; each thread adds to its own */
static void clusters(int n, int most)
{
    const int threads = omp_get_max_threads();
    int **sizes = malloc(threads * sizeof *sizes);
    float ***sums = malloc(threads * sizeof *sums);
    sizes[0] = calloc(threads * most, sizeof **sizes);
    sums[0] = malloc(threads * most * sizeof **sums);
    for (int t = 0; t < threads; t++) {
        sizes[t] = sizes[0] + t * most;
        sums[t] = sums[0] + t * most;
        for (int c = 0; c < most; c++)
            sums[t][c] = calloc(4, sizeof ***sums);
    }
#pragma omp parallel
    {
        int tid = omp_get_thread_num();
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            const int c = key[k] % most;
            sizes[tid][c]++;
            for (int j = 0; j < 4; j++)
                sums[tid][c][j] += (float)(k % 50 + j);
        }
    }
    for (int t = 0; t < threads; t++)
        for (int c = 0; c < most; c++) {
            kept[t][c % BINS] += sizes[t][c];
            for (int j = 0; j < 4; j++)
                kept[t][(c + j + 1) % BINS] += sums[t][c][j] * (j + 1);
            free(sums[t][c]);
        }
    free(sizes[0]);
    free(sums[0]);
    free(sizes);
    free(sums);
    show("clusters");
}

/* rows of a table, blocks that threads allocate, and what functions give them */
static void rows(int n)
{
    const int threads = omp_get_max_threads();
    int **table = malloc(threads * sizeof *table), one_row[BINS] = {0};
    for (int t = 0; t < threads; t++)
        table[t] = calloc(BINS, sizeof **table);
#pragma omp parallel
    {
        int me = 0, *row;
        me = omp_get_thread_num();
        row = table[me];
        for (int b = 0; b < BINS; b++)
            row[b] = b;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            row[key[k]]++;
#pragma omp for schedule(static, 3) nowait
        for (int k = 0; k < n; k++)
            row[k % BINS] -= k;
    }
#pragma omp parallel
    {
        int *mine = malloc(BINS * sizeof *mine), me = omp_get_thread_num();
        memset(mine, 0, BINS * sizeof *mine);
#pragma omp for
        for (int k = 0; k < n; k++)
            mine[key[k]] += k;
        for (int b = 0; b < BINS; b++)
            kept[me][b] = mine[b] + table[me][b];
        free(mine);
    }
#pragma omp parallel num_threads(n > 100 ? 4 : 1)
    {
        int *mine = new_row(BINS), *ours = same_row(one_row, n);
#pragma omp for
        for (int k = 0; k < n; k++)
#pragma omp atomic
            ours[key[k]] += k;
#pragma omp for
        for (int k = 0; k < n; k++)
#pragma omp atomic
            mine[key[k]] += k;
        for (int b = 0; b < BINS; b++)
#pragma omp atomic
            total[b] += mine[b] + ours[b];
        free(mine);
    }
    for (int t = 0; t < threads; t++)
        free(table[t]);
    free(table);
    show("rows");
}

/* arrays and sums of each thread, which are looked at one by one; in chunks, of two loops, backwards */
static void not_merged(int n, int chunk)
{
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        int own[BINS] = {0}, grid[3][4], last = -1;
        long sum = me;
        memset(grid, 0, sizeof grid);
#pragma omp for schedule(static, chunk)
        for (int k = n; k > 0; k -= 2) {
            own[key[k]]++;
            grid[k % 3][key[k] % 4] ^= k;
            sum += key[k];
        }
#pragma omp for collapse(2)
        for (int i = 0; i < 30; i++)
            for (int j = 0; j < n / 30; j++)
                own[(i + j) % BINS] -= j;
        for (int b = 0; b < BINS; b++)
            kept[me][b] = own[b] + grid[b % 3][b % 4] + (int)sum;
        /* which of a thread's iterations is its last one */
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            before[k] += last;
            last = k % 64;
        }
        kept[me][0] += last;
    }
    for (int k = 0; k < n; k++)
        seen[k % 64] += before[k];
    show("not merged");
}

/* what stays with the threads from region to region */
static void of_threads(int n)
{
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            tally[0] += round;
#pragma omp for schedule(static)
            for (int k = 0; k < n; k++)
                tally[key[k]] += round + 1;
        }
    }
#pragma omp parallel
    {
        tally[1] = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            tally[key[k]]++;
            before[k] = above(k % 9);
        }
    }
    for (int k = 0; k < n; k++)
        seen[k % 64] += before[k];
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        memcpy(kept[me], tally, sizeof tally);
        memset(tally, 0, sizeof tally);
    }
    show("of threads");
}

/* a pointer to what the thread has; a value that others change; a bound */
static void with_other_names(int n)
{
#pragma omp parallel
    {
        int own[BINS] = {0}, me = omp_get_thread_num(), first = me, *also = own;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            own[key[k]]++;
            also[0]++;
        }
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            own[key[k]] += first < 64;
        for (int b = 0; b < BINS; b++)
            kept[me][b] = own[b];
    }
#pragma omp parallel num_threads(1)
    {
        int own[BINS] = {0}, me = omp_get_thread_num(), *also = own;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            own[key[k]]++;
#pragma omp atomic
            also[0] += 2;
        }
        for (int b = 0; b < BINS; b++)
            kept[me][b] += own[b];
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num(), of_length[n + BINS];
        struct { int count, sum; } both = {0, 0};
        memset(of_length, 0, sizeof of_length);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            of_length[key[k]]++;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            both.sum += key[k];
        kept[me][1] = of_length[0] + of_length[3] + both.sum;
    }
    show("other names");
}

/* rows that two threads have in common: added to, and stored in */
static void common(int n)
{
    int *rows[64], *firsts[64];
    for (int t = 0; t < 64; t++) {
        rows[t] = kept[t / 2];
        firsts[t] = kept[32 + t % 32];
    }
#pragma omp parallel
    {
        int *row = rows[omp_get_thread_num()];
#pragma omp for
        for (int k = 0; k < n; k++)
#pragma omp atomic
            row[key[k]]++;
    }
#pragma omp parallel num_threads(2)
    {
        int *first = firsts[omp_get_thread_num()];
#pragma omp for schedule(static)
        for (int k = 0; k < n % BINS; k++)
            first[k] = k;
    }
    int *same[64];
    for (int k = 0; k < 64; k++)
        same[k] = n > 100 ? &total[k % 3] : &kept[k][5];
#pragma omp parallel num_threads(1)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(static)
        for (int k = 0; k < n % 64; k++)
            same[k][0] = k * 3 + me;
    }
    show("common");
}

/* a minimum, and a floating sum, of each thread */
static void values(int n)
{
    double sums[64] = {0};
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        int least = 1000;
        double sum = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            if (key[k] < least)
                least = key[k];
            sum += weight[k];
        }
        kept[me][0] = least;
        sums[me] = sum;
    }
    for (int t = 0; t < 64; t++)
        kept[t][1] = (int)(sums[t] * 4);
    show("values");
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100, chunk = argc > 2 ? atoi(argv[2]) : 4;
    for (int k = 0; k < 4000; k++) {
        key[k] = (k * 37 + k / 11) % BINS;
        weight[k] = k % 17 * 0.25;
    }
    clusters(n, 5);
    rows(n);
    not_merged(n, chunk);
    of_threads(n);
    with_other_names(n);
    common(n);
    values(n);
    return 0;
}

/* Counters of each thread that give out places in the order of its iterations: bucket sort, radix sort, compaction. */
/* args: 30000 */
/* args: 700 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 8 */
/* refuses: OMPC453 */
/* expect-host: OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BINS 32
#define MOST 40000

static int key[MOST], counts[64][BINS], next[BINS];
#pragma omp threadprivate(next)
static int out[MOST], value[MOST], moved[MOST];
static unsigned places[64];

static void show(const char *what, const int *x, int n)
{
    long all = 0;
    for (int k = 0; k < n; k++)
        all = (all * 31 + x[k]) % 1000003;
    printf("%s %ld\n", what, all);
    memset(out, 0, sizeof out);
}

/* the places at which each thread begins, for each key behind those of the threads before it */
static void begin(int *first, int me, int all)
{
    int sum = 0;
    for (int b = 0; b < BINS; b++)
        for (int t = 0; t < all; t++) {
            if (t == me)
                first[b] = sum;
            sum += counts[t][b];
        }
}

static void count(int n, int shift)
{
    const int me = omp_get_thread_num();
    memset(counts[me], 0, sizeof counts[me]);
#pragma omp for schedule(static)
    for (int k = 0; k < n; k++)
        counts[me][key[k] >> shift & (BINS - 1)]++;
}

/* as in NAS IS: threadprivate, used again behind the loop */
static void buckets(int n)
{
    int used[64] = {0};
#pragma omp parallel
    {
        count(n, 0);
        begin(next, omp_get_thread_num(), omp_get_num_threads());
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            int b = key[k] & (BINS - 1);
            out[next[b]++] = k;
        }
        for (int b = 0; b < BINS; b++)
            used[omp_get_thread_num()] += next[b];
    }
    show("buckets", out, n);
    show("used", used, 64);
}

/* two arrays move together, by a variable; twice, by other digits */
static void radix(int n)
{
    for (int shift = 0; shift < 10; shift += 5) {
#pragma omp parallel
        {
            int at[BINS], slot;
            count(n, shift);
            begin(at, omp_get_thread_num(), omp_get_num_threads());
#pragma omp for schedule(static) private(slot)
            for (int k = 0; k < n; k++) {
                const int digit = key[k] >> shift & (BINS - 1);
                slot = at[digit]++;
                moved[slot] = key[k];
                out[slot] = value[k] + 1 + 0 * slot;
            }
        }
        memcpy(key, moved, n * sizeof *key);
        memcpy(value, out, n * sizeof *value);
    }
    show("radix", key, n);
    show("values", value, n);
}

/* backwards, by --; unsigned; what a condition chooses */
static void others(int n)
{
#pragma omp parallel
    {
        long ends[BINS];
        unsigned one[2] = {0, 0};
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        count(n, 0);
        int sum = 0;
        for (int b = 0; b < BINS; b++)
            for (int t = 0; t < all; t++) {
                sum += counts[t][b];
                if (t == me)
                    ends[b] = sum;
            }
#pragma omp for schedule(static)
        for (unsigned k = 0; k < (unsigned)n; k++)
            out[--ends[key[k] & (BINS - 1)]] = value[k];
#pragma omp single
        show("backwards", out, n);
        const int share = n / all + 2;
        one[1] = me * share;
#pragma omp for
        for (int k = n; k > 0; k -= 3) {
            if (key[k - 1] % 3 == 1) {
                unsigned place = one[1]++;
                out[place] = k;
            }
        }
        places[me] = one[1] - me * share;
    }
    show("chosen", out, n);
    show("places", (int *)places, 64);
}

/* places of one counter that another one gives out as well: the last iteration wins */
static void meeting(int n)
{
#pragma omp parallel
    {
        int same[4], down[4];
        const int me = omp_get_thread_num(), share = n / omp_get_num_threads() + 2;
        for (int b = 0; b < 4; b++) {
            same[b] = me * share;
            down[b] = (me + 1) * share + b % 2;
        }
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            out[same[key[k] & 3]++] = k;
#pragma omp single
        show("meeting", out, n);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            moved[--down[key[k] & 3]] = k;
        counts[me][0] = same[0] + down[1];
    }
    show("from above", moved, n);
    show("ends", &counts[0][0], 64 * BINS);
}

/* a place that is looked at otherwise; two counters; a table of them; in a loop; of chunks; what was there before */
static void not_these(int n)
{
    int looked = 0;
#pragma omp parallel reduction(+ : looked)
    {
        int at[BINS], more[BINS], grid[2][BINS], last = 0;
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        count(n, 0);
        begin(at, me, all);
        for (int b = 0; b < BINS; b++)
            at[b] += counts[me][b];
        begin(more, me, all);
        begin(grid[0], me, all);
        memcpy(grid[1], grid[0], sizeof grid[1]);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            int slot = --at[key[k] & (BINS - 1)];
            const int there = value[slot];
            out[slot] = there + k;
        }
        begin(at, me, all);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            out[at[key[k] & (BINS - 1)]++] = k;
            moved[more[key[k] & (BINS - 1)]++] = k;
        }
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            out[grid[0][key[k] & (BINS - 1)]++] = value[k];
        begin(at, me, all);
#pragma omp for schedule(static)
        for (int k = 0; k < n / 2; k++)
            for (int twice = 0; twice < 2; twice++)
                out[at[key[2 * k + twice] & (BINS - 1)]++] = k;
        at[0] = me * (n / all + 8);
#pragma omp for schedule(static, 7)
        for (int k = 0; k < n; k++)
            moved[at[key[k] & 0]++] = k;
        begin(at, me, all);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            out[at[key[k] & (BINS - 1)]++] += k;
        begin(at, me, all);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            out[at[key[k] & (BINS - 1)]++] = k + last;
            last = k & 1;
        }
        looked += last + grid[1][3];
    }
#pragma omp parallel num_threads(1)
    {
        int at[BINS];
        count(n, 0);
        begin(at, 0, 1);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            out[at[key[k] & (BINS - 1)]++] = out[n - 1 - k] + k;
        long far[2] = {0, 1L << 32};
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) /* what is left of two places is one */
            moved[(int)far[key[k] & 1]++] = k;
    }
    show("not these", out, n);
    show("nor these", moved, n);
}

/* what phases would do twice: an atomic addition; and a variable that keeps a part of each place, at which iterations meet */
static void with_effects(int n)
{
    int odd = 0;
#pragma omp parallel
    {
        int at[BINS];
        count(n, 0);
        begin(at, omp_get_thread_num(), omp_get_num_threads());
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
#pragma omp atomic
            odd += key[k] & 1;
            out[at[key[k] & (BINS - 1)]++] = k;
        }
    }
    printf("%d\n", odd);
    show("with effects", out, n);
#pragma omp parallel num_threads(1)
    {
        int at[BINS];
        count(n, 0);
        begin(at, 0, 1);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            unsigned char part = at[key[k] & (BINS - 1)]++;
            out[part] = k;
        }
    }
    show("of a part", out, 256);
}

/* to two arrays, or twice to one */
static void pairs(int n, int *low, int *high)
{
#pragma omp parallel num_threads(1)
    {
        int at[BINS];
        for (int b = 0; b < BINS; b++)
            at[b] = b * (MOST / BINS);
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            int p = at[key[k] & (BINS - 1)]++;
            low[p] = k;
            high[p] = -k;
        }
    }
    show("pairs", low, n);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    for (int k = 0; k < MOST; k++) {
        key[k] = (k * 37 + k / 11 * 5) % 1021;
        value[k] = k;
    }
    buckets(n);
    radix(n);
    others(n);
    meeting(n);
    not_these(n);
    with_effects(n);
    pairs(n, out, moved);
    pairs(n, out, out);
    return 0;
}

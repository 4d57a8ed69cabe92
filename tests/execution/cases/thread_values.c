/* What threads make of their numbers in front of a loop: places in arrays, offsets, conditions. */
/* args: 1000 */
/* args: 5 */
/* args: 0 */
/* expect-gpu: 8 */
/* expect-host: OMPC355 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int flat[2000], table[64][16]; static double parts[512];

static long total(const int *c, int n)
{
    long s = 0;
    for (int k = 0; k < n; k++)
        s = (s * 31 + c[k]) % 1000003;
    return s;
}

static void orphan(int *counts, const int *key, int n, int bins)
{
    int me = omp_get_thread_num();
    int *mine = counts + me * bins;
#pragma omp for
    for (int k = 0; k < n; k++)
        mine[key[k]]++;
}
int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100; int bins = 10;
    int *key = malloc(2000 * sizeof *key), *counts = calloc(64 * 16, sizeof *counts); int (*rows)[16] = calloc(64, sizeof *rows);
    for (int k = 0; k < 2000; k++) key[k] = k * 37 % 10;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        int *mine = counts + me * bins, off = me * 3 + all, last = me == all - 1;
        double *part = &parts[8 * omp_get_thread_num()];
        int *row = table[me], *other = rows[me];
#pragma omp for
        for (int k = 0; k < n; k++)
        mine[key[k]]++;
#pragma omp for
        for (int k = 0; k < n; k++)
            flat[k] = off + 100 * last;
#pragma omp for schedule(static, 3)
        for (int k = 0; k < n; k++) {
            *part += 0.5 * key[k];
            part[1] += 1;
        }
#pragma omp for schedule(static, 3)
        for (int k = 0; k < n; k++) {
            row[key[k]] += k;
            other[key[k]]--;
        }
    }
    printf("%ld %ld %ld %ld\n", total(counts, 1024), total(flat, 2000), total(&table[0][0], 1024), total(&rows[0][0], 1024));
    for (int k = 0; k < 40; k += 8) printf("%g %g ", parts[k], parts[k + 1]);
#pragma omp parallel
    orphan(counts, key, n, bins);
    printf("\n%ld\n", total(counts, 1024));
    /* of a variable that changes; from memory; changed afterwards */
#pragma omp parallel num_threads(n > 5 ? 3 : 1)
    {
        int me = omp_get_thread_num();
        int off = me * bins;
#pragma omp barrier
#pragma omp single
        bins = 12;
#pragma omp for
        for (int k = 0; k < n; k++)
            flat[k] = off;
    }
    printf("%ld\n", total(flat, 2000));
#pragma omp parallel num_threads(n > 5 ? 3 : 1)
    {
        int me = omp_get_thread_num();
        int off = key[me], off2 = me * 2;
        int reached = me, *to = &reached;
        *to += 4;
        off2 += n > 3;
#pragma omp for
        for (int k = 0; k < n; k++)
            flat[k] = reached;
#pragma omp for
        for (int k = 0; k < n; k++)
            flat[k] += off + off2;
        int *buffer = counts + me * 16;
#pragma omp for
        for (int k = 0; k < n; k++) {
            buffer[0] = k;
            buffer[1] = k * 2;
            flat[k] += buffer[0] + buffer[1];
        }
    }
    printf("%ld\n", total(flat, 2000));
    return 0;
}

/* Each thread of a region counts in an array of its own, and adds that to the total. */
/* args: 5000 */
/* args: 3 */
/* expect-gpu: 13 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BINS 12

static double kept[BINS];
static int seen[BINS];
#pragma omp threadprivate(kept, seen)
static double total[BINS];
static int other[BINS];

static int key(int k)
{
    return (k * 7 + k / 5) % BINS;
}

static void show(const char *what, const double *values, int n)
{
    printf("%s", what);
    for (int k = 0; k < n; k++)
        printf(" %.10g", values[k]);
    printf("\n");
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    double *a = malloc(sizeof *a * n);
    for (int k = 0; k < n; k++)
        a[k] = 0.5 + (k * 37) % 101;

    /* threadprivate, set in a loop, merged by atomic */
    int i, l;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel private(i, l)
        {
            for (i = 0; i < BINS; i++)
                kept[i] = 0.0;
#pragma omp for nowait
            for (int k = 0; k < n; k++) {
                for (i = 0; i < 2; i++) {
                    l = key(k + i);
                    kept[l] = kept[l] + a[k];
                }
            }
            for (i = 0; i < BINS; i++)
#pragma omp atomic
                total[i] += kept[i];
        }
    }
    show("kept", total, BINS);

    /* of the region, initialised, merged in critical, and only some of it, times two */
#pragma omp parallel
    {
        int own[BINS] = {0};
#pragma omp for
        for (int k = 0; k < n; k++)
            own[key(k)]++;
#pragma omp critical
        for (int m = BINS - 1; m >= 2; m -= 2)
            other[m] += 2 * own[m];
    }
    for (int k = 0; k < BINS; k++)
        printf(" %d", other[k]);

    /* two dimensions, memset, a minimum */
    double least[2][3] = {{1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}}, table[2][3];
    long sums[3] = {0, 0, 0};
#pragma omp parallel private(table)
    {
        long part[3];
        memset(part, 0, sizeof part);
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 3; c++)
                table[r][c] = 1e8;
#pragma omp for
        for (int k = 0; k < n; k++)
            if (a[k] < table[k % 2][k % 3])
                table[k % 2][k % 3] = a[k];
#pragma omp for
        for (int k = 0; k < n; k++)
            part[k % 3] += k;
#pragma omp critical
        {
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 3; c++)
                    if (table[r][c] < least[r][c])
                        least[r][c] = table[r][c];
            for (int c = 0; c < 3; c++)
                sums[c] += part[c];
        }
    }
    show("least", &least[0][0], 6);
    printf("sums %ld %ld %ld\n", sums[0], sums[1], sums[2]);

    /* one loop after the other into the same array */
    double twice[4] = {0, 0, 0, 0};
#pragma omp parallel
    {
        double both[4] = {0, 0, 0, 0};
#pragma omp for
        for (int k = 0; k < n; k++)
            both[k & 3] += a[k];
#pragma omp for
        for (int k = 0; k < n; k++)
            both[(k + 1) & 3] += 1;
        for (int k = 0; k < 4; k++)
#pragma omp atomic
            twice[k] += both[k];
    }
    show("twice", twice, 4);

    /* not one answer: how much each thread has is looked at; perhaps not merged; read elsewhere */
    int most = 0, most_of_all = 0;
#pragma omp parallel
    {
        int own[4] = {0, 0, 0, 0};
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            own[k & 3]++;
#pragma omp critical
        for (int k = 0; k < 4; k++)
            if (own[k] > most)
                most = own[k];
    }
#pragma omp parallel
    {
        int own[4] = {0, 0, 0, 0};
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            own[k & 3]++;
        for (int k = 0; k < 4; k++) {
            if (own[0] > 2)
                break;
#pragma omp atomic
            most_of_all += own[k];
        }
    }
    printf("%d %d\n", most, most_of_all);
#pragma omp parallel
    {
        for (int k = 0; k < BINS; k++)
            seen[k] = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            seen[key(k)]++;
    }
    printf("%d\n", seen[0]); /* what the first thread has counted */

    /* what the threads change in turn is not the same in all of them */
    double slots[64] = {0}, grown = 0, product = 1;
    int turn = 0;
    struct { double sum; int turn; } *both = calloc(1, sizeof *both);
#pragma omp parallel num_threads(4)
    {
        double part = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < 64; k++)
            part += 1;
#pragma omp critical
        slots[turn++] += part;
    }
    turn = 0;
#pragma omp parallel num_threads(4)
    {
        double part = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < 64; k++)
            part += 1;
#pragma omp critical
        {
            for (int k = 0; k < turn; k++)
                grown += part;
            turn++;
        }
    }
#pragma omp parallel num_threads(4)
    {
        double part = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < 64; k++)
            part += 1;
#pragma omp critical
        product += product * part;
    }
#pragma omp parallel num_threads(4)
    {
        double part = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < 64; k++)
            part += 1;
#pragma omp critical
        {
            both->sum += both->turn * part;
            both->turn++;
        }
    }
    printf("%g %g %g %g %g\n", slots[0], slots[3], grown, product, both->sum);
    free(both);
    free(a);
    return 0;
}

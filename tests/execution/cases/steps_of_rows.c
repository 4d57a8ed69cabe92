/* Loops of rows and sums, or around them, whose step is each row's own, or whose head divides by a number
   that is 0 where the loop does not run: threads that help other rows evaluate neither. */
/* args: 0 */
/* args: 2 */
/* args: 32 */
/* expect-gpu: 6 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 37, LONG = 300 };
static int a[ROWS][LONG], sums[ROWS][ROWS];

static void rows(int n, const int *row, const int *step, const int *v, int *sum)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = row[i]; k < row[i + 1]; k += step[i])
            s += v[k];
        sum[i] = s;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int by = step[i] + 1;
        int s = 0;
        for (int k = row[i]; k < row[i + 1]; k += by)
            s += v[k];
        sum[i] += s;
    }
}

static void divided(int n, int d, const int *row, const int *v, int *sum)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int s = 0;
        if (d > 0)
            for (int k = row[i]; k < row[i + 1]; k += 9 / d)
                s += v[k];
        sum[i] += s;
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            if (d > 0)
                for (int k = 0; k < LONG; k += 9 / d)
                    s += a[i][k] * a[j][k];
            sums[i][j] += s;
        }
}

/* The loop around the shared one, too. */
static void around(int n, int d, const int *row, const int *v, int *sum)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int s = 0;
        if (d > 0)
            for (int u = 0; u < 9 / d; u++) {
                int t = u;
                for (int k = row[i]; k < row[i + 1]; k++)
                    t += v[k];
                s ^= t;
            }
        sum[i] += s;
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            if (d > 0)
                for (int u = 0; u < 9 / d; u++) {
                    int t = u;
                    for (int k = 0; k < LONG; k++)
                        t += a[i][k] * a[j][k];
                    s ^= t;
                }
            sums[i][j] += s;
        }
}

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]) > 0)
        setenv("OMPC_LANES", argv[1], 1);
    int row[ROWS + 1] = {0}, step[ROWS], sum[ROWS];
    for (int i = 0; i < ROWS; i++) {
        row[i + 1] = row[i] + (i == 5 ? 9000 : i * 7 % 90);
        step[i] = i % 4 + 1;
        for (int k = 0; k < LONG; k++)
            a[i][k] = (i * 7 + k) % 11;
    }
    int *v = malloc((size_t)row[ROWS] * sizeof *v);
    if (v == NULL)
        return 1;
    for (int k = 0; k < row[ROWS]; k++)
        v[k] = k % 13;
    rows(ROWS, row, step, v, sum);
    divided(ROWS, 4, row, v, sum);
    divided(ROWS, 0, row, v, sum);
    around(ROWS, 4, row, v, sum);
    around(ROWS, 0, row, v, sum);
    for (int i = 0; i < ROWS; i++)
        printf("%d %d\n", sum[i], sums[i][i * 5 % ROWS]);
    free(v);
    return 0;
}

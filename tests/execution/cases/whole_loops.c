/* Loops that were divided into tiles by hand: whole again where nothing can tell, left alone where something can. */
/* args: 70 32 */
/* args: 64 8 */
/* args: 5 7 */
/* args: 1 1 */
/* args: 0 4 */
/* expect-gpu: 21 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define T 16
#define MOST 96

static inline int least(int a, int b) { return a < b ? a : b; }

/* A transpose in tiles, as it is written for caches. */
static void transpose(int n, int tile, double *b, double *a)
{
    #pragma omp parallel for
    for (int it = 0; it < n; it += tile)
        for (int jt = 0; jt < n; jt += tile)
            for (int i = it; i < MIN(n, it + tile); i++)
                for (int j = jt; j < MIN(n, jt + tile); j++) {
                    b[i * n + j] += a[j * n + i];
                    a[j * n + i] += 1.0;
                }
}

/* A product, whose sums have one order in tiles and in whole rows. */
static void product(int n, int tile, const double *a, const double *b, double *c)
{
    #pragma omp parallel for
    for (int ii = 0; ii < n; ii += tile)
        for (int jj = 0; jj < n; jj += tile)
            for (int kk = 0; kk < n; kk += tile)
                for (int i = ii; i < (ii + tile > n ? n : ii + tile); i++)
                    for (int j = jj; j < (jj + tile > n ? n : jj + tile); j++)
                        for (int k = kk; k < (kk + tile > n ? n : kk + tile); k++)
                            c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* The same with tiles around rows only, the ends of tiles in variables, and two annotated loops. */
static void product_in_strips(int n, int tile, const double *a, const double *b, double *c)
{
    #pragma omp parallel for collapse(2)
    for (int ii = 0; ii < n; ii += tile)
        for (int jj = 0; jj < n; jj += tile) {
            int iend = MIN(ii + tile, n), jend = MIN(jj + tile, n);
            for (int i = ii; i < iend; i++)
                for (int j = jj; j < jend; j++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++)
                        sum += a[i * n + k] * b[k * n + j];
                    c[i * n + j] -= sum;
                }
        }
}

/* Sums that are loaded and stored in each strip: that loop stays, inside of the whole ones. */
static void product_of_parts(int n, const double *a, const double *b, double *c)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int kk = 0; kk < n; kk += T)
            for (int jj = 0; jj < n; jj += T)
                for (int j = jj; j < MIN(jj + T, n); j++) {
                    double sum = c[i * n + j];
                    for (int k = kk; k < MIN(kk + T, n); k++)
                        sum += a[i * n + k] * b[k * n + j];
                    c[i * n + j] = sum;
                }
}

/* Blocks that are numbered. */
static void numbered(int n, double *a)
{
    int i, b;
    const int blocks = (n + T - 1) / T;
    #pragma omp parallel for private(i)
    for (b = 0; b < blocks; b++)
        for (i = b * T; i < MIN((b + 1) * T, n); i++)
            a[i] = 3 * a[i] + i;
    #pragma omp parallel for private(i)
    for (b = 0; b < n / T; b++)
        for (i = b * T; i < (b + 1) * T; i++)
            a[i] += 0.5 * i;
    #pragma omp parallel for private(i)
    for (b = 0; b < n / T + 1; b++)
        for (i = b * T; i < MIN(b * T + T, n - 1); i++)
            a[i] -= 0.25 * i;
}

/* Strips that go beyond the bound, as nobody cuts the last one; from 1 to n; and by a function. */
static void chunks(int n, double *a, long m)
{
    #pragma omp parallel for
    for (int s = 0; s < n; s += T)
        for (int i = s; i < s + T; i++)
            a[i] = a[i] * 2 + i;
    #pragma omp parallel for
    for (int s = 1; s <= n; s += 8)
        for (int i = s; i <= MIN(s + 7, n); i++)
            a[i] += 1;
    #pragma omp parallel for
    for (long s = 0; s < m; s += T)
        for (long i = s; i < s + T; i++)
            a[i] -= i % 5;
    #pragma omp parallel for
    for (int s = 0; s < n; s += 8)
        for (int i = s; i < least(n, s + 8); i++)
            a[i] *= 1.5;
    #pragma omp parallel for
    for (int s = 0; s < n; s += 8)
        for (int i = s; i < MIN(n + 3, s + 8); i++)
            a[i] *= 0.5;
    #pragma omp parallel for
    for (int s = 0; s < n; s += 8)
        for (int i = s; i < MIN(n - 1, s + 8); i++) {
            if (i % 3 == 0)
                continue;
            a[i] += 7;
        }
}

/* Iterations of a strip depend on each other; those of different strips do not, as the pragma says. */
static void within_strips(int n, double *a, int *b, int shift)
{
    #pragma omp parallel for
    for (int s = 0; s < n; s += T)
        for (int i = s; i < MIN(n, s + T); i++)
            a[i] = i % T ? a[i - 1] + a[i] : a[i];
    #pragma omp parallel for
    for (int s = 0; s < n; s += 8)
        for (int i = s; i < MIN(n, s + 8); i++)
            b[i >> shift] = 3 * b[i >> shift] + i;
}

/* The order of tiles is that of the sums. */
static void ordered(int n, int tile, const double *a, double *sums, double *rows)
{
    #pragma omp parallel for
    for (int p = 0; p < n; p++)
        for (int jt = 0; jt < n; jt += tile)
            for (int i = 0; i < n; i++)
                for (int j = jt; j < MIN(n, jt + tile); j++)
                    sums[p] = 0.75 * sums[p] + a[i * n + j];
    #pragma omp parallel for
    for (int p = 0; p < n; p++)
        for (int jt = 0; jt < n; jt += tile)
            for (int i = 0; i < n; i++)
                for (int j = jt; j < MIN(n, jt + tile); j++)
                    rows[p * n + i] = 0.75 * rows[p * n + i] + a[i * n + j];
}

/* A strip is wanted as one: where it begins, or how far it goes. */
static void by_strips(int n, double *a, double *firsts)
{
    #pragma omp parallel for
    for (int s = 0; s < n; s += T)
        for (int i = s; i < MIN(n, s + T); i++)
            firsts[i] = a[s] + (i - s);
    #pragma omp parallel for
    for (int s = 0; s < n; s += T)
        for (int i = s; i < MIN(n, s + T); i++) {
            if (a[i] > 40)
                break;
            a[i] += 100;
        }
    #pragma omp parallel for
    for (int s = 0; s < n; s += T)
        for (int i = s; i < MIN(n, s + T - 1); i++)
            a[i] -= 2;
    #pragma omp parallel for
    for (int s = 0; s < n; s += T)
        for (int i = s + 1; i < MIN(n, s + 1 + T); i++)
            a[i] -= 3;
}

static double sum_of(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (i % 7 + 1);
    return sum;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 70, tile = argc > 2 ? atoi(argv[2]) : 32;
    static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], line[3 * MOST], sums[MOST];
    static int numbers[MOST];
    for (int i = 0; i < MOST * MOST; i++)
        a[i] = i % 11 - 3, b[i] = i % 5 * 0.5, c[i] = i % 3;
    for (int i = 0; i < 3 * MOST; i++)
        line[i] = i % 13;
    transpose(n, tile, b, a);
    printf("%.17g %.17g\n", sum_of(n * n, a), sum_of(n * n, b));
    product(n, tile, a, b, c);
    printf("%.17g\n", sum_of(n * n, c));
    product_in_strips(n, tile, a, b, c);
    printf("%.17g\n", sum_of(n * n, c));
    product_of_parts(n, a, b, c);
    printf("%.17g\n", sum_of(n * n, c));
    numbered(n, line);
    printf("%.17g\n", sum_of(3 * MOST, line));
    chunks(n, line, n);
    printf("%.17g\n", sum_of(3 * MOST, line));
    within_strips(n, line, numbers, 3);
    for (int i = 0; i < n; i++)
        printf("%d ", numbers[i]);
    printf("%.17g\n", sum_of(3 * MOST, line));
    ordered(n, tile, a, sums, c);
    printf("%.17g %.17g\n", sum_of(n, sums), sum_of(n * n, c));
    by_strips(n, line, sums);
    printf("%.17g %.17g\n", sum_of(3 * MOST, line), sum_of(n, sums));
    return 0;
}

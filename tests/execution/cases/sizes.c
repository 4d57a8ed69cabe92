/* Iterations that are independent for usual sizes: leading dimensions that are not 0, products that do not wrap. */
/* args: 20 23 */
/* args: 7 7 */
/* args: 6 0 */
/* args: 1 1 */
/* args: 0 3 */
/* expect-gpu: 7 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Columns, as LAPACK has them. */
static void columns(int n, int m, int lda, double *a)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i + j * lda] = a[i + j * lda] * 2 + j;
}

/* The same without a sign, both ways. */
static void turned(size_t n, size_t m, double *a, const double *b)
{
    #pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[j * n + i] += b[i * m + j];
}

static void stencil(size_t n, double *a, const double *b)
{
    #pragma omp parallel for
    for (size_t i = 1; i < n - 1; i++)
        for (size_t j = 1; j < n - 1; j++)
            for (size_t k = 1; k < n - 1; k++)
                a[(i * n + j) * n + k] = b[(i * n + j) * n + k - 1] + 2 * b[((i + 1) * n + j) * n + k];
}

/* In tiles, with a `simd` inside. */
static void tiles(size_t n, int tile, double *a, double *b)
{
    size_t i, j, it, jt;
    #pragma omp parallel for private(j, it, jt)
    for (i = 0; i < n; i += tile)
        for (j = 0; j < n; j += tile)
            for (it = i; it < (n < i + tile ? n : i + tile); it++)
                #pragma omp simd
                for (jt = j; jt < (n < j + tile ? n : j + tile); jt++) {
                    b[jt + n * it] += a[it + n * jt];
                    a[it + n * jt] += 1.0;
                }
}

/* All iterations of j are one element where the step is 0: sums, in their order. */
static void sums(int n, int step, double *a)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n * step + j * step] = a[i * n * step + j * step] * 0.5 + j + (step ? i : 0);
}

/* A chain of rows of which each needs the one before, if they are of no length. */
static void simds(int n, int lda, double *a)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp simd
        for (int j = 0; j < n; j++)
            a[i + j * lda] += i * 0.25 + j;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        #pragma omp simd reduction(+: sum)
        for (int j = 0; j < n; j++)
            sum += a[i + j * lda];
        a[i] = sum;
    }
}

static void show(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (i % 7 + 1);
    printf("%.17g\n", sum);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 20, lda = argc > 2 ? atoi(argv[2]) : 23, all = 32 * 32 * 32;
    double *a = malloc(all * sizeof *a), *b = malloc(all * sizeof *b);
    for (int i = 0; i < all; i++)
        a[i] = i % 11, b[i] = i % 5;
    if (lda >= n || n < 2)
        columns(n, n - 1, lda, a);
    else
        columns(1, n, lda, a);
    show(all, a);
    turned(n, n + 3, a, b);
    show(all, a);
    if (n > 0)
        stencil(n, b, a);
    show(all, b);
    tiles(n, 4, a, b);
    show(all, b);
    sums(lda ? n : 1, lda ? 1 : 0, a);
    show(all, a);
    simds(lda ? n : 1, lda >= n ? lda : n, b);
    show(all, b);
    free(a);
    free(b);
    return 0;
}

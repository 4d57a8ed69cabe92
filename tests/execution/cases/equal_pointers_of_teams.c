/* Loops of teams that get one array by two names: the threads agree on the pointers before one of them chooses the loop's
 * version. Pointers may be the threads' own. */
/* expect-gpu: 6 */
/* expect-added: 2 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

#define N 300

/* As in FFTs: what is read and what is written may be the same. */
static void lines(double *x, double *out, int n, double by)
{
    double line[N];
#pragma omp parallel private(line)
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++)
                line[k] = x[i * n + k] * by;
            for (int k = 0; k < n; k++)
                out[i * n + k] = line[n - 1 - k] + line[k];
        }
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            out[i * n] = x[i * n] + 2 * i;
    }
}

/* Called in a region, or not. */
static void orphaned(long *sum, const long *a, int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        sum[i] = a[i] + 3 * i;
}

/* With one array each element needs the one before it. */
static void running(double *r, const double *v, int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n; j++)
                r[i * n + j] = v[i * n + j - 1] + 1;
    }
}

/* The threads' own copies of both pointers, which are equal in one call alone. */
static void own_pointers(float *to, float *from, int n)
{
#pragma omp parallel firstprivate(to, from)
    {
#pragma omp for
        for (int i = 1; i < n; i++)
            to[i] = from[i] * from[0];
    }
}

/* Rows behind tables. */
static void tables(double **to, double **from, int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                to[i][j] = from[i][j] / 2 + i;
    }
}

static double checksum(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * (i % 13 + 1);
    return sum;
}

int main(void)
{
    const int n = 40;
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b);
    for (int i = 0; i < n * n; i++)
        a[i] = i % 7, b[i] = i % 11;
    lines(a, b, n, 0.5);
    lines(b, b, n, 0.25);
    lines(b, a, n - 1, 0.5);
    printf("%.12g %.12g\n", checksum(a, n * n), checksum(b, n * n));

    long sums[N], parts[N];
    for (int i = 0; i < N; i++)
        sums[i] = i, parts[i] = 2 * i;
#pragma omp parallel
    {
        orphaned(sums, parts, N);
        orphaned(parts, parts, N - 3);
    }
    orphaned(sums, sums, N - 1);
    long total = 0;
    for (int i = 0; i < N; i++)
        total += sums[i] * (i % 5) + parts[i];
    printf("%ld\n", total);

    running(a, b, n);
    running(b, b, n);
    printf("%.12g %.12g\n", checksum(a, n * n), checksum(b, n * n));

    float x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = 1 + i % 5, y[i] = 0;
    own_pointers(y, x, N);
    own_pointers(x, x, N);
    float sum = 0;
    for (int i = 1; i < N; i++)
        sum += x[i] + 2 * y[i];
    printf("%.7g\n", sum);

    double **rows = malloc(n * sizeof *rows), **others = malloc(n * sizeof *others);
    for (int i = 0; i < n; i++)
        rows[i] = a + i * n, others[i] = b + i * n;
    tables(rows, others, n);
    tables(others, others, n);
    printf("%.12g %.12g\n", checksum(a, n * n), checksum(b, n * n));
    free(a), free(b), free(rows), free(others);
    return 0;
}

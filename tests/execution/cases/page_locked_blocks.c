/* Heap blocks that --opt thesis allocates page-locked, freed and reallocated by code that knows nothing of it. */
/* args: 1000 */
/* args: 3 */
/* expect-gpu: 4 */
/* without: glue */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *late;

static void free_late(void)
{
    free(late);
}

static double *vector(int n)
{
    double *v = malloc((n > 0 ? (size_t)n : 1) * sizeof *v); /* malloc( */
    if (v == NULL)
        exit(1);
    return v;
}

static void scale(double *x, int n, double by)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= by;
}

static double sum(const double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    double *a = vector(n), *b = calloc((size_t)n, sizeof *b);
    int *counts = (int *)calloc(10, sizeof(int)), *mixed = n > 10 ? malloc(40) : counts;

    late = vector(5);
    atexit(free_late);
    for (int i = 0; i < n; i++)
        a[i] = i + b[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
    printf("%g %g\n", sum(a, n), sum(b, n));
    a = realloc(a, 2 * (size_t)n * sizeof *a);
    memcpy(a + n, b, (size_t)n * sizeof *a);
    scale(a, 2 * n, 0.5);
    scale(b, n, 3);
    printf("%g %g\n", sum(a, 2 * n), sum(b, n));
    memset(mixed, 0, 40);
#pragma omp parallel for
    for (int i = 0; i < 10; i++)
        mixed[i] = i * n;
    for (int k = 0; k < 50; k++) {
        double *t = vector(n + k);
        memset(t, 0, (size_t)(n + k) * sizeof *t);
        scale(t, n + k, 2);
        free(t);
    }
    for (int i = 0; i < 5; i++)
        late[i] = i;
    scale(late, 5, 7);
    printf("%d %d %g\n", mixed[9], counts[9], late[4]);
    if (mixed != counts)
        free(mixed);
    free(counts);
    free(a);
    free(b);
    return 0;
}

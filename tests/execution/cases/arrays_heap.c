/* Heap arrays: interior pointers, two pointers into one block, pointers through functions, calloc, realloc. */
/* args: 100 */
/* args: 1 */
/* expect-gpu: 9 */
#include <stdio.h>
#include <stdlib.h>

static void add(double *to, const double *from, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

static void shift(int *p, int n)
{
    #pragma omp parallel for
    for (int i = -n; i < 0; i++)
        p[i] = p[i + n] * 2;
}

static double *pick(double *a, double *b, int second) { return second ? b : a; }

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *a = malloc(3 * n * sizeof *a), *mid = a + n, *end = &a[2 * n];
    #pragma omp parallel for
    for (int i = 0; i < 3 * n; i++)
        a[i] = i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        mid[i] = end[i] * 2;
        mid[i - n] += 1;
    }
    add(a, end, n);
    add(pick(mid, end, n > 5), a, n);
    int *c = calloc(2 * n, sizeof *c);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        *(c + n + i) = i + 1;
    shift(c + n, n);
    c = realloc(c, 4 * n * sizeof *c);
    #pragma omp parallel for
    for (int i = 2 * n; i < 4 * n; i++)
        c[i] = c[i - 2 * n];
    unsigned char (*grid)[16] = malloc(n * sizeof *grid);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 16; j++)
            grid[i][j] = (unsigned char)(i * j);
    const double *walk = a;
    double sum = 0;
    #pragma omp parallel for reduction(+:sum) firstprivate(walk)
    for (int i = 0; i < n; i++)
        sum += walk[i] * grid[i][15];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double *p = &a[i], *q = p + n;
        int steps = 0;
        while (p < q && steps < 3)
            steps++, p++;
        c[i] += steps;
    }
    long check = 0;
    for (int i = 0; i < 4 * n; i++)
        check = (check * 31 + c[i]) % 1000003;
    for (int i = 0; i < 3 * n; i++)
        sum += a[i] * (i % 7);
    printf("%.12g %ld\n", sum, check);
    free(a);
    free(c);
    free(grid);
    return 0;
}

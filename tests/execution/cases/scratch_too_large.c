/* Blocks of an iteration that are larger than any memory: the host finds that there are none. */
/* sanitizers: 0 */
/* args: 12 */
/* expect-gpu: 2 */
/* expect-host: OMPC320 */
/* refuses: OMPC454 */
#include <stdio.h>
#include <stdlib.h>

static void too_many(double *r, int n, long m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc(m * sizeof *t);
        if (t == NULL) {
            r[i] = -1;
            continue;
        }
        t[0] = i;
        r[i] = t[0];
        free(t);
    }
}

static void too_many_zeros(double *r, int n, long m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        char *t = calloc(m, 1);
        if (!t)
            r[i] = -2;
        else
            r[i] = t[0] + i;
        free(t);
    }
}

static void too_many_of_many(double *r, int n, long a, long b) /* on the host: nobody knows whether a * b is a number */
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        char *t = calloc(a, b);
        r[i] = t ? t[0] + i : -3;
        free(t);
    }
}

static void show(const char *name, double *r, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += r[i] * (i % 7 + 1);
        r[i] = 0;
    }
    printf("%s %.10g\n", name, sum);
}

int main(int argc, char **argv)
{
    const int n = 1000, m = argc > 1 ? atoi(argv[1]) : 12;
    double *r = malloc(n * sizeof *r);
    too_many(r, n, -1);
    show("malloc(-8)", r, n);
    too_many(r, n, 1L << 60);
    show("malloc(1 << 63)", r, n);
    too_many(r, n, m);
    show("malloc", r, n);
    too_many_zeros(r, n, -5);
    show("calloc(-5)", r, n);
    too_many_zeros(r, n, m);
    show("calloc", r, n);
    too_many_of_many(r, n, 1L << 32, 1L << 32);
    show("calloc(1 << 32, 1 << 32)", r, n);
    free(r);
    return 0;
}

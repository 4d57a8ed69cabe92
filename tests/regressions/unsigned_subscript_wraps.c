/* on device: 4
   Unsigned subscripts that wrap round, and narrowing ones: the section that is copied must be that of the wrapped index. */
#include <stdio.h>
#include <stdlib.h>

static void before(double *p, unsigned n)
{
#pragma omp parallel for
    for (unsigned i = 1; i < n; i++)
        p[i + 4294967295u] = i;
}

static void multiplied(double *p, unsigned n)
{
#pragma omp parallel for
    for (unsigned i = 0; i < n; i++)
        p[3 * i + 1431655766u * 3u] = i + 0.5;
}

static void narrowed(double *p, unsigned char n)
{
#pragma omp parallel for
    for (unsigned char i = 0; i < n; i++)
        p[(unsigned char)(i + 200)] = i;
}

static void truncated(double *p, long n)
{
#pragma omp parallel for
    for (int i = 0; i < (int)n; i++)
        p[i] += 2;
}

int main(void)
{
    double a[300] = {0};
    before(a, 100);
    multiplied(a, 90);
    narrowed(a, 200);
    truncated(a, 4294967296L + 7);
    double sum = 0;
    for (int i = 0; i < 300; i++)
        sum += a[i] * (i + 1);
    printf("%g\n", sum);
    return 0;
}

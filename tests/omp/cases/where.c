/* Pragmas out of macros and in headers: where a line can be inserted is decided when the text is made. */
#include "where.h"
#define ZERO(a, n) _Pragma("omp parallel for") for (int i = 0; i < n; i++) a[i] = 0
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define PARALLEL _Pragma("omp parallel for schedule(static)")

void where(int n, double *a)
{
    ZERO(a, n);
    PARALLEL
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for
    EACH(i, n)
        a[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = 0;  ZERO(a, n);
    if (n > 2)
#pragma omp parallel for
        for (int i = 0; i < n; i++) a[i] = 1;
    else
        a[0] = 1;
}

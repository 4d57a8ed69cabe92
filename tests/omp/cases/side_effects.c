/* OMPC305: what the launcher and the loop would both evaluate. */
#include <math.h>
#include <omp.h>

int next(void);

void effects(int n, volatile int *limit, double *a)
{
    int t = 2;
#pragma omp parallel for
    for (int i = 0; i < next(); i++)
        a[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < n++; i++)
        a[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < *limit; i++)
        a[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < (int)sqrt(n); i++)
        a[i] = 0;
#pragma omp parallel for num_threads(t++)
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for if(next() > 1)
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for num_threads(omp_get_num_procs())
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for schedule(dynamic, t = 3)
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

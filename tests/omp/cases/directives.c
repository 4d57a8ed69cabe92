/* Directives and clauses that no other case has: what each says about the loops around it. */
int f(int x);
double late;
#pragma omp assumes no_openmp_routines
#pragma omp declare target to(late) device_type(any)

void directives(int n, double *a, double *b)
{
    double s = 0;
#pragma omp taskgroup task_reduction(+ : s)
    {
#pragma omp target parallel for in_reduction(+ : s)
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
#pragma omp parallel for ordered(1)
    for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
        a[i] += a[i - 1];
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 1; i < n; i++) {
#pragma omp ordered threads
        a[i] += a[i - 1];
    }
#pragma omp parallel for simd
    for (int i = 1; i < n; i++) {
#pragma omp ordered simd
        a[i] += a[i - 1];
    }
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        b[i] = s;
#pragma omp scan exclusive(s)
        s += a[i];
    }
#pragma omp parallel
#pragma omp scope
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
#pragma omp taskloop nogroup
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp parallel
#pragma omp masked taskloop
    for (int i = 0; i < n; i++)
        a[i] = i;
}

/* OMPC201: lines that compilers ignore without a word. */
#pragma omp threadprivte(x)

void misspelt(int n, double *a)
{
#pragma omp paralle for private(n)
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp Parallel For
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma OMP parallel for
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma opm parallel for
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp everything
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma GCC ivdep
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

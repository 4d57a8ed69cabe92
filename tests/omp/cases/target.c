/* OMPC306 and OMPC315: other constructs that share the iterations of a loop. simd and taskloop alone do not. */
void others(int n, double *a)
{
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp target map(tofrom : a[0:n])
    {
#pragma omp teams distribute
        for (int i = 0; i < n; i++) {
#pragma omp parallel for
            for (int j = 0; j < n; j++)
                a[i] += j;
        }
    }
#pragma omp parallel loop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel
#pragma omp loop bind(thread)
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp simd
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp taskloop
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

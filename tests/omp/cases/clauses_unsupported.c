/* OMPC304, each with its clause. */
int counter;
#pragma omp threadprivate(counter)

void unsupported(int n, double *a)
{
    int x = 0;
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        a[i] = 0;
    }
#pragma omp parallel for linear(x : 2)
    for (int i = 0; i < n; i++) {
        a[i] = x;
    }
#pragma omp parallel for copyin(counter)
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for lastprivate(conditional : x)
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            x = i;
#pragma omp parallel for private(x) allocate(x)
    for (int i = 0; i < n; i++)
        x = i;
}

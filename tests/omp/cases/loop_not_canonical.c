/* OMPC308: forms that OpenMP or ompc does not have; gcc takes most of them. */
enum colour { RED, GREEN, BLUE };

void forms(int n, double *a, int s, int *bound)
{
    enum colour c;
    volatile int v;
    double *p;
#pragma omp parallel for
    for (p = a; p < a + n; p++)
        *p = 0;
#pragma omp parallel for
    for (c = RED; c < BLUE; c++) ;
#pragma omp parallel for
    for (v = 0; v < n; v++) ;
#pragma omp parallel for
    for (int i = 0; i < n; i += -1) ;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i] += j;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            a[i] += j;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = i; j < i + *bound; j++)
            a[i] += j;
#pragma omp parallel for
    for (p = a; p < (double *)bound; p = p + 1)
        *p = 0;
}

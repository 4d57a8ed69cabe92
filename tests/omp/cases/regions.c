/* `parallel` and `for` apart: merged when nothing else is in the region. */
void regions(int n, double *a, double *b)
{
    int i, t = 0;
    double s = 0;
#pragma omp parallel private(t) num_threads(4)
#pragma omp for schedule(static) nowait
    for (i = 0; i < n; i++)
        a[i] = t = i;

#pragma omp parallel if(n > 10)
    {
        {
#pragma omp for simd reduction(+:s) if(a != b)
            for (i = 0; i < n; i++)
                s += a[i];
        }
        ;
    }

#pragma omp parallel shared(t)
    {
#pragma omp for private(t)
        for (i = 0; i < n; i++)
            a[i] = t = i;
    }

#pragma omp parallel reduction(+:s)
    {
#pragma omp for ordered
        for (i = 0; i < n; i++)
            s += a[i];
    }

#pragma omp parallel reduction(+:s)
    {
#pragma omp for
        for (i = 0; i < n; i++)
            s += a[i];
    }

    /* shared by the team of the region */
#pragma omp parallel
    {
        double scale = 2;
#pragma omp for
        for (i = 0; i < n; i++)
            a[i] *= scale;
#pragma omp for simd
        for (i = 0; i < n; i++)
            b[i] *= scale;
    }
#pragma omp parallel
    {
#pragma omp for
        for (i = 0; i < n; i++)
            a[i] = 0;
#pragma omp barrier
    }
}

/* orphaned */
void orphan(int n, double *a)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = 0;
    if (n > 1)
#pragma omp for simd
        for (int i = 0; i < n; i++)
            a[i] = 0;
}

/* OMPC303 */
void nested(int n, double *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            a[i] += j;
    }
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp parallel
#pragma omp for
            for (int j = 0; j < n; j++)
                a[j] += j;
        }
#pragma omp parallel
        {
            a[0] = 1;
#pragma omp for
            for (int j = 1; j < n; j++)
                a[j] += j;
        }
    }
#pragma omp parallel sections
    {
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            a[j] += j;
    }
}

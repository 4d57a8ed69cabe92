/* Target and teams constructs: merged levels, joined nests, loops that one thread runs alone, and what has no kernel. */
#pragma omp declare target
int counted;
double table[8];
double twice(double x)
{
    return x + x;
}
#pragma omp end declare target
int listed, plain;
#pragma omp declare target(listed)

void merged(int n, int m, double *a, double *b)
{
    double total = 0, lost = 0;
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = twice(b[i]);
#pragma omp target map(a[:n], b[1:n - 1]) if(n > 10)
#pragma omp teams num_teams(n) thread_limit(64)
    {
#pragma omp distribute parallel for simd if(parallel: m) dist_schedule(static, 4)
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
#pragma omp target teams distribute
    for (int i = 0; i < n; i++)
#pragma omp parallel for schedule(static)
        for (int j = 0; j < m; j++)
            a[i * m + j] = 0;
#pragma omp target teams distribute collapse(2)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double s = 0;
            int j;
#pragma omp parallel for reduction(+ : s) private(j)
            for (j = 0; j < m; j++)
                s += b[j];
            a[i * n + k] = s;
        }
#pragma omp target map(tofrom : total)
#pragma omp teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += a[i];
#pragma omp target teams distribute parallel for reduction(+ : total) nowait depend(inout : a[0])
    for (int i = 0; i < n; i++)
        total += a[i];
#pragma omp teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp target simd
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp target teams loop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma omp target teams distribute parallel for defaultmap(tofrom : scalar)
    for (int i = 0; i < n; i++)
        lost = 1, counted = 1, listed = 2, plain = 3;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        lost = 1, counted = 1, listed = 2, plain = 3;
}
void apart(int n, double *a)
{
    double t = 0, s = 0, x;
#pragma omp target map(a[0 : n])
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = 0;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
#pragma omp target data map(a[0 : n])
    {
#pragma omp target parallel for
        for (int i = 0; i < n; i++)
            a[i] = 0;
    }
#pragma omp target teams
    {
#pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] = 0;
#pragma omp distribute
        for (int i = 0; i < n; i++)
#pragma omp parallel for
            for (int k = 0; k < n; k++)
                a[i] = k;
    }
#pragma omp target
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma omp target map(s)
#pragma omp teams reduction(+ : s)
#pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma omp target private(x)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x = a[i];
#pragma omp target teams distribute
    for (int i = 0; i < n; i++) {
        double last = 0;
#pragma omp parallel for private(last)
        for (int k = 0; k < n; k++)
            last = k, a[i] = last;
        a[i] += last;
    }
#pragma omp parallel
#pragma omp master
    {
#pragma omp target teams distribute
        for (int i = 0; i < n; i++)
            a[i] = 0;
    }
#pragma omp target parallel
    {
        t = 1;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = 0;
    }
#pragma omp target
    a[0] = t;
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

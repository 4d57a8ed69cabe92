/* Firstprivate arrays of which no thread changes its copy are the original. What is changed, or named by pointers, is not, nor
   what constructs map, of which the device may have another version. */
/* args: 1000 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 5 */
/* expect-added: 5 */
/* expect-host: OMPC345 OMPC325 OMPC341 OMPC341 OMPC341 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static double x[N], y[N], of_file[N];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * (i % 7) + y[i] * (i % 5 + 1);
    printf("%s %.12g\n", what, sum);
}

static double at(const double *p, int i) { return p[i]; }
static void put(double *p, int i) { p[i] = 3; }

static void unchanged(int n)
{
    double w[N], v[n + 1], short_one[4] = {1, 2, 3, 4};
    int grid[20][N / 20];
    for (int i = 0; i < N; i++)
        w[i] = grid[i / (N / 20)][i % (N / 20)] = i % 17;
    for (int i = 0; i <= n; i++)
        v[i] = i * 0.5;
    #pragma omp parallel for firstprivate(w, v, short_one)
    for (int i = 0; i < n; i++)
        y[i] = w[i] + v[n - i] + short_one[i % 4];
    #pragma omp parallel
    {
        #pragma omp for firstprivate(grid) nowait
        for (int i = 0; i < n; i++)
            x[i] += grid[i % 20][i / 20];
    }
    w[5] = 8;
    #pragma omp target teams distribute parallel for firstprivate(w) map(tofrom: y)
    for (int i = 0; i < n; i++)
        y[i] -= w[N - 1 - i];
    #pragma omp parallel for default(firstprivate) shared(x, y)
    for (int i = 0; i < n; i++)
        y[i] += w[i] * 2;
    for (int k = 0; k < 2; k++) {
        w[k] += 1; /* between launches */
        #pragma omp parallel for firstprivate(w)
        for (int i = 0; i < n; i++)
            x[i] += w[i];
    }
    show("unchanged");
}

static void changed(int n)
{
    double u[N], v[n + 1], w[N / 2], t[N / 2];
    for (int i = 0; i < N; i++)
        u[i] = i;
    for (int i = 0; i <= n; i++)
        v[i] = i;
    for (int i = 0; i < N / 2; i++)
        w[i] = t[i] = i % 3;
    #pragma omp parallel for firstprivate(u)
    for (int i = 0; i < n; i++) {
        u[i] += 1; /* its own element of its own copy */
        y[i] += u[i];
    }
    #pragma omp parallel for firstprivate(v)
    for (int i = 0; i < n; i++) {
        v[i] = 2;
        x[i] += v[i];
    }
    for (int i = 0; i < n; i++)
        x[i] += u[i] + v[i];
    #pragma omp parallel for firstprivate(w)
    for (int i = 0; i < n; i++)
        x[i] += at(w, i / 2); /* a pointer leads there */
    put(w, 1);
    #pragma omp target data map(to: t)
    {
        t[1] = 9;
        #pragma omp target teams distribute parallel for firstprivate(t)
        for (int i = 0; i < n; i++)
            x[i] += t[i / 2];
    }
    #pragma omp parallel for firstprivate(of_file)
    for (int i = 0; i < n / 2; i++)
        y[i] += of_file[i];
    show("changed");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    for (int i = 0; i < N; i++) {
        x[i] = i % 4;
        of_file[i] = i;
    }
    unchanged(n);
    changed(n);
    return 0;
}

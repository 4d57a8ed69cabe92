/* Variables in a reduction clause of which nobody reads the result, and that each iteration writes before it reads: each iteration
   has its own. Where the result is read behind the loop, or the next time round, or an iteration may read what another one of its
   thread has left, the result depends on the threads, and the loop stays on the host. */
/* threads: 1 */
/* args: 40 30 */
/* args: 1 1 */
/* args: 0 7 */
/* args: 50 0 */
/* expect-gpu: 4 */
/* expect-added: 1 */
/* expect-host: OMPC344 OMPC344 OMPC344 OMPC344 OMPC344 */
/* rtol: 1e-12 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static double w[N][N], x[N], y[N], z[N];
static double total;

static double add_total(double value) { return total + value; }

static void layers(int n, int m)
{
    double sum = 0;
    int j, k;
    #pragma omp parallel for private(k) reduction(+: sum) schedule(static)
    for (j = 0; j < n; j++) { /* as programs for neural networks have it */
        sum = 0.0;
        for (k = 0; k < m; k++)
            sum += w[k][j] * x[k];
        y[j] = 1 / (1 + sum * sum);
    }
    sum = 3; /* another value */
    #pragma omp parallel for reduction(max: sum)
    for (int i = 0; i < n; i++) { /* in both branches; another operator */
        if (i % 3)
            sum = y[i];
        else
            sum = x[i];
        z[i] += sum * 2;
    }
}

static void in_a_region(int n, int m)
{
    double s = 1, real = 0;
    #pragma omp parallel
    {
        #pragma omp for reduction(+: s, real)
        for (int i = 0; i < n; i++) { /* one of two is a reduction */
            s = x[i] * m;
            real += s;
            z[i] = s + 1;
        }
    }
    x[0] += real * 1e-3;
    for (int step = 0; step < 2; step++) {
        double t = 1;
        #pragma omp parallel for reduction(*: t)
        for (int i = 0; i < n; i++) { /* a variable of the host's loop */
            t = z[i];
            t += step;
            y[i] = t * 0.5;
        }
    }
}

static double read_behind(int n)
{
    double s = 2;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < n; i++) { /* the result is read */
        s = x[i];
        y[i] = s * 2;
    }
    double t = 1;
    for (int step = 0; step < 2; step++) {
        x[0] += t; /* the next time round */
        #pragma omp parallel for reduction(+: t)
        for (int i = 0; i < n; i++) {
            t = x[i];
            z[i] = t * 2;
        }
    }
    return s;
}

static void not_written_first(int n)
{
    double s = 0, u = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < n; i++) { /* some iterations go on with what the thread has */
        if (i % 4 == 0)
            s = x[i];
        y[i] += s;
    }
    #pragma omp parallel for reduction(+: u)
    for (int i = 0; i < n; i++) { /* a pointer leads there */
        double *p = &u;
        *p = x[i];
        z[i] += u;
    }
    #pragma omp parallel for reduction(+: total)
    for (int i = 0; i < n; i++) { /* other functions read it later */
        total = x[i];
        y[i] += total;
    }
}

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * (i % 7 + 1) + y[i] * (i % 5 + 2) - z[i] * (i % 3);
    printf("%s %.12g\n", what, sum);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40, m = argc > 2 ? atoi(argv[2]) : 30;
    for (int i = 0; i < N; i++) {
        x[i] = 1 + i % 4;
        for (int j = 0; j < N; j++)
            w[i][j] = (i * 3 + j) % 7 - 3;
    }
    layers(n, m);
    show("layers");
    in_a_region(n, m);
    show("in a region");
    printf("%g\n", read_behind(n));
    show("read behind");
    not_written_first(n);
    show("not written first");
    printf("%g\n", add_total(1));
    return 0;
}

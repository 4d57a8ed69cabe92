/* Last values that nobody reads do not come back: of clauses, and of counters of `simd` and `loop`. Where they are read behind
   the loop, the next time round, by a pointer or by a function, they do, or the loop stays on the host. */
/* args: 30 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 10 */
/* expect-added: 1 */
/* expect-host: OMPC336 OMPC336 OMPC336 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };
static double a[N][N], b[N], c[N];
static double *of_file;

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum += b[i] * (i % 5 + 1) - c[i] * (i % 3);
        for (int j = 0; j < N; j++)
            sum += a[i][j] * ((i + 2 * j) % 7);
    }
    printf("%s %.12g\n", what, sum);
}

static void unread(int n)
{
    int i, j;
    double t = 4, u = 5;
    double *p;
    #pragma omp parallel loop collapse(2)
    for (i = 0; i < n; i++) /* counters of a nest whose bounds depend on each other */
        for (j = i; j < n; j++)
            a[i][j] += i + 3 * j;
    #pragma omp parallel for simd collapse(2) lastprivate(t)
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++) {
            t = a[i][j] * 2;
            a[i][j] = t + 1;
        }
    i = 3;
    #pragma omp parallel for simd
    for (p = b; p < b + n; p++) /* a pointer */
        *p += i;
    #pragma omp target parallel for simd map(tofrom: c) lastprivate(u)
    for (int k = 0; k < n; k++) {
        u = k;
        c[k] += u;
    }
    #pragma omp parallel for firstprivate(u) lastprivate(u)
    for (int k = 0; k < n; k++) /* it begins with a value from outside */
        b[k] += u;
    u = 2;
    b[0] += u;
    show("unread");
}

static void conditional(int n)
{
    double best = 0;
    #pragma omp parallel for lastprivate(conditional: best)
    for (int i = 0; i < n; i++)
        if (i % 3 == 0) {
            best = b[i];
            c[i] += best;
        }
    for (int step = 0; step < 2; step++) {
        double own = step;
        #pragma omp parallel
        {
            #pragma omp for lastprivate(own)
            for (int i = 0; i < n; i++) {
                own = c[i] + step;
                b[i] -= own;
            }
        }
    }
    show("conditional");
}

static double read_behind(int n)
{
    int i = 0, j = 0, steps = 0;
    double t = 1, kept = 0, seen = 7;
    #pragma omp parallel loop collapse(2)
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++)
            a[i][j] -= j;
    if (n > 0)
        kept += i; /* read behind the loop */
    while (steps < 2) {
        b[0] += t; /* the next time round */
        #pragma omp parallel for lastprivate(t)
        for (int k = 0; k < N; k++) {
            t = c[k] + k;
            b[k] += t;
        }
        steps++;
    }
    of_file = &seen;
    #pragma omp parallel for lastprivate(seen)
    for (int k = 0; k < N; k++) {
        seen = k * 2;
        c[k] += seen;
    }
    kept += *of_file; /* by a pointer */
    show("read behind");
    return kept + t;
}

static double by_goto(int n)
{
    int round = 0;
    double t = 3, sum = 0;
again:
    sum += t; /* behind a jump */
    #pragma omp parallel for lastprivate(t)
    for (int k = 0; k < N; k++) {
        t = b[k];
        c[k] += t * 1e-3;
    }
    if (++round < 3)
        goto again;
    int i = 0, j = 0;
    #pragma omp parallel loop collapse(2)
    for (i = 0; i < n; i++)
        for (j = 0; j < i + 1; j++)
            a[i][j] += 1;
    if (n > 0)
        sum += j > 0;
    #pragma omp target parallel loop collapse(2) map(tofrom: a) map(tofrom: i)
    for (i = 0; i < n; i++)
        for (j = 0; j < i + 1; j++)
            a[i][j] += 1;
    if (n > 0)
        sum += i < 0;
    show("goto");
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30;
    for (int i = 0; i < N; i++) {
        b[i] = i % 4;
        c[i] = i % 3 + 1;
    }
    unread(n);
    conditional(n);
    printf("%.12g\n", read_behind(n));
    printf("%.12g\n", by_goto(n));
    return 0;
}

/* Loops that follow each other become one kernel, where each iteration needs of the first loop what itself has made. */
/* args: 1000 */
/* args: 37 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 34 */
/* expect-added: 1 */
/* expect-fused: 16 */
/* refuses: OMPC451 */
#include <stdio.h>
#include <stdlib.h>
#define M 23

struct field {
    int n;
    double *at;
};

static double grid[M][M], other[M][M];
static double a[4096], b[4096], c[4096], d[4096];

static double sum_of(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (i % 7 + 1);
    return s;
}

static void show(const char *what, int n)
{
    printf("%s %.12g %.12g %.12g %.12g\n", what, sum_of(a, n), sum_of(b, n), sum_of(c, n), sum_of(d, n));
}

static void begin(int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i % 11;
        b[i] = i % 5 - 2;
        c[i] = 1;
        d[i] = 0.5 * i;
    }
}

/* Other names of the counters; a variable of the same name in both; five loops, of which four become one. */
static void plain(int n)
{
    int i, j;
    double t;
#pragma omp parallel for private(t)
    for (i = 0; i < n; i++) {
        t = a[i] + 1;
        b[i] = 2 * t;
    }
#pragma omp parallel for private(t) schedule(static, 3)
    for (j = 0; j < n; j++) {
        t = b[j];
        c[j] += t * t;
    }
    show("plain", n);
#pragma omp parallel for
    for (i = 0; i < n; i++)
        a[i] += 1;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        a[i] *= 2;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        a[i] -= b[i];
#pragma omp parallel for
    for (i = 0; i < n; i++)
        c[i] += a[i];
#pragma omp parallel for
    for (i = 0; i < n; i++)
        d[i] += c[i];
    show("five", n);
}

/* Downwards, in steps, in types without a sign and of 64 bits, with ends that are said in other words. */
static void counted(int n)
{
    int end = n - 1;
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i -= 2)
        a[i] = b[i] + 1;
#pragma omp parallel for
    for (int k = n - 1; k >= 0; k -= 2)
        c[k] = a[k] - c[k];
    show("down", n);
#pragma omp parallel for
    for (unsigned i = 0; i < (unsigned)n; i++)
        b[i] = a[i] + 1;
#pragma omp parallel for
    for (unsigned i = 0; i < (unsigned)n; i++)
        d[i] = b[i] - d[i];
    show("unsigned", n);
    size_t m = n;
#pragma omp parallel for
    for (size_t i = 0; i < m; i++)
        b[i] = a[i] + 1;
#pragma omp parallel for
    for (size_t j = 0; j < m; j++)
        d[j] = b[j] - d[j];
    show("wide", n);
#pragma omp parallel for
    for (int i = 0; i < end; i++)
        a[i] += d[i];
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        c[i] -= a[i];
    show("words", n);
}

static void nests(void)
{
    int i, j, k;
#pragma omp parallel for private(j)
    for (i = 0; i < M; i++)
        for (j = 0; j < M; j++)
            grid[i][j] = i * j % 7;
#pragma omp parallel for private(k)
    for (i = 0; i < M; i++)
        for (k = 0; k < M; k++)
            other[i][k] = grid[i][k] + 1;
    printf("nests %.12g\n", sum_of(&other[0][0], M * M));
#pragma omp parallel for collapse(2)
    for (i = 1; i < M; i++)
        for (j = 0; j < M; j++)
            grid[i][j] -= other[i][j];
#pragma omp parallel for collapse(2)
    for (i = 1; i < M; i++)
        for (j = 0; j < M; j++)
            other[i][j] *= grid[i][j];
    printf("collapsed %.12g %.12g\n", sum_of(&grid[0][0], M * M), sum_of(&other[0][0], M * M));
}

static void reductions(int n)
{
    double s = 1, most = 0;
    int count = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        a[i] = b[i] * 2;
        s += a[i];
    }
#pragma omp parallel for reduction(max : most) reduction(+ : count)
    for (int i = 0; i < n; i++) {
        most = a[i] > most ? a[i] : most;
        count += a[i] > 0;
    }
    printf("reductions %.12g %g %d\n", s, most, count);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s += a[i];
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s += 2 * a[i];
    }
    printf("one sum %.12g\n", s);
}

static void in_region(int n, double factor)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = factor * b[i];
#pragma omp for
        for (int i = 0; i < n; i++)
            c[i] += a[i];
#pragma omp single
        printf("single\n");
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            b[i] = factor + a[i];
#pragma omp for
        for (int i = 0; i < n; i++)
            d[i] -= b[i];
#pragma omp barrier
#pragma omp for nowait schedule(static)
        for (int i = 0; i < n; i++)
            a[i] += 1;
#pragma omp for nowait schedule(static)
        for (int i = 0; i < n; i++)
            c[i] -= a[i];
    }
    show("region", n);
}

static double squared(double x)
{
    return x * x;
}

/* Bounds in memory, functions, conditions; a copy that both loops read. */
static void shaped(struct field *f, double first)
{
#pragma omp parallel for firstprivate(first)
    for (int i = 0; i < f->n; i++)
        f->at[i] = first + i;
#pragma omp parallel for firstprivate(first)
    for (int i = 0; i < f->n; i++)
        f->at[i] = squared(f->at[i]) - first;
    printf("shaped %.12g\n", sum_of(f->at, f->n));
}

/* Called with arrays that overlap: then each loop is launched by itself, and the second one comes second. */
static void apart(double *x, double *z, const double *from, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = from[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = from[i] + 100;
}

static void with_added(int n, int times)
{
    while (times-- > 0) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] += b[i];
        for (int i = 0; i < n; i++)
            c[i] = a[i] - c[i];
    }
    show("added", n);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 37;
    struct field f = {n, malloc((n + 1) * sizeof(double))};
    begin(n + 2);
    plain(n);
    counted(n);
    nests();
    reductions(n);
    in_region(n, 1.5);
    shaped(&f, 3);
    apart(a, c, b, n);
    show("apart", n + 2);
    apart(a, a + 1, b, n);
    show("overlapping", n + 2);
#pragma omp parallel num_threads(2) /* where nothing is launched: a refused launch is refused for both */
#pragma omp single
    apart(d, c, a, n);
    show("in a region", n);
    with_added(n, 3);
    free(f.at);
    return 0;
}

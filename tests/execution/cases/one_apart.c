/* Rows of which one element is read by all iterations of a loop, and changed by one of them. */
/* args: 37 */
/* args: 1 */
/* args: 110 */
/* expect-gpu: 9 */
/* expect-added: 6 */
#include <stdio.h>
#include <stdlib.h>

static void show(const char *what, const int *v, int count)
{
    long long sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 97 + 1LL) * v[i];
    printf("%s %lld\n", what, sum);
}

static void show_doubles(const char *what, const double *v, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 97 + 1) * v[i];
    printf("%s %.12g\n", what, sum);
}

/* Ways by place k. Where ways back to it are shorter than none, those behind k see what k has done. */
static void shorten(int *path, int n, int k)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i != k)
            for (int j = 0; j < n; j++)
                if (path[i * n + k] + path[k * n + j] < path[i * n + j])
                    path[i * n + j] = path[i * n + k] + path[k * n + j];
}

/* The same with a variable in each iteration, and the counter outside. */
static void shorten_by_name(int n, long path[n][n], long k)
{
    long j;
#pragma omp parallel for private(j)
    for (long i = 0; i < n; i++)
        for (j = 0; j <= n - 1; j++) {
            const long by = path[i][k] + path[k][j];
            if (i == k || by >= path[i][j])
                continue;
            path[i][j] = by;
        }
}

/* The elimination of Gauss and Jordan without a copy of the factor, of every second column: of that of the factor or not. */
static void eliminate(double *a, int n, int k)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i != k)
            for (int j = 1; j < n; j += 2)
                a[i * n + j] -= a[i * n + k] * a[k * n + j] * 0.01;
}

/* By the diagonal, which is 1 from then on. */
static void scale(int n, double a[n][n])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] /= a[i][i];
}

/* By the sixth element of each row, of rows that may be shorter. */
static void by_sixth(int n, unsigned *a, int width)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            a[i * width + j] = a[i * width + j] * 3 + a[i * width + 5];
}

/* Another k is nearer to the loop than that of which the place was made. */
static void hidden(int *a, int n, int k)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int at = i * n + k;
        {
            const int k = i % 3;
            for (int j = 0; j < n; j++)
                a[i * n + j] = a[i * n + j] * 5 + a[at] + k;
        }
    }
}

/* Two of the iterations are in the way. */
static void two(int *a, int n, int k, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = a[i * n + j] % 1000 + a[i * n + k] % 1000 - a[i * n + m] % 1000;
}

/* Not all iterations are done. */
static void until(int *a, int n, int k)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (a[i * n + j] % 61 == 3)
                break;
            a[i * n + j] = a[i * n + j] + a[i * n + k] % 100;
        }
}

/* The number changes on the way: it is no number of the loop's. */
static void moving(int *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = i / 2;
        for (int j = 0; j < n; j++) {
            a[i * n + j] = a[i * n + j] % 1000 + a[i * n + k];
            if (j == 3)
                k = n - 1 - k;
        }
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10;
    int *v = malloc(n * n * sizeof *v);
    long *l = malloc(n * n * sizeof *l);
    unsigned *u = malloc((n * n + 8) * sizeof *u);
    double *d = malloc(n * n * sizeof *d);

    for (int i = 0; i < n * n; i++) {
        v[i] = (i * 7919 + 13) % 1009 - 30;
        l[i] = v[i];
        d[i] = 1.0 + v[i] / 1024.0;
    }
    for (int i = 0; i < n * n + 8; i++)
        u[i] = (i * 7919u + 13) % 1009;
    for (int k = 0; k < n; k += 1 + n / 20) {
        shorten(v, n, k);
        shorten_by_name(n, (long (*)[n])l, k);
        eliminate(d, n, k);
    }
    show("shorten", v, n * n);
    for (int i = 0; i < n * n; i++)
        v[i] = l[i];
    show("shorten by name", v, n * n);
    show_doubles("eliminate", d, n * n);
    for (int i = 0; i < n * n; i++)
        d[i] = 1.0 + (i * 7919 % 1009) / 1024.0;
    scale(n, (double (*)[n])d);
    show_doubles("scale", d, n * n);
    if (n > 5)
        by_sixth(n, u, n);
    else
        by_sixth(1, u, 4 * n);
    for (int i = 0; i < n * n; i++)
        v[i] = (int)(u[i] % 1000);
    show("by sixth", v, n * n);
    for (int i = 0; i < n * n; i++)
        v[i] %= 1000;
    hidden(v, n, n / 3);
    for (int i = 0; i < n * n; i++)
        v[i] = (v[i] % 1000 + 1000) % 1000;
    show("hidden", v, n * n);
    two(v, n, n / 4, n / 2);
    show("two", v, n * n);
    until(v, n, n / 2);
    show("until", v, n * n);
    for (int i = 0; i < n * n; i++)
        v[i] = (v[i] % 1000 + 1000) % 1000;
    moving(v, n);
    show("moving", v, n * n);
    free(v);
    free(l);
    free(u);
    free(d);
    return 0;
}

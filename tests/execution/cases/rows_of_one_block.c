/* Tables whose rows lie in one block: in order, backwards, at random, with gaps, of two tables in turn, parts of rows, one row twice. */
/* args: 40 7 */
/* args: 3 1 */
/* args: 90 12 */
/* expect-gpu: 6 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

static void scale(double **to, double **from, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) to[i][j] = 2 * from[i][j] + i;
}
static void inner(double **a, int n, int m)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) a[i][j] += 1 + j;
}
static void nearest(double **at, double **points, int *which, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double least = 1e300;
        for (int k = 0; k < 3; k++) {
            double d = 0;
            for (int j = 0; j < m; j++) d += (points[i][j] - at[k][j]) * (points[i][j] - at[k][j]);
            if (d < least) least = d, which[i] = k;
        }
    }
}
static void add(char **rows, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) rows[i][j] += (char)(i + j);
}
static double gather(double **a, double **b, int n, int m)
{
    double s = 0;
    #pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j] * (j + 1) - b[n - 1 - i][j];
    return s;
}
static void both(double **a, double **b, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] -= b[i][m - 1 - j];
}
static void show(const char *what, const double *block, long count)
{
    double s = 0;
    for (long i = 0; i < count; i++) s += block[i] * (i % 97 + 1);
    printf("%s %.17g\n", what, s);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), wide = m + 3;
    long count = (long)n * wide * 2;
    double *block = malloc(count * sizeof *block), *other = malloc(count * sizeof *other);
    double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b);
    int *which = malloc(n * sizeof *which);
    char *bytes = malloc((long)n * m), **rows = malloc(n * sizeof *rows);
    for (long i = 0; i < count; i++) block[i] = i % 31, other[i] = i % 17;
    for (long i = 0; i < (long)n * m; i++) bytes[i] = (char)i;

    for (int i = 0; i < n; i++) a[i] = block + (long)i * m, b[i] = other + (long)i * m; /* in order, side by side */
    scale(a, b, n, m), show("in order", block, count);
    inner(a, n, m), show("inner", block, count);
    if (n > 2) nearest(a, b, which, n, m), printf("nearest %d %d\n", which[0], which[n - 1]);
    both(a, b, n, m), show("both", block, count);
    for (int i = 0; i < n; i++) a[i] = block + (long)(n - 1 - i) * m; /* backwards */
    scale(a, b, n, m), show("backwards", block, count);
    for (int i = 0; i < n; i++) a[i] = block + (long)(i * 7919L % n) * wide, b[i] = other + (long)i * wide; /* with gaps */
    if (n % 7919) scale(a, b, n, m), show("at random", block, count);
    for (int i = 0; i < n; i++) a[i] = block + 2L * i * m, b[i] = block + (2L * i + 1) * m; /* each of both in turn */
    both(a, b, n, m), show("in turn", block, count);
    printf("%.17g\n", gather(a, b, n, m));
    for (int i = 0; i < n; i++) b[i] = i % 3 ? other + (long)i * m : other; /* the first row again and again */
    scale(a, b, n, m), show("a row again", block, count);
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];
    printf("%.17g\n", gather(a, b, n, m));
    for (int i = 0; i < n; i++) a[i] = block + (long)i * (m > 1 ? m - 1 : 1); /* rows that overlap: written, in some order */
    for (int i = 0; i < n; i++) b[i] = other + i;
    if (m == 1) scale(a, b, n, m), show("overlapping", block, count);
    printf("%.17g\n", gather(a, a, n, m));
    for (int i = 0; i < n; i++) rows[i] = bytes + (long)i * m; /* rows at odd addresses */
    add(rows, n, m);
    long sum = 0;
    for (long i = 0; i < (long)n * m; i++) sum += bytes[i] * (i % 13 + 1);
    printf("%ld\n", sum);
    for (int i = 0; i < n; i++) a[i] = b[i] = block + (long)i * m; /* what is written is read by another name */
    inner(a, n, m), both(b, a, 1, m), show("itself", block, count);
    return 0;
}

/* Arrays of variable length of an iteration's own, through which the threads of a block that have it together hand each other
   values; and others, which each thread has alone. */
/* args: 40 21 */
/* args: 3 1 */
/* args: 7 150 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>

static double sum_of(const double *t, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += t[j] * (1 + j % 5);
    return sum;
}

/* each row times a matrix, in place */
static void multiply(int rows, int n, double a[rows][n], double c[n][n])
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        double product[n];
        for (int p = 0; p < n; p++) {
            product[p] = 0;
            for (int s = 0; s < n; s++)
                product[p] += a[r][s] * c[s][p];
        }
        for (int p = 0; p < n; p++)
            a[r][p] = product[p];
    }
}

/* two rows that are smoothed in turns, of which the ends stay */
static void smooth(int rows, int n, double *a)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        double x[n], y[n + 2];
        for (int j = 0; j < n; j++)
            x[j] = y[j] = a[r * n + j];
        for (int turn = 0; turn < 3; turn++) {
            for (int j = 1; j < n - 1; j++)
                y[j] = 0.25 * x[j - 1] + 0.5 * x[j] + 0.25 * x[j + 1];
            for (int j = 1; j < n - 1; j++)
                x[j] = y[j] + 0.125 * (turn + 1);
        }
        for (int j = 0; j < n; j++)
            a[r * n + j] = x[j] + y[n - 1 - j];
    }
}

/* a small matrix in each iteration, by clause, and one of elements of a struct */
static void turned(int rows, int n, double *a)
{
    double m[2][n];
    struct { float x, y; } last[n];
#pragma omp parallel for private(m, last)
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < n; j++) {
            m[0][j] = a[r * n + j];
            m[1][n - 1 - j] = a[r * n + j] * 2;
        }
        for (int j = 0; j < n; j++) {
            last[j].x = (float)(m[1][j] + m[0][n - 1 - j]);
            last[n - 1 - j].y = (float)m[0][j];
        }
        for (int j = 0; j < n; j++)
            a[r * n + j] = last[j].x + last[j].y + m[1][j];
    }
}

/* an iteration begins with what the one before has left to nobody */
static void counted(int rows, int n, int *count)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int seen[n];
        for (int j = 0; j < n; j++)
            seen[j] = 0;
        for (int j = 0; j < n; j++)
            seen[(j * 7 + r) % n] += j;
        for (int j = 0; j < n; j++)
            count[r * n + j] = seen[j] * 3 + seen[n - 1 - j];
    }
}

/* functions get the array, and a pointer leads to it */
static void handed(int rows, int n, double *a)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        double t[n];
        double *const half = t + n / 2;
        for (int j = 0; j < n; j++)
            t[j] = a[r * n + j] * 0.5;
        for (int j = 0; j < n - n / 2; j++)
            half[j] += j;
        const double sum = sum_of(t, n);
        for (int j = 0; j < n; j++)
            a[r * n + j] = t[j] + sum / n;
    }
}

/* one element goes on changing, beside others of the same array */
static void prefixes(int rows, int n, double *a)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        double t[n + 1];
        t[0] = 1;
        t[n] = 2;
        for (int j = 0; j < n; j++) {
            t[0] += a[r * n + j];
            t[n] += t[0] * 0.5;
        }
        for (int j = 1; j < n; j++)
            t[j] = t[j - 1] * 0.25 + a[r * n + j];
        for (int j = 0; j < n; j++)
            a[r * n + j] = t[j] + t[n] / 64;
    }
}

static void show(const char *what, const double *a, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 97 + 1) * a[i];
    printf("%s %.9g\n", what, sum);
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 10, n = argc > 2 ? atoi(argv[2]) : 10;
    double *a = malloc(rows * n * sizeof *a), *c = malloc(n * n * sizeof *c);
    int *count = malloc(rows * n * sizeof *count);
    long sum = 0;

    for (int i = 0; i < rows * n; i++)
        a[i] = (i * 7919 % 1009) / 1024.0;
    for (int i = 0; i < n * n; i++)
        c[i] = (i * 31 % 17 - 8) / 64.0;
    multiply(rows, n, (double (*)[n])a, (double (*)[n])c);
    show("multiply", a, rows * n);
    smooth(rows, n, a);
    show("smooth", a, rows * n);
    turned(rows, n, a);
    show("turned", a, rows * n);
    handed(rows, n, a);
    show("handed", a, rows * n);
    prefixes(rows, n, a);
    show("prefixes", a, rows * n);
    counted(rows, n, count);
    for (int i = 0; i < rows * n; i++)
        sum += (long)(i % 97 + 1) * count[i];
    printf("counted %ld\n", sum);
    free(a);
    free(c);
    free(count);
    return 0;
}

/* Points of tiles that have other iterations of the inner loop than each other: they begin, or end, with their row or column. */
/* args: 70 90 */
/* args: 133 50 */
/* args: 33 40 */
/* args: 1 1 */
/* nightly: 300 270 */
/* expect-gpu: 11 */
/* expect-added: 0 */
#include <stdio.h>
#include <stdlib.h>

static double value(int k)
{
    return (k * 37 % 101 - 50) / 8.0;
}

static void show(const char *what, const double *v, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += (k % 97 + 1) * v[k];
    printf("%s %.12e\n", what, sum);
}

static void show_floats(const char *what, const float *v, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += (k % 97 + 1) * v[k];
    printf("%s %.4e\n", what, sum);
}

/* Begins with the row; in place. */
static void in_place(int n, int m, double b[n][m], double a[n][n], double alpha)
{
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double sum = b[i][j];
            for (int k = i + 1; k < n; k++)
                sum += a[k][i] * b[k][j];
            b[i][j] = alpha * sum;
        }
}

/* Ends with the row, whose factors lie side by side. */
static void lower(int n, int m, double c[n][m], double a[n][n], double b[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k <= i; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

/* Ends with the column, down from another number. */
static void upper(int n, int m, double c[m][n], double a[n][n], double b[m][n])
{
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n - j; k++)
                c[i][j] -= b[i][k] * a[k][j];
}

/* Begins with the column, two further, and subtracts in single precision. */
static void floats(int n, int m, float c[m][n], float a[n][n], float b[m][n])
{
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 1;
            for (int k = j + 2; k < n; k++) {
                const float left = b[i][k];
                sum = sum - left * a[j][k] * 0.01f;
            }
            c[i][j] = sum;
        }
}

/* What lies in front of the factors is not there. */
static void shifted(int n, int m, double c[n][m], const double *w, double b[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = i; k < n; k++)
                sum += w[k - i] * b[k][j];
            c[i][j] = sum;
        }
}

/* The same the other way round, with integers, and a branch. */
static void integers(int n, int m, int c[n][m], const int *w, int b[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int sum = 0;
            for (int k = 0; k <= i; k++) {
                int factor = w[i - k], of = b[k][j];
                if (factor > 3)
                    sum += factor * of;
                else
                    sum ^= of;
            }
            c[i][j] = sum;
        }
}

/* A packed triangle, of which nothing lies behind the last element. */
static void packed(int n, int m, double c[n][m], const double *a, double b[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = i; k < n; k++)
                sum += a[i * n - i * (i - 1) / 2 + k - i] * b[k][j];
            c[i][j] = sum;
        }
}

/* Both bounds move, by twice the row, or with both axes: no tiles. */
static void bands(int n, int m, double c[n][m], double a[n][n], double b[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = i / 2; k < (i + 5 < n ? i + 5 : n); k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void corner(int n, int m, double c[n][m], double a[n][n], double b[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = i + j; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void steep(int n, int m, double c[n][m], double a[n][n], double b[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 2 * i; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

/* In planes. */
static void planes(int n, int m, double c[3][n][m], double a[n][n], double b[3][n][m])
{
#pragma omp parallel for
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < i; k++)
                    c[p][i][j] += a[i][k] * b[p][k][j];
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 70, m = argc > 2 ? atoi(argv[2]) : 90, count = n * m;
    double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * 3 * count), *c = malloc(sizeof(double) * 3 * count);
    double *w = malloc(sizeof(double) * n), *triangle = malloc(sizeof(double) * (n * (n + 1) / 2));
    float *fa = malloc(sizeof(float) * n * n), *fb = malloc(sizeof(float) * count), *fc = malloc(sizeof(float) * count);
    int *iw = malloc(sizeof(int) * n), *ib = malloc(sizeof(int) * count), *ic = malloc(sizeof(int) * count);
    for (int k = 0; k < n * n; k++)
        fa[k] = (float)(a[k] = value(k));
    for (int k = 0; k < 3 * count; k++)
        b[k] = value(k + 5), c[k] = value(k + 9);
    for (int k = 0; k < count; k++)
        fb[k] = (float)b[k], ib[k] = k % 91 - 40;
    for (int k = 0; k < n; k++)
        w[k] = value(k + 3), iw[k] = k % 9;
    for (int k = 0; k < n * (n + 1) / 2; k++)
        triangle[k] = value(k + 7);
    in_place(n, m, (double (*)[m])c, (double (*)[n])a, 0.01);
    show("in place", c, count);
    lower(n, m, (double (*)[m])c, (double (*)[n])a, (double (*)[m])b);
    show("lower", c, count);
    upper(n, m, (double (*)[n])c, (double (*)[n])a, (double (*)[n])b);
    show("upper", c, count);
    floats(n, m, (float (*)[n])fc, (float (*)[n])fa, (float (*)[n])fb);
    show_floats("floats", fc, count);
    shifted(n, m, (double (*)[m])c, w, (double (*)[m])b);
    show("shifted", c, count);
    integers(n, m, (int (*)[m])ic, iw, (int (*)[m])ib);
    long long sum = 0;
    for (int k = 0; k < count; k++)
        sum += (k % 97 + 1LL) * ic[k];
    printf("integers %lld\n", sum);
    packed(n, m, (double (*)[m])c, triangle, (double (*)[m])b);
    show("packed", c, count);
    bands(n, m, (double (*)[m])c, (double (*)[n])a, (double (*)[m])b);
    show("bands", c, count);
    corner(n, m, (double (*)[m])c, (double (*)[n])a, (double (*)[m])b);
    show("corner", c, count);
    steep(n, m, (double (*)[m])c, (double (*)[n])a, (double (*)[m])b);
    show("steep", c, count);
    planes(n, m, (double (*)[n][m])c, (double (*)[n])a, (double (*)[n][m])b);
    show("planes", c, 3 * count);
    free(a), free(b), free(c), free(w), free(triangle), free(fa), free(fb), free(fc), free(iw), free(ib), free(ic);
    return 0;
}

/* Tables of row pointers: one block for each row or for all, rows of several lengths, null rows, tables in tables. */
/* args: 9 14 */
/* args: 1 1 */
/* args: 40 3 */
/* expect-gpu: 16 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double **rows_of(int n, int m)
{
    double **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = calloc(m, sizeof **a);
    return a;
}
static double **one_block(int n, int m)
{
    double **a = malloc((n + 3) * sizeof *a); /* the last entries stay as malloc gave them */
    a[0] = calloc(n * m, sizeof **a);
    for (int i = 1; i < n; i++) a[i] = a[0] + i * m;
    return a;
}
static void fill(double **a, int n, int m, double scale)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = scale * i + j;
}
static void multiply(double **c, double **a, double **b, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
static void smooth(double **to, double **from, int n, int m)
{
    #pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}
static void triangle(int **t, int n)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            t[i][j] += i * j + 1;
}
static double sum_rows(double **a, int n, int m)
{
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) {
        const double *row = a[i];
        for (int j = 0; j < m; j++) s += row[j];
    }
    return s;
}
static double *row_of(double **a, int i) { return a[i]; }
static void add_to(double *row, int m, double x) { for (int j = 0; j < m; j++) *row++ += x; }

static float *windows[8], store[8][20];
static double **kept;
static int permuted[40];

static void kept_too(int i) { kept[i][0] += i; }

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]);
    double **a = rows_of(n, m), **b = one_block(n, m), **c = rows_of(n, n), **d = rows_of(m, n), s = 0;
    fill(a, n, m, 2);
    fill(b, n, m, -1);
    fill(d, m, n, .5);
    multiply(c, a, d, n, m);
    for (int step = 0; step < 3; step++) { /* the tables change places */
        double **other = a;
        smooth(b, a, n, m);
        a = b, b = other;
    }
    s += sum_rows(a, n, m) + 2 * sum_rows(b, n, m) + sum_rows(c, n, n);
    printf("%.12g\n", s);

    int **t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++) t[i] = calloc(i + 1, sizeof **t);
    triangle(t, n);
    for (int i = 0; i < n; i++) t[i] = realloc(t[i], (i + 5) * sizeof **t), memset(t[i] + i + 1, 0, 4 * sizeof **t);
    triangle(t, n);
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) {
        int *p = t[i], *end = p + i + 1;
        for (; p != end; p++) s += *p;
    }
    printf("%.12g\n", s);

    for (int k = 0; k < 8; k++) windows[k] = k == 3 ? NULL : &store[7 - k][k];
    #pragma omp parallel for
    for (int k = 0; k < 8; k++)
        if (windows[k] != NULL)
            for (int j = 0; j < 4; j++) windows[k][j] = k * 10 + j;
    for (int k = 0; k < 160; k++) s += (k % 11) * store[k / 20][k % 20];
    double **sparse = calloc(n, sizeof *sparse);
    for (int i = 0; i < n; i += 2) sparse[i] = a[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (!sparse[i]) continue;
        sparse[i][m - 1] -= i;
        sparse[i][0] *= 2;
    }
    for (int i = 0; i < n; i++) permuted[i] = (i * 7 + 3) % n;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) c[permuted[i]][i] += permuted[i];
    printf("%.12g %.12g\n", s, sum_rows(a, n, m));

    double ***cube = malloc(3 * sizeof *cube);
    for (int i = 0; i < 3; i++) cube[i] = i == 1 ? one_block(n, m) : rows_of(n, m);
    #pragma omp parallel for
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) cube[i][j][k] = i * 100 + j * 10 + k;
    #pragma omp parallel for
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++) cube[2][j][k] += cube[0][j][k] * cube[1][j][k];
    for (int i = 0; i < 3; i++) s += sum_rows(cube[i], n, m);

    double *local[3] = {a[0], c[0], d[0]};
    #pragma omp parallel for
    for (int i = 0; i < 3; i++) local[i][0] += 1 + i;
    kept = c;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        add_to(row_of(kept, i), n, i);
        kept_too(i);
    }
    double *(*pairs)[2] = malloc(n * sizeof *pairs);
    for (int i = 0; i < n; i++) pairs[i][0] = a[i], pairs[i][1] = c[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) pairs[i][0][0] += pairs[i][1][n - 1];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp atomic
        c[i / 2][0] += i;
        #pragma omp atomic
        a[0][i % m] += 2;
    }
    char **words = malloc(n * sizeof *words), letters = 0;
    for (int i = 0; i < n; i++) words[i] = calloc(i % 5 + 2, 1), memset(words[i], 'a' + i % 20, i % 5 + 1);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (char *w = words[i]; *w; w++) *w += 1;
    for (int i = 0; i < n; i++) letters ^= words[i][0];
    printf("%.12g %.12g %d %d\n", s, sum_rows(c, n, n) + sum_rows(a, n, m), letters, (int)strlen(words[n - 1]));
    return 0;
}

/* Rows of variable length of which it is not known what they are: their loops stay on the host. */
/* expect-gpu: 1 */
/* expect-host: OMPC325 OMPC325 OMPC325 OMPC325 OMPC325 OMPC325 OMPC325 OMPC325 OMPC316 */
#include <stdio.h>
static double data[400];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < 400; i++) {
        sum = sum * 1.01 + data[i];
        data[i] = i % 13;
    }
    printf("%s %.12g\n", what, sum);
}
static void through(int n, double (**x)[n], int j) { (*x)[j][1] += 1; }
static void set(int n, double (*x)[n], double (**to)[n]) { *to = x; }
static void counts(int n, double x[][n++], int j) { x[j][n % 2] += n; }
static void behind(int n, double y[n++], double x[][n], int j) { x[j][n - 2] += y[j]; }
static void kept(int n, double x[][n], int j)
{
    double (*q)[n] = x, (**p)[n] = &q;
    (*p)[j][0] += 1;
}

int main(void)
{
    int m = 20, n = 8;
    show("begin");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[n] = (double (*)[n])data;
        through(n, &q, j);
    }
    show("through");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[n];
        set(n, (double (*)[n])data, &q);
        q[j][1] = j;
    }
    show("set");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        counts(n, (double (*)[n])data, j);
    show("counts");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        behind(n - 1, data + 200, (double (*)[n])data, j);
    show("behind");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[n] = (double (*)[n])data;
        ((double (*)[(int)q[30][1] + 1])data)[j][0] += 1;
    }
    show("length in a row");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        kept(n, (double (*)[n])data, j);
    show("kept");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q[2])[n];
        q[j % 2] = (double (*)[n])data;
        q[j % 2][j][1] += 1;
    }
    show("array");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        int k = 7;
        double *q = (double *)((double (*)[k++ + 1])data + j);
        q[0] = k;
    }
    show("cast");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        typedef double line[n];
        line *q = (line *)data;
        q[j][2] = j;
    }
    show("typedef");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[n] = (double (*)[n])data;
        q[j][2] = j;
    }
    show("known");
    return 0;
}

/* Pointers to rows of variable length that iterations and called functions have: lengths are those at the declaration. */
/* expect-gpu: 25 */
/* expect-host: OMPC332 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double re, im; } number;

static int len = 6;
static double data[4000], other[4000];
static number numbers[2000];
static int cells[4000];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < 4000; i++) {
        sum = sum * 1.0001 + data[i] * (i % 17 + 1) + other[i] + cells[i];
        data[i] = (i * 7) % 31;
        other[i] = (i * 5) % 13;
        cells[i] = i % 11;
    }
    for (int i = 0; i < 2000; i++) {
        sum += numbers[i].re * (i % 5) + numbers[i].im * (i % 3);
        numbers[i] = (number){i % 7, i % 9};
    }
    printf("%s %.12g\n", what, sum);
}

static void row(int n, double x[][n], int j)
{
    for (int i = 1; i < n - 1; i++)
        x[j][i] = x[j][i] * 0.5 + 1.0;
}
static void planes(int n1, int n2, double x[][n2][n1], int k, double f)
{
    for (int j = 0; j < n2; j++)
        for (int i = 0; i < n1; i++)
            x[k][j][i] = x[k][j][i] * f + j;
}
static void wider(int m, double x[restrict][m + 1], const int j)
{
    for (int i = 0; i <= m; i++)
        x[j][i] += i;
}
static void of_file(double x[static 2][len], int j)
{
    for (int i = 0; i < len; i++)
        x[j][i] += len;
}
static void down(int n, double (*x)[n], int j) { row(n, x, j); }
static void shorter(int n, double x[][n], int j) { row(n - 1, (double (*)[n - 1])x, j); }
static void early(int n, double x[][n], int j)
{
    for (int i = 0; i < n; i++) {
        if (x[j][i] > 25)
            return;
        x[j][i] = -x[j][i];
    }
}
static void moved(int n, double x[][n], int j)
{
    int k = n;
    n = 3;
    for (int i = 0; i < k; i++)
        x[j][i] += n;
}
static void walks(int n, const double x[][n], double *out, int j)
{
    const double (*p)[n] = x + j, (*first)[n] = x;
    double s = 0;
    for (int i = 0; i < 3; i++, p++)
        s = s * 2 + (*p)[1] + *p[0] + p[1][0] - p[-1 + 1][n - 1];
    p -= 2;
    s += (*(p - 1))[2] + (double)(p - first) * 100 + (double)(&p[1] - first) + (double)(&p[1][1] - &first[0][0]);
    s += (p == first) + (p > first) * 2 + (double)sizeof(*p) + (double)sizeof(x[0]) + (double)sizeof p;
    s += (*p++)[0];
    s += (*++p)[1];
    s += (*p--)[2];
    *out += s + (*--p)[3];
}
static void conjugate(int n, int ny, number x[n][ny], number y[n][ny], int j)
{
    for (int i = 0; i < ny; i++) {
        number a = x[j][i];
        y[j][i] = (number){a.re, -a.im};
        y[j][i].re += x[j][i].im;
    }
}
static double total(int n, double x[][n], int j)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[j][i];
    return s;
}
static void changes_length(int *n, double x[][*n], int j)
{
    *n = 2;
    for (int i = 0; i < 5; i++)
        x[j][i] += *n;
}
static int twice(int k) { return 2 * k; }

static void callees(int m, int n, double (*x)[n], double (*y)[n + 1], double (*cube)[3][n], double *flat)
{
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        row(n, x, j);
    show("row");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        planes(n, 3, cube, j, 0.25);
    show("planes");
#pragma omp parallel for
    for (int k = 0; k < m; k++)
        wider(n, y, k);
    show("wider");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        of_file((double (*)[len])flat, j);
    show("of file");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        down(n, x, j);
    show("down");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        shorter(n, x, j);
    show("shorter");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        early(n, x, j);
    show("early");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        moved(n, x, j);
    show("moved");
#pragma omp parallel for
    for (int j = 0; j < m - 5; j++)
        walks(n, x, &other[j], j);
    show("walks");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        conjugate(m, n, (number (*)[n])numbers, (number (*)[n])(numbers + 1000), j);
    show("conjugate");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        other[j] = total(n, x, j) + total(3 * n, (double (*)[3 * n])cube, j) + total(n, cube[j], 1) + total(n, x + 1, j);
    show("total");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        int k = n;
        changes_length(&k, x, j);
    }
    show("changes length");
}

static void bodies(int m, int n, double *p, void *v, double (*x)[n])
{
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[n] = (double (*)[n])p;
        for (int i = 0; i < n; i++)
            q[j][i] *= 2.0;
    }
    show("cast");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[2][n] = v;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < n; i++)
                q[j][k][i] += i * k;
    }
    show("void");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        int k = n, calls = 0;
        double (*q)[k] = (double (*)[k])p;
        k = 2;
        double (*r)[twice(3) + 0 * calls++] = (double (*)[6])other;
        for (int i = 0; i < n; i++)
            q[j][i] += k + r[j][i % 6] + calls;
    }
    show("fixed");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[n] = x, (*r)[n] = x + 1, (*s)[n];
        s = &r[j];
        q[j][0] = q[j][1] + r[j + 20][4] + s[20][5] + (*(s + 21))[3];
        {
            double x[4] = {1, 2, 3, 4};
            q[j][1] = x[j % 4];
        }
    }
    show("hidden");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        int k = j % 3 + 2;
        double (*q)[k] = (double (*)[k])(p + j * 20);
        for (int i = 0; i < k; i++)
            q[1][i] += k;
    }
    show("own length");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        int (*c)[n] = (int (*)[n])cells, (*d)[n];
        d = j % 2 ? c : (int (*)[n])(cells + 2000);
        for (int i = 0; i < n; i++)
            d[j][i] -= i;
    }
    show("either");
#pragma omp parallel for
    for (unsigned char j = 0; j < m; j++) {
        unsigned two = 2;
        double (*q)[n] = (double (*)[n])p + two;
        q[j][-1 + 1] += q[j + two - 2u][n - 1];
        q[(unsigned)j][n - 2] = *(q[j] + 3) + *q[j] + **(q + j);
    }
    show("unsigned");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        for (double (*q)[n] = x + j; q < x + j + 1; q++)
            for (int i = 0; i < n; i++)
                (*q)[i] += 3;
    }
    show("for");
}

static void shadows(int m, int n, double (*x)[n], double (*y)[n])
{
    int k = n;
    double (*z)[k] = x;
    k = 3;
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[k] = (double (*)[k])x;
        q[j * 2][2] += k;
        (z + 30)[j][3] = 1;
    }
    show("changed outside");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double (*q)[k] = (double (*)[k])z;
        q[j][2] += k;
    }
    show("cast outside");
    {
        int len = 3;
#pragma omp parallel for
        for (int j = 0; j < m; j++)
            of_file((double (*)[6])data, j);
        show("another len");
        data[len] = 0;
    }
#pragma omp parallel default(none) shared(m, data)
    {
#pragma omp for
        for (int j = 0; j < m; j++)
            of_file((double (*)[6])data, j);
    }
    show("not listed");
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        int n = 4;
        double (*q)[n] = (double (*)[n])y;
        for (int i = 0; i < n; i++)
            q[j][i] = i;
        row(n, q, j);
    }
    show("another n");
#pragma omp parallel for private(n)
    for (int j = 0; j < m; j++) {
        n = 5;
        double (*q)[n] = (double (*)[n])y;
        row(n, q, j);
    }
    show("private n");
}

int main(void)
{
    show("begin");
    callees(20, 9, (double (*)[9])data, (double (*)[10])data, (double (*)[3][9])data, data);
    bodies(20, 8, data, data, (double (*)[8])data);
    shadows(20, 7, (double (*)[7])data, (double (*)[7])other);
    return 0;
}

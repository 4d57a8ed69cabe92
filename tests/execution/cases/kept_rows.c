/* Straight-line code that works on rows of large arrays of each thread's own. */
/* args: 40 */
/* args: 1 */
/* expect-gpu: 6 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 60

static double out[64][N][3];
static int counts[64][8];

static void divide(double m[3][3], double v[3])
{
    double pivot = 1.0 / m[0][0];
    m[0][1] = m[0][1] * pivot;
    m[0][2] = m[0][2] * pivot;
    v[0] = v[0] * pivot;
    double coeff = m[1][0];
    m[1][1] = m[1][1] - coeff * m[0][1];
    m[1][2] = m[1][2] - coeff * m[0][2];
    v[1] = v[1] - coeff * v[0];
    coeff = m[2][0];
    m[2][1] -= coeff * m[0][1];
    m[2][2] -= coeff * m[0][2];
    v[2] -= coeff * v[0];
}

static void subtract(const double m[3][3], const double v[3], double w[3])
{
    w[0] = w[0] - m[0][0] * v[0] - m[0][1] * v[1] - m[0][2] * v[2];
    w[1] = w[1] - m[1][0] * v[0] - m[1][1] * v[1] - m[1][2] * v[2];
    w[2] = w[2] - m[2][0] * v[0] - m[2][1] * v[1] - m[2][2] * v[2];
}

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < N; j++)
            for (int m = 0; m < 3; m++)
                sum += out[i][j][m] * ((i + j + m) % 7);
    long all = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 8; j++)
            all = (all * 3 + counts[i][j]) % 1000003;
    printf("%s %.12g %ld\n", what, sum, all);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10;

    /* a row and the one before, through functions */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double lhs[N][2][3][3], rhs[N][3];
        for (int j = 0; j < N; j++) {
            for (int m = 0; m < 3; m++) {
                for (int k = 0; k < 3; k++) {
                    lhs[j][0][m][k] = (m == k) * 4 + 0.01 * ((i + j * k + m) % 5);
                    lhs[j][1][m][k] = 0.1 * ((i + j + m * k) % 3);
                }
                rhs[j][m] = i + j + m;
            }
        }
        divide(lhs[0][0], rhs[0]);
        for (int j = 1; j < N; j++) {
            subtract(lhs[j][1], rhs[j - 1], rhs[j]);
            divide(lhs[j][0], rhs[j]);
        }
        for (int j = 0; j < N; j++)
            for (int m = 0; m < 3; m++)
                out[i][j][m] = rhs[j][m] + lhs[j][0][2][2];
    }
    show("solver");

    /* subscripts that change, that may be the same, that are read in between; parts of rows; what stands between */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t[N][4], u[N][4];
        for (int j = 0; j < N; j++)
            for (int m = 0; m < 4; m++) {
                t[j][m] = j + m + i;
                u[j][m] = j * m;
            }
        int at = i % 5, other = (i * 3) % 5;
        t[at][0] = t[at][0] + 1;
        t[at][1] = t[at][0] * 2 + t[at][1];
        t[other][0] = t[at][1] + t[other][0];
        t[at][2] = t[at][0] + t[at][2] * 3;
        t[at][0] = t[at][2] + t[at][0];
        u[at][0] = u[at][0] + 2;
        u[at][1] = u[at][0] * u[at][0] + 1;
        at = at + 1;
        u[at][0] = u[at][0] + u[at][1] + 5;
        u[at][1] = u[at][0] * 2;
        u[at][0] = u[at][1] + u[at][0];
        for (int j = 1; j < N - 1; j++) {
            u[j][1] = u[j][1] * 0.5 + u[j][2];
            u[j][2] = u[j][1] * 0.25 + u[j][2];
            u[j][1] = u[j][2] - u[j][1] * u[j][1];
            u[j][2] = u[j + 1][1] + u[j - 1][2] - u[j][1];
            if (u[j][1] > 3)
                u[j][1] = u[j][0];
            u[j][3] = u[j][3] + 1;
            u[j][3] = u[j][3] * u[j][1];
            u[j][3] = u[j][3] + (u[j][3] > 2 ? u[j][2] : u[j][0]);
        }
        for (int j = 0; j < N; j++)
            for (int m = 0; m < 3; m++)
                out[i][j][m] = t[j][m] + 0.5 * u[j][m] + u[j][m + 1];
    }
    show("subscripts");

    /* integers of eight bits: values wrap round in the variables as they do in memory; a subscript from the array */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned char b[400][8];
        for (int j = 0; j < 400; j++)
            for (int m = 0; m < 8; m++)
                b[j][m] = i * 7 + j + m;
        for (int j = 0; j < 400; j++) {
            b[j][0] = b[j][0] * 3 + b[j][1];
            b[j][1] = b[j][0] + b[j][0] * b[j][2];
            b[j][2] += b[j][1] * b[j][0];
            b[j][0] = b[j][2] - b[j][1] + b[j][0];
        }
        for (int j = 1; j < 200; j++) {
            b[j][3] = b[j][3] + b[j][4];
            b[j][4] = b[j][3] * 5 + b[j][4];
            b[b[j][3]][5] = b[j][4] + b[j][3];
            b[j][3] = b[j][4] + b[j][5] + b[j][3];
        }
        for (int m = 0; m < 8; m++) {
            counts[i][m] = 0;
            for (int j = 0; j < 400; j++)
                counts[i][m] = (counts[i][m] * 5 + b[j][m]) % 10007;
        }
    }
    show("bytes");

    /* a private array of a region's clause; functions of <math.h> */
    double w[40][4];
#pragma omp parallel for private(w)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 40; j++) {
            w[j][0] = i + 1;
            w[j][1] = j + 1;
            w[j][0] = sqrt(w[j][0]) + w[j][1];
            w[j][1] = fabs(w[j][0] - w[j][1]) + w[j][0];
            w[j][0] = w[j][0] * w[j][1] + w[j][0];
            w[j][2] = w[j][0] + w[j][1];
        }
        for (int j = 0; j < 40; j++)
            out[i][j][1] = w[j][2] + w[39 - j][0];
    }
    show("private");

    /* subscripts in memory that changes, of which one is behind a pointer; a pointer to an element; unsigned numbers that
       wrap round; the names of the counters of copies */
    unsigned two = 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a[16][5][5], k[2] = {1, 2}, behind = 1, *to = &behind, e0 = 3, converted = (int)two;
        unsigned j = two;
        int b[16][5][5], *w = &b[1][0][0];
        if (i > 9)
            w++;
        for (int p = 0; p < 16; p++)
            for (int q = 0; q < 5; q++)
                for (int r = 0; r < 5; r++)
                    a[p][q][r] = b[p][q][r] = p * 25 + q * 5 + r;
        a[k[0]][0][0] += 1;
        a[k[0]][0][0] *= 3;
        k[0] = 4;
        a[k[0]][0][0] += 1;
        a[k[0]][0][0] *= 5;
        for (int q = 0; q < 1; q++)
            ;
        a[behind][1][0] += 1;
        a[behind][1][0] *= 3;
        to[0] = 4;
        a[behind][1][0] += 1;
        a[behind][1][0] *= 5;
        for (int q = 0; q < 1; q++)
            ;
        a[j - 1][2][0] += 1;
        a[j + 0xffffffffu][2][0] *= 2;
        a[j - 1][2][0] += 1;
        a[converted + 0xffffffffu][2][0] *= 2;
        a[converted - 1][2][0] += 1;
        a[converted + 0xffffffffu][2][0] *= 2;
        for (int q = 0; q < 1; q++)
            ;
        b[1][0][0] += 1;
        b[1][0][0] *= 3;
        w[0] += 2;
        b[1][0][0] += 1;
        b[1][0][0] *= 5;
        for (e0 = 1; e0 < 16; e0++) {
            a[e0][4][0] += 1;
            a[e0][4][1] += a[e0][4][0];
            a[e0][4][2] += a[e0][4][1];
            a[e0][4][3] += a[e0][4][2] + a[e0][4][0] * 2;
            a[e0][4][4] += a[e0][4][3] + a[e0][4][1];
            a[e0][4][0] += a[e0][4][4] - a[e0][4][2];
            a[e0][4][1] += a[e0][4][0] - a[e0][4][3];
        }
        counts[i][0] = 0;
        for (int p = 0; p < 16; p++)
            for (int q = 0; q < 5; q++)
                for (int r = 0; r < 5; r++)
                    counts[i][0] = (counts[i][0] * 3 + a[p][q][r] + 2 * b[p][q][r]) % 100003;
    }
    show("subscripts in memory");

    /* elements that are written inside of expressions, and only if a condition holds */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int t[200][5];
        for (int j = 0; j < 200; j++)
            for (int m = 0; m < 5; m++)
                t[j][m] = i * 3 + j + m;
        for (int j = 0; j < 200; j++) {
            t[j][0] = t[j][0] * 2 + (t[j][1] = t[j][2] + 1);
            t[j][2] = t[j][2] + (t[j][0] % 3 ? (t[j][3] = 7) : t[j][4]);
            t[j][4] = t[j][4] * 3 + ((t[j][0] % 5 > 1) & (t[j][1] > 9 && (t[j][3] = t[j][0])));
            t[j][0] = t[j][0] + t[j][4]++;
            t[j][2] = t[j][2] + t[j][0] * t[j][4];
            t[j][0] = t[j][0] - t[j][2] + t[j][4];
        }
        counts[i][1] = 0;
        for (int j = 0; j < 200; j++)
            for (int m = 0; m < 5; m++)
                counts[i][1] = (counts[i][1] * 3 + t[j][m] % 1000) % 100003;
    }
    show("inside of expressions");
    return 0;
}

/* expect-gpu: 3 */

/* A bit-field that int can hold is an int in an expression, whatever its declared type (C11 6.3.1.1p2). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, USES = 16 };

static struct record {
    unsigned u : 5, v : 31, w : 32;
    unsigned char c : 3;
    unsigned short h : 9;
    int s : 7;
    unsigned long z : 20;
    _Bool b : 1;
} g[N];
static long values[USES][N];
static double reals[N];

static void compare(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long t = -1 >= g[i].u;
        t = t * 2 + (-1 < g[i].v);
        t = t * 2 + (-1 < g[i].w);
        t = t * 2 + (g[i].u - 10 < 0);
        t = t * 2 + (g[i].v - 10 < 0);
        t = t * 2 + (g[i].w - 10 < 0);
        t = t * 2 + (-g[i].u < 0);
        t = t * 2 + (~g[i].c < 0);
        t = t * 2 + (g[i].z - 10 < 0);
        t = t * 2 + ((g[i].u - 10) / 2 < 0);
        t = t * 2 + ((g[i].u - 10) >> 1 < 0);
        t = t * 2 + ((i % 2 ? g[i].u : -1) < 0);
        t = t * 2 + ((i % 2 ? -1 : (0, g[i].v)) < 0);
        t = t * 2 + (g[i].h - 100L < 0);
        t = t * 2 + ((g[i].s = -3) < g[i].u);
        t = t * 2 + (-1 < (g[i].b ? g[i].w : 0));
        values[0][i] = t;
    }
}

static void compute(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        values[1][i] = (g[i].u += 40) + (g[i].c++) * 100 + (g[i].s -= 70) * 1000;
        values[2][i] = g[i].h = 1000;
        values[3][i] = g[i].z * 3 - 100;
        values[4][i] = (g[i].v = 5) - 10;
        values[5][i] = (1 ? g[i].u : 0) - 50;
        values[6][i] = g[i].w - 50;
        values[7][i] = abs(g[i].u - 9);
        values[8][i] = -g[i].h % 7;
        values[9][i] = (g[i].u - 20) / 3;
        values[10][i] = g[i].u << 20;
        values[11][i] = g[i].u * -3 / 2;
        int k = 3;
        k *= g[i].u - 8;
        k -= g[i].v;
        values[12][i] = k;
        reals[i] = sqrt(g[i].u) + fabs(g[i].u - 12) + (g[i].v - 7) * 0.5;
    }
}

/* Bounds of loops. */
static void count(void)
{
    g[0].u = 12, g[1].c = 5;
    #pragma omp parallel for
    for (int i = -3; i < g[0].u; i++)
        for (int k = -2; k < g[1].c; k++)
            values[13][i + 3] += k;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        g[i].u = i, g[i].v = i, g[i].w = i, g[i].c = i, g[i].h = 10 * i, g[i].s = -i, g[i].z = i, g[i].b = i & 1;
    }
    compare(N);
    compute(N);
    count();
    for (int use = 0; use < USES; use++) {
        unsigned long sum = 0;
        for (int i = 0; i < N; i++)
            sum = sum * 31 + (unsigned long)values[use][i];
        printf("%d %lu %ld\n", use, sum, values[use][7]);
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += reals[i] * (1 + i % 5);
    printf("%.12g\n", sum);
}

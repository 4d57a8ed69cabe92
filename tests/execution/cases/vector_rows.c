/* Records and pairs, in arrays that are aligned or not, of which a thread reads those of several rows of a nest. */
/* args: 8 70 67 0 */
/* args: 4 37 130 1 */
/* args: 8 41 33 2 */
/* args: 2 12 35 0 */
/* args: 9 9 5 1 */
/* args: 8 3 300 0 */
/* expect-gpu: 7 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 72 };
typedef struct { float x, y; } Two;
typedef struct { float x, y, z, w; } Four;
typedef struct { double re, im; } Complex;
static Two table[MOST][MOST];

/* the float at which a block begins: aligned to 16 bytes, or not */
static float *block(long count, int from, float **base)
{
    *base = malloc((size_t)(count + 4) * sizeof(float));
    for (long i = 0; i < count + 4; i++)
        (*base)[i] = (float)(i * 7 % 31 - 12);
    return *base + from;
}

static void show(const char *name, const float *values, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += (double)(i % 13 + 1) * values[i];
    printf("%s %.10g\n", name, sum);
}

static void pairs(int n, int m, const Two *p, Two *q)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++) {
            q[i * m + j].x = p[(i - 1) * m + j].x * p[i * m + j].y + p[(i + 1) * m + j].x - p[(i - 1) * m + j].y;
            q[i * m + j].y = p[i * m + j].x + p[(i + 1) * m + j].y;
        }
}

/* some members here, others there: an element is read whole */
static void fours(int n, int m, const Four *p, float *out)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++) {
            float s = p[(i - 1) * m + j].x + p[(i + 1) * m + j].x;
            if (s > 3)
                s -= p[i * m + j].z * p[i * m + j].x;
            if (j % 3)
                s += p[(i - 1) * m + j].w;
            out[i * m + j] = s;
        }
    /* whole elements */
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++) {
            const Four above = p[(i - 1) * m + j], below = p[(i + 1) * m + j];
            out[i * m + j] += above.x * below.w - above.z * below.y;
        }
}

/* no records */
static void interleaved(int n, int m, const float *v, float *w)
{
    #pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m; j++) {
            const int at = i * m + j, next = at + m;
            w[2 * at] = v[2 * at] - v[2 * next];
            w[2 * at + 1] = v[2 * at + 1] + v[2 * next + 1] * 2;
        }
}

/* sums: the grid may have fewer threads than there are points */
static double norm(int n, int m, const Complex *c)
{
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += c[i * m + j].re * c[(i - 1) * m + j].im - c[i * m + j].im * c[(i - 1) * m + j].re;
    return sum;
}

/* rows behind each other */
static void planes(int n, int m, const Two *p, float *out)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < m; k++)
                out[(i * 4 + j) * m + k] = p[((i - 1) * 4 + j) * m + k].x * p[((i - 1) * 4 + j) * m + k].y
                    + p[((i + 1) * 4 + j) * m + k].x - p[((i + 1) * 4 + j) * m + k].y + p[(i * 4 + j) * m + k].x;
}

static void tables(int n, int m, float *out)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            out[i * m + j] = table[i - 1][j].x * table[i - 1][j].y + table[i + 1][j].y * table[i + 1][j].x + table[i][j].x;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 1;
    if (atoi(argv[1]) < 9)
        setenv("OMPC_TILES", argv[1], 1);
    const int n = atoi(argv[2]), m = atoi(argv[3]), from = atoi(argv[4]);
    const long all = (long)n * m;
    float *base[3], *a = block(8 * all, from, &base[0]), *b = block(4 * all, 0, &base[1]), *out = block(4 * all, 1, &base[2]);
    double *d = malloc((size_t)(2 * all + 1) * sizeof *d);
    for (long i = 0; i < 2 * all + 1; i++)
        d[i] = i * 5 % 17 - 3;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            table[i][j] = (Two){(float)(i * j % 7), (float)((i + j) % 5)};
    pairs(n, m, (Two *)a, (Two *)b), show("pairs", b, 2 * all);
    pairs(n, m, (Two *)b, (Two *)a), show("pairs", a, 2 * all);
    fours(n, m, (Four *)a, out), show("fours", out, all);
    interleaved(n, m, a, b), show("interleaved", b, 2 * all);
    interleaved(n, m, b, out), show("interleaved", out, 2 * all);
    printf("norm %.10g\n", norm(n, m, (Complex *)(d + from % 2)));
    planes(n, m, (Two *)a, out), show("planes", out, 4 * all);
    tables(n < MOST ? n : MOST, m < MOST ? m : MOST, out), show("tables", out, all);
    for (int i = 0; i < 3; i++)
        free(base[i]);
    free(d);
    return 0;
}

/* Few points with long sums: the threads of a block divide them. Points that fill no warp, or several; sums shorter than the
   threads; loops that count down, by strides, in other types; two sums, one after the other, and sums under conditions. */
/* args: 0 3 5 700 */
/* args: 1 3 5 700 */
/* args: 2 7 9 130 */
/* args: 8 4 33 129 */
/* args: 16 5 7 300 */
/* args: 64 2 3 1000 */
/* args: 256 6 11 257 */
/* args: 256 1 1 2000 */
/* args: 256 5 6 0 */
/* expect-gpu: 13 */
/* rtol: 1e-11 */
#define _POSIX_C_SOURCE 200112L
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 40, LONG = 2048 };
static double a[MOST][LONG], b[LONG][MOST], c[MOST][MOST], e[3][MOST][MOST];
static float f[MOST][LONG], g[MOST][MOST];
static int ia[MOST][LONG], ic[MOST][MOST], id[MOST][MOST];
static unsigned char bytes[LONG][MOST];
static int sizes[2];
static double work[MOST][MOST][LONG];

static void fill(void)
{
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < LONG; k++) {
            const int v = (i * 37 + k * 11) % 103;
            for (int j = 0; j < MOST; j++)
                work[i][j][k] = (v + j) % 16;
            a[i][k] = v * 0.125, b[k][i] = (v - 40) * 0.5, f[i][k] = (float)(v % 8);
            ia[i][k] = v * 1000 - 3 * k, bytes[k][i] = (unsigned char)(v * 5);
        }
}

static void show(const char *name)
{
    unsigned long n = 0;
    double d = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            n = n * 31 + (unsigned)ic[i][j] + (unsigned)id[i][j] * 7ul;
            d += c[i][j] * (i + 2 * j + 1) + g[i][j] * (2 * i + j + 1);
            d += e[0][i][j] + e[1][i][j] * 3 + e[2][i][j] * 5;
            c[i][j] = g[i][j] = 0, ic[i][j] = id[i][j] = 0;
            e[0][i][j] = e[1][i][j] = e[2][i][j] = 0;
        }
    printf("%s %lu %.15g\n", name, n, d);
}

/* Products, with tiles and without; one of three axes. */
static void products(int m, int n, int l)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 1;
            for (int k = 0; k < l; k++)
                s += f[i][k] * f[j][k];
            g[i][j] = s;
        }
#pragma omp parallel for collapse(3)
    for (int z = 0; z < 3; z++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double s = z;
                for (int k = z; k < l; k++)
                    s += a[i][k] - b[k][j] * z;
                e[z][i][j] = s;
            }
    show("products");
}

/* Operators of integers, several at once, and one behind the other. */
static void integers(int m, int n, int l)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int least = INT_MAX, most = INT_MIN;
            for (int k = 0; k < l; k++) {
                least = ia[i][k] - ia[j][k] < least ? ia[i][k] - ia[j][k] : least;
                most = ia[i][k] + j > most ? ia[i][k] + j : most;
            }
            ic[i][j] = least, id[i][j] = most;
        }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            unsigned sum = 0, parity = (unsigned)j;
            for (int k = 0; k < l; k++)
                sum += (unsigned)ia[i][k] * bytes[k][j];
            for (int k = l - 1; k >= 0; k -= 3)
                parity ^= bytes[k][i] + sum;
            ic[i][j] += (int)(sum % 1000), id[i][j] = (int)parity;
        }
    show("integers");
}

/* Conditions around the sum, entries that are skipped, and indices of other types. */
static void conditions(int m, int n, long l, unsigned char few)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            if ((i + j) % 3 != 0)
                for (long k = 0; k < l; k += 2)
                    s += a[i][k] / (1 + bytes[k][j]);
            c[i][j] = s;
        }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            long positive = 0;
            for (long k = 0; k < l; k++) {
                if (ia[i][k] < ia[j][k])
                    continue;
                positive += ia[i][k];
            }
            ic[i][j] = (int)(positive % 10007);
        }
#pragma omp parallel for collapse(2)
    for (unsigned char i = 0; i < few; i++)
        for (long j = n; j > 0; j--) {
            int count = 0;
            for (unsigned k = 0; k < (unsigned long)l; k++)
                count += bytes[k][j - 1] > bytes[k][i];
            id[i][j - 1] = count;
        }
    show("conditions");
}

/* Sums of all points besides, lengths in memory, and numbers that an iteration computes before. */
static void others(int m, int n)
{
    double total = 0;
    long most = 0;
#pragma omp parallel for collapse(2) reduction(+ : total) reduction(max : most)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const double scale = a[i][j] + 1;
            double s = 0;
            for (int k = 0; k < sizes[1]; k++)
                s += scale * bytes[k][j];
            c[i][j] = s;
            total += s;
            if (ia[i][j] > most)
                most = ia[i][j];
        }
    printf("total %.12g most %ld\n", total, most);
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            long s = 0;
            for (int k = 0; k < sizes[1]; k++)
                s += (long)ia[i][k] * bytes[k][j];
            ic[i][j] = (int)(s % 9973);
        }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0, weight = 0;
            for (int k = 0; k < sizes[1]; k++) {
                const double w = 1.0 / (1 + bytes[k][i]);
                s += w * a[j][k];
                weight += w;
            }
            c[i][j] += s / (weight + 1);
        }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = sizes[1]; k > 0; k--)
                s += a[i][k - 1] * b[k - 1][j] * (j + 1);
            e[0][i][j] = s;
        }
    show("others");
}

/* What one thread of a point has stored, the others read. */
static void stored(int m, int n)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double s = 0, t = 0;
            for (int k = 0; k < sizes[1]; k++)
                s += work[i][j][k];
            work[i][j][sizes[1] / 2] = s;
            for (int k = 0; k < sizes[1]; k++)
                t += work[i][j][k] * (k % 3);
            c[i][j] = t;
        }
    show("stored");
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 1;
    if (atoi(argv[1]) > 0)
        setenv("OMPC_LANES", argv[1], 1);
    const int m = atoi(argv[2]), n = atoi(argv[3]), l = atoi(argv[4]);
    sizes[0] = m, sizes[1] = l;
    fill();
    products(m, n, l);
    integers(m, n, l);
    conditions(m, n, l, (unsigned char)m);
    others(m, n);
    stored(m, n);
    return 0;
}

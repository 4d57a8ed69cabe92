/* Nests whose points share what they read: a block computes a tile of points. Sizes that do not divide a tile. */
/* args: 2 33 31 1 */
/* args: 2 1 70 17 */
/* args: 1 33 50 70 */
/* args: 4 65 63 16 */
/* args: 8 129 127 5 */
/* args: 8 13 130 18 */
/* args: 8 128 128 19 */
/* args: 0 20 21 22 */
/* args: 9 67 35 40 */
/* args: 2 40 40 0 */
/* nightly: 8 13 130 37 */
/* nightly: 8 128 128 35 */
/* expect-gpu: 45 */
/* expect-added: 1 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 140 };
static float fa[MOST][MOST], fb[MOST][MOST], fc[MOST][MOST];
static double da[MOST * MOST], db[MOST * MOST], dc[MOST * MOST];
static int ia[MOST][MOST], ib[MOST][MOST], ic[MOST][MOST];
static long la[MOST][MOST];
static float weight[MOST];
static signed char sa[MOST][MOST], sb[MOST * MOST];
static unsigned char ua[MOST][MOST], ub[MOST * MOST];
static short ha[MOST][MOST], hb[MOST][MOST];
static _Bool ya[MOST][MOST];
static struct { unsigned char r, g, b; unsigned low : 5, high : 11; } pixels[MOST][MOST];
static const int taps[5][5] = {{1, 2, 3, 2, 1}, {2, 4, 6, 4, 2}, {3, 6, -9, 6, 3}, {2, 4, 6, 4, 2}, {1, 2, 3, 2, 1}};
static float cube[3][MOST][MOST], other[3][MOST][MOST], result[3][MOST][MOST];

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        weight[i] = (float)(i % 5) - 2;
        for (int j = 0; j < MOST; j++) {
            fa[i][j] = (float)((i * 7 + j * 3) % 11) - 5;
            fb[i][j] = (float)((i * 5 + j) % 13) - 6;
            fc[i][j] = (float)((i + j) % 3);
            da[i * MOST + j] = (i * 3 + j * 5) % 17 * 0.25;
            db[i * MOST + j] = (i + j * 2) % 7 - 3.5;
            dc[i * MOST + j] = -1;
            ia[i][j] = (i * 31 + j * 17) % 100;
            sa[i][j] = (signed char)(i * 37 + j * 11), sb[i * MOST + j] = (signed char)(i * 5 - j * 23);
            ua[i][j] = (unsigned char)(i * 3 + j * 7), ub[i * MOST + j] = (unsigned char)(255 - i * j);
            ha[i][j] = (short)(i * 301 - j * 207), hb[i][j] = (short)(j * 99 - i * 400);
            ya[i][j] = (i + j) % 3 == 0;
            pixels[i][j].r = (unsigned char)(i * j), pixels[i][j].g = (unsigned char)i, pixels[i][j].b = (unsigned char)j;
            pixels[i][j].low = (unsigned)(i + j) % 32, pixels[i][j].high = (unsigned)(i * 100 + j) % 2048;
            ib[i][j] = (i * 13 + j * 7) % 90 - 45;
            ic[i][j] = i - j;
            la[i][j] = i * j % 50;
            for (int b = 0; b < 3; b++) {
                cube[b][i][j] = (float)((b + i * 2 + j) % 9);
                other[b][i][j] = (float)((b * 2 + i + j) % 5) - 2;
                result[b][i][j] = 1;
            }
        }
    }
}

static void show(const char *name)
{
    double f = 0, d = 0, r = 0;
    unsigned long n = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            f += fc[i][j] * (i + 2 * j + 1);
            d += dc[i * MOST + j] * (2 * i + j + 1);
            n = n * 31 + (unsigned)ic[i][j] + (unsigned long)la[i][j] * 7;
            for (int b = 0; b < 3; b++)
                r += result[b][i][j] * (i + j + b + 1);
        }
    printf("%s %.10g %.10g %lu %.10g\n", name, f, d, n, r);
    fill();
}

/* Storage orders: both read along the inner loop, across it, or one of each. */
static void orders(int n, int m, int l)
{
    int i, j, k;
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            float s = 0;
            for (k = 0; k < l; k++)
                s += fa[i][k] * fb[k][j];
            fc[i][j] = s;
        }
    show("a[i][k] b[k][j]");
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            float s = fc[i][j];
            for (k = 0; k < l; k++)
                s += fa[k][i] * fb[j][k];
            fc[i][j] = s * weight[j];
        }
    show("a[k][i] b[j][k]");
#pragma omp parallel for private(i, k)
    for (j = 0; j < m; j++)
        for (i = 0; i < n; i++) {
            fc[i][j] = 0;
            for (k = 0; k < l; k++)
                fc[i][j] += fa[k][i] * fa[k][j];
        }
    show("a transposed a");
}

/* Flattened arrays behind pointers, lengths of which the compiler knows nothing. */
static void flattened(int n, int m, int l, const double *a, const double *b, double *c)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[(size_t)i * l + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
    show("rows of l and m");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int row = i * l, column = j * l;
            for (int k = 0; k < l; k++)
                c[i * m + j] += a[row + k] * b[column + k];
        }
    show("rows of l, two of them");
#pragma omp parallel for
    for (unsigned i = 0; i < (unsigned)n; i++)
        for (long j = 0; j < m; j++) {
            double s0 = 0, s1 = 1;
            for (int k = 0; k < l; k++) {
                double v = a[k + i * (unsigned)l];
                s0 += v * b[k * m + j];
                if (s0 > 20)
                    s1 += v;
            }
            c[i * (unsigned)m + j] = s0 - s1;
        }
    show("two sums");
}

/* Sums of products of doubles, which tensor cores compute: with factors, subtracted, in all orders, from floats. */
static void products(int n, int m, int l, const double *restrict a, const double *restrict b, double *restrict c, double factor)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = i == j ? -0.0 : 1;
            for (int k = 0; k < l; k++)
                sum += factor * a[k * MOST + i] * (b[j * MOST + k] - 1);
            c[i * MOST + j] = sum * 2;
        }
    show("factors");
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            c[j * MOST + i] = 0.5 * (i - j);
            for (int k = 0; k < l; k++)
                c[j * MOST + i] -= a[i * MOST + k] * b[k * MOST + j];
        }
    show("subtracted");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++) {
            const double r = factor * a[i * MOST + k], s = -r;
            for (int j = 0; j < m; j++)
                c[i * MOST + j] = s * b[k * MOST + j] + c[i * MOST + j];
        }
    show("i k j of doubles");
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = l - 1; k >= 0; k--)
                sum += (double)fa[i][k] * a[k * MOST + j];
            c[i * MOST + j] = sum;
        }
    show("down and with floats");
#pragma omp parallel for
    for (unsigned i = 0; i < (unsigned)n; i++)
        for (unsigned j = 0; j < (unsigned)m; j++) {
            double sum = 0;
            for (unsigned k = 0; k < (unsigned)l; k += 2)
                sum += a[k * MOST + i] * a[k * MOST + j];
            c[i * MOST + j] = sum;
        }
    show("a transposed a, every other one");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i * MOST + k] * b[k * MOST + j];
            ic[i][j] = sum > 100; /* no product is contracted */
        }
    show("compared");
}

static void variable(int n, int m, int l, float a[n][l], float b[l][m], float c[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                c[i][j] += a[i][k] * b[k][j];
}

/* Loops that do not begin at 0, step otherwise than by one, and go down; bounds that are not the arrays'. */
static void bounds(int n, int m, int l)
{
#pragma omp parallel for
    for (int i = n - 1; i >= 1; i--)
        for (int j = 1; j < m - 1; j += 2) {
            int s = 1;
            for (int k = l - 1; k >= 0; k -= 3)
                s += ia[i][k] * ib[k + 1][j - 1];
            ic[i][j] = s;
        }
    show("down");
#pragma omp parallel for
    for (int i = 2; i <= n; i++)
        for (int j = 3; j != m; j++) {
            long s = 0;
            for (short k = 1; k < l; k += 2)
                s = s * 3 % 1001 + ia[k - 1][i] / (ib[j][k] == 0 ? 1 : ib[j][k]) + k;
            la[i - 2][j] = s;
        }
    show("in order");
}

/* What an iteration does is more than a sum. */
static void bodies(int n, int m, int l, float limit)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const float start = weight[i] * 2;
            float best = start, sum = 0, last;
            for (int k = 0; k < l; k++) {
                float v = fa[i][k] - fb[j][k];
                v = v < 0 ? -v : v;
                if (v > best)
                    best = v;
                sum += v * weight[k] + fa[i][k];
                last = v + k;
            }
            if (l > 0 && best > limit) {
                float r = best - start;
                fc[i][j] = r + sum * last;
            }
        }
    show("best");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int least = 1 << 30, at = -1;
            for (int k = 0; k < l; k++)
                if (ia[i][k] + ib[k][j] < least) {
                    least = ia[i][k] + ib[k][j];
                    at = k;
                }
            ic[i][j] = least + at;
        }
    show("least");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int carried = i;
            for (int k = 0; k < l; k++) {
                ic[i][j] += carried;
                carried = ia[i][k] % 7 + ib[j][k] % 5;
            }
        }
    show("carried");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
#pragma omp simd
            for (int k = 0; k < l; k++)
                fc[i][j] = fc[i][j] * 0.5f + fa[k][i] * fb[k][j] * weight[k];
            fc[i][j] = -fc[i][j];
        }
    show("scaled");
}

/* A third axis, and a fourth that shares it. */
static void batched(int n, int m, int l)
{
#pragma omp parallel for collapse(3)
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float s = 0;
                for (int k = 0; k < l; k++)
                    s += cube[b][i][k] * other[b][k][j];
                result[b][i][j] = s;
            }
    show("three");
#pragma omp parallel for collapse(4)
    for (int b = 0; b < 2; b++)
        for (int e = 0; e < 2; e++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) {
                    float s = 0;
                    for (int k = 0; k < l; k++)
                        s += cube[b + e][k][i] * other[e][k][j];
                    if (b == e)
                        result[b][i][j] = s;
                }
    show("four");
}

/* Names that the kernel would like to have. */
static void names(int points, int depth, const float *rows, const float *buffer, float *stage)
{
#pragma omp parallel for
    for (int y = 0; y < points; y++)
        for (int x = 0; x < points; x++) {
            float left = 0;
            for (int d = 0; d < depth; d++)
                left += rows[y * depth + d] * buffer[d * points + x];
            stage[y * points + x] = left;
        }
}

/* The loop of the sum is not the innermost one; several loops over one range become one. */
static void exchanged(int n, int m, int l, const double *a, const double *b, double *c, float scale)
{
    int i, j, k;
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++)
        for (k = 0; k < l; k++)
            for (j = 0; j < m; j++)
                fc[i][j] += fa[i][k] * fb[k][j];
    show("i k j");
#pragma omp parallel for private(i, k)
    for (j = 0; j < m; j++)
        for (k = 0; k < l; k++) {
            const float r = scale * fb[k][j];
            for (i = 0; i < n; i++)
                fc[i][j] = fc[i][j] + fa[i][k] * r;
        }
    show("j k i");
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++)
            fc[i][j] *= scale;
        for (k = 0; k < l; k++)
            for (j = 0; j < m; j++)
                fc[i][j] += scale * fa[k][i] * fb[j][k];
    }
    show("scaled first");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            c[i * m + j] = 0;
        for (int k = 0; k < l; k++) {
            double r = a[i * l + k];
            for (int j = 0; j < m; j++)
                c[i * m + j] += r * b[k * m + j];
        }
        for (int j = 0; j < m; j++)
            c[i * m + j] += 1;
    }
    show("three loops over j");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            for (int q = k; q < l; q += 5)
                for (int j = 0; j < m; j++)
                    ic[i][j] += ia[i][k] - ib[q][j];
    show("two loops around");
    /* Those that must stay as they are. */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            for (int j = 1; j < m; j++)
                ic[i][j] += ic[i][j - 1] % 100 + ia[i][k];
    show("neighbours");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int last = 0;
        for (int k = 0; k < l; k++) {
            int r = last;
            for (int j = 0; j < m; j++) {
                ic[i][j] += ia[i][k] + r;
                last = j + k;
            }
        }
    }
    show("the last one");
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++)
            ic[i][j] = 1;
        for (int k = 0; k < l; k++) {
            int r = j + ia[i][k];
            for (j = 0; j < m; j++)
                ic[i][j] = ic[i][j] % 1000 + r;
        }
    }
    show("what j was");
}

/* Neighbouring rows read the same elements: several rows a thread. */
static void stencils(int n, int m, const double *a, double *c)
{
    float most = 0;
    int sum = 0;
#pragma omp parallel for reduction(max : most) reduction(+ : sum)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float r = 0.25f * (fa[i - 1][j] + fa[i + 1][j] + fa[i][j - 1] + fa[i][j + 1]);
            float d = r > fa[i][j] ? r - fa[i][j] : fa[i][j] - r;
            fc[i][j] = r;
            if (d > most)
                most = d;
            sum += ia[i][j] % 3;
        }
    printf("%g %d\n", most, sum);
    show("five points");
#pragma omp parallel for
    for (int i = n - 2; i >= 1; i -= 2)
        for (int j = 1; j < m - 1; j++) {
            double s = 0;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    s += a[(i + y) * MOST + j + x] * (y * 3 + x);
            c[i * MOST + j] = s;
        }
    show("nine points");
#pragma omp parallel for
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < m - 2; j++) {
            int s = 0;
            for (int y = 0; y < 5; y++)
                for (int x = 0; x < 5; x++)
                    s += taps[y][x] * ia[i + y - 2][j + x - 2];
            ic[i][j] = s;
        }
    show("a table of taps");
#pragma omp parallel for collapse(2)
    for (int b = 1; b < 2; b++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                result[b][i][j] = cube[b - 1][i][j] + cube[b + 1][i][j] - cube[b][i - 1][j] * cube[b][i + 1][j];
    show("three axes");
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            if (ia[i][j] > ia[i - 1][j] && j % 3)
                ic[i][j] = ia[i][j] - ia[i - 1][j];
    show("differences");
}

/* Integers that are int in shared memory. */
static void narrow(int n, int m, int l, const signed char *q, const unsigned char *r, int ld)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int k = 0; k < l; k++)
                s += sa[i][k] * q[k * ld + j];
            ic[i][j] = s;
        }
    show("signed char");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            unsigned s = 1;
            for (int k = 0; k < l; k++)
                s = s * 3 + (unsigned)(r[k * ld + i] * ua[j][k] + sizeof ua[j][k]);
            ic[i][j] = (int)s;
        }
    show("unsigned char");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            short last = 0;
            long s = 0;
            for (int k = 1; k < l; k++) {
                unsigned char least = (unsigned char)ha[i][k];
                last = (short)(last + hb[k][j + 1] * ~ha[i][k]);
                s += last - least + (ya[k][j] ? ha[i][k] : -hb[k][j + 1]) + (ya[k][j] == 1);
            }
            la[i][j] = s;
        }
    show("short");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += (double)ua[i][k] * db[k * ld + j];
            dc[i * ld + j] = s;
        }
    show("narrow factor");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += da[i * ld + k] * r[k * ld + j];
            dc[i * ld + j] = s;
        }
    show("another narrow factor");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int k = 0; k < l; k++)
                s += pixels[i][k].g * pixels[k][j].r + pixels[k][j].b;
            ic[i][j] = s;
        }
    show("members");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int k = 0; k < l; k++)
                s += pixels[i][k].low * pixels[k][j].high;
            ic[i][j] = s;
        }
    show("bit-fields");
}

/* More than the usual two arrays. */
static void four(int n, int m, const double *p, const double *q, double *r, double x, int ld)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                r[i * ld + j] += p[j * ld + k] * x * q[i * ld + k] + q[j * ld + k] * x * p[i * ld + k];
    show("four");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < m; k++)
                r[i * ld + j] += p[j * ld + k] * x * q[i * ld + k] + q[j * ld + k] * x * p[i * ld + k];
    show("four of a triangle");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < n; j++) { /* becomes the loop around the other one */
                const int back = m - 1 - k;
                r[i * ld + j] += p[j * ld + back] * q[k * ld + i];
            }
    show("four from behind");
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 1;
    if (atoi(argv[1]) < 9)
        setenv("OMPC_TILES", argv[1], 1);
    const int n = atoi(argv[2]), m = atoi(argv[3]), l = atoi(argv[4]);
    fill();
    orders(n, m, l);
    flattened(n, m, l, da, db, dc);
    products(n, m, l, da, db, dc, 0.5);
    variable(n, m, l, (void *)fa, (void *)fb, (void *)fc);
    show("variable");
    bounds(n, m, l);
    bodies(n, m, l, 3);
    batched(n < 70 ? n : 70, m, l);
    exchanged(n, m, l, da, db, dc, 0.5f);
    stencils(n, m, da, dc);
    names(m, l, &fa[0][0], &fb[0][0], &fc[0][0]);
    show("names");
    narrow(n, m, l, sb, ub, MOST);
    four(n, l, da, db, dc, 0.5, MOST);
    return 0;
}

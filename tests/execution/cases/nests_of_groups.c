/* Loops inside each other that the threads of a group divide as one: with bounds that one of them has long where the other
   has short ones, with statements between, in any direction; and such that are no nests. */
/* args: 6 40 */
/* args: 1 9 */
/* args: 5 64 */
/* args: 8 0 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>

#define P 300
#define B 16

struct pair { double a, b; };
static int width, pad;
static struct pair w[600];

/* one of the loops over i and k is long where the other one is short: a transform of B columns at once */
static void stage(int l, int m, int n, int columns, int pitch, struct pair x[n][pitch], struct pair y[n][pitch])
{
    int half = n / 2, many = 1 << (l - 1), few = 1 << (m - l);
    struct pair f, p, q;
    for (int i = 0; i <= few - 1; i++) {
        int from = i * many, second = from + half, to = 2 * from, other = to + many;
        if (l % 2 == 0)
            f = w[few + i];
        else
            f = (struct pair){w[few + i].b, w[few + i].a};
        for (int k = 0; k < many; k++)
            for (int j = 0; j < columns; j++) {
                p = x[from + k][j];
                q = x[second + k][j];
                y[to + k][j] = (struct pair){p.a + q.a, p.b + q.b};
                y[other + k][j] = (struct pair){f.a * (p.a - q.a) - f.b * (p.b - q.b), f.a * (p.b - q.b) + f.b * (p.a - q.a)};
            }
    }
}

static void transform(int m, int n, struct pair x[n][pad], struct pair y[n][pad])
{
    for (int l = 1; l <= m; l += 2) {
        stage(l, m, n, width, pad, x, y);
        if (l == m) {
            for (int j = 0; j < n; j++)
                for (int i = 0; i < width; i++)
                    x[j][i] = y[j][i];
            return;
        }
        stage(l + 1, m, n, width, pad, y, x);
    }
}

static void transforms(struct pair *all, int m)
{
    int n = 1 << m;
#pragma omp parallel for
    for (int r = 0; r < 40; r++) {
        struct pair s[256][B + 1], t[256][B + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < B; j++)
                s[i][j] = all[(r * n + i) * B + j];
        transform(m, n, s, t);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < B; j++)
                all[(r * n + i) * B + j] = s[i][j];
    }
}

/* by columns: the outer loop is the nearer one; downwards, in steps, from numbers below zero */
static void shapes(double *x, double *y, const double *c, int m)
{
#pragma omp parallel for
    for (int r = 0; r < P; r++) {
        double t[70][40];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < 40; j++)
                t[i][j] = x[(r * 40 + j) * 70 + i];
        for (int i = m - 1; i >= 0; i--)
            for (int j = 39; j > -1; j -= 1)
                t[i][j] += i - j;
        for (int i = -3; i < m - 3; i++) {
            double s = c[i + 3];
            for (int j = 0; j < 40; j += 2)
                t[i + 3][j] *= s;
        }
        for (unsigned i = 0; i < (unsigned)m; i++)
            for (short j = 0; j < 40; j++)
                for (long k = 0; k < 2; k++)
                    y[((r * 70 + i) * 40 + j) * 2 + k] = t[i][j] - k;
    }
}

/* no nests: bounds that move, what is handed on, what stands behind, entries that meet */
static void others(double *x, int *count, double *out, int m)
{
#pragma omp parallel for
    for (int r = 0; r < P; r++) {
        double t[70], *mine = x + r * 2800, last = 0;
        int n = m, at = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i && j < 40; j++)
                mine[i * 40 + j] += j;
        for (int i = 0; i < m; i++) {
            double s = 0;
            for (int j = 0; j < 40; j++) {
                s += mine[i * 40 + j];
                mine[i * 40 + j] = s;
            }
        }
        for (int i = 0; i < m; i++) {
            t[i] = i;
            for (int j = 0; j < 40; j++)
                mine[i * 40 + j] += t[i];
            t[i] = -1;
        }
        for (int i = 0; i < m; i++) {
            n = i % 2 ? 40 : 13;
            for (int j = 0; j < n; j++)
                mine[i * 40 + j] *= 0.5;
        }
        for (int i = 0; i < m; i++)
            for (int j = 0; j < 40; j++) {
                last = mine[i * 40 + j];
                mine[i * 40 + j] = last + 1;
            }
        for (int i = 0; i + 1 < m; i++)
            for (int j = 0; j < 40; j++)
                mine[i * 40 + j] += mine[(i + 1) * 40 + j];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < 40; j++, at++)
                count[r * 64 + (i * 3 + j) % 64]++;
        out[r] = last + n + at;
    }
}

/* an entry's own objects, and skipped entries */
static void own(double *x, int m)
{
#pragma omp parallel for
    for (int r = 0; r < P; r++)
        for (int i = 0; i < m; i++) {
            double pair[2], keep[3] = {1, 2, 3};
            if ((r + i) % 5 == 0)
                continue;
            pair[0] = i;
            for (int j = 0; j < 40; j++) {
                if (j % 7 == 3)
                    continue;
                pair[1] = j + pair[0];
                x[(r * 70 + i) * 40 + j] += pair[1] * keep[j % 3];
            }
        }
}

/* what stands between the loops reads what entries store, by its name or through another pointer */
static void seen(double *x, double *also, int m)
{
#pragma omp parallel for
    for (int r = 0; r < P; r++) {
        double t[70][40], all = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < 40; j++)
                t[i][j] = x[(r * 70 + i) * 40 + j];
        for (int i = 0; i < m; i++)
            all += t[i][1];
        for (int i = 0; i < m; i++) {
            double s = t[i][3] + all;
            for (int j = 0; j < 40; j++)
                t[i][j] += s;
        }
        for (int i = 0; i < m; i++) {
            double s = also[(r * 70 + i) * 40 + 5];
            for (int j = 0; j < 40; j++)
                x[(r * 70 + i) * 40 + j] = t[i][j] - s;
        }
    }
}

/* bounds that are set there, a sum that entries see, and a store */
static void between(double *x, int m)
{
#pragma omp parallel for
    for (int r = 0; r < P; r++) {
        double t[70][40], all = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < 40; j++)
                t[i][j] = x[(r * 70 + i) * 40 + j];
        for (int i = 0; i < m; i++)
            all += t[i][1];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < 40; j++) {
                if (j % 7 == 3)
                    continue;
                t[i][j] -= all * 0.25;
            }
        for (int i = 0; i < m; i++) {
            int n = 13 + i % 9;
            for (int j = 0; j < n; j++)
                t[i][j] += i - j;
        }
        for (int i = 0; i < m; i++) {
            double s = i;
            for (int j = 0; j < 40; j++) {
                s += t[i][j];
                t[i][j] = s;
            }
        }
        for (int i = 0; i < m; i++) {
            x[(r * 70 + i) * 40 + 1] = i;
            for (int j = 0; j < 40; j++)
                x[(r * 70 + i) * 40 + j] = t[i][j] * 0.125;
        }
        for (int i = 0; i < m; i++)
            all += x[(r * 70 + i) * 40 + 1];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < 40; j++)
                x[(r * 70 + i) * 40 + j] = t[i][j] + all;
    }
}

static double sum(const double *x, long n)
{
    double all = 0;
    for (long i = 0; i < n; i++)
        all += x[i] * (1 + i % 13);
    return all;
}

int main(int argc, char **argv)
{
    int m = argc > 1 ? atoi(argv[1]) : 6, rows = argc > 2 ? atoi(argv[2]) : 40;
    width = B;
    pad = B + 1;
    for (int i = 0; i < 600; i++)
        w[i] = (struct pair){1 - i % 3, (i % 5) * 0.25};
    struct pair *all = malloc(sizeof(struct pair) * 40 * 256 * B);
    double *x = malloc(sizeof(double) * P * 2800), *y = calloc(P * 5600, sizeof(double)), *out = calloc(P, sizeof(double));
    double c[70];
    int *count = calloc(P * 64, sizeof(int)), total = 0;
    for (int i = 0; i < 40 * 256 * B; i++)
        all[i] = (struct pair){i % 17, i % 7};
    for (int i = 0; i < P * 2800; i++)
        x[i] = i % 19;
    for (int i = 0; i < 70; i++)
        c[i] = i % 4 - 1;
    transforms(all, m);
    printf("%.12g\n", sum(&all[0].a, 2l * 40 * B << m));
    shapes(x, y, c, rows);
    printf("%.12g\n", sum(y, P * 5600));
    others(x, count, out, rows);
    own(x, rows);
    for (int i = 0; i < P * 64; i++)
        total += count[i] * (i % 5);
    printf("%.12g %.12g %d\n", sum(x, P * 2800), sum(out, P), total);
    seen(x, y, rows);
    seen(y, y, rows);
    between(y, rows);
    printf("%.12g %.12g\n", sum(x, P * 2800), sum(y, P * 5600));
    return 0;
}

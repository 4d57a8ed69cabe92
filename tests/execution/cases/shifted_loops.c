/* Loops of an iteration that hand elements on are one loop, each some iterations behind the one before, or not. */
/* args: 40 7 */
/* args: 9 2 */
/* args: 4 0 */
/* args: 4 2 */
/* args: 2 1 */
/* args: 1 9 */
/* args: 0 3 */
/* expect-gpu: 18 */
/* expect-added: 2 */
#include <stdio.h>
#include <stdlib.h>
#define N 44
#define ROWS 60

static long g[ROWS][N], h[ROWS][N][3], seen[ROWS];
static int f[ROWS][N];

static void fill(void)
{
    for (int i = 0; i < ROWS; i++) {
        seen[i] = i;
        for (int j = 0; j < N; j++) {
            g[i][j] = (i * 7 + j * 3) % 101;
            f[i][j] = (i + j * 5) % 13;
            for (int m = 0; m < 3; m++)
                h[i][j][m] = (i * 3 + j * 5 + m) % 97;
        }
    }
}

static void show(const char *what)
{
    unsigned long sum = 0;
    for (int i = 0; i < ROWS; i++) {
        sum = sum * 31 + (unsigned long)seen[i];
        for (int j = 0; j < N; j++)
            sum = (sum * 31 + (unsigned long)(g[i][j] + f[i][j])) * 31
                  + (unsigned long)(h[i][j][0] + h[i][j][1] * 3 + h[i][j][2] * 5);
    }
    printf("%s %lu\n", what, sum);
    fill();
}

/* elimination line by line: what the factors are made of, the factors, two rows ahead; the last rows; and back */
static void solver(int n)
{
    double u[N], rho[N], lhs[N][5];
    int i, i1, i2, m;
    double fac;
#pragma omp parallel for private(u, rho, lhs, i, i1, i2, m, fac)
    for (int k = 0; k < ROWS; k++) {
        for (m = 0; m < 5; m++) {
            lhs[0][m] = 0;
            lhs[n + 1][m] = 0;
        }
        lhs[0][2] = 1;
        lhs[n + 1][2] = 1;
        for (i = 0; i <= n + 1; i++) {
            u[i] = 0.25 * f[k][i];
            rho[i] = u[i] < 1 ? 1 : u[i];
        }
        for (i = 1; i <= n; i++) {
            lhs[i][0] = 0;
            lhs[i][1] = -0.5 * u[i - 1] - 0.125 * rho[i - 1];
            lhs[i][2] = 4 + rho[i];
            lhs[i][3] = 0.5 * u[i + 1] - 0.125 * rho[i + 1];
            lhs[i][4] = 0;
        }
        i = 1;
        lhs[i][2] = lhs[i][2] + 5;
        lhs[i + 1][1] = lhs[i + 1][1] - 4;
        for (i = 3; i <= n - 2; i++) {
            lhs[i][0] = lhs[i][0] + 0.5;
            lhs[i][4] = lhs[i][4] + 0.25;
        }
        for (i = 0; i <= n - 1; i++) {
            i1 = i + 1;
            i2 = i + 2;
            fac = 1 / lhs[i][2];
            lhs[i][3] = fac * lhs[i][3];
            lhs[i][4] = fac * lhs[i][4];
            for (m = 0; m < 3; m++)
                h[k][i][m] = (long)(fac * 16 * h[k][i][m]);
            lhs[i1][2] = lhs[i1][2] - lhs[i1][1] * lhs[i][3];
            lhs[i1][3] = lhs[i1][3] - lhs[i1][1] * lhs[i][4];
            for (m = 0; m < 3; m++)
                h[k][i1][m] = h[k][i1][m] - (long)(2 * lhs[i1][1]) * h[k][i][m] % 1009;
            lhs[i2][1] = i < n - 1 ? lhs[i2][1] - lhs[i2][0] * lhs[i][3] : 0;
            for (m = 0; m < 3; m++)
                h[k][i2][m] = h[k][i2][m] - (long)(4 * lhs[i][4]) * h[k][i][m] % 997;
        }
        i = n;
        fac = 1 / lhs[i][2];
        for (m = 0; m < 3; m++)
            h[k][i][m] = h[k][i][m] - (long)(fac * 64);
        for (i = n - 1; i >= 0; i--)
            for (m = 0; m < 3; m++)
                h[k][i][m] = h[k][i][m] - (long)(lhs[i][3] * 8) * h[k][i + 1][m] % 101;
    }
    show("solver");
}

/* statements for single elements, at places that may be one */
static void single(int n, int k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long d[N], v[N][2], last[N];
        int j, at;
        for (j = 0; j < N; j++) {
            d[j] = f[i][j];
            v[j][0] = v[j][1] = j;
            last[j] = 0;
        }
        d[0] = 1;
        d[n] = 2;
        d[0] = d[0] * 3;
        d[n] = d[n] + 5;
        at = n + 1;
        d[at] = 7 - d[at - 1];
        v[at][1] = d[at] * 2;
        for (j = 1; j <= n + 1; j++)
            d[j] = (d[j] + d[j - 1] * 2) % 1009;
        d[n + 1] = d[n + 1] + 4;
        d[k] = d[k] * 2;
        if (k > 3) {
            d[n] = d[n] - 1;
            d[k] += 3;
        }
        v[3][0] = 8;
        for (j = 1; j < N; j++)
            last[j] = (last[j - 1] * 3 + d[j - 1] + v[j][0] - v[j][1]) % 1013;
        for (j = 0; j < N; j++)
            g[i][j] = last[j];
        seen[i] += d[n] + v[n + 1][1] + last[k];
    }
    show("single");
}

/* places of which no form is known */
static void places(int n, unsigned x, unsigned y, long z)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N];
        int j;
        for (j = 0; j < N; j++)
            v[j] = f[i][j] * 2;
        v[(int)(x * 2u)] = 5;
        v[(int)(y * 2u)] = 7;
        v[(int)(x * 2u)] *= 3;
        v[z] = 8;
        for (j = 2; j < z; j++)
            g[i][j] = (g[i][j] + v[j - 2] + g[i][j - 1] * 2) % 1009;
        for (j = 2; j < n; j++)
            h[i][j][0] = (v[j] + v[j - 1]) % 1009;
        seen[i] += v[z] + v[(int)(x * 2u)];
    }
    show("places");
}

/* rows of columns, narrow elements, conditions around loops, elements of which few are used behind */
static void shapes(int n, int k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long w[3][N];
        unsigned char bytes[N];
        float single[N];
        if (i != 7) {
            for (int j = 0; j < N; j++) {
                w[0][j] = g[i][j];
                w[1][j] = j;
                w[2][j] = 0;
                bytes[j] = (unsigned char)(f[i][j] * 50);
                single[j] = 0.1f * j;
            }
            for (int j = 1; j < n; j++) {
                w[2][j] = (w[2][j - 1] + w[0][j + 1] * 2 + w[1][j - 1]) % 1009;
                bytes[j] = (unsigned char)(bytes[j] + bytes[j - 1]);
            }
            if (k > 2)
                for (int j = 2; j <= n - 1; j++) {
                    single[j] = single[j - 1] / 3 + bytes[j];
                    g[i][j] = (g[i][j] + (long)single[j + 1] + w[2][j]) % 997;
                }
            if (i > 4)
                for (int j = 1; j < n; j++)
                    h[i - 4][j][0] = (h[i - 4][j][0] + bytes[j]) % 997;
            seen[i] += w[2][n] + (n > 2 ? w[1][n - 3] : 0);
            if (n > 3)
                seen[i] += w[0][n - 4] * 3 + bytes[n - 4];
        }
    }
    show("shapes");
}

/* a row that only some iterations have */
static void guarded(int n)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N];
        int j;
        for (j = 0; j < n; j++)
            v[j] = f[i][j] * 2;
        if (i > 0)
            for (j = 1; j < n; j++)
                g[i - 1][j] = (g[i - 1][j] + v[j - 1] - g[i - 1][j - 1]) % 1009;
    }
    show("guarded");
}

/* a place behind a row, which is one of the row behind it, and rows that are not there */
static void beside(int n, int m, int far)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long w[2][N], z[N + 8];
        int j;
        for (j = 0; j < N; j++) {
            w[0][j] = f[i][j];
            w[1][j] = f[i][j] * 2 + 1;
        }
        for (j = 0; j < N + 8; j++)
            z[j] = j;
        for (j = 1; j < N + 8; j++)
            z[j] = (z[j] + z[j - 1] * 2) % 1009;
        for (j = 1; j < N; j++)
            g[i][j] = (g[i][j] + w[0][j - 1] * 2) % 1009;
        if (m < N)
            seen[i] += w[0][m];
        for (j = 0; j < N; j++)
            seen[i] += w[1][j] * j + z[j + 8];
        seen[i] += w[1][0];
    }
    show("beside");
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N];
        int j;
        for (j = 0; j < n; j++)
            v[j] = f[i][j] * 2;
        if (far < 1)
            for (j = 1; j < n; j++)
                g[i + far][j] = (g[i + far][j] + v[j - 1] - g[i + far][j - 1]) % 1009;
    }
    show("far");
}

/* bounds that are not known, of loops without iterations too; the last one begins elsewhere */
static void bounds(int n, int from, int m)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N], d[N];
        int j;
        for (j = 0; j < n; j++)
            v[j] = f[i][j] * 3;
        for (j = 1; j < n; j++)
            g[i][j] = (g[i][j] + v[j - 1] + g[i][j - 1]) % 1009;
        for (j = from; j < n; j++) {
            d[j] = v[j];
            g[i][j] = (g[i][j] + d[j] * 7) % 1009;
        }
        for (j = 1; j < m; j++)
            h[i][j][0] = (h[i][j - 1][0] + g[i][j]) % 1009;
    }
    show("bounds");
}

/* what stands between the loops and comes behind them; variables of one loop, and of each iteration */
static void late(int n)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N], r = i, s = 1, t;
        int j;
        for (j = 0; j < N; j++)
            v[j] = f[i][j];
        seen[i] += 4;
        for (j = 1; j < n; j++) {
            t = v[j] * 3;
            v[j] = (v[j - 1] + t) % 1009;
            r = (r * 3 + v[j]) % 1009;
        }
        for (j = 0; j < 3; j++)
            h[i][j][2] += i;
        for (j = 2; j < n; j++) {
            t = v[j - 1] + 1;
            g[i][j] = (g[i][j - 1] + t) % 1013;
            s += v[j - 2];
        }
        seen[i] += r * 5 + s;
    }
    show("late");
}

/* what stands between loops is what the later ones go on from */
static void between(int n)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N], r = i;
        for (int j = 0; j < N; j++)
            v[j] = f[i][j];
        for (int j = 1; j < n; j++) {
            v[j] = (v[j - 1] + v[j] * 2) % 1009;
            r = (r * 3 + v[j]) % 1009;
        }
        long all = f[i][1] + 2;
        for (int j = 2; j < n; j++)
            g[i][j] = (g[i][j - 1] + v[j - 2] * all) % 1013;
        seen[i] += r;
    }
    show("between");
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N], r = i;
        for (int j = 0; j < N; j++)
            v[j] = f[i][j];
        for (int j = 1; j < n; j++) {
            v[j] = (v[j - 1] + v[j] * 2) % 1009;
            r = (r * 3 + v[j]) % 1009;
        }
        v[2] = r % 7;
        for (int j = 2; j < n; j++)
            g[i][j] = (g[i][j - 1] + v[j - 2]) % 1013;
    }
    show("plain");
}

/* the counter of a loop is wanted behind it */
static void counter(int n)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N];
        int j, q;
        for (j = 0; j <= n; j++)
            v[j] = f[i][j] * 2;
        for (q = 1; q < n; q++)
            g[i][q] = (g[i][q] + v[q] - g[i][q - 1]) % 1009;
        seen[i] += j;
    }
    show("counter");
}

/* a subscript has another value in a part of a statement than where that begins */
static void values(int n, int k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N], d[N];
        int j, q;
        for (j = 0; j < N; j++) {
            v[j] = f[i][j] * 2;
            d[j] = j;
        }
        for (j = 2; j < n; j++) {
            q = j;
            if (f[i][j] % 3) {
                q = j - 1;
                g[i][j] = v[q];
            }
            d[j] = (d[j - 1] + v[j]) % 1009;
        }
        for (j = 2; j < n; j++) {
            q = j;
            g[i][j] += (q = j - 1, v[q]) + d[q];
            d[j] = (d[j - 1] + v[j]) % 1009;
        }
        for (j = 2; j < n; j++) {
            q = j;
            g[i][j] += v[q];
            for (q = j - 2; q < k; q++)
                g[i][j] += v[q];
            d[j] = (d[j - 1] + v[j]) % 1009;
        }
        q = 3;
        seen[i] += v[q] + 1;
        seen[i] += (q = 5, v[q]);
        seen[i] += v[q] * 3 + d[2];
    }
    show("values");
}

/* elements that lie elsewhere in an array of which some are in variables */
static void elsewhere(int n, int k)
{
    long v[N][2];
    int j;
#pragma omp parallel for private(v, j)
    for (int i = 0; i < ROWS; i++) {
        for (j = 0; j < n; j++)
            v[j][0] = f[i][j] * 2;
        for (j = 2; j < n; j++)
            g[i][j] = (g[i][j] + v[j - 2][0] + g[i][j - 1]) % 1009;
        v[i % N][1] = i;
        seen[i] += v[(i + k * N) % N][1];
    }
    show("elsewhere");
}

/* arrays that have values before the loops, or are wanted behind them */
static void not_own(int n)
{
    long given[N], last[N];
    for (int j = 0; j < N; j++)
        given[j] = j * 3;
#pragma omp parallel for firstprivate(given) lastprivate(last)
    for (int i = 0; i < ROWS; i++) {
        long v[N] = {5, 6, 7}, w[N];
        int j, q;
        for (q = 0; q < N; q++)
            w[(q * 7 + i) % N] = q;
        for (q = 0; q < N; q++)
            w[(q * 5) % N] = w[q] % 3 + q;
        for (j = 2; j < n; j++) {
            v[j] = f[i][j] * 2;
            last[j] = i + given[j];
        }
        for (j = 0; j < N; j++)
            last[j] = j < 2 || j >= n ? j : last[j] + 1;
        for (j = 2; j < n; j++)
            g[i][j] = (g[i][j] + v[j - 2] + given[j - 2] + w[j - 1] + g[i][j - 1]) % 1009;
        for (j = 2; j < n; j++)
            w[j] = w[j] + w[j - 1] % 11 + last[j - 1];
        for (j = 2; j < n; j++)
            h[i][j][1] = w[j];
    }
    for (int j = 0; j < N; j++)
        seen[0] += last[j] * j;
    show("not_own");
}

/* a loop that does not always use the element, and begins before the array */
static void not_always(int n, int from)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N], x;
        int j;
        for (j = 0; j < N; j++)
            v[j] = f[i][j] * 2;
        for (j = from; j < n; j++) {
            x = j >= 1 ? (v[j] = v[j - 1] + 3) : 7;
            if (j > 0)
                g[i][j] = x;
            else
                seen[i]++;
        }
    }
    show("not_always");
}

/* pointers that may lead to one row; a row that two loops change */
static void rows(int n, long *p, long *q)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N];
        int j;
        for (j = 1; j < n; j++)
            v[j] = p[i * N + j + 1] * 2;
        for (j = 2; j < n; j++)
            q[i * N + j] = (v[j - 1] + q[i * N + j - 1]) % 1009;
        for (j = 1; j < n; j++)
            v[j] = p[i * N + j + 2];
        for (j = 2; j < n; j++)
            q[i * N + j] = (v[j - 1] + q[i * N + j - 1] * 3) % 1009;
    }
    show("rows");
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
        long v[N];
        int j;
        for (j = 0; j < N; j++)
            v[j] = f[i][j];
        for (j = 1; j < n; j++)
            g[i][j] = (g[i][j - 1] + v[j - 1]) % 1009;
        for (j = 1; j < n; j++)
            g[i][j + 1] = (g[i][j + 1] + v[j + 1] * 3 + g[i][j]) % 1009;
        for (j = 0; j < n; j++)
            v[j] = g[i][j + 2];
        for (j = 1; j < n; j++)
            h[i][j][1] = (h[i][j - 1][1] + v[j]) % 1009;
    }
    show("changed");
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 20;
    const int k = argc > 2 ? atoi(argv[2]) : 5;
    fill();
    solver(n);
    single(n, k);
    places(n, (unsigned)k, (unsigned)n / 2, k + 9);
    shapes(n, k);
    guarded(n);
    beside(n, N, 100000000);
    beside(n, n, 0);
    bounds(n, n + 3, n - 2);
    bounds(n, k, k);
    bounds(n, 1, -2147483647 - 1);
    late(n);
    between(n);
    counter(n);
    values(n < 3 ? 3 : n, k);
    elsewhere(n, k);
    not_own(n);
    not_always(n, k - 5);
    rows(n, &g[0][0], &g[0][0]);
    rows(n, &g[0][0], &h[0][0][0]);
    return 0;
}

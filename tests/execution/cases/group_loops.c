/* Groups of threads that share an iteration with its loops, of which some store: several loops one after the other, each of which
   reads what the one before has stored; triangles; loops that others repeat; statements between them, before and behind; sums
   that the next loop needs; conditions; loops that count down, by strides, in other types; several axes; and loops that must stay
   alone, since entries depend on each other or change the bounds. */
/* args: 0 37 53 */
/* args: 1 37 53 */
/* args: 2 33 70 */
/* args: 8 31 100 */
/* args: 32 40 129 */
/* args: 64 17 200 */
/* args: 256 9 300 */
/* args: 256 1 300 */
/* args: 64 40 0 */
/* expect-gpu: 17 */
/* rtol: 1e-11 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, M = 320 };
static double a[N][M], b[N][M], c[M][M], d[N][N], v[N], w[N];
static float f[N][M];
static int k1[N][M], k2[N], on[N], top[N + 1];
static unsigned char bytes[N][M];
static struct pair { double x, y; } p[N][M];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            a[i][j] = 1 + (i * 7 + j * 3) % 11;
            b[i][j] = (i + j) % 5;
            f[i][j] = (i * 3 + j) % 7;
            k1[i][j] = (i * 13 + j * 5) % 17;
            bytes[i][j] = (i * 31 + j * 7) % 251;
            p[i][j].x = i % 3;
            p[i][j].y = j % 4;
        }
        for (int j = 0; j < N; j++)
            d[i][j] = (i + 2 * j) % 9;
        v[i] = i % 6;
        w[i] = 0;
        k2[i] = 0;
        on[i] = i % 3 != 1;
        top[i + 1] = (i * 29) % M;
    }
    memset(c, 0, sizeof c);
}

static double half(double x) { return x * 0.5 + 1; }

static void in_sequence(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* what the next loop reads is what the one before has stored, of other entries */
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] * 2 + i;
        for (int j = 1; j < m; j++)
            a[i][j] = b[i][j - 1] + b[i][m - j];
        if (m > 0)
            v[i] = a[i][m - 1] + b[i][0];
        for (int j = 0; j < m; j++)
            b[i][j] += v[i];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* a statement before stores what the loop reads, one behind reads it and stores */
        f[i][0] = i;
        for (int j = 1; j < m; j++)
            f[i][j] += f[i][0];
        if (m > 1)
            f[i][0] = f[i][1] + f[i][m - 1];
        for (int j = 1; j < m; j++)
            f[i][j] -= f[i][0];
        if (m > 0)
            f[i][m - 1] = 3;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* a sum, then what is made with it; integers, whose order does not matter */
        int s = 0, most = -1;
        for (int j = 0; j < m; j++) {
            s += k1[i][j];
            most = k1[i][j] > most ? k1[i][j] : most;
        }
        for (int j = 0; j < m; j++)
            k1[i][j] = k1[i][j] * most - s;
        k2[i] = s;
    }
}

static void triangles(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            d[i][j] *= 0.25;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                d[i][j] += a[i][k] * b[j][k];
    }
    #pragma omp parallel for
    for (int i = 0; i < m; i++) /* each pair is written twice, by one iteration */
        for (int j = i; j < m; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[k][i] * a[k][j];
            c[i][j] = s;
            c[j][i] = s / 2;
        }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) /* rows of lengths that stand in memory */
        for (int j = top[i]; j < top[i + 1]; j++)
            b[i][j] += i;
}

static void conditions(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (!on[i])
            continue;
        double factor = v[i] + 1;
        for (int j = 0; j < m; j++) {
            if (j % 3 == 0)
                continue;
            a[i][j] *= factor;
        }
        if (i % 2) {
            for (int j = 0; j < m; j++)
                b[i][j] = half(a[i][j]);
        } else {
            factor = 7;
            for (int j = 0; j < m; j++)
                p[i][j].x += factor;
        }
        w[i] = factor;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double last = 0;
        for (int j = m - 1; j >= 0; j -= 2) {
            double t = a[i][j] + last;
            f[i][j] = t;
        }
        for (unsigned char j = 1; j < 70; j += 3)
            bytes[i][j] += 5;
        for (size_t j = 0; j < (size_t)m; j++)
            p[i][j].y = p[i][j].x - j;
        last = m > 3 ? a[i][3] : 1;
        for (int j = 0; j < m; j++)
            k1[i][j] += (int)last;
    }
}

static void axes(int n, int m)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int q = 0; q < 3; q++) {
            int s = 0;
            for (int j = q; j < m; j += 3)
                s += k1[i][j];
            for (int j = q; j < m; j += 3)
                k1[i][j] = s - j;
        }
    #pragma omp parallel for collapse(2)
    for (int q = 0; q < 2; q++)
        for (int i = n - 1; i >= 0; i--) {
            for (int j = q * 160; j < 160 + q * 160; j++)
                bytes[i][j] = bytes[i][j] * 2 + q;
            for (int j = q * 160; j < 159 + q * 160; j++)
                f[i][j] = bytes[i][j + 1];
        }
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] - b[i][j];
        for (int j = 0; j < m; j++)
            s += b[i][j];
        sum += s;
    }
    printf("sum %.12g\n", sum);
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j] + 1;
            for (int j = 0; j < m; j++)
                b[i][j] = a[i][m - 1 - j];
        }
        #pragma omp for
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++)
                d[i][j] = v[i] + j;
            v[i] = d[i][0];
        }
    }
}

/* Entries that depend on each other, and a loop that changes its end. */
static void alone(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++)
            a[i][j] += a[i][j - 1];
        for (int j = 0; j < m; j++)
            b[i][j * 7 % 300] = j;
        for (int j = 0; j < m; j++)
            f[i][m / 2] += j;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        k2[i] = 100 + i;
        for (int j = 0; j < k2[i]; j++)
            k2[i] = 90 + i;
        on[i] = 60;
        for (int j = 0; j < on[i]; j++)
            on[i] -= j % 2;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double before = 0;
        for (int j = 0; j < m; j++) {
            p[i][j].x = before;
            before = p[i][j].y;
        }
        w[i] = before;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j;
        for (j = 0; j < m; j++)
            bytes[i][j]++;
        w[i] += j;
    }
}

static void show(const char *what)
{
    double s = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            s += (a[i][j] + 2 * b[i][j] + 3 * f[i][j] + 5.0 * k1[i][j] + 7.0 * bytes[i][j] + 11 * p[i][j].x + 13 * p[i][j].y)
                 * (1 + (i * 3 + j) % 29);
        for (int j = 0; j < N; j++)
            s += 17 * d[i][j] * (1 + (i + j * 5) % 23);
        s += 19 * v[i] + 23 * w[i] + 29.0 * k2[i] + 31.0 * on[i] * (i % 7);
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            s += c[i][j] * (1 + (i * 2 + j) % 19);
    printf("%s %.12g\n", what, s);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    if (atoi(argv[1]) != 0)
        setenv("OMPC_LANES", argv[1], 1);
    int n = atoi(argv[2]), m = atoi(argv[3]);
    fill();
    in_sequence(n, m);
    show("in sequence");
    triangles(n, m);
    show("triangles");
    conditions(n, m);
    show("conditions");
    axes(n, m);
    show("axes");
    alone(n, m);
    show("alone");
    return 0;
}

/* Functions that return values, and fill arrays or variables of an iteration: what they name makes more loops axes, or
   shared; each call is done before the rest of its expression only where nobody can tell. */
/* args: 70 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 12 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define W 40

static double w[W][W][6], pos[3 * W], g[W * W], f[W];
static long k[W][W], counts[W];
static int calls;

/* The distance, and its parts. */
static double dist(int nd, const double r1[], const double r2[], double dr[])
{
    double d = 0.0;
    int i;
    for (i = 0; i < nd; i++) {
        dr[i] = r1[i] - r2[i];
        d = d + dr[i] * dr[i];
    }
    d = sqrt(d);
    return d;
}

static float parts(double a, double b, double *x, double *y)
{
    *x = a - b;
    *y = a + b;
    if (*x > 5)
        return 1.3;
    if (*x < -5) {
        *y = 0;
        if (*y > a)
            return 2;
        else
            return a;
    }
    return *x * *y;
}

static double row(double r[6], double v)
{
    double s = 0;
    for (int q = 0; q < 6; q++) {
        r[q] += v;
        s += r[q];
    }
    return s;
}

static long next(long *state) { *state = *state * 25 % 97 + 1; return *state; }
static long twice(long x, long *y) { long old = *y; *y = x; if (x % 3 == 0) return old; x *= 2; return x + *y; }
static int only_odd(int x, int *y) { if (x % 2) { *y = x; return 1; } *y = 0; return 0; }
static long found(const long *x, int n, long *at) { *at = -1; for (int q = 0; q < n; q++) if (x[q] % 7 == 3) { *at = q; return x[q]; } return n; }
static long add(long *x, long by) { x[0] += by; return x[0] * 2; }
static void early(int c, long *y) { *y = 3; if (c < 5) return; *y = c; if (c % 2) { *y += 1; return; } *y *= 2; }

static void show(const char *what)
{
    double sum = 0;
    long all = 0;
    for (int i = 0; i < W * W; i++)
        sum += g[i] * (i % 11), all = (all * 3 + k[i / W][i % W]) % 1000003;
    for (int i = 0; i < W; i++)
        sum += f[i] * (i % 5) + w[i][i % 7][3], all += counts[i] * i;
    printf("%s %.10g %ld\n", what, sum, all);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? (atoi(argv[1]) < W ? atoi(argv[1]) : W) : 33;
    int i, j;
    double d, x, y, z, r[3], e = 0;
    long state, t;
    for (i = 0; i < 3 * W; i++)
        pos[i] = i * 79 % 23 * 0.5;
    for (i = 0; i < W * W; i++)
        k[i / W][i % W] = i * 31 % 17;
    /* An array that the function fills; a pointer plus a number. */
    #pragma omp parallel for private(i, j, d, r)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            d = dist(3, pos + i * 3, pos + j * 3, r);
            g[i * W + j] = d + r[0] * r[2];
        }
    show("filled");
    /* A sum over that: lanes share the loop. */
    #pragma omp parallel for private(i, j, d, r) reduction(+ : e)
    for (i = 0; i < n; i++) {
        double sum = 0;
        for (j = 0; j < n; j++)
            if (i != j) {
                d = dist(3, pos + i * 3, pos + j * 3, r);
                sum += r[1] / (d + 1);
                e += d;
            }
        f[i] = sum;
    }
    printf("%.10g\n", e);
    show("summed");
    /* Variables by their addresses; returns in branches; a value that is rounded to float, also where it is thrown away. */
    #pragma omp parallel for private(i, j, d, x, y)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            d = parts(pos[i], pos[2 * j], &x, &y);
            g[i * W + j] += d + x * y;
            parts(y, d, &x, &d);
            g[i * W + j] -= x + d;
        }
    show("by address");
    #pragma omp parallel for private(i, j, d, x, y)
    for (i = 0; i < n; i++) {
        double sum = 0;
        for (j = 0; j < n; j++) {
            x = 3;
            d = parts(pos[i], pos[j], &x, &y) / (1 + j) + 2;
            sum += d + x - y;
        }
        f[i] += sum;
    }
    show("of entries");
    /* Rows, which the function adds to. */
    #pragma omp parallel for private(i, j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            g[i * W + j] += row(w[i][j], pos[i] + j);
    show("rows");
    #pragma omp parallel for private(i, j)
    for (i = 0; i < n; i++) {
        double s = 0;
        for (j = 0; j < n; j++) {
            double v;
            v = row(w[i][j], j);
            s += v;
        }
        f[i] += s;
    }
    show("rows and sums");
    /* What goes on from call to call is in order. */
    #pragma omp parallel for private(i, j, state, t)
    for (i = 0; i < n; i++) {
        state = i;
        for (j = 0; j < n; j++) {
            k[i][j] += next(&state) * 2 + j;
            t = j;
            k[i][j] ^= twice(k[i][j], &t) + next(&state);
            k[i][j] += t;
        }
    }
    show("from call to call");
    /* Only for some values: a call behind && and in branches; in a condition. */
    #pragma omp parallel for private(i, j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            int odd = 7, other = 5;
            if (j % 3 && only_odd(i + j, &odd))
                k[i][j] += odd;
            if (only_odd(k[i][j] % 100, &other))
                k[i][j] -= other;
            else if (only_odd(i, &other))
                k[i][j] += other * 3;
            k[i][j] += i > j ? only_odd(i - j, &odd) : odd;
            k[i][j] += odd + other;
        }
    show("some");
    /* A return in a loop: the function stays one. */
    #pragma omp parallel for private(i, j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            long at;
            g[i * W + j] += found(k[i], j, &at);
            g[i * W + j] -= at;
        }
    show("found");
    /* What the function changes is what its value is added to. */
    #pragma omp parallel for private(i, j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            long own[2] = {i, j};
            own[0] += add(own, j);
            k[i][j] += own[0] + own[1];
        }
    show("itself");
    /* Arguments that are calls; a name of the function's that the loop has. */
    #pragma omp parallel for private(i, j, d, x, y, z)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            long old = i, s = j;
            x = parts(parts(i, j, &d, &z), j - i, &d, &y) + z;
            k[i][j] += twice(old, &s) + old * s + x + y;
        }
    show("arguments");
    /* Nothing is returned, early. */
    #pragma omp parallel for private(i, j, t)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            early(i * j % 13, &t);
            k[i][j] += t;
            if (i == 3)
                early(j, &t);
            k[i][j] += t;
        }
    show("early");
    return calls;
}

/* Statements between launches that write one element, which are launched, too: pivots, borders, counters, members; and those that are not. */
/* args: 40 9 */
/* args: 3 2 */
/* args: 1 1 */
/* args: 40 0 */
/* expect-gpu: 7 */
/* expect-added: 16 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64
#define AT(m, i, j) m[(i) * N + (j)]
#define CLEARED(m, k) m[k] = 0; m[(k) + 1]

static double u[N][N], v[N], total[4];
static unsigned char marks[N];
static int calls, counts[N];
typedef struct { float weight; struct { short n[3]; } in; unsigned bits : 5; } Parameter;
static Parameter parameters[N];
static volatile double seen[N];

static double clamped(double x) { return x < -1 ? -1 : x > 1 ? 1 : x; }
static double counted(double x) { calls++; return x + calls; }

static void factorise(int n, double a[n][n])
{
    for (int k = 0; k < n; k++) {
        a[k][k] = sqrt(a[k][k]);
        #pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
        #pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i][j] -= a[i][k] * a[j][k];
    }
}

static void borders(double *x, int n)
{
    x[0] = x[n - 1] / 2;
    x[n - 1] = x[n / 2];
}

static void steps(int n, int turns, double *m, double *w, Parameter *p)
{
    double last = 0, *q = w + 1;
    int at = 0, column[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    for (int t = 0; t < turns; t++) {
        double norm = 0;
        #pragma omp parallel for reduction(+ : norm)
        for (int i = 0; i < n; i++)
            norm += AT(m, i, t % n) * w[i];
        w[0] = w[n - 1];
        v[t] = norm + t;
        AT(m, 0, 0) += clamped(norm) - w[0];
        counts[t % 5]++;
        marks[(unsigned char)(t + 250) % N] += 200;
        p[t].weight -= 0.5f * p[t].in.n[t % 3];
        p[t].in.n[1] = (short)(t * 30000);
        p[t].bits += 9;
        if (t % 3)
            w[t % n] = v[t] > 2 ? u[t][1] : norm;
        else
            q[-1] = 2;
        switch (t % 4) {
        case 1:
            w[n / 2] *= 3;
            break;
        default:
            w[column[t % 8] % n] = t;
        }
        if (t > 6)
            goto next;
        u[t][t] = sizeof(double[t + 1]) + last;
        for (int k = 0; k < 3; k++)
            total[k] = k; /* a loop */
        w[at++ % n] = 1;
        v[t] = last = norm;
        seen[t] = norm;
        v[0] = counted(v[0]);
        v[1] = 1, v[2] = 2;
        v[3] = 1; v[4] = 2;
        CLEARED(v, 5) = 3;
        if (t % 2) v[6] = t;
        *q = t;
next:
        total[t % 4] += v[t] * w[0];
        #pragma omp parallel for
        for (int i = 0; i < n; i++) {
            w[i] = w[i] * 0.75 + AT(m, i, 0) + v[i] + marks[i] + counts[i % 5] + p[i].weight + p[i].in.n[1] + p[i].bits;
            u[i][i % 2] += w[i] + total[i % 4];
        }
        borders(w, n);
        last += w[t % n] > 1000;
    }
}

/* Launches come seldom: the host would ask more often than it launches. */
static void seldom(int n, int turns)
{
    for (int t = 0; t < turns * n; t++) {
        counts[t % 7] += t;
        if (t % n)
            continue;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            v[i] += counts[i % 7] % 3;
    }
    for (int t = 0; t < turns; t++) {
        v[t] += t;
        for (int i = 0; i < 7; i++)
            counts[i] += t;
        if (t == 3)
            factorise(1, (double (*)[1])v);
    }
}

/* Nothing comes round to it: it stays. */
static void once(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] += u[i][0];
    v[0] = 1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] *= 2;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), turns = atoi(argv[2]);
    double (*a)[n] = malloc(sizeof(double[n][n])), *m = malloc(N * N * sizeof *m), *w = malloc((n + 8) * sizeof *w), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i == j ? n + 1 : 1.0 / (1 + i + j);
    for (int i = 0; i < N * N; i++)
        m[i] = i % 19 / 19.0;
    for (int i = 0; i < n + 8; i++)
        w[i] = i % 5;
    for (int i = 0; i < N; i++)
        parameters[i] = (Parameter){i * 0.25f, {{i, 2 * i, 3 * i}}, i % 32};
    factorise(n, a);
    steps(n, turns, m, w, parameters);
    seldom(n, turns);
    once(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            sum += a[i][j] * (1 + (i + j) % 3);
    for (int i = 0; i < n; i++)
        sum += w[i] + 3 * v[i] + u[i][0] + 2 * u[i][i] + marks[i] + parameters[i].weight + parameters[i].in.n[1] + parameters[i].bits;
    printf("%.10g %g %g %d %d %g\n", sum, total[0], total[3], counts[0], calls, seen[0]);
    free(a);
    free(m);
    free(w);
    return 0;
}

/* Iterations that end the program for one reason, all of them or none: the host asks before the launch. Loops that are left
   where they would end anyway, functions that return in the last loop, and others of which none of that is so. */
/* args: 0 9 */
/* args: 1 8 */
/* args: 2 9 */
/* args: 3 7 */
/* args: 4 9 */
/* args: 5 1 */
/* expect-gpu: 6 */
/* expect-host: OMPC355 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

#define M 24
#define N 150

struct table { double most; int least; };
static struct table table = {12.5, 1};
static double limits[4] = {20, 12, 3, 1};
static int bounds[3];
static double u[4096], v[4096], row[N][M];

static void check(int n, int way)
{
    int most = (int)limits[0];
    if ((way != 1 && way != -1) || n < table.least || n > most || n > table.most)
        exit(3);
}

/* all iterations or none; by one thread on the host, since a program ends once */
static void checked(int n, int way, double *x)
{
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < N; i++) {
        check(n, way);
        for (int j = 0; j < M; j++)
            x[i * M + j] += way * (i + n * j);
    }
}

/* the condition is about what the loop may write: where x is `limits`, a later iteration ends the program */
static void checked_in_place(double *x, int n, double by)
{
#pragma omp parallel for schedule(static) num_threads(1)
    for (int i = 0; i < n; i++) {
        if (limits[1] > 30) {
            printf("limits: %g\n", limits[1]);
            exit(4);
        }
        x[i] += by + i % 3;
    }
}

/* what the loop certainly writes */
static void checked_own(int n)
{
#pragma omp parallel for schedule(static) num_threads(1)
    for (int i = 0; i < n; i++) {
        if (bounds[1] > 30)
            exit(5);
        bounds[i % 3] += i;
    }
}

/* a condition of each iteration's own */
static void checked_each(double *x, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] < -1e9 || i > 100000)
            exit(6);
        x[i] = x[i] * 2 + i;
    }
}

/* left in the last iteration: by a step of two, and downwards */
static void stages(double y[][M], int m)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double a[M], b[M];
        for (int j = 0; j < M; j++)
            a[j] = y[i][j];
        for (int l = 1; l <= m; l += 2) {
            for (int j = 0; j < M; j++)
                b[j] = a[(j + l) % M] + l;
            if (l == m) {
                for (int j = 0; j < M; j++)
                    a[j] = b[j];
                break;
            }
            for (int j = 0; j < M; j++)
                a[j] = b[(j + 2 * l) % M] - 1;
        }
        for (int l = m; l > 0; l -= 3) {
            for (int j = 0; j < M; j++)
                b[j] = a[M - 1 - j] * 0.5;
            if (l == 1 || l == 2)
                break;
            for (int j = 0; j < M; j++)
                a[j] = b[j] + l;
        }
        for (int j = 0; j < M; j++)
            y[i][j] = a[j] + b[j];
    }
}

/* not the last one: two more are left out; and the counter is wanted behind */
static void left_early(double y[][M], int m)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int l;
        for (l = 0; l < m; l++) {
            for (int j = 0; j < M; j++)
                y[i][j] += l;
            if (l == m - 3)
                break;
            y[i][0] -= 1;
        }
        y[i][1] += l;
        for (l = 0; l < m; l++) {
            for (int j = 0; j < M; j++)
                y[i][j] += l;
            if (l == m - 1)
                break;
            y[i][2] -= 1;
        }
        y[i][3] += l;
        for (int k = 0; k < m; k++) {
            for (int j = 0; j < M; j++)
                y[i][j] += k;
            if (k == m - 3)
                break;
            y[i][4] -= 1;
        }
        for (int k = 1; k <= m; k += 2) {
            for (int j = 0; j < M; j++)
                y[i][j] -= k;
            if (k == m - 2)
                break;
            y[i][5] -= 1;
        }
    }
}

static void spread(double *t, double *s, int m)
{
    int l;
    for (l = 1; l <= m; l += 2) {
        for (int j = 0; j < M; j++)
            s[j] = t[j] + t[(j + l) % M];
        if (l == m) {
            for (int j = 0; j < M; j++)
                t[j] = s[j];
            return;
        }
        for (int j = 0; j < M; j++)
            t[j] = s[j] - s[(j + l + 1) % M];
    }
}

/* the number of the first element that is large; with a value that is returned in the last loop */
static int first_above(const double *t, double bound)
{
    for (int j = 0; j < M; j++)
        if (t[j] > bound)
            return j;
    return -1;
}

static void called(double y[][M], int m)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double t[M], s[M];
        for (int j = 0; j < M; j++)
            t[j] = y[i][j];
        spread(t, s, m);
        int at = first_above(t, 10);
        for (int j = 0; j < M; j++)
            y[i][j] = t[j] + at;
    }
}

static double sum(const double *x, int n)
{
    double all = 0;
    for (int i = 0; i < n; i++)
        all += x[i] * (1 + i % 7);
    return all;
}

int main(int argc, char **argv)
{
    int what = argc > 1 ? atoi(argv[1]) : 0, m = argc > 2 ? atoi(argv[2]) : 9;
    for (int i = 0; i < N * M; i++)
        row[i / M][i % M] = u[i] = v[i] = i % 11;
    checked(m, 1, u);
    checked(m, -1, v);
    stages(row, m);
    left_early(row, m);
    called(row, m);
    checked_each(u, N);
    printf("%.10g %.10g %.10g\n", sum(u, N * M), sum(v, N * M), sum(&row[0][0], N * M));
    fflush(stdout);
    if (what == 1)
        checked(m + 5, 1, u);
    if (what == 2)
        checked(m, 2, u);
    if (what == 3) {
        limits[0] = 6;
        checked(m, 1, u);
    }
    if (what == 4)
        checked_in_place(limits, 4, 25);
    else
        checked_in_place(u, N, 1);
    for (int k = 0; k < (what == 5 ? 40 : 2); k++)
        checked_own(9);
    printf("%.10g %.10g %d\n", sum(u, N * M), sum(limits, 4), bounds[1]);
    return 0;
}

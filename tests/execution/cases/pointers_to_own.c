/* Variables of an iteration to which it has pointers: declared in front of a shared loop, and used by the pointer behind it. */
/* args: 0 37 53 */
/* args: 2 33 70 */
/* args: 32 17 128 */
/* args: 256 9 300 */
/* expect-gpu: 6 */
/* rtol: 1e-12 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 300 };
static double a[N][M], b[N][M], w[N];
static int row[N + 1];
struct pair { double x, y; };

static void scalars(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = i;
        double *p = &t;
        *p += 1;
        double y = *p;
        for (int j = 0; j < m; j++)
            a[i][j] += y;
        *p = 3;
        for (int j = 0; j < i; j++)
            b[i][j] += y;
        w[i] = *p;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* in a loop that all repeat */
        const double t = i;
        const double *p = &t;
        for (int k = 0; k < 3; k++) {
            double u = k;
            double *q = &u;
            *q += 2;
            for (int j = 0; j < m; j++)
                a[i][j] += 1;
            *q += *p;
            for (int j = 0; j < i; j++)
                b[i][j] += 1;
            w[i] += *q;
        }
    }
}

static void parts(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t[3][2];
        double (*p)[2] = t;
        p[2][1] = 4 + i;
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
        w[i] += p[2][1];
        for (int j = 0; j < i; j++)
            b[i][j] += 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct pair t;
        double *p = &t.y;
        *p = i;
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
        *p += 1;
        for (int j = 0; j < i; j++)
            b[i][j] += 1;
        w[i] += *p;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        static const double t[3] = { 1, 2, 3 };
        const double *p = t;
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
        w[i] += p[i % 3];
        for (int j = 0; j < i; j++)
            b[i][j] += 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* by lanes, which share the sum alone */
        double t[2];
        double *p = t;
        p[0] = 4 + i;
        double s = 0;
        for (int j = row[i]; j < row[i + 1]; j++)
            s += a[0][j];
        w[i] += p[0] + s;
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    if (atoi(argv[1]) != 0)
        setenv("OMPC_LANES", argv[1], 1);
    int n = atoi(argv[2]), m = atoi(argv[3]);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            a[i][j] = (i + j) % 5;
            b[i][j] = (i * j) % 7;
        }
        row[i + 1] = row[i] + i % 8;
    }
    scalars(n, m);
    parts(n, m);
    double s = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            s += (a[i][j] + 2 * b[i][j]) * (1 + (i * 3 + j) % 29);
        s += 23 * w[i] * (1 + i % 5);
    }
    printf("%.12g\n", s);
    return 0;
}

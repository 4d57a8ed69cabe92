/* Triangular loops become axes over their bounding boxes, and tiles with a guard; answers are those of gcc, in every shape. */
/* args: 0 */
/* args: 4 */
/* args: 9 */
/* nightly: 2 */
/* nightly: 8 */
/* expect-gpu: 12 */
/* expect-added: 2 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 150
#define M 70
#define LAYERS 20

static double a[N][M], b[N][M], c[N][N], d[N][N], data[M][N];
static int filled[N][N];
static float packed[N * (N + 1) / 2];
static int numbers[N][M];
static double layered[LAYERS][N][LAYERS];

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++) {
            a[i][k] = (i * 7 + k * 3) % 11 * 0.5;
            b[i][k] = (i * 5 + k) % 7 - 3;
            numbers[i][k] = (i * 7 + k * 3) % 13 - 4;
            data[k][i] = (i + 2 * k) % 9 * 0.25;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = i - 2 * j, d[i][j] = i * j % 5;
}

static void show(const char *name, double (*x)[N])
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += x[i][j] * ((i * 3 + j) % 8 + 1);
    printf("%s %.10g %.10g %.10g\n", name, sum, x[N - 1][0], x[0][N - 1]);
}

/* The loops over j have one range; they become one, around that over k. */
static void lower(int n, int m, double alpha, double beta)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

/* Each point writes two elements, one on each side of the diagonal. */
static void upper(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            d[i][j] = 0;
            for (int k = 0; k < m; k++)
                d[i][j] += data[k][i] * data[k][j];
            d[i][j] /= m - 1.0;
            d[j][i] = d[i][j];
        }
}

/* Without the diagonal: the first row is empty, and its elements of a are not read. */
static void strictly_lower(int n, int m, const double *rows_from_1)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += rows_from_1[(i - 1) * M + k] * b[j][k];
            c[i][j] = s;
        }
}

/* It ends earlier from row to row. */
static void left_upper(int n, int from)
{
#pragma omp parallel for
    for (int i = from; i < n; i++)
        for (int j = 0; j < n - i; j++)
            d[i][j] += i * 100 + j;
}

static void beyond(int from, int to, int shift)
{
#pragma omp parallel for
    for (int i = from; i < to; i++)
        for (int j = i + shift; j < N; j++)
            filled[i][j] += i - j;
}

/* The elements beside the triangle do not exist. */
static void in_a_row(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            packed[i * (i + 1) / 2 + j] += i + j * 0.5f;
}

/* A band is no half of a box: its loop stays inside of a thread. */
static void band(int n)
{
#pragma omp parallel for
    for (int i = 3; i < n - 3; i++)
        for (int j = i - 3; j <= i + 3; j++)
            d[i][j] = d[i][j] * 2 + 1;
}

/* The guard is the program's own. */
static void with_guard(int n, int m, int above)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j <= i + above) {
                double s = c[i][j];
                for (int k = 0; k < m; k++)
                    s += a[i][k] * b[j][k];
                c[i][j] = s;
            }
}

/* Beside the triangle, shifts and subscripts of the inner loop have no meaning: it is not tiled. */
static void shifted(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            unsigned s = 0;
            for (int k = 0; k < m; k++)
                s += (unsigned)(numbers[i][k] + numbers[j][k]) >> (i - j > 31 ? 31 : i - j);
            filled[i][j] += (int)(s >> 4 & 1023);
        }
}

static void divided(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int s = 0;
            for (int k = 0; k < m; k++)
                s += numbers[i][k] * numbers[j][k] / (i - j);
            filled[i][j] += s;
        }
}

struct weights {
    int of[4];
};

static void weighted(int n, int m, struct weights weights)
{
#pragma omp parallel for firstprivate(weights)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            int s = 0;
            for (int k = 0; k < m; k++)
                s += numbers[i][k] * numbers[j][k] * weights.of[(i - j) % 4];
            filled[i][j] += s;
        }
}

/* How long the rows of a tile are changes from one layer to the next: no launch says it for all of them. */
static void layers(int n, int m)
{
#pragma omp parallel for
    for (int l = 0; l < LAYERS; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= l; j++) {
                double s = 0;
                for (int k = 0; k < m; k++)
                    s += a[i][k] * b[j][k];
                layered[l][i][j] = s;
            }
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] != '9' && getenv("OMPC_TILES") == NULL) { /* read when the program starts */
        setenv("OMPC_TILES", argv[1], 1);
        execv("/proc/self/exe", argv);
    }
    int sizes[] = {N, 1, 2, 17, 64, 0};

    for (int s = 0; s < 6; s++) {
        int n = sizes[s];

        fill();
        lower(n, M, 1.5, 0.5);
        show("lower", c);
        upper(n, M);
        show("upper", d);
        strictly_lower(n, M, &a[0][0]);
        show("strictly lower", c);
        left_upper(n, n / 3);
        show("left upper", d);
        beyond(0, n, 1);
        beyond(0, n, -0);
        beyond(n / 2, n, 5 - n / 4 > 0 ? 5 - n / 4 : 0);
        in_a_row(n);
        band(n);
        show("band", d);
        with_guard(n, M, 0);
        with_guard(n, M, -3);
        with_guard(n, 5, 40);
        with_guard(n, M, -200);
        if (s == 1 || s == 4) {
            shifted(n, M);
            divided(n, M);
            weighted(n, M, (struct weights){{1, -2, 3, 4}});
            layers(n, M);
        }
        show("guard", c);
    }
    long sum = 0;
    float last = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += filled[i][j] * (i + 2 * j);
    for (int i = 0; i < N * (N + 1) / 2; i++)
        last = last * 0.5f + packed[i];
    double of_layers = 0;
    for (int l = 0; l < LAYERS; l++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < LAYERS; j++)
                of_layers += layered[l][i][j] * ((l + 2 * i + 3 * j) % 7 + 1);
    printf("%ld %.6g %.10g\n", sum, last, of_layers);
    return 0;
}

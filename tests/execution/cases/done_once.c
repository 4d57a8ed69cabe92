/* What stands beside an inner loop is done by one of its iterations, whether the loop has iterations or not, before or behind what
   that one does; or, where iterations would see each other's work, the loop stays inside a thread. */
/* args: 0 */
/* args: 2 */
/* args: 4 */
/* args: 8 */
/* args: 9 */
/* expect-gpu: 21 */
/* expect-added: 3 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 70
#define M 37

static double a[N][M], b[N][M], c[N][N], data[M][N], x[N], y[N], z[N], cube[3][N][N];
static float f[N][M], g[N][N];

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++) {
            a[i][k] = (i * 7 + k * 3) % 11 * 0.5;
            b[i][k] = (i * 5 + k) % 7 - 3;
            f[i][k] = (i * 3 + k) % 8;
            data[k][i] = (i + 2 * k) % 9 * 0.25;
        }
    for (int i = 0; i < N; i++) {
        x[i] = i % 5, y[i] = -i, z[i] = 1 + i % 3;
        for (int j = 0; j < N; j++)
            c[i][j] = i - 2 * j, g[i][j] = i + j, cube[0][i][j] = cube[1][i][j] = cube[2][i][j] = i * 2 + j % 4;
    }
}

static void show(const char *name)
{
    double sum = 0, of_cube = 0, of_rows = 0;
    for (int i = 0; i < N; i++) {
        of_rows += x[i] * (i + 1) + y[i] * (i % 7) + z[i] * (3 * i % 11);
        for (int j = 0; j < N; j++) {
            sum += (c[i][j] + g[i][j]) * ((i * 3 + j) % 8 + 1);
            for (int l = 0; l < 3; l++)
                of_cube += cube[l][i][j] * ((l + i * 2 + j) % 6 + 1);
        }
    }
    printf("%s %.12g %.12g %.12g\n", name, sum, of_rows, of_cube);
    fill();
}

/* the diagonal, and what is on both sides of it: rows and columns without a point are not read */
static void upper(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        c[i][i] = 1;
        for (int j = i + 1; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += data[k][i] * data[k][j];
            c[i][j] = s;
            c[j][i] = s;
        }
    }
}

/* repeated for a point beyond the end, it would be another element */
static void lower(int n, int m, double *rows_from_1)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double s = c[i][j];
            for (int k = 0; k < m; k++)
                s += rows_from_1[(i - 1) * M + k] * b[j][k];
            c[i][j] = s;
        }
        c[i][i] += 1;
        y[i] = c[i][i] * 2 + y[i];
    }
}

/* the loops have one range: it is done in front of the loop, and behind what the same iteration does */
static void square(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] *= 2;
        z[i] -= x[i];
        for (int j = 0; j < n; j++) {
            float s = 1;
            for (int k = 0; k < m; k++)
                s += f[i][k] * f[j][k];
            g[i][j] = s;
        }
        y[i] = g[i][i];
    }
}

/* a loop that may have no iteration gets one */
static void perhaps_none(int n, int columns, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] += 3;
        for (int j = 0; j < columns; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
        y[i] -= x[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] += 3;
        for (int j = 2; j <= columns; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] += s;
        }
    }
}

/* the box is larger than the range of the loop around it */
static void beyond(int n, int m)
{
#pragma omp parallel for
    for (int i = 2; i < n; i++) {
        x[i] += 1;
        for (int j = i - 2; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] += s;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n - 3; i++) {
        x[i] += 1;
        for (int j = 0; j <= i + 3; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] += s;
        }
    }
}

/* the place is not in the loop's range: it ends where another one does, or begins elsewhere */
static void elsewhere(int n, int end, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] += 1;
        for (int j = i + 1; j < end; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] += s;
        }
    }
#pragma omp parallel for
    for (int i = 1; i < n; i++) {
        x[i] += 1;
        for (int j = 4; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] += s;
        }
    }
}

/* points of a tile have no number of the row's own: a group of threads has an iteration */
static void with_numbers(int n, int m)
{
#pragma omp parallel for collapse(2)
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < n; i++) {
            const double w = z[i] * (l + 1);
            if (w > 2) {
                double twice = 2 * w;
                cube[l][i][i] = twice;
            }
            for (int j = i + 1; j < n; j++) {
                double s = 0;
                for (int k = 0; k < m; k++)
                    s += a[i][k] * b[j][k];
                cube[l][i][j] = s * w;
            }
        }
}

/* the tile's own condition, and statements beside it */
static void by_hand(int n, int m)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int at = i + 1;
            g[i][j] += at;
            if (j < i) {
                double s = 0;
                for (int k = 0; k < m; k++)
                    s += a[i][k] * b[j][k];
                c[i][j] = s;
            }
            if (j == 3) {
                x[i] = c[i][3] + at;
            }
            cube[0][i][j] *= 2;
        }
}

/* a variable of the thread's own leads from one statement to the other */
static void own_variable(int n, int m)
{
    double t = 0;
#pragma omp parallel for collapse(2) private(t)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            t = i == j ? 3 : 4;
            if (j < i) {
                double s = 0;
                for (int k = 0; k < m; k++)
                    s += a[i][k] * b[j][k] * t;
                c[i][j] = s;
            }
        }
}

/* -------------------------------------------------------------- what stays as it is */

/* what the last iteration has assigned */
static void last_value(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) {
            s = 1;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
        x[i] = s;
    }
}

static void last_array(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[2];
        for (int j = 0; j < n; j++) {
            double s = 0;
            w[1] = j;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s + w[1];
        }
        x[i] = w[1];
    }
}

/* what other iterations read, or have written */
static void others(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] *= 2;
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s + x[i];
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
        x[i] = c[i][n - 1];
    }
}

/* the loop's variable has the name of an array */
static double p[N];

static void names(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        p[i] = i;
        for (int p = 0; p < n; p++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[p][k];
            c[i][p] = s;
        }
    }
    for (int i = 0; i < n; i++)
        x[i] += p[i];
}

/* other loops, other steps, jumps and pointers of the thread's own */
static void other_kinds(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] += 1;
        for (int j = n - 1; j > i; j--) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] += 1;
        for (int j = 0; j < n; j += 2) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1)
            continue;
        x[i] += 1;
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *q = &x[i];
        *q += 1;
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[j][k];
            c[i][j] = s;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] != '9' && getenv("OMPC_TILES") == NULL) { /* read when the program starts */
        setenv("OMPC_TILES", argv[1], 1);
        execv("/proc/self/exe", argv);
    }
    const int sizes[] = {N, 1, 2, 17, 33, 0};

    fill();
    for (int s = 0; s < 6; s++) {
        const int n = sizes[s];

        upper(n, M), show("upper");
        lower(n, M, &a[0][0]), show("lower");
        square(n, M), show("square");
        perhaps_none(n, n / 2, M), show("half");
        perhaps_none(n, -3, M), show("none");
        perhaps_none(N, n > 2 ? 1 : 0, M), show("one");
        beyond(n, M), show("beyond");
        elsewhere(n, n / 2, M), show("elsewhere");
        with_numbers(n, M), show("numbers");
        by_hand(n, M), show("by hand");
        own_variable(n, M), show("own variable");
        last_value(n, 5), show("last value");
        last_array(n, 5), show("last array");
        others(n, 5), show("others");
        names(n, 5), show("names");
        other_kinds(n, 5), show("other kinds");
    }
    return 0;
}

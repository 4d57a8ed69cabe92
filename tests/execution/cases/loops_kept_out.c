/* Loops that all threads of a group, or all lanes of a warp, repeat, and that a condition keeps iterations out of: their variable,
   declared in front of them, keeps its value there, and bounds that make no sense where nobody executes the loop do no harm.
   And bounds with a comma. */
/* args: 0 37 53 */
/* args: 1 37 53 */
/* args: 2 33 70 */
/* args: 8 31 100 */
/* args: 64 17 128 */
/* args: 256 9 300 */
/* args: 64 40 0 */
/* expect-gpu: 10 */
/* rtol: 1e-12 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 300 };
static double a[N][M], b[N][M], w[N];
static float f[N][M];
static int on[N], row[N + 1], three = 3;

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            a[i][j] = 1 + (i * 7 + j * 3) % 11;
            b[i][j] = (i + j) % 5;
            f[i][j] = (i + 2 * j) % 7;
        }
        w[i] = 0;
        on[i] = i % 3 != 1;
        row[i + 1] = row[i] + i % 8;
    }
}

static void show(const char *what)
{
    double s = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            s += (a[i][j] + 2 * b[i][j]) * (1 + (i * 3 + j) % 29);
        s += 23 * w[i] * (1 + i % 5);
    }
    printf("%s %.12g\n", what, s);
    fill();
}

static void counters(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* what the variable has behind the loop is wanted, whether the loop ran or not */
        int k = -1;
        if (on[i])
            for (k = 0; k < 7; k++)
                for (int j = 0; j < m; j++)
                    a[i][j] += k * b[i][j];
        w[i] = k;
    }
    show("behind it");
    int k, j, l;
    #pragma omp parallel for private(k, j, l)
    for (int i = 0; i < n; i++) { /* it is not wanted, but by those that do not execute the loop */
        k = 3;
        if (on[i]) {
            for (k = 0; k < 7; k++)
                for (j = 0; j < m; j++)
                    a[i][j] += k;
            k = 4;
        } else {
            w[i] = k;
            for (l = 0; l < 3; l++)
                for (j = 0; j < i; j++)
                    b[i][j] += w[i] * l;
        }
        for (j = 0; j < i; j++)
            b[i][j] += k;
    }
    show("beside it");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* sums alone, by lanes */
        double s = 0;
        int k = -1;
        if (on[i])
            for (k = 0; k < 7; k++)
                for (int j = row[i]; j < row[i + 1]; j++)
                    s += a[0][j] * k;
        w[i] = s + k;
    }
    show("sums");
}

/* Without the condition each loop would never end. */
static void endless(int n, size_t m, int step, int lo, int hi)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (step != 0)
            for (int k = 0; k < 7; k += step)
                for (size_t j = 0; j < m; j++)
                    a[i][j] += k * b[i][j];
        w[i] += 1;
        for (size_t j = 0; j < m; j++)
            b[i][j] += w[i];
    }
    show("steps of 0");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (lo <= hi)
            for (int k = lo; k != hi; k++)
                for (size_t j = 0; j < m; j++)
                    a[i][j] += k * b[i][j];
        w[i] += 1;
        for (size_t j = 0; j < m; j++)
            b[i][j] += w[i];
    }
    show("past the end");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (m > 0)
            for (size_t k = 0; k < m - 1; k += 60)
                for (size_t j = 0; j < m - 1; j++)
                    a[i][j] += k;
        w[i] += 1;
        for (int j = 0; j < i; j++)
            b[i][j] += w[i];
    }
    show("fewer than none");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        if (step)
            for (int k = 0; k < 7; k += step)
                for (int j = row[i]; j < row[i + 1]; j++)
                    s += a[0][j] * k;
        w[i] = s;
    }
    show("sums");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* which producer warps help to form, in the program's order */
        float s = 0;
        if (step)
            for (int k = 0; k < 7; k += step)
                for (size_t j = 0; j < m; j++)
                    s = s * 0.5f + f[i][j] * k;
        w[i] = s;
    }
    show("sums in order");
}

static void commas(int n, int m)
{
    #pragma omp parallel for
    for (int i = (three, 1); i < (three, n); i += 2) {
        for (int j = (three, 2); j < (three, m); j++)
            a[i][j] += 1;
        for (int j = 0; j < i; j++)
            b[i][j] += 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (three, m); j++)
            w[i] += a[i][j] / (b[i][j] + w[i] + 1);
    show("commas");
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    if (atoi(argv[1]) != 0)
        setenv("OMPC_LANES", argv[1], 1);
    int n = atoi(argv[2]), m = atoi(argv[3]);
    fill();
    counters(n, m);
    endless(n, m, 2, 3, 5);
    endless(n, m, 0, 5, 3);
    commas(n, m);
    return 0;
}

/* Kernels have the names of macros that stand for constants: by way of others, in arguments, signed, of the library,
   redefined later, with the name of a variable elsewhere, beside a variable of ompc's that wants it. */
/* args: 40 */
/* args: 3 */
/* expect-gpu: 6 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 24
#define NY (NX / 2)
#define CELLS (NX * NY)
#define NONE -1
#define BIG FLT_MAX
#define EPS 1e-3f
#define DX (1.0 / NX)
#define MASK 0xffu
#define AT(i, j) ((i) * NY + (j))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LIMIT 7
#define T 3
#define CHECK 9

static float u[NX][NY], v[CELLS];
static int best[NX];

struct limits { int LEAST; };

static void third(struct limits *of, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        of[i].LEAST = i - NONE;
}

static int first(int n, int *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = LIMIT - i % T + CHECK;
    return out[0] == LIMIT + CHECK;
}

#undef LIMIT
#define LIMIT 11
#define LEAST 2

static void second(int n, int *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = i > LIMIT ? LEAST : MAX(i, LEAST);
}

static long sum(int n, const int *a)
{
    long found = 0;
    for (int i = 0; i < n; i++)
        found = found * 31 + a[i];
    return found;
}

static int hidden(int n, int *out)
{
#undef T
    int T = n;
    #pragma omp parallel for
    for (int i = 0; i < T; i++)
        out[i] += T * 3 - NONE;
    return T;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int *out = calloc(n, sizeof *out), *two = calloc(n, sizeof *two);
    struct limits *of = calloc(n, sizeof *of);
    long h = 0;

    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            u[i][j] = (i * 31 + j * 7) % 97 / 97.0f;
    #pragma omp parallel for
    for (int i = 0; i < NX; i++) {
        float least = BIG, most = -FLT_MAX;
        int at = NONE;
        double sum = 0;
        for (int j = 0; j < NY; j++) {
            if (u[i][j] < least - EPS) {
                least = u[i][j];
                at = j;
            }
            most = MAX(most, u[i][j]);
            v[AT(i, j)] = u[i][j] * M_PI_2 + DX * LIMIT;
            sum += v[AT(i, j)] > DBL_EPSILON ? INT_MIN / 2 : DBL_MAX * 1e-300;
        }
        best[i] = at == NONE ? INT_MAX : at + (int)(sum * 1e-6) + (int)(MASK & i) - NONE;
        best[i] += most > 1 - EPS ? UINT_MAX % 10 : LONG_MAX / 1000000000000000;
    }
    #pragma omp parallel for collapse(2)
    for (int i = 1; i < NX - 1; i++)
        for (int j = NY - 2; j > NONE + 1; j--)
            u[i][j] = 2 * v[AT(i, j)] / CELLS;
    h += first(n, out);
    h += sum(n, out);
    second(n, two);
    third(of, n);
    h += sum(n, (int *)of);
    h += hidden(n, two);
    h += sum(n, two);
    for (int i = 0; i < NX; i++) {
        h = h * 31 + best[i];
        for (int j = 0; j < NY; j++)
            h = h * 31 + (long)(u[i][j] * 1e6f) + (long)(v[AT(i, j)] * 1000);
    }
    printf("%ld\n", h);
    free(out);
    free(two);
    free(of);
    return 0;
}

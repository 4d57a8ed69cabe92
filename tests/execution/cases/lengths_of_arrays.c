/* The lengths of variable arrays are code, wherever a type stands: in declarations, casts, parameters. They assign, call
   functions and compare what kernels have stored. */
/* args: 1000 */
/* expect-gpu: 8 */
/* expect-host: OMPC324 */
/* flags: -O1 */
#include <stdio.h>
#include <stdlib.h>

#define N 1000

static double u[N], x[N], y[N], w[N], chosen[N], passed[N], led[N], moved[N], tested[N];
static double *seen = x, *kept;
static int counts[N];

static int differs(const double *z) { return z[1] != 0 ? 4 : 2; }
static int look_at(double *z) { seen = z; return 3; }
static int keep(double *z) { kept = z; return 3; }
static int row_of(int n, double v[n], char (*row)[v[1] != 0 ? 4 : 2]) { return (int)sizeof *row; }

/* The products are 0 only if they are rounded. What is stored is compared in a length, or by way of one. */
#define STORE(z)                                         \
    for (int i = 0; i < n; i++) {                        \
        double s = 0;                                    \
        for (int k = 0; k < 40; k++)                     \
            s = s * 0.5 + k * x[k];                      \
        w[i] = s;                                        \
        z[i] = x[i] * y[i] - u[i];                       \
    }

static void last_bits(int n)
{
    for (int i = 0; i < n; i++) {
        u[i] = 1;
        x[i] = 1 + i * 0x1p-30;
        y[i] = 1 - i * 0x1p-30;
    }
    #pragma omp parallel for
    STORE(chosen)
    char first[chosen[1] != 0 ? 4 : 2];
    #pragma omp parallel for
    STORE(passed)
    char second[differs(passed)];
    #pragma omp parallel for
    STORE(led)
    char third[look_at(led)];
    printf("%zu %zu %zu %d\n", sizeof first, sizeof second, sizeof third, seen[1] != 0);
    #pragma omp parallel for
    STORE(moved)
    char fourth[look_at(moved) + 2];
    #pragma omp parallel for
    STORE(tested)
    printf("%zu %d %d\n", sizeof fourth, seen[1] != 0, row_of(n, tested, NULL));
}

static void scale(double *a, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * by + i;
}

/* `kept` leads to `other` by an assignment, and to `a` by one in a function that a length calls. */
static void pointers(int n)
{
    double *a = calloc(n, sizeof *a), *other = calloc(n, sizeof *other), sum = 0;
    kept = other;
    scale(other, n, 1);
    for (int turn = 0; turn < 4; turn++) {
        char row[keep(a)];
        row[0] = sizeof row;
        scale(a, n, 0.5);
        kept[3] += 7 + row[0];
        sum += kept[5];
        scale(a, n, 2);
    }
    printf("%g %g %g\n", sum, a[3], a[n - 1]);
    free(a);
    free(other);
}

static int grown(int n, const double v[n++]) { return n + (v[0] < 0); }
static int rows(int n, int m, double v[n++][m]) { return n + (v[0][1] < 0); }
static int old_style(n, v) int n; const double v[n++]; { return n + (v[1] < 0); }  /* of which gcc does not evaluate the first length */

static int total(void)
{
    int t = 0;
    for (int i = 0; i < N; i++)
        t += counts[i];
    return t;
}

static void on_the_device(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        counts[i] = grown(i, u) + old_style(i, u);
    printf("%d\n", total());
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        counts[i] = rows(i, 10, (double (*)[10])x);
    printf("%d\n", total());
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int n = i + 1;
        double *q = (double *)(double (*)[n++])w;
        q[i] = n;
        counts[i] = n;
    }
    printf("%d %g\n", total(), w[N - 1]);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    last_bits(n);
    pointers(n);
    on_the_device();
    return 0;
}

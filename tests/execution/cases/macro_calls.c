/* Kernels have uses of macros with parameters, of macros that stand for variables, and in lower case: in subscripts, as
   what is assigned, in one another, with side effects in arguments, without parentheses, redefined between two uses,
   with names that the kernel, CUDA or a function called has otherwise, and in bounds, conditions and reductions. */
/* args: 40 */
/* args: 3 */
/* expect-gpu: 8 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SQ(x) ((x) * (x))
#define TWICE(x) x + x
#define max(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define IDX(i, j) ((i) * width + (j))
#define U(i, j) u[IDX(i, j)]
#define V(i, j) grid->v[(i) * grid->width + (j)]
#define RE(z) (z).re
#define SWAPPED(z, w) (z).im = (w).re
#define last (width - 1)
#define depth 5
#define HERE u[i]
#define BUMP(p) (*(p))++
#define FIELD(s, m) ((s)->m)
#define NORM(i) SQ(RE(z[i])) + SQ(z[i].im)
#define get(a) (a)[0]
#define APPLY(f, x) f(x)
#define CLAMP(x) MIN(max((x), 0), depth)
#define AS_INT(x) ((int)(x))
#define WIDE INT64_MAX
#define twice_of(x) (2 * twice(x))

typedef struct { double re, im; } complex_number;
struct grid { int width; double *v; };

static double twice(double x)
{
    return TWICE(x);
}

static void stencil(int width, const double *u, struct grid *grid)
{
    #pragma omp parallel for
    for (int i = 1; i < last; i++)
        for (int j = 1; j < last; j++) {
            double most = max(U(i, j), max(U(i - 1, j), U(i + 1, j)));
            V(i, j) = SQ(most - U(i, j - 1)) / 7 + 3 * TWICE(U(i, j + 1)) - twice_of(U(i, j));
        }
}

static void counted(int n, int *counts, int *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = i, *p = &k;
        BUMP(p);
        out[i] = SQ(k) + max(k++, 2) + CLAMP(i - 2) + k;
        counts[i] += AS_INT(SQ(i / 2.0)) % depth + get(out + i) / 3;
    }
}

static double norms(int n, complex_number *z)
{
    double sum = 0, most = 0;
    #pragma omp parallel for reduction(+: sum) reduction(max: most)
    for (int i = 0; i < n; i++) {
        SWAPPED(z[i], z[i]);
        RE(z[i]) += depth;
        sum += NORM(i);
        most = max(most, NORM(i));
    }
    return sum + most;
}

#define SCALE(x) ((x) * 2)
static void first(int n, int *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = SCALE(i + 1);
}
#undef SCALE
#define SCALE(x) ((x) * 3)
static void second(int n, int *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] += SCALE(i + 1);
}

static void hidden(int n, const double *u, double *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double found = HERE;
        {
            const double *u = out;
            found += HERE;
        }
        out[i] = APPLY(twice, found);
    }
}

#define base shift
static void renamed(int n, int width, const int *counts, int64_t *out)
{
    int shift = n % 3, IDX = 2;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int64_t least = WIDE;
        for (int j = 0; j < depth; j++)
            least = MIN(least, (int64_t)counts[(i + j) % n] * base + IDX);
        out[i] = least == WIDE ? -1 : least + IDX(i, 1);
    }
}

struct queue { int *first; int room; };
static void members(int n, struct queue *q)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        FIELD(q, first)[i] = FIELD(q, room) + max(i, 3);
}

static long sum(int n, const int *a)
{
    unsigned long found = 0;
    for (int i = 0; i < n; i++)
        found = found * 31 + a[i];
    return (long)found;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), width = n;
    double *u = calloc(n * n, sizeof *u), *v = calloc(n * n, sizeof *v), *w = calloc(n, sizeof *w);
    int *counts = calloc(n, sizeof *counts), *out = calloc(n, sizeof *out);
    int64_t *wide = calloc(n, sizeof *wide);
    complex_number *z = calloc(n, sizeof *z);
    struct grid grid = {n, v};
    struct queue q = {counts, 7};
    double h = 0;

    for (int i = 0; i < n * n; i++)
        u[i] = (i * 31) % 97;
    for (int i = 0; i < n; i++)
        z[i].re = i % 7;
    stencil(n, u, &grid);
    counted(n, counts, out);
    h += sum(n, out) % 100003;
    h += norms(n, z);
    first(n, out);
    second(n, out);
    h += sum(n, out) % 100003 + sum(n, counts) % 100003;
    hidden(n, u, w);
    renamed(n, width, counts, wide);
    members(n, &q);
    h += sum(n, counts) % 100003;
    for (int i = 0; i < n * n; i++)
        h += v[i] * (i % 5);
    for (int i = 0; i < n; i++)
        h += w[i] + wide[i] % 1000 + z[i].im;
    printf("%.6f\n", h);
    return 0;
}

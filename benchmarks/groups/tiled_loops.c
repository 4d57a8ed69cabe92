/* Loops whose threads can take several points each, in tiles or by rows, at sizes from few points to many: what launches choose
 * there is asked with this (ompc_tiling.h; `python -m benchmarks.groups --of tiles`).
 *
 *     tiled_loops [LOOP]
 *
 * Prints, for each loop and size, how many points there are, how many entries the inner loop has, and the microseconds of a
 * launch whose data is on the device.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

static double *a, *b, *c;
static float *fa, *fb, *fc;
static int n, m, l;

static void product(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += a[(long)i * l + k] * b[(long)k * m + j];
            c[(long)i * m + j] = s;
        }
}

static void product_float(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = 0; k < l; k++)
                s += fa[(long)i * l + k] * fb[(long)k * m + j];
            fc[(long)i * m + j] = s;
        }
}

static void distances(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += fabs(a[(long)i * l + k] - b[(long)j * l + k]);
            c[(long)i * m + j] = s;
        }
}

static void distances_float(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = 0; k < l; k++) {
                float d = fa[(long)i * l + k] - fb[(long)j * l + k];
                s += d * d;
            }
            fc[(long)i * m + j] = sqrtf(s);
        }
}

static void triangle(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += a[(long)i * l + k] * a[(long)j * l + k];
            c[(long)i * n + j] = s;
        }
}

/* Several small products. */
static void batch(void)
{
#pragma omp parallel for collapse(3)
    for (int z = 0; z < n; z++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                double s = 0;
                for (int k = 0; k < l; k++)
                    s += a[((long)z * m + i) * l + k] * b[((long)z * l + k) * m + j];
                c[((long)z * m + i) * m + j] = s;
            }
}

static void stencil(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            c[(long)i * m + j] = 0.2 * (a[(long)i * m + j] + a[(long)(i - 1) * m + j] + a[(long)(i + 1) * m + j] + a[(long)i * m + j - 1] +
                                        a[(long)i * m + j + 1]);
}

static void convolution(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < m - 2; j++) {
            float s = 0;
            for (int p = -2; p <= 2; p++)
                for (int q = -2; q <= 2; q++)
                    s += fb[(p + 2) * 5 + q + 2] * fa[(long)(i + p) * m + j + q];
            fc[(long)i * m + j] = s;
        }
}

static void cube(void)
{
#pragma omp parallel for collapse(3)
    for (int z = 1; z < n - 1; z++)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                long at = ((long)z * m + i) * m + j, plane = (long)m * m;
                c[at] = a[at] - 0.1 * (a[at - 1] + a[at + 1] + a[at - m] + a[at + m] + a[at - plane] + a[at + plane]);
            }
}

static void transposed(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[(long)j * n + i] = a[(long)i * m + j];
}

static void transposed_sum(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            fc[(long)i * m + j] = fa[(long)i * m + j] + fb[(long)j * n + i];
}

/* The sizes of the axes and of the inner loop; `cube` is said with 0 entries, `transposed` and others with none too. */
typedef struct {
    const char *name;
    void (*run)(void);
    int planes; /* three axes, of n, m and m */
    int sizes[10][3];
} loop;

#define PRODUCTS                                                                                                                        \
    {                                                                                                                                   \
        {60, 60, 60}, {130, 130, 130}, {300, 300, 300}, {500, 500, 500}, {700, 700, 700}, {1000, 1000, 1000}, {1500, 1500, 500},          \
            {2600, 2600, 400}, {100, 4000, 1000}, {4000, 40, 2000}                                                                      \
    }
#define PLANES                                                                                                                          \
    {                                                                                                                                   \
        {100, 100}, {300, 300}, {700, 700}, {1200, 1200}, {2000, 2000}, {4000, 4000}, {8000, 8000}, {40, 100000}, {100000, 40}, {300, 4000} \
    }

static const loop LOOPS[] = {
    {"product", product, 0, PRODUCTS},
    {"product_float", product_float, 0, PRODUCTS},
    {"distances", distances, 0, PRODUCTS},
    {"distances_float", distances_float, 0, PRODUCTS},
    {"triangle", triangle, 0, {{60, 1, 60}, {130, 1, 130}, {300, 1, 300}, {700, 1, 700}, {1000, 1, 1000}, {2600, 1, 600}, {4000, 1, 100}}},
    {"batch", batch, 1, {{1000, 8, 16}, {1000, 16, 16}, {1000, 32, 32}, {300, 64, 64}, {40, 100, 200}, {8, 300, 300}, {3, 700, 500}}},
    {"stencil", stencil, 0, PLANES},
    {"convolution", convolution, 0, PLANES},
    {"cube", cube, 1, {{20, 20}, {50, 50}, {100, 100}, {200, 200}, {400, 400}, {1000, 60}, {8, 1500}}},
    {"transposed", transposed, 0, PLANES},
    {"transposed_sum", transposed_sum, 0, PLANES},
};

enum { MOST_ELEMENTS = 64000000 };

int main(int argc, char **argv)
{
    a = malloc(sizeof *a * MOST_ELEMENTS);
    b = malloc(sizeof *b * MOST_ELEMENTS);
    c = calloc(MOST_ELEMENTS, sizeof *c);
    fa = malloc(sizeof *fa * MOST_ELEMENTS);
    fb = malloc(sizeof *fb * MOST_ELEMENTS);
    fc = calloc(MOST_ELEMENTS, sizeof *fc);
    if (!a || !b || !c || !fa || !fb || !fc)
        return 1;
    for (long i = 0; i < MOST_ELEMENTS; i++)
        a[i] = fa[i] = i * 7 % 13 * 0.01, b[i] = fb[i] = i % 11 * 0.1;
    for (unsigned k = 0; k < sizeof LOOPS / sizeof *LOOPS; k++) {
        const loop *at = &LOOPS[k];

        for (int s = 0; s < 10 && at->sizes[s][0] && (argc < 2 || strcmp(argv[1], at->name) == 0); s++) {
            n = at->sizes[s][0], m = at->sizes[s][1], l = at->sizes[s][2];
            long across = at->run == triangle ? n : m;
            printf("%s %ldx%ld%s %d %.2f\n", at->name, (long)n, across, at->planes ? "^2" : "", l, seconds_of(at->run, 6, 0.1) * 1e6);
        }
    }
    return 0;
}

/* Loops whose iterations can have several threads, at sizes from few long rows to many short ones: what the cost model of launches
 * was measured with (ompc_group_costs.h; `python -m benchmarks.groups`).
 *
 *     shared_loops [LOOP]
 *
 * Prints, for each loop and size, how many iterations there are, how many entries the inner loop has, and the microseconds of a
 * launch whose data is on the device.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

typedef struct {
    float x, y, z, mass;
} body;

static double *a, *b, *c, *x, *value; /* `value` and `col` have the entries of all rows, and no more */
static float *f;
static body *points;
static int *row, *col;
static int n, m, l;

/* What conditions depend on is not computed by any loop here: else its sums would keep the order of the program. */

static void dense_rows(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += a[(long)i * m + j] * x[j];
        c[i] = s;
    }
}

static void sparse_rows(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += value[k] * x[col[k]];
        c[i] = s;
    }
}

static void slow_rows(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            double d = x[col[k]] - x[i % 4096];
            s += value[k] / sqrt(d * d + 1.5);
        }
        c[i] = s;
    }
}

static void bodies(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) {
            double d = a[j] - b[i];
            s += d / sqrt(d * d + 0.01);
        }
        c[i] = s;
    }
}

static void attraction(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sx = 0, sy = 0, sz = 0;
        for (int j = 0; j < m; j++) {
            float dx = points[j].x - points[i].x, dy = points[j].y - points[i].y, dz = points[j].z - points[i].z;
            float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = points[j].mass * inverse * inverse * inverse;
            sx += pull * dx;
            sy += pull * dy;
            sz += pull * dz;
        }
        f[3 * i] = sx;
        f[3 * i + 1] = sy;
        f[3 * i + 2] = sz;
    }
}

static void neighbours(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sx = 0, sy = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            double dx = points[col[k]].x - points[i].x, dy = points[col[k]].y - points[i].y, square = dx * dx + dy * dy;
            if (square < 2) {
                double pull = 1 / (square + 0.5);
                sx += pull * dx;
                sy += pull * dy;
            }
        }
        a[2 * i] = sx;
        a[2 * i + 1] = sy;
    }
}

static void rows_in_order(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 1;
        for (int k = row[i]; k < row[i + 1]; k++)
            s = s * 0.25 + value[k] * x[col[k]];
        c[i] = s;
    }
}

static void sums_across(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += a[((long)k * n + i) * m + j] * x[k % 64];
            c[(long)i * m + j] = s;
        }
}

static void sums_along(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += a[((long)i * m + j) * l + k] * 1.5;
            c[(long)i * m + j] = s;
        }
}

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

static void product_of_rows(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += a[(long)i * l + k] * b[(long)j * l + k];
            c[(long)i * m + j] = s;
        }
}

static void three_loops(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            b[(long)i * m + j] = a[(long)i * m + j] * a[(long)i * m + j];
        for (int j = 0; j < m; j++)
            s += a[(long)i * m + j];
        for (int j = 0; j < m; j++)
            b[(long)i * m + j] += s;
    }
}

static void planes(void)
{
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int i = 0; i < l; i++) {
            for (int j = 0; j < m; j++)
                b[((long)k * l + i) * m + j] = a[((long)k * l + i) * m + j] * 0.5;
            b[((long)k * l + i) * m] -= 1;
            for (int j = 1; j < m - 1; j++)
                b[((long)k * l + i) * m + j] -= a[((long)k * l + i) * m + j - 1] + a[((long)k * l + i) * m + j + 1];
        }
}

static void columns(void)
{
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
        double s = 0;
        for (int i = 0; i < m; i++)
            a[(long)i * n + j] = a[(long)i * n + j] * 0.5 + 1;
        for (int i = 0; i < m; i++)
            s += a[(long)i * n + j];
        c[j] = s;
    }
}

static void scratch_rows(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t[512];
        for (int j = 0; j < m; j++)
            t[j] = a[(long)i * m + j] * 0.5;
        for (int j = 1; j < m - 1; j++)
            b[(long)i * m + j] = t[j - 1] + t[j] + t[j + 1];
    }
}

static void scratch_columns(void)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t[512];
        for (int j = 0; j < m; j++)
            t[j] = a[(long)j * n + i] * 0.5;
        for (int j = 1; j < m - 1; j++)
            b[(long)j * n + i] = t[j - 1] + t[j] + t[j + 1];
    }
}

enum { MOST_ELEMENTS = 64000000, MOST_ROWS = 4100000, MOST_SIZES = 10 };

/* POINTS: n * m iterations, l entries each; CUBE: n * l, m each; others: n, m each. */
typedef struct {
    const char *name;
    void (*run)(void);
    enum { ROWS, SPARSE, SCATTERED, POINTS, CUBE } kind;
    int sizes[MOST_SIZES][3];
} loop;

static const loop LOOPS[] = {
    {"dense_rows", dense_rows, ROWS,
     {{4000000, 4}, {2000000, 16}, {500000, 64}, {100000, 100}, {10000, 1000}, {2000, 2000}, {1000, 10000}, {100, 100000}, {300, 300},
      {10, 1000000}}},
    {"sparse_rows", sparse_rows, SPARSE,
     {{4000000, 3}, {2000000, 8}, {1000000, 30}, {100000, 100}, {10000, 1000}, {2000, 200}, {1000, 10000}, {100, 100000}, {20000, 10}}},
    {"scattered_rows", sparse_rows, SCATTERED,
     {{4000000, 4}, {1000000, 10}, {1000000, 30}, {300000, 100}, {20000, 1000}, {2000, 200}, {1000, 10000}, {100, 100000}, {100000, 20}}},
    {"attraction", attraction, ROWS, {{1000, 1000}, {8000, 8000}, {32768, 32768}, {131072, 8192}, {300, 100000}, {10000, 100}}},
    {"neighbours", neighbours, SPARSE, {{262144, 60}, {1000000, 20}, {20000, 100}, {4000, 1000}, {2000000, 8}, {300, 20000}}},
    {"slow_rows", slow_rows, SPARSE,
     {{4000000, 3}, {1000000, 30}, {100000, 100}, {10000, 1000}, {2000, 200}, {1000, 10000}, {100, 100000}}},
    {"bodies", bodies, ROWS, {{1000, 1000}, {4000, 4000}, {16000, 16000}, {65536, 10000}, {300000, 2000}, {100, 100000}, {10000, 64}}},
    {"rows_in_order", rows_in_order, SPARSE,
     {{4000000, 3}, {1000000, 30}, {100000, 100}, {10000, 1000}, {2000, 200}, {1000, 10000}, {100, 100000}}},
    {"sums_across", sums_across, POINTS,
     {{10, 32, 100000}, {64, 64, 4000}, {200, 200, 500}, {500, 500, 100}, {1000, 1000, 20}, {20, 20, 200}, {8, 8, 1000000}}},
    {"sums_along", sums_along, POINTS,
     {{10, 32, 100000}, {64, 64, 4000}, {200, 200, 500}, {500, 500, 100}, {1000, 1000, 20}, {20, 20, 200}, {8, 8, 500000}}},
    {"product", product, POINTS,
     {{16, 16, 100000}, {64, 64, 10000}, {128, 128, 4000}, {256, 256, 2000}, {512, 512, 1000}, {100, 100, 100}, {32, 32, 600}, {1000, 1000, 500}}},
    {"product_of_rows", product_of_rows, POINTS,
     {{16, 16, 100000}, {64, 64, 10000}, {128, 128, 4000}, {256, 256, 2000}, {512, 512, 1000}, {100, 100, 100}, {32, 32, 600}, {1000, 1000, 500}}},
    {"three_loops", three_loops, ROWS,
     {{4000000, 4}, {1000000, 20}, {100000, 100}, {10000, 1000}, {1000, 10000}, {100, 200000}, {300, 300}, {2000, 100}}},
    {"planes", planes, CUBE, {{102, 102, 102}, {64, 64, 64}, {36, 36, 36}, {12, 12, 12}, {500, 20, 500}, {300, 300, 300}}},
    {"columns", columns, ROWS, {{1000, 20000}, {100, 100000}, {10000, 1000}, {100000, 100}, {1000000, 20}, {300, 300}}},
    {"scratch_rows", scratch_rows, ROWS,
     {{100000, 500}, {10000, 500}, {1000, 500}, {100, 500}, {100000, 50}, {10000, 100}, {300000, 16}}},
    {"scratch_columns", scratch_columns, ROWS, {{100000, 500}, {10000, 500}, {1000, 500}, {100, 500}, {100000, 50}, {10000, 100}}},
};

/* Rows of m entries, around the diagonal or anywhere. */
static void set_rows(int scattered)
{
    value = malloc(sizeof *value * n * m);
    col = malloc(sizeof *col * n * m);
    if (!value || !col)
        exit(1);
    for (long i = 0; i <= n; i++)
        row[i] = i * m;
    for (long k = 0; k < (long)n * m; k++) {
        long at = scattered ? (k * 2654435761 ^ k >> 7) % n : k / m + (k % m - m / 2) * (k % 3 ? 1 : 7);
        col[k] = at < 0 ? 0 : at >= n ? n - 1 : at;
        value[k] = k % 11 * 0.1;
    }
}

int main(int argc, char **argv)
{
    a = malloc(sizeof *a * MOST_ELEMENTS);
    b = malloc(sizeof *b * MOST_ELEMENTS);
    c = calloc(MOST_ROWS, sizeof *c);
    x = malloc(sizeof *x * MOST_ROWS);
    row = malloc(sizeof *row * (MOST_ROWS + 1));
    f = malloc(sizeof *f * 3 * MOST_ROWS);
    points = malloc(sizeof *points * MOST_ROWS);
    if (!a || !b || !c || !x || !row || !f || !points)
        return 1;
    for (long i = 0; i < MOST_ELEMENTS; i++)
        a[i] = i * 7 % 13 * 0.01, b[i] = i % 11 * 0.1;
    for (long i = 0; i < MOST_ROWS; i++)
        x[i] = i % 17 * 0.1, points[i] = (body){i % 17 * 0.1f, i % 19 * 0.1f, i % 23 * 0.1f, 1};
    for (unsigned k = 0; k < sizeof LOOPS / sizeof *LOOPS; k++) {
        const loop *at = &LOOPS[k];

        for (int s = 0; s < MOST_SIZES && at->sizes[s][0] && (argc < 2 || strcmp(argv[1], at->name) == 0); s++) {
            n = at->sizes[s][0], m = at->sizes[s][1], l = at->sizes[s][2];
            if (at->kind == SPARSE || at->kind == SCATTERED)
                set_rows(at->kind == SCATTERED);
            long iterations = at->kind == POINTS ? (long)n * m : at->kind == CUBE ? (long)n * l : n;
            printf("%s %ld %d %.2f\n", at->name, iterations, at->kind == POINTS ? l : m, seconds_of(at->run, 4, 0.2) * 1e6);
            if (at->kind == SPARSE || at->kind == SCATTERED)
                free(value), free(col);
        }
    }
    return 0;
}

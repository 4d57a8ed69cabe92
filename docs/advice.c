/* The pairs of docs/performance.md: the same work in two ways, of which one suits the device.
 *
 *     advice [SIZE]              default: 1000, about a gigabyte of memory; kernels by OMPC_PROFILE=FILE, phases on stdout
 *
 * Every pair must give the same answer; the checksum says so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

enum { TIMES = 5, STEPS = 100 };

static void *array(size_t count, size_t bytes)
{
    void *found = calloc(count, bytes);

    if (found == NULL)
        exit(1);
    return found;
}

/* ---- a sum of each row: in the array, or in a variable that lanes can share */

static void rows_in_memory(int n, const int *first, const int *column, const double *value, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            y[i] += value[k] * x[column[k]];
    }
}

static void rows_in_variable(int n, const int *first, const int *column, const double *value, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

/* ---- one member of a struct of eight, or an array of its own */

struct particle { double x, v, rest[6]; };

static void move_structs(int n, struct particle *p)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i].x += 0.5 * p[i].v;
}

static void move_arrays(int n, double *x, const double *v)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += 0.5 * v[i];
}

/* ---- a statement between the loops of a nest, or a loop of its own */

static void nest_with_statement(int n, int m, double *a, double *row)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        row[i] = 0.5 * i;
        for (int j = 0; j < m; j++)
            a[i * m + j] = i + j;
    }
}

static void nest_alone(int n, int m, double *a, double *row)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        row[i] = 0.5 * i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = i + j;
}

/* ---- a quotient by a root, or a product with its inverse */

static void pull_by_quotient(int n, const float *m, const float *x, float *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += m[j] / sqrtf(1e-3f + (x[j] - x[i]) * (x[j] - x[i]));
        a[i] = sum;
    }
}

static void pull_by_inverse(int n, const float *m, const float *x, float *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += m[j] * (1 / sqrtf(1e-3f + (x[j] - x[i]) * (x[j] - x[i])));
        a[i] = sum;
    }
}

static void pull_in_memory(int n, const float *m, const float *x, float *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int j = 0; j < n; j++)
            a[i] += m[j] / sqrtf(1e-3f + (x[j] - x[i]) * (x[j] - x[i]));
    }
}

/* ---- a norm in each step: by the host, or by a reduction */

static void step(int n, double *to, const double *from)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = i > 0 && i < n - 1 ? 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1] : from[i];
}

static double norm_by_host(int n, const double *x)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double norm_by_reduction(int n, const double *x)
{
    double most = 0;

#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* ---- between steps the new array is copied, or the pointers change places */

static void copy_back(int n, double *to, const double *from)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

static double steps_with(int n, double (*norm)(int, const double *), double *a, double *b)
{
    double sum = 0, start = omp_get_wtime();

    for (int s = 0; s < STEPS; s++) {
        step(n, b, a);
        sum += norm(n, b);
        double *t = a;
        a = b;
        b = t;
    }
    printf("%s %.6f s\n", norm == norm_by_host ? "norm_by_host" : "norm_by_reduction", omp_get_wtime() - start);
    return sum;
}

static void steps_copied(int n, double *a, double *b)
{
    for (int s = 0; s < STEPS; s++) {
        step(n, b, a);
        copy_back(n, a, b);
    }
}

static double checked(const char *what, double one, double other)
{
    if (fabs(one - other) > 1e-5 * fabs(one))
        printf("%s differs: %.9g, %.9g\n", what, one, other);
    return one;
}

int main(int argc, char **argv)
{
    const int size = argc > 1 ? atoi(argv[1]) : 1000, rows = 1000 * size, entries = 40;
    int *first = array(rows + 1, sizeof *first), *column = array((size_t)rows * entries, sizeof *column);
    double *value = array((size_t)rows * entries, sizeof *value), *x = array(rows, sizeof *x), *y = array(rows, sizeof *y);
    double *v = array(rows, sizeof *v), check = 0;
    struct particle *p = array(rows, sizeof *p);
    const int bodies = 32 * size;
    float *mass = array(bodies, sizeof *mass), *place = array(bodies, sizeof *place), *pull = array(bodies, sizeof *pull);

    for (int i = 0; i < rows; i++) {
        first[i + 1] = first[i] + entries;
        x[i] = p[i].x = i % 10;
        v[i] = p[i].v = i % 7;
        for (int k = first[i]; k < first[i + 1]; k++) {
            column[k] = (i + 17 * (k - first[i])) % rows;
            value[k] = 1.0 / (1 + k - first[i]);
        }
    }
    for (int i = 0; i < bodies; i++) {
        mass[i] = 1 + i % 3;
        place[i] = 0.001f * (i * 7 % bodies);
    }
    for (int t = 0; t < TIMES; t++) {
        rows_in_memory(rows, first, column, value, x, y);
        double one = y[rows / 2];
        rows_in_variable(rows, first, column, value, x, y);
        check += checked("rows", one, y[rows / 2]);
    }
    for (int t = 0; t < TIMES; t++) {
        move_structs(rows, p);
        move_arrays(rows, x, v);
    }
    check += checked("moves", p[rows / 3].x, x[rows / 3]);
    for (int t = 0; t < TIMES; t++) {
        nest_with_statement(2 * size, 2000, value, y);
        double one = value[2000 * size + 5] + y[size];
        nest_alone(2 * size, 2000, value, y);
        check += checked("nest", one, value[2000 * size + 5] + y[size]);
    }
    for (int t = 0; t < TIMES; t++) {
        pull_in_memory(bodies, mass, place, pull);
        double one = pull[bodies / 2];
        pull_by_quotient(bodies, mass, place, pull);
        check += checked("pull", one, pull[bodies / 2]);
        pull_by_inverse(bodies, mass, place, pull);
        checked("pull", one, pull[bodies / 2]);
    }
    double by_host = steps_with(rows, norm_by_host, x, y);
    for (int i = 0; i < rows; i++)
        x[i] = p[i].x;
    check += checked("norm", by_host, steps_with(rows, norm_by_reduction, x, y));
    double start = omp_get_wtime();
    steps_copied(rows, x, y);
    check += x[rows / 2];
    printf("steps_copied %.6f s\n", omp_get_wtime() - start);
    printf("checksum %.6e\n", check);
    return 0;
}

/* A = Q R by the modified Gram-Schmidt process, column by column. Of a matrix with more columns than rows, R is a trapezoid.
 *
 *     gramschmidt [ROWS [COLUMNS [REPETITIONS]]]
 */
#include <math.h>
#include "program.h"
#include "dense.h"

static void orthogonalise(int rows, int columns, double a[rows][columns], double q[rows][columns], double r[rows][columns])
{
    const int steps = rows < columns ? rows : columns;

    for (int k = 0; k < steps; k++) {
        double squares = 0.0;
#pragma omp parallel for reduction(+:squares)
        for (int i = 0; i < rows; i++)
            squares += a[i][k] * a[i][k];
        r[k][k] = sqrt(squares);
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            q[i][k] = a[i][k] / r[k][k];
#pragma omp parallel for
        for (int j = k + 1; j < columns; j++) {
            r[k][j] = 0.0;
            for (int i = 0; i < rows; i++)
                r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < rows; i++)
                a[i][j] -= q[i][k] * r[k][j];
        }
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "gramschmidt", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t elements = (size_t)rows * columns;
    double *given = allocate(elements, sizeof *given), *a = allocate(elements, sizeof *a);
    double *q = allocate(elements, sizeof *q), *r = allocate(elements, sizeof *r);
    fill_doubles(given, elements, 1);
    for (int i = 0; i < rows && i < columns; i++)
        given[(size_t)i * columns + i] += 10.0; /* far from singular */
    for (size_t k = 0; k < elements; k++)
        q[k] = r[k] = 0.0;
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        copy_doubles(a, given, elements);
        orthogonalise(rows, columns, (double (*)[columns])a, (double (*)[columns])q, (double (*)[columns])r);
        end_repetition(&watch);
    }
    double touched = touch(q, elements * sizeof *q) + touch(r, elements * sizeof *r);
    double end = omp_get_wtime();

    printf("gramschmidt %d %d\n", rows, columns);
    printf("q %.9e\n", checksum_doubles(q, elements));
    printf("r %.9e\n", checksum_doubles(r, elements));
    print_times(&watch, end, unused + touched);
    free(given);
    free(a);
    free(q);
    free(r);
    return 0;
}

/* The product of a sparse matrix in compressed rows with a vector.
 *
 *     spmv [ROWS [ENTRIES [SKEWED [REPETITIONS]]]]
 *
 * ENTRIES is the mean number of entries of a row, or the most; SKEWED is 0 to 3, see matrix.h. -DDIFFERENCES: the matrix is
 * that of a network, and a row adds up how far its neighbours are from its own value.
 */
#include "program.h"
#include "matrix.h"

static void multiply(double *y, const int *first, const int *column, const double *value, const double *x, int rows)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = first[i]; k < first[i + 1]; k++)
#ifdef DIFFERENCES
            sum += value[k] * (x[column[k]] - x[i]);
#else
            sum += value[k] * x[column[k]];
#endif
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 1000, 1, 100000000}, {"ENTRIES", 40, 1, 1000000}, {"SKEWED", 0, 0, 3}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "spmv", size, 4);
    const int rows = size[0].value, repetitions = size[3].value;
    sparse m = new_sparse(rows, size[1].value, size[2].value);
    double *x = allocate(rows, sizeof *x), *y = allocate(rows, sizeof *y);
    fill_doubles(x, rows, 2);
    int *first = m.first, *column = m.column;
    double *value = m.value;
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(to: first[0:rows + 1], column[0:first[rows]], value[0:first[rows]], x[0:rows]) map(from: y[0:rows])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        multiply(y, first, column, value, x, rows);
        end_repetition(&watch);
    }
    double touched = touch(y, rows * sizeof *y);
    double end = omp_get_wtime();

    printf("spmv %d entries %d\n", rows, first[rows]);
    printf("checksum %.9e\n", checksum_doubles(y, rows));
    print_times(&watch, end, unused + touched);
    free_sparse(&m);
    free(x);
    free(y);
    return 0;
}

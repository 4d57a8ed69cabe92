/* B = alpha A^T B in place, where A is lower triangular with ones on its diagonal, which are not looked at.
 *
 *     trmm [ROWS [COLUMNS [REPETITIONS]]]
 */
#include "program.h"
#include "dense.h"

static void multiply(int rows, int columns, double b[rows][columns], double a[rows][rows], double alpha)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = b[i][j];
            for (int k = i + 1; k < rows; k++)
                sum += a[k][i] * b[k][j];
            b[i][j] = alpha * sum;
        }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "trmm", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t of_a = (size_t)rows * rows, of_b = (size_t)rows * columns;
    double *a = allocate(of_a, sizeof *a), *given = allocate(of_b, sizeof *given), *b = allocate(of_b, sizeof *b);
    fill_doubles(a, of_a, 1);
    fill_doubles(given, of_b, 2);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        copy_doubles(b, given, of_b);
        multiply(rows, columns, (double (*)[columns])b, (double (*)[rows])a, 1.5);
        end_repetition(&watch);
    }
    double touched = touch(b, of_b * sizeof *b);
    double end = omp_get_wtime();

    printf("trmm %d %d\n", rows, columns);
    printf("checksum %.9e\n", checksum_doubles(b, of_b));
    print_times(&watch, end, unused + touched);
    free(a);
    free(given);
    free(b);
    return 0;
}

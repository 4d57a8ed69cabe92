/* The matrix of covariances between the columns of a table of observations, of which half is computed.
 *
 *     covariance [ROWS [COLUMNS [REPETITIONS]]]
 */
#include "program.h"
#include "dense.h"

static void covary(int rows, int columns, double *cov, double *data, double *mean)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < rows; i++)
            mean[j] += data[i * columns + j];
        mean[j] /= rows;
    }
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            data[i * columns + j] -= mean[j];
#pragma omp parallel for
    for (int i = 0; i < columns; i++)
        for (int j = i; j < columns; j++) {
            cov[i * columns + j] = 0.0;
            for (int k = 0; k < rows; k++)
                cov[i * columns + j] += data[k * columns + i] * data[k * columns + j];
            cov[i * columns + j] /= rows - 1.0;
            cov[j * columns + i] = cov[i * columns + j];
        }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 2, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "covariance", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t elements = (size_t)rows * columns, results = (size_t)columns * columns;
    double *observed = allocate(elements, sizeof *observed), *data = allocate(elements, sizeof *data);
    double *cov = allocate(results, sizeof *cov), *mean = allocate(columns, sizeof *mean);
    fill_doubles(observed, elements, 1);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        copy_doubles(data, observed, elements);
        covary(rows, columns, cov, data, mean);
        end_repetition(&watch);
    }
    double touched = touch(cov, results * sizeof *cov);
    double end = omp_get_wtime();

    printf("covariance %d %d\n", rows, columns);
    printf("checksum %.9e\n", checksum_doubles(cov, results));
    print_times(&watch, end, unused + touched);
    free(observed);
    free(data);
    free(cov);
    free(mean);
    return 0;
}

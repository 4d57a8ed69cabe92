/* The matrix of correlations between the columns of a table of observations: means, deviations, the standardised table, and of
 * that the product with its transpose, of which half is computed.
 *
 *     correlation [ROWS [COLUMNS [REPETITIONS]]]
 */
#include <math.h>
#include "program.h"
#include "dense.h"

static void correlate(int rows, int columns, double corr[columns][columns], double data[rows][columns], double mean[columns],
                      double deviation[columns])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < rows; i++)
            mean[j] += data[i][j];
        mean[j] /= rows;
    }
#pragma omp parallel for
    for (int j = 0; j < columns; j++) {
        double squares = 0.0;
        for (int i = 0; i < rows; i++)
            squares += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        deviation[j] = sqrt(squares / rows);
        if (deviation[j] <= 0.1)
            deviation[j] = 1.0;
    }
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            data[i][j] = (data[i][j] - mean[j]) / (sqrt((double)rows) * deviation[j]);
#pragma omp parallel for
    for (int i = 0; i < columns; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < columns; j++) {
            double sum = 0.0;
            for (int k = 0; k < rows; k++)
                sum += data[k][i] * data[k][j];
            corr[i][j] = sum;
            corr[j][i] = sum;
        }
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 16384}, {"COLUMNS", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "correlation", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t elements = (size_t)rows * columns, results = (size_t)columns * columns;
    double *observed = allocate(elements, sizeof *observed), *data = allocate(elements, sizeof *data);
    double *corr = allocate(results, sizeof *corr);
    double *mean = allocate(columns, sizeof *mean), *deviation = allocate(columns, sizeof *deviation);
    fill_doubles(observed, elements, 1);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        copy_doubles(data, observed, elements);
        correlate(rows, columns, (double (*)[columns])corr, (double (*)[columns])data, mean, deviation);
        end_repetition(&watch);
    }
    double touched = touch(corr, results * sizeof *corr);
    double end = omp_get_wtime();

    printf("correlation %d %d\n", rows, columns);
    printf("checksum %.9e\n", checksum_doubles(corr, results));
    print_times(&watch, end, unused + touched);
    free(observed);
    free(data);
    free(corr);
    free(mean);
    free(deviation);
    return 0;
}

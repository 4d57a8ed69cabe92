/* Each row of a three-dimensional array times the same matrix, in place, as in multiresolution analysis (MADNESS).
 *
 *     doitgen [PLANES [ROWS [COLUMNS [REPETITIONS]]]]
 */
#include "program.h"
#include "dense.h"

static void multiply(int planes, int rows, int columns, double a[planes][rows][columns], double c[columns][columns])
{
#pragma omp parallel for
    for (int r = 0; r < planes; r++)
        for (int q = 0; q < rows; q++) {
            double product[columns];
            for (int p = 0; p < columns; p++) {
                product[p] = 0.0;
                for (int s = 0; s < columns; s++)
                    product[p] += a[r][q][s] * c[s][p];
            }
            for (int p = 0; p < columns; p++)
                a[r][q][p] = product[p];
        }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLANES", 8, 1, 1024}, {"ROWS", 8, 1, 1024}, {"COLUMNS", 8, 1, 1024}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "doitgen", size, 4);
    const int planes = size[0].value, rows = size[1].value, columns = size[2].value, repetitions = size[3].value;
    const size_t elements = (size_t)planes * rows * columns, of_c = (size_t)columns * columns;
    double *given = allocate(elements, sizeof *given), *a = allocate(elements, sizeof *a), *c = allocate(of_c, sizeof *c);
    fill_doubles(given, elements, 1);
    fill_doubles(c, of_c, 2);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        copy_doubles(a, given, elements);
        multiply(planes, rows, columns, (double (*)[rows][columns])a, (double (*)[columns])c);
        end_repetition(&watch);
    }
    double touched = touch(a, elements * sizeof *a);
    double end = omp_get_wtime();

    printf("doitgen %d %d %d\n", planes, rows, columns);
    printf("checksum %.9e\n", checksum_doubles(a, elements));
    print_times(&watch, end, unused + touched);
    free(given);
    free(a);
    free(c);
    return 0;
}

/* A^T (A x) of a matrix of floats.
 *
 *     atax [ROWS [COLUMNS [REPETITIONS]]]
 */
#include "program.h"

static void atax(float *y, float *t, const float *a, const float *x, int rows, int columns)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < rows; i++) {
        float sum = 0.0f;
        for (int j = 0; j < columns; j++)
            sum += a[i * columns + j] * x[j];
        t[i] = sum;
    }
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int j = 0; j < columns; j++) {
        float sum = 0.0f;
        for (int i = 0; i < rows; i++)
            sum += a[i * columns + j] * t[i];
        y[j] = sum;
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "atax", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t elements = (size_t)rows * columns;
    float *a = allocate(elements, sizeof *a), *x = allocate(columns, sizeof *x);
    float *t = allocate(rows, sizeof *t), *y = allocate(columns, sizeof *y);
    fill_floats(a, elements, 1);
    fill_floats(x, columns, 2);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(to: a[0:elements], x[0:columns]) map(alloc: t[0:rows]) map(from: y[0:columns])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        atax(y, t, a, x, rows, columns);
        end_repetition(&watch);
    }
    double touched = touch(y, columns * sizeof *y);
    double end = omp_get_wtime();

    printf("atax %d %d\n", rows, columns);
    printf("checksum %.7e\n", checksum_floats(y, columns));
    print_times(&watch, end, unused + touched);
    free(a);
    free(x);
    free(t);
    free(y);
    return 0;
}

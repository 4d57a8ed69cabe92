/* The transpose of a matrix of floats.
 *
 *     transpose [ROWS [COLUMNS [REPETITIONS]]]
 */
#include "program.h"

static void transpose(float *b, const float *a, int rows, int columns)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2)
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            b[j * rows + i] = a[i * columns + j];
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "transpose", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t elements = (size_t)rows * columns;
    float *a = allocate(elements, sizeof *a), *b = allocate(elements, sizeof *b);
    fill_floats(a, elements, 1);
    fill_floats(b, elements, 2);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(to: a[0:elements]) map(from: b[0:elements])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        transpose(b, a, rows, columns);
        end_repetition(&watch);
    }
    double touched = touch(b, elements * sizeof *b);
    double end = omp_get_wtime();

    printf("transpose %d %d\n", rows, columns);
    printf("checksum %.9e\n", checksum_floats(b, elements));
    print_times(&watch, end, unused + touched);
    free(a);
    free(b);
    return 0;
}

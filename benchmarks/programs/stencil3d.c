/* Sweeps over a cuboid by a seven-point stencil; two arrays that change places.
 *
 *     stencil3d [PLANES [ROWS [COLUMNS [SWEEPS]]]]
 */
#include "program.h"

static void sweep(const double *old, double *new, int planes, int rows, int columns)
{
    const int plane = rows * columns;

#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(3)
#else
#pragma omp parallel for
#endif
    for (int i = 1; i < planes - 1; i++)
        for (int j = 1; j < rows - 1; j++)
            for (int k = 1; k < columns - 1; k++) {
                const int at = i * plane + j * columns + k;
                new[at] = 0.4 * old[at] + 0.1 * (old[at - plane] + old[at + plane] + old[at - columns] + old[at + columns]
                                                 + old[at - 1] + old[at + 1]);
            }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLANES", 16, 1, 1024}, {"ROWS", 16, 1, 1024}, {"COLUMNS", 16, 1, 1024}, {"SWEEPS", 1, 1, 1000}};

    read_parameters(argc, argv, "stencil3d", size, 4);
    const int planes = size[0].value, rows = size[1].value, columns = size[2].value, repetitions = size[3].value;
    const size_t points = (size_t)planes * rows * columns;
    double *old = allocate(points, sizeof *old), *new = allocate(points, sizeof *new);
    fill_doubles(old, points, 1);
    fill_doubles(new, points, 1);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(tofrom: old[0:points], new[0:points])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        sweep(old, new, planes, rows, columns);
        end_repetition(&watch);
        double *other = old;
        old = new;
        new = other;
    }
    double touched = touch(old, points * sizeof *old);
    double end = omp_get_wtime();

    printf("stencil3d %d %d %d %d\n", planes, rows, columns, repetitions);
    printf("checksum %.9e\n", checksum_doubles(old, points));
    print_times(&watch, end, unused + touched);
    free(old);
    free(new);
    return 0;
}

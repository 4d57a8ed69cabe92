/* Sweeps over a plane by a five-point stencil; two arrays that change places.
 *
 *     sweep [ROWS [COLUMNS [SWEEPS]]]
 *
 * With -DRESIDUAL: the Jacobi method with relaxation for the Poisson equation, which adds up the squares of the residual.
 */
#include "program.h"

#ifdef RESIDUAL
static double sweep(const double *old, const double *f, double *new, int rows, int columns)
{
    double squares = 0.0;

#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2) reduction(+:squares) map(tofrom: squares)
#else
#pragma omp parallel for reduction(+:squares)
#endif
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {
            const double r = 0.25 * (old[(i - 1) * columns + j] + old[(i + 1) * columns + j] + old[i * columns + j - 1]
                                     + old[i * columns + j + 1] - f[i * columns + j]) - old[i * columns + j];
            new[i * columns + j] = old[i * columns + j] + 0.8 * r;
            squares += r * r;
        }
    return squares;
}
#else
static double sweep(const double *old, const double *f, double *new, int rows, int columns)
{
    (void)f;
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2)
#else
#pragma omp parallel for
#endif
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            new[i * columns + j] = 0.2 * (old[i * columns + j] + old[(i - 1) * columns + j] + old[(i + 1) * columns + j]
                                          + old[i * columns + j - 1] + old[i * columns + j + 1]);
    return 0.0;
}
#endif

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"SWEEPS", 1, 1, 1000}};

    read_parameters(argc, argv, "sweep", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t points = (size_t)rows * columns;
    double *old = allocate(points, sizeof *old), *new = allocate(points, sizeof *new), *f = allocate(points, sizeof *f);
    double squares = 0.0;
    fill_doubles(old, points, 1);
    fill_doubles(new, points, 1);
    fill_doubles(f, points, 2);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(tofrom: old[0:points], new[0:points]) map(to: f[0:points])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        squares = sweep(old, f, new, rows, columns);
        end_repetition(&watch);
        double *other = old;
        old = new;
        new = other;
    }
    double touched = touch(old, points * sizeof *old);
    double end = omp_get_wtime();

    printf("sweep %d %d %d\n", rows, columns, repetitions);
    printf("residual %.9e\n", squares);
    printf("checksum %.9e\n", checksum_doubles(old, points));
    print_times(&watch, end, unused + touched);
    free(old);
    free(new);
    free(f);
    return 0;
}

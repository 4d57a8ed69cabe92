/* Jacobi sweeps over a grid of n x n doubles, in strips of rows: halo rows by MPI_Sendrecv, the residual by
 * MPI_Allreduce. Prints the ranks, the time of the sweeps behind a first one, the residual and a sum of the grid.
 *
 * usage: jacobi [rows and columns] [sweeps] [weak: rows are those of one rank]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long columns;

static double sweep(const double *old, double *new, long rows)
{
    double residual = 0;
#pragma omp parallel for reduction(+ : residual)
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j < columns - 1; j++) {
            const double value = 0.25 * (old[(i - 1) * columns + j] + old[(i + 1) * columns + j] + old[i * columns + j - 1] +
                                         old[i * columns + j + 1]);
            const double change = value - old[i * columns + j];
            new[i * columns + j] = value;
            residual += change * change;
        }
    return residual;
}

static void exchange(double *grid, long rows, int above, int below)
{
    MPI_Sendrecv(grid + columns, columns, MPI_DOUBLE, above, 0, grid + (rows + 1) * columns, columns, MPI_DOUBLE, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(grid + rows * columns, columns, MPI_DOUBLE, below, 1, grid, columns, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    columns = argc > 1 ? atol(argv[1]) : 1024;
    const int sweeps = argc > 2 ? atoi(argv[2]) : 20;
    const int weak = argc > 3;
    const long rows = weak ? columns : columns * (rank + 1) / ranks - columns * rank / ranks;
    const long first = weak ? columns * rank : columns * rank / ranks;
    const int above = rank == 0 ? MPI_PROC_NULL : rank - 1, below = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
    double *old = malloc((rows + 2) * columns * sizeof *old), *new = malloc((rows + 2) * columns * sizeof *new);

#pragma omp parallel for
    for (long i = 0; i < rows + 2; i++)
        for (long j = 0; j < columns; j++)
            old[i * columns + j] = new[i * columns + j] = (double)((first + i) * 7 % 13) + (double)(j * 5 % 11);

    double residual = 0, start = 0;
    for (int k = 0; k <= sweeps; k++) {
        if (k == 1) {
            MPI_Barrier(MPI_COMM_WORLD);
            start = MPI_Wtime();
        }
        exchange(old, rows, above, below);
        const double mine = sweep(old, new, rows);
        MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double *const other = old;
        old = new;
        new = other;
    }
    const double seconds = MPI_Wtime() - start;
    double mine = 0, sum;
#pragma omp parallel for reduction(+ : mine)
    for (long i = columns; i < (rows + 1) * columns; i++)
        mine += old[i];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("ranks %d seconds %.4f residual %.9e sum %.12e\n", ranks, seconds, sqrt(residual), sum);
    free(old);
    free(new);
    MPI_Finalize();
    return 0;
}

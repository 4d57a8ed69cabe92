/* A sweep over rows in parts, one for each process, whose edges are sent: with the loop behind the messages, or beside them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024
#endif
enum { STEPS = 20 };

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int mine = N / size, beside = argc > 1 && atoi(argv[1]) == 1;
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double(*a)[N] = aligned_alloc(4096, (mine + 2) * sizeof *a), (*b)[N] = aligned_alloc(4096, (mine + 2) * sizeof *b);
    double sum = 0, total = 0;

    #pragma omp parallel for
    for (int i = 0; i < mine + 2; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = b[i][j] = ((rank * mine + i) * 7919 + j * 104729) % 1000 / 1000.0;
    for (int step = 0; step < STEPS; step++) {
        MPI_Request requests[4];
        if (!beside) {
            MPI_Sendrecv(a[1], N, MPI_DOUBLE, up, 0, a[mine + 1], N, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(a[mine], N, MPI_DOUBLE, down, 1, a[0], N, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Irecv(a[0], N, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Irecv(a[mine + 1], N, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[1]);
            MPI_Isend(a[1], N, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[2]);
            MPI_Isend(a[mine], N, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[3]);
        }
        #pragma omp parallel for
        for (int i = 1 + beside; i <= mine - beside; i++)
            for (int j = 1; j < N - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        if (beside) {
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
            for (int i = 1; i <= mine; i += mine - 1) {
                #pragma omp parallel for
                for (int j = 1; j < N - 1; j++)
                    b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            }
        }
        void *before = a;
        a = b, b = before;
    }
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i <= mine; i++)
        for (int j = 0; j < N; j++)
            sum += a[i][j] * ((i + rank * mine + j) % 17);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", total);
    free(a), free(b);
    MPI_Finalize();
    return 0;
}

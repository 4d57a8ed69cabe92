/* What others use until nobody knows when: windows of memory, buffers of the library, files. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 30000 };

static void scale(double *to, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (double)((long long)(to[i] * by + i) % 9973);
}

static void check(const char *what, const double *from, int n)
{
    long long mine = 0, all = 0;
    int rank;
    #pragma omp parallel for reduction(+ : mine)
    for (int i = 0; i < n; i++)
        mine += (long long)from[i] * (i % 101 + 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %lld\n", what, all);
}

int main(int argc, char **argv)
{
    int rank, size;
    char *const name = argv[1];
    MPI_Win window, given;
    MPI_File file;
    MPI_Request request;
    double *own = malloc(N * sizeof *own), *other = malloc(N * sizeof *other), *shown;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        own[i] = i % 7 + rank, other[i] = i % 11;
    scale(own, N, 3), scale(other, N, 2);
    MPI_Win_create(own, N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int k = 0; k < 3; k++) {
        scale(own, N, 3), scale(other, N, 2);
        MPI_Win_fence(0, window);
        MPI_Get(other + 7, 9000, MPI_DOUBLE, (rank + 1) % size, 100, 9000, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        scale(other, N, 3);
        MPI_Win_fence(0, window);
        MPI_Put(other + 9100, 9000, MPI_DOUBLE, (rank + 1) % size, 10000, 9000, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
    check("window", own, N), check("window", other, N);

    MPI_Win_allocate(N * sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD, &shown, &given);
    memset(shown, 0, N * sizeof *shown);
    scale(shown, N, 3);
    MPI_Win_fence(0, given);
    MPI_Put(other, 5000, MPI_DOUBLE, (rank + 1) % size, 300, 5000, MPI_DOUBLE, given);
    MPI_Win_fence(0, given);
    scale(shown, N, 2);
    check("given", shown, N);
    MPI_Win_free(&given);

    double *copy = calloc(N, sizeof *copy);
    scale(copy, N, 1);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    scale(other, N, 2);
    MPI_File_write_at(file, (MPI_Offset)rank * N * sizeof *other, other, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_sync(file), MPI_Barrier(MPI_COMM_WORLD), MPI_File_sync(file);
    MPI_File_iread_at(file, (MPI_Offset)((rank + 1) % size) * N * sizeof *copy, copy + 3, N - 3, MPI_DOUBLE, &request);
    scale(other, N, 3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    scale(copy, N, 3);
    check("file", copy, N), check("file", other, N);
    MPI_File_close(&file);

    void *room = malloc(N * sizeof *other + 2 * MPI_BSEND_OVERHEAD);
    int room_size;
    MPI_Buffer_attach(room, N * sizeof *other + 2 * MPI_BSEND_OVERHEAD);
    MPI_Bsend(other, N / 2, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD);
    scale(other, N / 2, 3); /* it may: the message is in the room */
    MPI_Recv(copy, N / 2, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&room, &room_size);
    scale(copy, N, 3);
    check("room", copy, N), check("room", other, N);

    /* Who wants errors hears of them, and goes on. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int failed = MPI_Send(copy, N, MPI_DOUBLE, size + 7, 1, MPI_COMM_WORLD) != MPI_SUCCESS;
    const int failed_later = MPI_Isend(copy, N, MPI_DOUBLE, size + 7, 1, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
    scale(copy, N, 3);
    if (rank == 0)
        printf("errors %d %d\n", failed, failed_later);
    check("behind errors", copy, N);
    free(own), free(other), free(copy), free(room);
    MPI_Finalize();
    return 0;
}

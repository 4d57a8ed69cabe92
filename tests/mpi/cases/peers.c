/* Messages that may go from device to device, and all that a program can see of them: their sizes, order, tags, senders, errors. Half
   of what is received is an array of the device's, half one of the host's. With PROBES the program asks for sizes before it receives,
   and each message goes through the host.

   What is printed are sums of whole numbers, the same with any number of threads. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60000, PART = 9000, ODD = 4513 };

static int rank, size, left, right;
static double *grid, *other, *of_host;

static void scale(double *to, int n, int by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (double)(((long long)to[i] * by + i % 13 + by) % 9973);
}

static long long sum_of(const double *from, int n)
{
    long long sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += (long long)from[i] * (i % 101 + 1);
    return sum;
}

static void check(const char *what, long long seen)
{
    long long mine[4] = {sum_of(grid, N), sum_of(other, N), 0, seen}, all[4];
    for (int i = 0; i < N; i++)
        mine[2] += (long long)of_host[i] * (i % 103 + 1);
    MPI_Reduce(mine, all, 4, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %lld %lld %lld %lld\n", what, all[0], all[1], all[2], all[3]);
}

/* What a status says. */
static long long seen_in(const MPI_Status *status)
{
    int doubles, bytes;
    MPI_Get_count(status, MPI_DOUBLE, &doubles), MPI_Get_elements(status, MPI_BYTE, &bytes);
    return doubles + 3LL * bytes + 1000003LL * status->MPI_TAG + 7LL * (status->MPI_SOURCE - left);
}

static void blocking(MPI_Comm comm, int tag)
{
    MPI_Status status;
    long long seen = 0;
    for (int k = 0; k < 6; k++) {
        double *const to = k % 3 == 2 ? of_host : other;
        scale(grid, N, 3 + k), scale(other, N, 2);
        MPI_Sendrecv(grid + 100 + k, PART, MPI_DOUBLE, right, tag, to + 5000, PART, MPI_DOUBLE, left, tag, comm, &status);
        seen += seen_in(&status);
        scale(other, N, 2);
        MPI_Sendrecv(other + 33, PART - 7 * k, MPI_DOUBLE, left, tag + 1, grid + 20000, PART + 50, MPI_DOUBLE, right, MPI_ANY_TAG, comm, &status);
        status.MPI_SOURCE = left;
        seen += seen_in(&status); /* less has come than there is room for */
        scale(grid, N, 2);
        MPI_Sendrecv_replace(grid + 7, ODD, MPI_DOUBLE, right, tag, left, tag, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv(grid, 8 * ODD, MPI_BYTE, right, tag, to + 30000, 8 * ODD + 3, MPI_BYTE, MPI_ANY_SOURCE, tag, comm, &status);
        seen += status.MPI_TAG + 3 * (status.MPI_SOURCE == left);
        scale(other, N, 3), scale(grid, N, 2);
    }
    check("blocking", seen);
}

/* Several of one tag in their order, others before them; some to the host's array, some that nobody waits for by name. */
static void requests(void)
{
    long long seen = 0;
    for (int k = 0; k < 8; k++) {
        MPI_Request sent[5], got[5];
        MPI_Status status, states[5];
        int flag = 0, some[5], count, index;
        scale(grid, N, 5 + k), scale(other, N, 2);
        for (int i = 0; i < 3; i++)
            (i == 1 ? MPI_Issend : MPI_Isend)(grid + 2 + i * PART, PART - i, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &sent[i]);
        MPI_Isend(grid + 40000, ODD, MPI_DOUBLE, right, 8, MPI_COMM_WORLD, &sent[3]);
        MPI_Isend(grid + 45000, 5, MPI_DOUBLE, right, 9, MPI_COMM_WORLD, &sent[4]);
        scale(grid + 50000, N - 50000, 2);
        MPI_Irecv(other + 41000, ODD, MPI_DOUBLE, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &got[3]);
        MPI_Irecv(other, PART, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &got[0]);
        MPI_Irecv(k % 2 ? of_host : other + 10000, PART, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &got[1]);
        MPI_Irecv(other + 20000, PART, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &got[2]);
        MPI_Irecv(other + 46000, 5, MPI_DOUBLE, left, 9, MPI_COMM_WORLD, &got[4]);
        if (k % 4 == 0) {
            MPI_Waitall(5, got, states);
            for (int i = 0; i < 5; i++)
                seen += (i + 1) * seen_in(&states[i]);
        } else if (k % 4 == 1) {
            for (int done = 0; done < 5; done++) {
                MPI_Waitany(5, got, &index, &status);
                seen += (index + 1) * seen_in(&status);
                if (index < 4)
                    scale(other + 55000, 5000, 2);
            }
        } else if (k % 4 == 2) {
            for (int done = 0; done < 5; done += count > 0 ? count : 0) {
                MPI_Testsome(5, got, &count, some, states);
                for (int i = 0; i < count; i++)
                    seen += (some[i] + 1) * seen_in(&states[i]);
            }
        } else {
            while (!flag)
                MPI_Request_get_status(got[1], &flag, &status);
            seen += (long long)of_host[3] + seen_in(&status);
            MPI_Waitall(5, got, MPI_STATUSES_IGNORE);
        }
        scale(other, N, 2);
        for (flag = 0; !flag;)
            MPI_Testall(5, sent, &flag, MPI_STATUSES_IGNORE);
    }
    check("requests", seen);
}

/* Requests that are given away, or taken back. */
static void given_away(void)
{
    for (int k = 0; k < 4; k++) {
        MPI_Request request, never;
        MPI_Status status;
        int cancelled;
        scale(grid, N, 7), scale(other, N, 2);
        MPI_Irecv(other, PART, MPI_DOUBLE, left, 99, MPI_COMM_WORLD, &never);
        MPI_Isend(grid, PART, MPI_DOUBLE, right, 11, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(other + 300, PART, MPI_DOUBLE, left, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&never);
        MPI_Wait(&never, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (!cancelled)
            printf("not cancelled\n");
        scale(other, N, 3);
        MPI_Barrier(MPI_COMM_WORLD); /* what was sent has come: its memory may be used again */
    }
    check("given away", 0);
}

static void too_long(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Request request;
    double *const lost = malloc(N * sizeof *lost); /* what has come of it is not said, nor how far it goes */
    scale(grid, N, 3), scale(other, N, 3);
    MPI_Isend(grid, PART, MPI_DOUBLE, right, 1, comm, &request);
    const int error = MPI_Recv(lost, PART - 100, MPI_DOUBLE, left, 1, comm, MPI_STATUS_IGNORE);
    int kind = -1;
    MPI_Error_class(error, &kind);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    check("too long", kind == MPI_ERR_TRUNCATE);
}

/* By other numbers than those of the world: turned round, and the other half's. */
static void other_groups(void)
{
    MPI_Comm turned, half, between;
    MPI_Status status;
    long long seen = 0;
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &turned);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (size > 1)
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
    for (int k = 0; k < 3; k++) {
        scale(grid, N, 3), scale(other, N, 2);
        MPI_Sendrecv(grid + 1, PART, MPI_DOUBLE, size - 1 - right, 2, other + 17, PART, MPI_DOUBLE, size - 1 - left, 2, turned, &status);
        seen += status.MPI_SOURCE == size - 1 - left;
        scale(other, N, 2), scale(grid, N, 3);
        if (size > 1 && rank < size / 2 * 2) { /* in pairs */
            MPI_Sendrecv(other + 1, PART, MPI_DOUBLE, rank / 2, 3, grid + 17, PART, MPI_DOUBLE, rank / 2, 3, between, &status);
            seen += status.MPI_SOURCE == rank / 2;
        }
    }
    if (size > 1)
        MPI_Comm_free(&between);
    MPI_Comm_free(&turned), MPI_Comm_free(&half);
    check("groups", seen);
}

#ifdef PROBES
static void probes(void)
{
    MPI_Request request;
    MPI_Status status;
    int count = 0;
    long long seen = 0;
    for (int k = 0; k < 3; k++) {
        scale(grid, N, 3), scale(other, N, 2);
        MPI_Isend(grid + k, PART + k, MPI_DOUBLE, right, 30 + k, MPI_COMM_WORLD, &request);
        MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        seen += seen_in(&status);
        MPI_Recv(other + 3, count, MPI_DOUBLE, left, 30 + k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    check("probes", seen);
}
#endif

/* Nobody waits for the last ones, and their senders end first. */
static void at_the_end(void)
{
    scale(grid, N, 3);
    if (rank % 2 == 0 && rank + 1 < size)
        MPI_Send(grid, PART, MPI_DOUBLE, rank + 1, 50, MPI_COMM_WORLD);
    if (rank % 2 == 1) {
        for (int k = 0; k < 20; k++)
            scale(other, N, 3);
        MPI_Recv(other + 11, PART, MPI_DOUBLE, rank - 1, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        scale(other, N, 2);
        if (rank == 1)
            printf("end %lld\n", sum_of(other, N));
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size, right = (rank + 1) % size;
    grid = malloc(N * sizeof *grid), other = malloc(N * sizeof *other), of_host = calloc(N, sizeof *of_host);
    for (int i = 0; i < N; i++)
        grid[i] = (i * 7 + rank) % 1009, other[i] = (i * 3 + rank) % 997;
    blocking(MPI_COMM_WORLD, 1), requests(), given_away(), blocking(MPI_COMM_WORLD, 4), too_long(), other_groups();
#ifdef PROBES
    probes();
#endif
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    at_the_end();
    free(grid), free(other), free(of_host);
    MPI_Finalize();
    return 0;
}

/* Each way to send and receive what loops have computed on the device, with messages that begin and end anywhere in a page.

   What is printed are sums of whole numbers, the same with any number of threads. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, COLUMNS = 517, ALL = ROWS * COLUMNS, LONG = 40000 };

static int rank, size, left, right;
static double field[ALL + 64]; /* of the program's file, and pages of its own */
static double *grid, *other;   /* of the heap */
static long long total;

static void fill(double *to, int n, int with)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (i * 31 + with * 7 + rank * 11) % 1009;
}

static void add(double *to, const double *from, int n, int shift)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += from[(i + shift) % n] * (i % 3 + 1);
}

static void scale(double *to, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (double)((long long)(to[i] * by) % 9973);
}

/* Anywhere in the array, as far as anybody knows. */
static void spread(double *to, const int *where, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[where[i]] += i % 7 + 1;
}

static void check(const char *what, const double *from, int n)
{
    long long mine = 0, all = 0;
    #pragma omp parallel for reduction(+ : mine)
    for (int i = 0; i < n; i++)
        mine += (long long)from[i] * (i % 101 + 1);
    MPI_Reduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    total += all;
    if (rank == 0)
        printf("%s %lld\n", what, all);
}

static double *row(double *of, int i) { return of + i * COLUMNS + 3; }

static void point_to_point(void)
{
    MPI_Status status;
    fill(grid, ALL, 1), fill(other, ALL, 2), fill(field, ALL, 3);
    for (int k = 0; k < 4; k++) {
        MPI_Sendrecv(row(grid, 1), COLUMNS, MPI_DOUBLE, right, 1, row(grid, 0), COLUMNS, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &status);
        add(other, grid, ALL, 1);
        MPI_Sendrecv_replace(row(other, 7), 2 * COLUMNS, MPI_DOUBLE, left, 2, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        add(grid, other, ALL, 5);
        scale(grid, ALL, 3), scale(other, ALL, 5);
    }
    check("sendrecv", grid, ALL), check("replace", other, ALL);
    if (rank % 2 == 0 && rank + 1 < size) {
        MPI_Send(row(field, 3), 5 * COLUMNS, MPI_DOUBLE, rank + 1, 4, MPI_COMM_WORLD);
        MPI_Ssend(row(grid, 9), COLUMNS, MPI_DOUBLE, rank + 1, 5, MPI_COMM_WORLD);
    } else if (rank % 2 == 1) {
        MPI_Recv(row(field, 11), 6 * COLUMNS, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD, &status); /* less comes than there is room for */
        MPI_Recv(row(grid, 20), COLUMNS, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    }
    add(field, grid, ALL, 2);
    check("send", field, ALL);
}

/* Loops go on with the same arrays, beside the messages and in their pages, while these are on their way. */
static void beside_loops(void)
{
    MPI_Request requests[6];
    int *where = malloc(ALL * sizeof *where);
    for (int i = 0; i < ALL; i++) /* each of the rows between those of messages, once */
        where[i] = 2 * COLUMNS + 3 + (int)(i * 7919LL % ((ROWS - 5) * COLUMNS));
    fill(grid, ALL, 4), fill(other, ALL, 5);
    for (int k = 0; k < 5; k++) {
        MPI_Irecv(row(grid, 0), COLUMNS, MPI_DOUBLE, left, 10, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(row(grid, ROWS - 2), COLUMNS, MPI_DOUBLE, right, 11, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(row(grid, 1), COLUMNS, MPI_DOUBLE, left, 11, MPI_COMM_WORLD, &requests[2]);
        MPI_Issend(row(grid, ROWS - 3), COLUMNS, MPI_DOUBLE, right, 10, MPI_COMM_WORLD, &requests[3]);
        requests[4] = requests[5] = MPI_REQUEST_NULL;
        double *inner = row(grid, 2);
        const int n = (ROWS - 5) * COLUMNS;
        add(inner, row(other, 2), n, k); /* touches pages of what is sent and received, and no byte of it */
        scale(inner, n, 3);
        scale(other, ALL, 2);
        spread(grid, where, n);
        if (k % 3 == 0) {
            MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
        } else if (k % 3 == 1) {
            for (int done = 0, i; done < 4; done++)
                MPI_Waitany(6, requests, &i, MPI_STATUS_IGNORE), add(inner, other, n, 1);
        } else {
            for (int done = 0, some, where[6]; done < 4; done += some > 0 ? some : 0)
                MPI_Testsome(6, requests, &some, where, MPI_STATUSES_IGNORE);
        }
        add(other, grid, ALL, 3);
        scale(other, ALL, 7), scale(grid, ALL, 2);
    }
    check("nonblocking", grid, ALL), check("nonblocking", other, ALL);
    MPI_Request one;
    int flag = 0;
    MPI_Irecv(row(other, 1), LONG / 2, MPI_DOUBLE, left, 12, MPI_COMM_WORLD, &one);
    scale(grid, ALL, 3);
    MPI_Send(grid, LONG / 2, MPI_DOUBLE, right, 12, MPI_COMM_WORLD);
    while (!flag)
        MPI_Test(&one, &flag, MPI_STATUS_IGNORE);
    scale(other, ALL, 3);
    check("test", other, ALL);
    free(where);
}

static void persistent(void)
{
    MPI_Request requests[4];
    fill(grid, ALL, 6), fill(other, ALL, 7);
    MPI_Recv_init(row(grid, 5), COLUMNS, MPI_DOUBLE, left, 20, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(row(grid, 8), COLUMNS, MPI_DOUBLE, right, 20, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(row(other, 0), 3, MPI_DOUBLE, MPI_PROC_NULL, 21, MPI_COMM_WORLD, &requests[2]);
    MPI_Ssend_init(row(other, 1), 3, MPI_DOUBLE, MPI_PROC_NULL, 21, MPI_COMM_WORLD, &requests[3]);
    for (int k = 0; k < 4; k++) {
        if (k % 2)
            MPI_Startall(4, requests);
        else
            for (int i = 0; i < 4; i++)
                MPI_Start(&requests[i]);
        scale(row(grid, 10), 20 * COLUMNS, 3);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        add(grid, other, ALL, k), scale(grid, ALL, 3);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    check("persistent", grid, ALL);
}

/* Columns, every third block, indices backwards, a structure. */
static void datatypes(void)
{
    MPI_Datatype column, blocks, turned, part;
    const int lengths[] = {3, 1, 5}, places[] = {900, 20, 100}, sizes[] = {ROWS, COLUMNS}, some[] = {10, 100}, starts[] = {3, 200};
    fill(grid, ALL, 8), fill(other, ALL, 9);
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column), MPI_Type_commit(&column);
    MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &blocks), MPI_Type_commit(&blocks);
    MPI_Type_create_hvector(4, 2, -(MPI_Aint)sizeof(double) * COLUMNS, MPI_DOUBLE, &turned), MPI_Type_commit(&turned);
    MPI_Type_create_subarray(2, sizes, some, starts, MPI_ORDER_C, MPI_DOUBLE, &part), MPI_Type_commit(&part);
    for (int k = 0; k < 3; k++) {
        MPI_Sendrecv(grid + 1, 1, column, right, 30, grid, 1, column, left, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        scale(grid, ALL, 3);
        MPI_Sendrecv(grid, 2, blocks, left, 31, other, 2, blocks, right, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        add(other, grid, ALL, 2), scale(other, ALL, 2);
        MPI_Sendrecv(row(grid, 9), 1, turned, left, 32, row(other, 40), 1, turned, right, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        add(grid, other, ALL, 3), scale(grid, ALL, 3);
        MPI_Sendrecv(grid, 1, part, right, 33, other, 1000, MPI_DOUBLE, left, 33, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        add(grid, other, ALL, 1), scale(grid, ALL, 3);
    }
    for (int k = 0; k < 3; k++) { /* what lies between the parts of a message is not its own */
        const int long_ones[] = {600, 600}, far[] = {3 * COLUMNS, 50 * COLUMNS};
        MPI_Datatype apart;
        MPI_Request requests[2];
        MPI_Type_indexed(2, long_ones, far, MPI_DOUBLE, &apart), MPI_Type_commit(&apart);
        MPI_Irecv(grid, 1, apart, left, 34, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(other, 1, apart, right, 34, MPI_COMM_WORLD, &requests[1]);
        fill(grid + 10 * COLUMNS, 30 * COLUMNS, k);
        scale(other + 10 * COLUMNS, 30 * COLUMNS, 3);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Type_free(&apart);
        grid[20 * COLUMNS + k] += 1000;
        add(grid, other, ALL, k), scale(grid, ALL, 3);
    }
    MPI_Type_free(&column), MPI_Type_free(&blocks), MPI_Type_free(&turned), MPI_Type_free(&part);
    check("datatypes", grid, ALL), check("datatypes", other, ALL);
}

/* An address of its own, and nothing at all. */
static void nothing_and_everything(void)
{
    MPI_Datatype absolute;
    MPI_Aint places[2];
    const int lengths[2] = {40, 7000};
    const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    fill(grid, ALL, 10), fill(field, ALL, 11);
    MPI_Get_address(field + 5, &places[0]), MPI_Get_address(grid + 77, &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &absolute), MPI_Type_commit(&absolute);
    MPI_Bcast(MPI_BOTTOM, 1, absolute, size - 1, MPI_COMM_WORLD);
    MPI_Type_free(&absolute);
    scale(grid, ALL, 3), scale(field, ALL, 5);
    MPI_Bcast(NULL, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Send(grid, 10, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    check("absolute", grid, ALL), check("absolute", field, ALL);
}

static void added_up(void *from, void *to, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((double *)to)[i] = (double)((long long)(((double *)to)[i] + 2 * ((double *)from)[i]) % 10007);
}

static void collective(void)
{
    int *counts = malloc(size * sizeof *counts), *places = malloc(size * sizeof *places);
    double *all = malloc(size * LONG * sizeof *all), *turned = malloc(size * LONG * sizeof *turned);
    MPI_Request request;
    MPI_Op own;
    for (int i = 0; i < size; i++)
        counts[i] = 1000 + 37 * i, places[i] = 5000 * (size - 1 - i) + 3;
    fill(grid, ALL, 12), fill(other, ALL, 13), fill(all, size * LONG, 14), fill(turned, size * LONG, 15);
    MPI_Bcast(row(grid, 3), 9 * COLUMNS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    scale(grid, ALL, 3);
    MPI_Gather(row(grid, 1), 2000, MPI_DOUBLE, all, 2000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(row(grid, 2), counts[rank], MPI_DOUBLE, turned, counts, places, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    scale(all, size * LONG, 3), scale(turned, size * LONG, 2);
    check("gather", all, size * LONG), check("gatherv", turned, size * LONG);
    MPI_Scatter(all, 3000, MPI_DOUBLE, row(grid, 4), 3000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(turned, counts, places, MPI_DOUBLE, row(grid, 30), counts[rank], MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    scale(grid, ALL, 5);
    check("scatter", grid, ALL);
    MPI_Allgather(grid, LONG / 8, MPI_DOUBLE, all, LONG / 8, MPI_DOUBLE, MPI_COMM_WORLD);
    scale(all, size * LONG, 3);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 5, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgatherv(row(grid, 2), counts[rank], MPI_DOUBLE, turned, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    scale(turned, size * LONG, 3);
    check("allgather", all, size * LONG), check("allgatherv", turned, size * LONG);
    MPI_Alltoall(all, 1500, MPI_DOUBLE, turned, 1500, MPI_DOUBLE, MPI_COMM_WORLD);
    add(all, turned, size * LONG, 1);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 700, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        counts[i] = 100 * (rank + i + 1);
    MPI_Alltoallv(all, counts, places, MPI_DOUBLE, turned, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    scale(turned, size * LONG, 3), scale(all, size * LONG, 3);
    check("alltoall", all, size * LONG), check("alltoallv", turned, size * LONG);
    MPI_Reduce(grid, other, ALL, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    scale(other, ALL, 3);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : (void *)other, rank == 0 ? other : NULL, 900, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    scale(other, ALL, 3);
    check("reduce", other, ALL);
    MPI_Allreduce(MPI_IN_PLACE, row(grid, 3), 4000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Op_create(added_up, 1, &own);
    MPI_Allreduce(row(grid, 1), row(other, 2), 5000, MPI_DOUBLE, own, MPI_COMM_WORLD);
    MPI_Op_free(&own);
    MPI_Scan(row(grid, 20), row(other, 30), 5000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    scale(other, ALL, 3), scale(grid, ALL, 2);
    MPI_Exscan(row(grid, 20), rank > 0 ? row(other, 30) : all, 50, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        counts[i] = 1000 / size + i;
    MPI_Reduce_scatter(grid, row(other, 5), counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, row(grid, 5), 200, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    scale(row(grid, 5) + (rank == 0 ? 0 : 200), 100, 3); /* the rest of what was scattered is not said */
    memset(row(grid, 5), 0, (size_t)200 * size * sizeof(double));
    scale(other, ALL, 3), scale(grid, ALL, 3);
    check("allreduce", other, ALL), check("allreduce", grid, ALL);
    MPI_Ibcast(row(grid, 5), COLUMNS * 4, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
    scale(row(grid, 10), COLUMNS * 30, 3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iallreduce(row(grid, 5), row(other, 5), COLUMNS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    scale(row(other, 10), COLUMNS * 30, 3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    scale(other, ALL, 3);
    check("collective beside loops", grid, ALL), check("collective beside loops", other, ALL);
    free(all), free(turned), free(counts), free(places);
}

static void neighbours(void)
{
    MPI_Comm ring;
    const int sizes[1] = {size}, turns[1] = {1};
    fill(grid, ALL, 16), fill(other, ALL, 17);
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, turns, 0, &ring);
    for (int k = 0; k < 3; k++) {
        MPI_Neighbor_alltoall(row(grid, 3), COLUMNS, MPI_DOUBLE, row(other, 9), COLUMNS, MPI_DOUBLE, ring);
        add(grid, other, ALL, 1), scale(grid, ALL, 3);
        MPI_Neighbor_allgather(row(grid, 7), 900, MPI_DOUBLE, row(other, 12), 900, MPI_DOUBLE, ring);
        add(grid, other, ALL, 2), scale(grid, ALL, 3);
    }
    MPI_Comm_free(&ring);
    check("neighbours", grid, ALL), check("neighbours", other, ALL);
}

/* Blocks that come and go, whose addresses are used again. */
static void short_lives(void)
{
    for (int k = 0; k < 6; k++) {
        const int n = 20000 + 3000 * k;
        double *mine = malloc(n * sizeof *mine), small[40];
        MPI_Request requests[3];
        fill(mine, n, k);
        MPI_Irecv(mine + 100, 5000, MPI_DOUBLE, left, 40, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(small, 40, MPI_DOUBLE, left, 41, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(mine + n - 6000, 5000, MPI_DOUBLE, right, 40, MPI_COMM_WORLD, &requests[2]);
        scale(mine + 5200, 2000, 3);
        MPI_Send(mine + 5200, 40, MPI_DOUBLE, right, 41, MPI_COMM_WORLD);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        scale(mine, n, 2);
        add(grid, mine, 40, (int)small[7] % 10);
        check("short", mine, n);
        free(mine);
    }
    for (int k = 0; k < 3; k++) { /* the first loop comes when the message is on its way */
        const int n = 30000;
        double *mine = malloc(n * sizeof *mine);
        MPI_Request requests[2];
        for (int i = 0; i < n; i++)
            mine[i] = (i * 3 + k) % 101;
        MPI_Irecv(mine + 9000, 9000, MPI_DOUBLE, left, 42, MPI_COMM_WORLD, &requests[0]);
        scale(mine, 8990, 3), scale(mine + 18010, n - 18010, 3);
        MPI_Isend(other + 100, 9000, MPI_DOUBLE, right, 42, MPI_COMM_WORLD, &requests[1]);
        scale(mine, 8990, 3);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        scale(mine, n, 2);
        check("late", mine, n);
        free(mine);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size, right = (rank + 1) % size;
    grid = malloc(ALL * sizeof *grid + 64), other = malloc(ALL * sizeof *other + 64);
    point_to_point(), beside_loops(), persistent(), datatypes(), nothing_and_everything(), collective(), neighbours(), short_lives();
    if (rank == 0)
        printf("%lld\n", total);
    free(grid), free(other);
    MPI_Finalize();
    return 0;
}

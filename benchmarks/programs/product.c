/* The product of two dense matrices, C = A B, in floats or doubles, with any order of loops and of storage.
 *
 *     product [ROWS [INNER [COLUMNS [REPETITIONS]]]]
 *
 * -DREAL=double; -DA_BY_COLUMNS, -DB_BY_COLUMNS, -DC_BY_COLUMNS: stored by columns; -DORDER_IKJ, -DORDER_JKI, -DORDER_JIK: the order
 * of the loops, else i, j, k. All elements are multiples of 1/8 in [-1, 1), so every product and every sum is exact.
 */
#include "program.h"

#ifndef REAL
#define REAL float
#endif

#ifdef A_BY_COLUMNS
#define A(i, k) a[(k) * rows + (i)]
#else
#define A(i, k) a[(i) * inner + (k)]
#endif
#ifdef B_BY_COLUMNS
#define B(k, j) b[(j) * inner + (k)]
#else
#define B(k, j) b[(k) * columns + (j)]
#endif
#ifdef C_BY_COLUMNS
#define C(i, j) c[(j) * rows + (i)]
#else
#define C(i, j) c[(i) * columns + (j)]
#endif

static void multiply(REAL *c, const REAL *a, const REAL *b, int rows, int inner, int columns)
{
#if defined ORDER_IKJ
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            C(i, j) = 0;
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < columns; j++)
                C(i, j) += A(i, k) * B(k, j);
    }
#elif defined ORDER_JKI
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++)
            C(i, j) = 0;
        for (int k = 0; k < inner; k++)
            for (int i = 0; i < rows; i++)
                C(i, j) += A(i, k) * B(k, j);
    }
#elif defined ORDER_JIK
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2)
#else
#pragma omp parallel for
#endif
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            REAL sum = 0;
            for (int k = 0; k < inner; k++)
                sum += A(i, k) * B(k, j);
            C(i, j) = sum;
        }
#else
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2)
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            REAL sum = 0;
            for (int k = 0; k < inner; k++)
                sum += A(i, k) * B(k, j);
            C(i, j) = sum;
        }
#endif
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"INNER", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "product", size, 4);
    const int rows = size[0].value, inner = size[1].value, columns = size[2].value, repetitions = size[3].value;
    REAL *a = allocate((size_t)rows * inner, sizeof *a), *b = allocate((size_t)inner * columns, sizeof *b);
    REAL *c = allocate((size_t)rows * columns, sizeof *c);
    uint64_t state = 2012;
    double checksum = 0.0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            A(i, k) = (REAL)next_eighth(&state);
    for (int k = 0; k < inner; k++)
        for (int j = 0; j < columns; j++)
            B(k, j) = (REAL)next_eighth(&state);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(from: c[0:rows * columns]) map(to: a[0:rows * inner], b[0:inner * columns])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        multiply(c, a, b, rows, inner, columns);
        end_repetition(&watch);
    }
    double touched = touch(c, (size_t)rows * columns * sizeof *c);
    double end = omp_get_wtime();

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            checksum += ((i * 31 + j * 17) % 97 + 1) * (double)C(i, j);
    printf("product %d %d %d\n", rows, inner, columns);
    printf("checksum %.6f\n", checksum);
    print_times(&watch, end, unused + touched);
    free(a);
    free(b);
    free(c);
    return 0;
}

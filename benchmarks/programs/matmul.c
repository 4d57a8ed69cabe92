/* C = A B in single precision: the product of two dense matrices in declared arrays.
 *
 *     matmul [ROWS INNER COLUMNS]        A is ROWS x INNER, B is INNER x COLUMNS
 *
 * The default is "128 x 138", read as the size of the product: A is 128 x 128, so its 65536 bytes are exactly what
 * the constant memory of a GPU holds; B and C are 128 x 138, which is more than that.
 * The arrays are declared with the default sizes; compile with -DMAX_ROWS=2048 -DMAX_INNER=2048 -DMAX_COLUMNS=2048
 * for more. Without arguments the declared sizes are used in full.
 *
 * All elements are multiples of 1/8 in [-1, 1), so every product and every sum is exact in a float (up to INNER = 2^18)
 * and the checksum is the same to the last digit in whatever order the sums are formed.
 * With -DTIME_TRANSFERS the device is started before the clock; -DREPETITIONS=10 runs the loop ten times.
 */
#include "program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#ifndef REPETITIONS
#define REPETITIONS 1
#endif
#ifndef MAX_ROWS
#define MAX_ROWS 128
#endif
#ifndef MAX_INNER
#define MAX_INNER 128
#endif
#ifndef MAX_COLUMNS
#define MAX_COLUMNS 138
#endif

static float a[MAX_ROWS][MAX_INNER];
static float b[MAX_INNER][MAX_COLUMNS];
static float c[MAX_ROWS][MAX_COLUMNS];

static void usage(void)
{
    fprintf(stderr, "usage: matmul [ROWS INNER COLUMNS]   (1 to %d, 1 to %d, 1 to %d; for more: -DMAX_ROWS=... and so on)\n",
            MAX_ROWS, MAX_INNER, MAX_COLUMNS);
    exit(2);
}

static int parse_size(const char *text, int most)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 1 || value > most)
        usage();
    return (int)value;
}

/* The next of the sixteen values -1, -7/8, ..., 7/8, by a linear congruential generator: the same on every machine. */
static float next_element(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((int)(*state >> 60) - 8) / 8.0f;
}

static void fill(int rows, int inner, int columns)
{
    uint64_t state = 2012;

    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            a[i][k] = next_element(&state);
    for (int k = 0; k < inner; k++)
        for (int j = 0; j < columns; j++)
            b[k][j] = next_element(&state);
}

static void multiply(int rows, int inner, int columns)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2) map(to: a, b) map(from: c)
#else
#pragma omp parallel for collapse(2)
#endif
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float sum = 0.0f;
            for (int k = 0; k < inner; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

/* A sum with a weight per place, so that exchanged elements show. */
static double checksum(int rows, int columns)
{
    double sum = 0.0;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum += ((i * 31L + j * 17L) % 97 + 1) * (double)c[i][j];
    return sum;
}

int main(int argc, char **argv)
{
    int rows = MAX_ROWS, inner = MAX_INNER, columns = MAX_COLUMNS;

    if (argc == 4) {
        rows = parse_size(argv[1], MAX_ROWS);
        inner = parse_size(argv[2], MAX_INNER);
        columns = parse_size(argv[3], MAX_COLUMNS);
    } else if (argc != 1)
        usage();
    fill(rows, inner, columns);

#ifdef TIME_TRANSFERS
    fprintf(stderr, "started %d\n", start_device());
#endif

    double start = omp_get_wtime();
    for (int k = 0; k < REPETITIONS; k++)
        multiply(rows, inner, columns);
#ifdef TIME_TRANSFERS
    double touched = touch(c, sizeof c);
#endif
    double seconds = omp_get_wtime() - start;
#ifdef TIME_TRANSFERS
    fprintf(stderr, "touched %g\n", touched);
#endif

    printf("matmul %d %d %d\n", rows, inner, columns);
    printf("first %.6f last %.6f\n", c[0][0], c[rows - 1][columns - 1]);
    printf("checksum %.6f\n", checksum(rows, columns));
    fprintf(stderr, "seconds %.9f\n", seconds);
    return 0;
}

/* matrix.h: a sparse matrix in compressed rows (CSR), for spmv.c and its version by hand. */
#ifndef MATRIX_H
#define MATRIX_H

#include "program.h"

#include <math.h>

/* Row i has the entries first[i] .. first[i + 1] - 1. */
typedef struct {
    int rows;
    int *first, *column;
    double *value;
} sparse;

#define SCATTERING 7919 /* a prime */

enum skew { even_rows, skewed_rows, one_long_row, zipf_rows };

/* Half of `mean` to three halves of it, evenly; or skewed: many short rows and few long ones, up to sqrt(rows) / 2 times the
   mean; or even, but for one in the middle that has as many entries as there are rows; or by Zipf's law, rows / k entries in
   the k-th of the long rows, which lie scattered, and `mean` at most. */
static inline int length_of_row(int row, int rows, int mean, int skewed, uint64_t *state)
{
    const double u = (random_bits(state) + 0.5) / 4294967296.0;

    if (skewed == one_long_row && row == rows / 2)
        return rows;
    if (skewed == zipf_rows) {
        const int entries = rows / (1 + (int)((row + 1) * (uint64_t)SCATTERING % rows));
        return entries < mean ? entries : mean;
    }
    if (skewed == skewed_rows)
        return (int)(0.5 * mean / sqrt(u > 1.0 / rows ? u : 1.0 / rows));
    return mean / 2 + (int)(u * (mean + 1));
}

/* As many columns as rows; the entries of a row lie anywhere. */
static inline sparse new_sparse(int rows, int mean, int skewed)
{
    uint64_t state = 1;
    sparse m = {rows, (int *)allocate((size_t)rows + 1, sizeof(int)), NULL, NULL};

    m.first[0] = 0;
    for (int i = 0; i < rows; i++)
        m.first[i + 1] = m.first[i] + length_of_row(i, rows, mean, skewed, &state);
    const int entries = m.first[rows];
    m.column = (int *)allocate(entries, sizeof(int));
    m.value = (double *)allocate(entries, sizeof(double));
    for (int k = 0; k < entries; k++) {
        const uint32_t bits = random_bits(&state);
        m.column[k] = (int)((uint64_t)bits * rows >> 32);
        m.value[k] = (bits & 1023) / 1024.0;
    }
    return m;
}

static inline void free_sparse(sparse *m)
{
    free(m->first);
    free(m->column);
    free(m->value);
}

#endif

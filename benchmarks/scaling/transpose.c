/* Transpositions of N x N doubles: one GPU is to do them, as fast as ever. Then sweeps over the same arrays, and transpositions
   again: arrays that lie in the wrong place for what a program does now move. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void transpose(int n, const double *restrict a, double *restrict b)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[(long)i * n + j] = a[(long)j * n + i];
}

static void scale(int n, double *restrict a, const double *restrict b)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[(long)i * n + j] = 0.5 * a[(long)i * n + j] + 0.25 * b[(long)i * n + j];
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 16384, steps = argc > 2 ? atoi(argv[2]) : 100;
    double *a = malloc((size_t)n * n * sizeof *a), *b = malloc((size_t)n * n * sizeof *b), seconds[3];
    for (long i = 0; i < (long)n * n; i++)
        a[i] = i % 1013 * 0.001, b[i] = 0;
    for (int phase = 0; phase < 3; phase++) {
        if (phase != 1)
            transpose(n, a, b);
        else
            scale(n, a, b);
        const double before = omp_get_wtime();
        for (int s = 0; s < steps; s++)
            if (phase != 1)
                transpose(n, a, b);
            else
                scale(n, a, b);
        seconds[phase] = (omp_get_wtime() - before) / steps;
    }
    double sum = 0;
    for (long i = 0; i < (long)n * n; i += 1009)
        sum += a[i] + 2 * b[i];
    printf("transpose: %.17g, %.6f s each, then %.6f s for a sweep, %.6f s again\n", sum, seconds[0], seconds[1], seconds[2]);
    return 0;
}

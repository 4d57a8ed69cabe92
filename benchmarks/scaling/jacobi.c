/* Five-point sweeps of N x N doubles with a residual, STEPS times, into each other's array. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static double sweep(int n, const double *restrict u, double *restrict v)
{
    double residual = 0;
    #pragma omp parallel for reduction(+ : residual)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            const long at = (long)i * n + j;
            v[at] = 0.25 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1]);
            residual += fabs(v[at] - u[at]);
        }
    return residual;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 16384, steps = argc > 2 ? atoi(argv[2]) : 200;
    double *u = malloc((size_t)n * n * sizeof *u), *v = malloc((size_t)n * n * sizeof *v), residual = 0;
    for (long i = 0; i < (long)n * n; i++)
        u[i] = v[i] = i % 1013 * 0.001;
    residual = sweep(n, u, v) + sweep(n, v, u);
    const double before = omp_get_wtime();
    for (int s = 0; s < steps; s += 2)
        residual = sweep(n, u, v) + sweep(n, v, u);
    const double seconds = omp_get_wtime() - before;
    double sum = 0;
    for (long i = 0; i < (long)n * n; i += 1009)
        sum += u[i];
    printf("jacobi: %.17g %.12g, %.6f s a sweep, %.0f GB/s\n", sum, residual, seconds / steps, 16.0 * n * n * steps / seconds * 1e-9);
    return 0;
}

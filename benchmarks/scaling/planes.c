/* Seven-point sweeps of N x N x N doubles with constant weights, STEPS times. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static double weights[7] = {0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};

static void sweep(int n, const double *restrict u, double *restrict v)
{
    const long row = n, plane = (long)n * n;
    #pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                const long at = i * plane + j * row + k;
                v[at] = weights[0] * u[at] + weights[1] * u[at - 1] + weights[2] * u[at + 1] + weights[3] * u[at - row] +
                        weights[4] * u[at + row] + weights[5] * u[at - plane] + weights[6] * u[at + plane];
            }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 600, steps = argc > 2 ? atoi(argv[2]) : 100;
    const long all = (long)n * n * n;
    double *u = malloc(all * sizeof *u), *v = malloc(all * sizeof *v);
    for (long i = 0; i < all; i++)
        u[i] = v[i] = i % 1013 * 0.001;
    sweep(n, u, v), sweep(n, v, u);
    const double before = omp_get_wtime();
    for (int s = 0; s < steps; s += 2) {
        sweep(n, u, v), sweep(n, v, u);
        weights[s % 7] += 1e-6; /* the copies on all devices are to follow */
    }
    const double seconds = omp_get_wtime() - before;
    double sum = 0;
    for (long i = 0; i < all; i += 1009)
        sum += u[i];
    printf("planes: %.17g, %.6f s a sweep, %.0f GB/s\n", sum, seconds / steps, 16.0 * all * steps / seconds * 1e-9);
    return 0;
}

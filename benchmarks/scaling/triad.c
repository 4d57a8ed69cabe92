/* a = b + s * c over arrays of N million doubles, REPEATS times; host code touches an element between launches. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long n = (argc > 1 ? atol(argv[1]) : 200) * 1000000;
    const int repeats = argc > 2 ? atoi(argv[2]) : 100;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    for (long i = 0; i < n; i++)
        a[i] = 0, b[i] = i % 1000 * 0.5, c[i] = i % 77;
    double best = 1e30;
    for (int r = 0; r < repeats; r++) {
        const double before = omp_get_wtime();
        #pragma omp parallel for
        for (long i = 0; i < n; i++)
            a[i] = b[i] + 3 * c[i];
        const double seconds = omp_get_wtime() - before;
        best = seconds < best ? seconds : best;
        if (r % 40 == 39)
            b[n / 2 + r] += 1;
    }
    double sum = 0;
    for (long i = 0; i < n; i += 997)
        sum += a[i];
    printf("triad: %.17g, best %.6f s, %.0f GB/s\n", sum, best, 24.0 * n / best * 1e-9);
    return 0;
}

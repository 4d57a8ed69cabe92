/* Forces among N bodies: many operations, few bytes, all of which every iteration reads. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100000, steps = argc > 2 ? atoi(argv[2]) : 10;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *m = malloc(n * sizeof *m), *f = malloc(n * sizeof *f), best = 1e30;
    for (int i = 0; i < n; i++)
        x[i] = i * 0.37 - i / 7, y[i] = i * 0.11 + i % 13, m[i] = 1 + i % 3, f[i] = 0;
    for (int s = 0; s < steps; s++) {
        const double before = omp_get_wtime();
        #pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                const double dx = x[j] - x[i], dy = y[j] - y[i], r = dx * dx + dy * dy + 0.01;
                sum += m[j] * dx / (r * sqrt(r));
            }
            f[i] += sum;
        }
        const double seconds = omp_get_wtime() - before;
        best = seconds < best ? seconds : best;
        x[s] += 0.5;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += f[i] * (i % 7);
    printf("nbody: %.15g, best %.6f s\n", sum, best);
    return 0;
}

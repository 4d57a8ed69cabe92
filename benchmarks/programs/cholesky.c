/* A = L L^T in place, of a symmetric matrix: the lower triangle becomes L, step by step; above it nothing changes.
 *
 *     cholesky [SIZE [REPETITIONS]]
 */
#include <math.h>
#include "program.h"
#include "dense.h"

static void factorise(int n, double *a)
{
    for (int k = 0; k < n; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= a[k * n + k];
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIZE", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "cholesky", size, 2);
    const int n = size[0].value, repetitions = size[1].value;
    const size_t elements = (size_t)n * n;
    double *given = allocate(elements, sizeof *given), *a = allocate(elements, sizeof *a);
    fill_definite(given, n, 1);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        copy_doubles(a, given, elements);
        factorise(n, a);
        end_repetition(&watch);
    }
    double touched = touch(a, elements * sizeof *a);
    double end = omp_get_wtime();

    printf("cholesky %d\n", n);
    printf("checksum %.9e\n", checksum_doubles(a, elements));
    print_times(&watch, end, unused + touched);
    free(given);
    free(a);
    return 0;
}

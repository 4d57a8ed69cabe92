/* STREAM triad: a = b + s c.
 *
 *     triad [ELEMENTS [REPETITIONS]]
 */
#include "program.h"

static void triad(double *a, const double *b, const double *c, double s, int n)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ELEMENTS", 1000, 0, 1000000000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "triad", size, 2);
    const int n = size[0].value, repetitions = size[1].value;
    double *a = allocate(n, sizeof *a), *b = allocate(n, sizeof *b), *c = allocate(n, sizeof *c);
    fill_doubles(a, n, 1);
    fill_doubles(b, n, 2);
    fill_doubles(c, n, 3);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(from: a[0:n]) map(to: b[0:n], c[0:n])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        triad(a, b, c, 3.0, n);
        end_repetition(&watch);
    }
    double touched = touch(a, n * sizeof *a);
    double end = omp_get_wtime();

    printf("triad %d\n", n);
    printf("checksum %.9e\n", checksum_doubles(a, n));
    print_times(&watch, end, unused + touched);
    free(a);
    free(b);
    free(c);
    return 0;
}

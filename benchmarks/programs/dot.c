/* The dot product of two vectors.
 *
 *     dot [ELEMENTS [REPETITIONS]]
 */
#include "program.h"

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;

#ifdef OFFLOAD
#pragma omp target teams distribute parallel for reduction(+:sum) map(tofrom: sum)
#else
#pragma omp parallel for reduction(+:sum)
#endif
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ELEMENTS", 1000, 0, 1000000000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "dot", size, 2);
    const int n = size[0].value, repetitions = size[1].value;
    double *a = allocate(n, sizeof *a), *b = allocate(n, sizeof *b), sum = 0.0;
    fill_doubles(a, n, 1);
    fill_doubles(b, n, 2);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(to: a[0:n], b[0:n])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        sum = dot(a, b, n);
        end_repetition(&watch);
    }
    double touched = touch(&sum, sizeof sum);
    double end = omp_get_wtime();

    printf("dot %d\n", n);
    printf("sum %.9e\n", sum);
    print_times(&watch, end, unused + touched);
    free(a);
    free(b);
    return 0;
}

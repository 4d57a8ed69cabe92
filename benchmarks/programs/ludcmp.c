/* The linear equations A x = b: A = L U in place, without pivoting, then L y = b and U x = y, a dot product for each row.
 *
 *     ludcmp [SIZE [REPETITIONS]]
 */
#include "program.h"
#include "dense.h"

static void factorise(int n, double a[n][n])
{
    for (int k = 0; k < n - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i][k] / a[k][k];
            a[i][k] = factor;
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
}

static void substitute(int n, double a[n][n], const double *b, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
#pragma omp parallel for reduction(+:sum)
        for (int j = 0; j < i; j++)
            sum += a[i][j] * y[j];
        y[i] = b[i] - sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = 0.0;
#pragma omp parallel for reduction(+:sum)
        for (int j = i + 1; j < n; j++)
            sum += a[i][j] * x[j];
        x[i] = (y[i] - sum) / a[i][i];
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIZE", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "ludcmp", size, 2);
    const int n = size[0].value, repetitions = size[1].value;
    const size_t elements = (size_t)n * n;
    double *given = allocate(elements, sizeof *given), *a = allocate(elements, sizeof *a);
    double *b = allocate(n, sizeof *b), *x = allocate(n, sizeof *x), *y = allocate(n, sizeof *y);
    fill_dominant(given, n, 1);
    fill_doubles(b, n, 2);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        copy_doubles(a, given, elements);
        factorise(n, (double (*)[n])a);
        substitute(n, (double (*)[n])a, b, x, y);
        end_repetition(&watch);
    }
    double touched = touch(x, n * sizeof *x);
    double end = omp_get_wtime();

    printf("ludcmp %d\n", n);
    printf("x %.9e\n", checksum_doubles(x, n));
    printf("y %.9e\n", checksum_doubles(y, n));
    print_times(&watch, end, unused + touched);
    free(given);
    free(a);
    free(b);
    free(x);
    free(y);
    return 0;
}

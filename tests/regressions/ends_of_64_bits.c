/* on device: 4
   Bounds of 64 bits without a sign, and first values that a conversion changes. Sections behind pointers were reckoned as
   C compares (`n >= lo + 1` with a negative `lo` was no section at all), or with bounds that are never reached; and a
   variable declared between two loops over `q` stood for the `q` of the second one. */
#include <stdio.h>
#include <stdlib.h>

static void mixed_signs(long lo, size_t n, int m, const double *restrict x, double *restrict y)
{
    #pragma omp parallel for
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (long q = lo; q < (long)n; q++)
            s += x[q + 3];
        y[i] = s;
    }
}

static void without_limit(size_t limit, int m, int columns, const int *restrict x, int *restrict length)
{
    #pragma omp parallel for
    for (int i = 0; i < m; i++) {
        int count = 0;
        for (size_t q = 0; q < limit; q++) {
            if (x[i * columns + q] == 0)
                break;
            count++;
        }
        length[i] = count;
    }
}

static void converted(int first, int m, const double *restrict x, double *restrict y)
{
    #pragma omp parallel for
    for (int i = 0; i < m; i++) {
        double s = 1;
        for (unsigned q = first; q < 9; q++)
            s += x[q + 3];
        y[i] = s;
    }
}

static void between_two_loops(int m, double *restrict y)
{
    #pragma omp parallel for
    for (int i = 0; i < m; i++) {
        int q;
        for (q = 0; q < 2; q++)
            ;
        int at = q;
        for (q = 0; q < 5; q++)
            y[4 * i + at] = i + q;
    }
}

int main(void)
{
    enum { m = 6, columns = 9 };
    double *x = malloc(20 * sizeof *x), *y = calloc(4 * m, sizeof *y);
    int *rows = malloc(m * columns * sizeof *rows), *length = calloc(m, sizeof *length);
    for (int k = 0; k < 20; k++)
        x[k] = k + 0.5;
    for (int k = 0; k < m * columns; k++)
        rows[k] = k % columns != k / columns + 2;
    mixed_signs(-3, 5, m, x, y);
    printf("%g %g\n", y[0], y[m - 1]);
    without_limit((size_t)-1, m, columns, rows, length);
    printf("%d %d\n", length[0], length[m - 1]);
    converted(-3, m, x, y);
    printf("%g %g\n", y[0], y[m - 1]);
    between_two_loops(m, y);
    printf("%g %g %g\n", y[2], y[6], y[4 * m - 2]);
    free(x), free(y), free(rows), free(length);
    return 0;
}

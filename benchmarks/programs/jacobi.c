/* The Helmholtz equation, u_xx + u_yy - alpha u = f on [-1, 1] x [-1, 1] with u = 0 on the boundary, by finite
 * differences and Jacobi iterations with relaxation. f belongs to the solution u = (1 - x^2)(1 - y^2).
 *
 *     jacobi [ROWS COLUMNS [ITERATIONS [TOLERANCE [ALPHA [RELAXATION]]]]]
 *
 * Default: 200 x 200, and for the rest as in the OpenMP Source Code Repository: at most 1000 iterations, tolerance
 * 1e-7, alpha 0.8, relaxation 1. The arrays are declared with the default size; compile with -DMAX_ROWS=5000
 * -DMAX_COLUMNS=5000 for more. Without arguments the declared size is used in full.
 * With -DTIME_TRANSFERS the clock has everything that a device must copy for the result, and not the start of the device.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#ifndef MAX_ROWS
#define MAX_ROWS 200
#endif
#ifndef MAX_COLUMNS
#define MAX_COLUMNS 200
#endif

enum { CENTRE, VERTICAL, HORIZONTAL, WEIGHTS };

static double u[MAX_ROWS][MAX_COLUMNS];
static double uold[MAX_ROWS][MAX_COLUMNS];
static double f[MAX_ROWS][MAX_COLUMNS];
static double weight[WEIGHTS]; /* of the five-point stencil */

static void usage(void)
{
    fprintf(stderr,
            "usage: jacobi [ROWS COLUMNS [ITERATIONS [TOLERANCE [ALPHA [RELAXATION]]]]]\n"
            "       ROWS 1 to %d, COLUMNS 1 to %d (for more: -DMAX_ROWS=... -DMAX_COLUMNS=...), the rest not negative\n",
            MAX_ROWS, MAX_COLUMNS);
    exit(2);
}

static int parse_int(const char *text, int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < least || value > most)
        usage();
    return (int)value;
}

static double parse_real(const char *text)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value >= 0.0 && value <= 1e300))
        usage();
    return value;
}

/* The coordinate of grid line k of n; a single line lies in the middle. */
static double coordinate(int k, int n)
{
    return n > 1 ? -1.0 + 2.0 * k / (n - 1) : 0.0;
}

static void initialize(int n, int m, double alpha)
{
    const double dy = n > 1 ? 2.0 / (n - 1) : 2.0;
    const double dx = m > 1 ? 2.0 / (m - 1) : 2.0;

    weight[VERTICAL] = 1.0 / (dy * dy);
    weight[HORIZONTAL] = 1.0 / (dx * dx);
    weight[CENTRE] = -2.0 * (weight[VERTICAL] + weight[HORIZONTAL]) - alpha;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const double py = 1.0 - coordinate(i, n) * coordinate(i, n);
            const double px = 1.0 - coordinate(j, m) * coordinate(j, m);
            u[i][j] = 0.0;
            f[i][j] = -alpha * px * py - 2.0 * px - 2.0 * py;
        }
}

/* Iterates until the root of the summed squares of the residuals, divided by the number of points, is within the
 * tolerance. Returns the iterations done, and that last residual in *residual. */
static int solve(int n, int m, double relaxation, double tolerance, int iterations, double *residual)
{
    double error = 10.0 * tolerance + 1.0;
    double r;
    int done = 0;
    int i, j;

    while (done < iterations && error > tolerance) {
#pragma omp parallel for private(j)
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                uold[i][j] = u[i][j];

        error = 0.0;
#pragma omp parallel for private(j, r) reduction(+:error)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++) {
                r = (weight[VERTICAL] * (uold[i - 1][j] + uold[i + 1][j])
                     + weight[HORIZONTAL] * (uold[i][j - 1] + uold[i][j + 1])
                     + weight[CENTRE] * uold[i][j] - f[i][j]) / weight[CENTRE];
                u[i][j] = uold[i][j] - relaxation * r;
                error += r * r;
            }
        error = sqrt(error) / ((double)n * m);
        done++;
    }
    *residual = done > 0 ? error : 0.0;
    return done;
}

/* The root of the mean squared difference from the exact solution. */
static double solution_error(int n, int m)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const double y = coordinate(i, n), x = coordinate(j, m);
            const double exact = i > 0 && i < n - 1 && j > 0 && j < m - 1 ? (1.0 - x * x) * (1.0 - y * y) : 0.0;
            sum += (u[i][j] - exact) * (u[i][j] - exact);
        }
    return sqrt(sum / ((double)n * m));
}

/* A sum with a weight per place, so that exchanged elements show. */
static double checksum(int n, int m)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += ((i * 31L + j * 17L) % 97 + 1) * u[i][j];
    return sum;
}

#ifdef TIME_TRANSFERS
/* The first parallel loop of a program is where a device is started. */
static int start_device(void)
{
    int odd = 0;

#pragma omp parallel for reduction(+:odd)
    for (int i = 0; i < 1024; i++)
        odd += i & 1;
    return odd;
}

/* Reads something of every page: what a device has computed may come home no earlier than that. */
static double touch(int n, int m)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 256)
            sum += u[i][j];
    return sum;
}
#endif

int main(int argc, char **argv)
{
    int n = MAX_ROWS, m = MAX_COLUMNS, iterations = 1000;
    double tolerance = 1e-7, alpha = 0.8, relaxation = 1.0, residual;

    if (argc == 2 || argc > 7)
        usage();
    if (argc > 2) {
        n = parse_int(argv[1], 1, MAX_ROWS);
        m = parse_int(argv[2], 1, MAX_COLUMNS);
    }
    if (argc > 3)
        iterations = parse_int(argv[3], 0, INT_MAX);
    if (argc > 4)
        tolerance = parse_real(argv[4]);
    if (argc > 5)
        alpha = parse_real(argv[5]);
    if (argc > 6)
        relaxation = parse_real(argv[6]);
    initialize(n, m, alpha);
#ifdef TIME_TRANSFERS
    fprintf(stderr, "started %d\n", start_device());
#endif

    double start = omp_get_wtime();
    int done = solve(n, m, relaxation, tolerance, iterations, &residual);
#ifdef TIME_TRANSFERS
    double touched = touch(n, m);
#endif
    double seconds = omp_get_wtime() - start;
#ifdef TIME_TRANSFERS
    fprintf(stderr, "touched %g\n", touched);
#endif

    printf("jacobi %d %d\n", n, m);
    printf("iterations %d residual %.9e\n", done, residual);
    printf("error %.9e\n", solution_error(n, m));
    printf("checksum %.9e\n", checksum(n, m));
    fprintf(stderr, "seconds %.9f\n", seconds);
    return 0;
}

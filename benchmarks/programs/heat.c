/* Heat spreads over a plate with insulated edges: u_t = u_xx + u_yy by explicit steps in time. The two arrays are on the
 * heap and change places after each step. The clock has the steps and the reading of the result.
 *
 *     heat [ROWS COLUMNS [STEPS]]            default: 200 x 200, 100 steps
 *
 * A step moves heat and makes none, so the total stays what it was.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#define RATE 0.2 /* of a step: time step / distance^2, stable up to 0.25 */

static void usage(void)
{
    fprintf(stderr, "usage: heat [ROWS COLUMNS [STEPS]]   (1 to 32768, 1 to 32768, not negative)\n");
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

static double *new_plate(int rows, int columns)
{
    double *plate = malloc((size_t)rows * columns * sizeof *plate);

    if (plate == NULL) {
        fprintf(stderr, "heat: out of memory\n");
        exit(1);
    }
    return plate;
}

/* A plate at rest, but for a hot rectangle off its centre. */
static void initialize(double *plate, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            plate[i * columns + j] = i >= rows / 4 && i <= rows / 2 && j >= columns / 3 && j <= columns / 2 ? 100.0 : 1.0;
}

/* Nothing flows over an edge: beyond it a point has itself as its neighbour. */
static void step(const double *now, double *next, int rows, int columns)
{
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const int above = i > 0 ? i - 1 : i, below = i < rows - 1 ? i + 1 : i;
            const int left = j > 0 ? j - 1 : j, right = j < columns - 1 ? j + 1 : j;
            const double centre = now[i * columns + j];
            next[i * columns + j] = centre + RATE * (now[above * columns + j] + now[below * columns + j]
                                                     + now[i * columns + left] + now[i * columns + right] - 4.0 * centre);
        }
}

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
static double touch(const double *plate, long points)
{
    double sum = 0.0;

    for (long k = 0; k < points; k += 256)
        sum += plate[k];
    return sum;
}

static void print_result(const double *plate, int rows, int columns)
{
    double total = 0.0, checksum = 0.0;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            total += plate[i * columns + j];
            checksum += ((i * 31L + j * 17L) % 97 + 1) * plate[i * columns + j];
        }
    printf("total %.9e\n", total);
    printf("checksum %.9e\n", checksum);
}

int main(int argc, char **argv)
{
    int rows = 200, columns = 200, steps = 100;

    if (argc == 2 || argc > 4)
        usage();
    if (argc > 2) {
        rows = parse_int(argv[1], 1, 32768);
        columns = parse_int(argv[2], 1, 32768);
    }
    if (argc > 3)
        steps = parse_int(argv[3], 0, INT_MAX);
    double *now = new_plate(rows, columns), *next = new_plate(rows, columns);
    initialize(now, rows, columns);
    int started = start_device();

    double start = omp_get_wtime();
    for (int k = 0; k < steps; k++) {
        step(now, next, rows, columns);
        double *old = now;
        now = next;
        next = old;
    }
    double touched = touch(now, (long)rows * columns);
    double seconds = omp_get_wtime() - start;

    printf("heat %d %d %d\n", rows, columns, steps);
    print_result(now, rows, columns);
    fprintf(stderr, "seconds %.9f\nstarted %d\ntouched %g\n", seconds, started, touched);
    free(now);
    free(next);
    return 0;
}

/* A table that all threads read at the same places: the mean of a polynomial of degree 3999 over [0, 1).
 *
 *     table_uniform [POINTS]                 default: 10000
 *
 * Every point goes through the coefficients in the same order. With no points the mean is 0.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#define TERMS 4000

static double coefficient[TERMS];

static void usage(void)
{
    fprintf(stderr, "usage: table_uniform [POINTS]   (an integer, not negative)\n");
    exit(2);
}

static int parse_count(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 0 || value > INT_MAX)
        usage();
    return (int)value;
}

/* Numbers in [0, 1), by a linear congruential generator: the same on every machine. */
static void fill(void)
{
    uint64_t state = 1;

    for (int k = 0; k < TERMS; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        coefficient[k] = (double)(state >> 11) / 9007199254740992.0;
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

static double mean(int points)
{
    double sum = 0.0;

#pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < points; i++) {
        const double x = (double)i / points;
        double value = 0.0;
        for (int k = TERMS - 1; k >= 0; k--)
            value = value * x + coefficient[k];
        sum += value;
    }
    return points > 0 ? sum / points : 0.0;
}

int main(int argc, char **argv)
{
    int points = 10000;

    if (argc > 2)
        usage();
    if (argc > 1)
        points = parse_count(argv[1]);
    fill();
    int started = start_device();

    double start = omp_get_wtime();
    double result = mean(points);
    double seconds = omp_get_wtime() - start;

    printf("table_uniform %d\n", points);
    printf("mean %.9e\n", result);
    fprintf(stderr, "seconds %.9f\nstarted %d\n", seconds, started);
    return 0;
}

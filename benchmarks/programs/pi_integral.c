/* pi as the integral of 4 / (1 + x^2) from 0 to 1, by the midpoint rule.
 *
 *     pi_integral [INTERVALS]            default: 1000000, as in the OpenMP Source Code Repository
 *
 * With no intervals the sum is empty and the result 0.
 * With -DTIME_TRANSFERS the device is started before the clock; -DREPETITIONS=10 runs the loop ten times.
 */
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#ifndef REPETITIONS
#define REPETITIONS 1
#endif

static void usage(void)
{
    fprintf(stderr, "usage: pi_integral [INTERVALS]   (an integer, not negative)\n");
    exit(2);
}

static long parse_count(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 0 || value == LONG_MAX)
        usage();
    return value;
}

int main(int argc, char **argv)
{
    long intervals = 1000000;
    long i;
    double x, sum = 0.0;

    if (argc > 2)
        usage();
    if (argc > 1)
        intervals = parse_count(argv[1]);
    const double width = intervals > 0 ? 1.0 / (double)intervals : 0.0;

#ifdef TIME_TRANSFERS
    fprintf(stderr, "started %d\n", start_device());
#endif

    double start = omp_get_wtime();
    for (int k = 0; k < REPETITIONS; k++) {
        sum = 0.0;
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for private(x) reduction(+:sum) map(tofrom: sum)
#else
#pragma omp parallel for private(x) reduction(+:sum)
#endif
        for (i = 0; i < intervals; i++) {
            x = ((double)i + 0.5) * width;
            sum += 4.0 / (1.0 + x * x);
        }
    }
    double seconds = omp_get_wtime() - start;

    printf("pi_integral %ld\n", intervals);
    printf("pi %.12f\n", sum * width);
    fprintf(stderr, "seconds %.9f\n", seconds);
    return 0;
}

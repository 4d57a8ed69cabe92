/* pi by the Monte Carlo method: the share of random points of the unit square that lie in the quarter disc.
 *
 *     pi_montecarlo [TRIALS [SEED]]      default: 100000 trials
 *
 * The random numbers are made on the host, in two arrays, before the counting loop. With no trials the estimate is 0.
 * With -DTIME_TRANSFERS the device is started before the clock; -DREPETITIONS=10 runs the loop ten times.
 */
#include "program.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#ifndef REPETITIONS
#define REPETITIONS 1
#endif

static void usage(void)
{
    fprintf(stderr, "usage: pi_montecarlo [TRIALS [SEED]]   (integers, not negative)\n");
    exit(2);
}

static long parse_count(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 0 || value > LONG_MAX / 64)
        usage();
    return value;
}

static double *new_vector(long n)
{
    double *v = malloc((n > 0 ? (size_t)n : 1) * sizeof *v);

    if (v == NULL) {
        fprintf(stderr, "pi_montecarlo: out of memory\n");
        exit(1);
    }
    return v;
}

/* A number in [0, 1) with 53 random bits, by a linear congruential generator: the same on every machine. */
static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv)
{
    long trials = 100000, seed = 1;
    long inside = 0;
    long i;

    if (argc > 3)
        usage();
    if (argc > 1)
        trials = parse_count(argv[1]);
    if (argc > 2)
        seed = parse_count(argv[2]);

    double *x = new_vector(trials);
    double *y = new_vector(trials);
    uint64_t state = (uint64_t)seed;
    for (i = 0; i < trials; i++) {
        x[i] = next_random(&state);
        y[i] = next_random(&state);
    }

#ifdef TIME_TRANSFERS
    fprintf(stderr, "started %d\n", start_device());
#endif

    double start = omp_get_wtime();
#ifdef OFFLOAD
#pragma omp target data map(to: x[0:trials], y[0:trials])
#endif
    for (int k = 0; k < REPETITIONS; k++) {
        inside = 0;
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for reduction(+:inside) map(tofrom: inside)
#else
#pragma omp parallel for reduction(+:inside)
#endif
        for (i = 0; i < trials; i++)
            if (x[i] * x[i] + y[i] * y[i] <= 1.0)
                inside++;
    }
    double seconds = omp_get_wtime() - start;

    printf("pi_montecarlo %ld %ld\n", trials, seed);
    printf("inside %ld\n", inside);
    printf("pi %.12f\n", trials > 0 ? 4.0 * (double)inside / (double)trials : 0.0);
    fprintf(stderr, "seconds %.9f\n", seconds);
    free(x);
    free(y);
    return 0;
}

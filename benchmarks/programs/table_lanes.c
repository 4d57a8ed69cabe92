/* A table that every thread reads at places of its own: walkers add up what they find at random places.
 *
 *     table_lanes [WALKERS [STEPS]]          default: 1000 walkers, 1000 steps
 *
 * Each walker has a linear congruential generator. With no walkers the sum is 0.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#define PLACES 4000

static double found[PLACES];

static void usage(void)
{
    fprintf(stderr, "usage: table_lanes [WALKERS [STEPS]]   (integers, not negative)\n");
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
    uint64_t state = 2;

    for (int k = 0; k < PLACES; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        found[k] = (double)(state >> 11) / 9007199254740992.0;
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

static double walk(int walkers, int steps)
{
    double sum = 0.0;

#pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < walkers; i++) {
        uint32_t state = (uint32_t)i * 2654435761u;
        double mine = 0.0;
        for (int k = 0; k < steps; k++) {
            state = state * 1664525u + 1013904223u;
            mine += found[(state >> 16) * PLACES >> 16];
        }
        sum += mine;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int walkers = 1000, steps = 1000;

    if (argc > 3)
        usage();
    if (argc > 1)
        walkers = parse_count(argv[1]);
    if (argc > 2)
        steps = parse_count(argv[2]);
    fill();
    int started = start_device();

    double start = omp_get_wtime();
    double result = walk(walkers, steps);
    double seconds = omp_get_wtime() - start;

    printf("table_lanes %d %d\n", walkers, steps);
    printf("sum %.9e\n", result);
    fprintf(stderr, "seconds %.9f\nstarted %d\n", seconds, started);
    return 0;
}

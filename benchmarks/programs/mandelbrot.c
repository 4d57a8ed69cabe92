/* The area of the Mandelbrot set, estimated from random points of the half plane.
 *
 *     mandelbrot [POINTS [ITERATIONS]]   default: 4092 points, 100000 iterations, as in the OpenMP Source Code Repository
 *
 * The points are made on the host, in [-2, 0.5) x [0, 1.125); the set is symmetric about the real axis, so twice the
 * share that stays bounded times the area of that rectangle estimates the area of the set (about 1.5066).
 * The count is an integer that depends on every rounding in the loop. With no points the estimate is 0.
 * With -DTIME_TRANSFERS the device is started before the clock; -DREPETITIONS=10 runs the loop ten times.
 */
#include "program.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#ifndef REPETITIONS
#define REPETITIONS 1
#endif

#define WIDTH 2.5
#define HEIGHT 1.125

typedef struct {
    double re, im;
} point;

static void usage(void)
{
    fprintf(stderr, "usage: mandelbrot [POINTS [ITERATIONS]]   (integers, not negative)\n");
    exit(2);
}

static int parse_count(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 0 || value >= INT_MAX)
        usage();
    return (int)value;
}

/* A number in [0, 1) with 53 random bits, by a linear congruential generator: the same on every machine. */
static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static point *random_points(int n)
{
    point *points = malloc((n > 0 ? (size_t)n : 1) * sizeof *points);
    uint64_t state = 31416;

    if (points == NULL) {
        fprintf(stderr, "mandelbrot: out of memory\n");
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        points[i].re = -2.0 + WIDTH * next_random(&state);
        points[i].im = HEIGHT * next_random(&state);
    }
    return points;
}

/* How many of the points c leave the disc of radius 2 under z = z^2 + c within so many iterations. */
static long count_outside(const point *c, int n, int iterations)
{
    long outside = 0;
    int i, k;
    double re;
    point z;

#ifdef OFFLOAD
#pragma omp target teams distribute parallel for private(k, re, z) reduction(+:outside) map(tofrom: outside) map(to: c[0:n])
#else
#pragma omp parallel for default(none) shared(c, n, iterations) private(k, re, z) reduction(+:outside) \
    schedule(dynamic, 32)
#endif
    for (i = 0; i < n; i++) {
        z = c[i];
        for (k = 0; k < iterations; k++) {
            re = z.re * z.re - z.im * z.im + c[i].re;
            z.im = 2.0 * z.re * z.im + c[i].im;
            z.re = re;
            if (z.re * z.re + z.im * z.im > 4.0) {
                outside++;
                break;
            }
        }
    }
    return outside;
}

int main(int argc, char **argv)
{
    int n = 4092, iterations = 100000;

    if (argc > 3)
        usage();
    if (argc > 1)
        n = parse_count(argv[1]);
    if (argc > 2)
        iterations = parse_count(argv[2]);
    point *points = random_points(n);

#ifdef TIME_TRANSFERS
    fprintf(stderr, "started %d\n", start_device());
#endif

    double start = omp_get_wtime();
    long inside = 0;
    for (int k = 0; k < REPETITIONS; k++)
        inside = n - count_outside(points, n, iterations);
    double seconds = omp_get_wtime() - start;

    double area = n > 0 ? 2.0 * WIDTH * HEIGHT * (double)inside / n : 0.0;
    printf("mandelbrot %d %d\n", n, iterations);
    printf("inside %ld\n", inside);
    printf("area %.12f error %.12f\n", area, n > 0 ? area / sqrt(n) : 0.0);
    fprintf(stderr, "seconds %.9f\n", seconds);
    free(points);
    return 0;
}

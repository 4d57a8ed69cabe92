/* program.h: what the programs of `python -m benchmarks kernels` share: arguments, memory, random numbers, checksums, and
 * what the harness reads. In the C that is C++ too, since the versions written by hand in CUDA use it as well.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A whole number on the command line: what it is where it is not given, and its limits. */
typedef struct {
    const char *name;
    int value, least, most;
} parameter;

static inline void print_usage(const char *program, const parameter *known, int count)
{
    fprintf(stderr, "usage: %s ", program);
    for (int k = 0; k < count; k++)
        fprintf(stderr, "[%s ", known[k].name);
    for (int k = 0; k < count; k++)
        fprintf(stderr, "]");
    for (int k = 0; k < count; k++)
        fprintf(stderr, "%s%d to %d", k > 0 ? ", " : "   (", known[k].least, known[k].most);
    fprintf(stderr, ")\n");
}

/* Reads the command line into `known`; exit status 2 where it is wrong. */
static inline void read_parameters(int argc, char **argv, const char *program, parameter *known, int count)
{
    int wrong = argc - 1 > count;

    for (int k = 0; k < count && k < argc - 1; k++) {
        char *end;
        const long value = strtol(argv[k + 1], &end, 10);
        wrong |= end == argv[k + 1] || *end != '\0' || value < known[k].least || value > known[k].most;
        known[k].value = (int)value;
    }
    if (wrong) {
        print_usage(program, known, count);
        exit(2);
    }
}

static inline void *allocate(size_t count, size_t size)
{
    void *const memory = malloc(count > 0 ? count * size : size);

    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

/* 32 random bits, by a linear congruential generator: the same on every machine. */
static inline uint32_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* A number in [0, 1). */
static inline double random_number(uint64_t *state)
{
    return random_bits(state) / 4294967296.0;
}

static inline void fill_doubles(double *v, size_t count, uint64_t seed)
{
    for (size_t k = 0; k < count; k++)
        v[k] = random_number(&seed);
}

static inline void fill_floats(float *v, size_t count, uint64_t seed)
{
    for (size_t k = 0; k < count; k++)
        v[k] = (float)(random_bits(&seed) >> 8) / 16777216.0f;
}

/* Multiples of 1/8 in [-1, 1), of which sums of products are exact. */
static inline double next_eighth(uint64_t *state)
{
    return ((int)(random_bits(state) >> 28) - 8) / 8.0;
}

/* Sums with a weight per place, so that exchanged elements show. */
static inline double checksum_doubles(const double *v, size_t count)
{
    double sum = 0.0;
    int weight = 1;

    for (size_t k = 0; k < count; k++) {
        sum += weight * v[k];
        weight = weight == 97 ? 1 : weight + 1;
    }
    return sum;
}

static inline double checksum_floats(const float *v, size_t count)
{
    double sum = 0.0;
    int weight = 1;

    for (size_t k = 0; k < count; k++) {
        sum += weight * (double)v[k];
        weight = weight == 97 ? 1 : weight + 1;
    }
    return sum;
}

/* Reads something of every page: what a device has computed may come home no earlier than that. */
static inline double touch(const void *memory, size_t bytes)
{
    const volatile unsigned char *const byte = (const volatile unsigned char *)memory;

    for (size_t k = 0; k < bytes; k += 2048)
        (void)byte[k];
    return 0.0;
}

/* The clock of the computing phase, and the fastest repetition of its loop. */
typedef struct {
    double start, begin, fastest;
} stopwatch;

static inline void print_times(const stopwatch *watch, double end, double unused)
{
    fprintf(stderr, "seconds %.9f\nrepetition %.9f\nunused %g\n", end - watch->start, watch->fastest, unused);
}

#ifdef _OPENMP
#include <omp.h>

/* The first parallel loop of a program is where a device is started. */
static inline int start_device(void)
{
    int odd = 0;

#ifdef OFFLOAD
#pragma omp target teams distribute parallel for reduction(+:odd) map(tofrom: odd)
#else
#pragma omp parallel for reduction(+:odd)
#endif
    for (int i = 0; i < 1024; i++)
        odd += i & 1;
    return odd;
}

static inline stopwatch start_watch(void)
{
    const double now = omp_get_wtime();
    const stopwatch watch = {now, now, 1e9};

    return watch;
}

static inline void begin_repetition(stopwatch *watch)
{
    watch->begin = omp_get_wtime();
}

static inline void end_repetition(stopwatch *watch)
{
    const double taken = omp_get_wtime() - watch->begin;

    watch->fastest = taken < watch->fastest ? taken : watch->fastest;
}
#endif

#endif

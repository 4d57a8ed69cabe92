/* A buffer goes to and fro: the host fills it, a parallel loop changes every number, the host adds all of them up.
 *
 *     transfer [NUMBERS [ROUNDS]]            default: 1000000 doubles, one round
 *
 * All numbers are integers below 2^53, so every sum is exact.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

static void usage(void)
{
    fprintf(stderr, "usage: transfer [NUMBERS [ROUNDS]]   (integers, not negative)\n");
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

/* The first parallel loop of a program is where a device is started. */
static int start_device(void)
{
    int odd = 0;

#pragma omp parallel for reduction(+:odd)
    for (int i = 0; i < 1024; i++)
        odd += i & 1;
    return odd;
}

static double round_trip(double *buffer, int numbers, int round)
{
    double sum = 0.0, next = round;

    for (int i = 0; i < numbers; i++) { /* one value after the other, so that the host does it */
        buffer[i] = next;
        next = i % 1024 == 1023 ? round : next + 1;
    }
#pragma omp parallel for
    for (int i = 0; i < numbers; i++)
        buffer[i] = 2.0 * buffer[i] + 1.0;
    for (int i = 0; i < numbers; i++)
        sum += buffer[i];
    return sum;
}

int main(int argc, char **argv)
{
    int numbers = 1000000, rounds = 1;

    if (argc > 3)
        usage();
    if (argc > 1)
        numbers = parse_count(argv[1]);
    if (argc > 2)
        rounds = parse_count(argv[2]);
    double *buffer = malloc((numbers > 0 ? (size_t)numbers : 1) * sizeof *buffer);
    if (buffer == NULL) {
        fprintf(stderr, "transfer: out of memory\n");
        return 1;
    }
    int started = start_device();

    double sum = 0.0;
    double start = omp_get_wtime();
    for (int round = 0; round < rounds; round++)
        sum += round_trip(buffer, numbers, round % 1024);
    double seconds = omp_get_wtime() - start;

    printf("transfer %d %d\n", numbers, rounds);
    printf("sum %.0f\n", sum);
    fprintf(stderr, "seconds %.9f\nstarted %d\n", seconds, started);
    free(buffer);
    return 0;
}

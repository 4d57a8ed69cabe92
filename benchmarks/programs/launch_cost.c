/* What a launch costs: many short parallel loops over the same five arrays. A first loop goes through all of them, before
 * the clock starts.
 *
 *     launch_cost [LAUNCHES]                 default: 1000
 *
 * Each launch adds one to a few numbers, which stay integers.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#define LENGTH 131072 /* 1 MB of doubles */
#define SHORT 32

static void usage(void)
{
    fprintf(stderr, "usage: launch_cost [LAUNCHES]   (an integer, not negative)\n");
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

static double *new_array(double value)
{
    double *array = malloc(LENGTH * sizeof *array);

    if (array == NULL) {
        fprintf(stderr, "launch_cost: out of memory\n");
        exit(1);
    }
    for (int i = 0; i < LENGTH; i++)
        array[i] = value;
    return array;
}

int main(int argc, char **argv)
{
    int launches = 1000;

    if (argc > 2)
        usage();
    if (argc > 1)
        launches = parse_count(argv[1]);
    double *a = new_array(0.0), *b = new_array(1.0), *c = new_array(2.0), *d = new_array(3.0), *e = new_array(5.0);

#pragma omp parallel for
    for (int i = 0; i < LENGTH; i++)
        a[i] += b[i] * c[i] + d[i] - e[i];

    double start = omp_get_wtime();
    for (int k = 0; k < launches; k++) {
#pragma omp parallel for
        for (int i = 0; i < SHORT; i++)
            a[i] += b[i] * e[i] - c[i] * d[i] + 2.0 * b[i];
    }
    double seconds = omp_get_wtime() - start;

    double sum = 0.0;
    for (int i = 0; i < LENGTH; i++)
        sum += a[i];
    printf("launch_cost %d\n", launches);
    printf("sum %.0f\n", sum);
    fprintf(stderr, "seconds %.9f\n", seconds);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    return 0;
}

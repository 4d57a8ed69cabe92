/* The histogram of a sequence of bytes.
 *
 *     histogram [BYTES [SPREAD [REPETITIONS]]]
 *
 * SPREAD says how many of the 256 values occur. The counts are a reduction of an array, or with -DATOMIC incremented atomically.
 */
#include "program.h"

#define BINS 256

static void histogram(int *count, const unsigned char *data, int n)
{
    for (int k = 0; k < BINS; k++)
        count[k] = 0;
#ifdef ATOMIC
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for map(tofrom: count[0:BINS])
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        count[data[i]]++;
    }
#else
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for map(tofrom: count[0:BINS]) reduction(+:count[0:BINS])
#else
#pragma omp parallel for reduction(+:count[0:BINS])
#endif
    for (int i = 0; i < n; i++)
        count[data[i]]++;
#endif
}

int main(int argc, char **argv)
{
    parameter size[] = {{"BYTES", 10000, 0, 2000000000}, {"SPREAD", 256, 1, 256}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "histogram", size, 3);
    const int n = size[0].value, spread = size[1].value, repetitions = size[2].value;
    unsigned char *data = allocate(n, sizeof *data);
    int *count = allocate(BINS, sizeof *count);
    uint64_t state = 1;
    for (int i = 0; i < n; i++)
        data[i] = (unsigned char)((random_bits(&state) >> 8) * (uint64_t)spread >> 24);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(to: data[0:n])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        histogram(count, data, n);
        end_repetition(&watch);
    }
    double touched = touch(count, BINS * sizeof *count);
    double end = omp_get_wtime();

    printf("histogram %d\n", n);
    for (int k = 0; k < BINS; k++)
        printf("%d%c", count[k], k % 16 == 15 ? '\n' : ' ');
    print_times(&watch, end, unused + touched);
    free(data);
    free(count);
    return 0;
}

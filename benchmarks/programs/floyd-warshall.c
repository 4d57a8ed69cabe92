/* The lengths of the shortest paths between all places, from those of the roads, by Floyd and Warshall.
 *
 *     floyd-warshall [PLACES [REPETITIONS]]
 */
#include "program.h"
#include "dense.h"

static void shorten(int *path, const int *road, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            path[i * n + j] = road[i * n + j];
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (path[i * n + k] + path[k * n + j] < path[i * n + j])
                    path[i * n + j] = path[i * n + k] + path[k * n + j];
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLACES", 64, 1, 16384}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "floyd-warshall", size, 2);
    const int n = size[0].value, repetitions = size[1].value;
    const size_t elements = (size_t)n * n;
    int *road = allocate(elements, sizeof *road), *path = allocate(elements, sizeof *path);
    fill_roads(road, n, 1);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        shorten(path, road, n);
        end_repetition(&watch);
    }
    double touched = touch(path, elements * sizeof *path);
    double end = omp_get_wtime();

    printf("floyd-warshall %d\n", n);
    printf("checksum %lld\n", checksum_ints(path, elements));
    print_times(&watch, end, unused + touched);
    free(road);
    free(path);
    return 0;
}

/* The Verlet list of a molecular simulation: which particles are near each one, by cells.
 *
 *     verlet [SIDE [REPETITIONS]]            SIDE^3 particles
 *
 * Each particle has a row of the list, to which it appends its neighbours in the order of their cells.
 */
#include "program.h"
#include "cells.h"

#define MOST 160

static void list_neighbours(int *number, int *list, const vector *place, const int *first, int count, int cells, int side)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < count; i++) {
        const double px = place[i].x, py = place[i].y, pz = place[i].z;
        const int x = cell_on_line(px, side, cells), y = cell_on_line(py, side, cells), z = cell_on_line(pz, side, cells);
        int found = 0;
        for (int cz = z > 0 ? z - 1 : 0; cz <= z + 1 && cz < cells; cz++)
            for (int cy = y > 0 ? y - 1 : 0; cy <= y + 1 && cy < cells; cy++) {
                const int line = (cz * cells + cy) * cells;
                const int end = first[line + (x < cells - 1 ? x + 1 : x) + 1];
                for (int j = first[line + (x > 0 ? x - 1 : x)]; j < end; j++) {
                    const double dx = place[j].x - px, dy = place[j].y - py, dz = place[j].z - pz;
                    if (dx * dx + dy * dy + dz * dz < REACH * REACH && j != i) {
                        if (found < MOST)
                            list[i * MOST + found] = j;
                        found++;
                    }
                }
            }
        number[i] = found < MOST ? found : MOST;
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIDE", 8, 1, 128}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "verlet", size, 2);
    const int side = size[0].value, repetitions = size[1].value;
    particles all = new_particles(side);
    int *number = allocate(all.count, sizeof *number), *list = allocate((size_t)all.count * MOST, sizeof *list);
    const vector *place = all.place;
    const int *first = all.first, count = all.count, cells = all.cells;
    long total = 0;
    unsigned long checksum = 0;
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(from: number[0:count], list[0:count * MOST]) map(to: place[0:count], first[0:cells * cells * cells + 1])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        list_neighbours(number, list, place, first, count, cells, side);
        end_repetition(&watch);
    }
    double touched = touch(number, count * sizeof *number) + touch(list, (size_t)count * MOST * sizeof *list);
    double end = omp_get_wtime();

    for (int i = 0; i < count; i++)
        for (int k = 0; k < number[i]; k++) {
            total++;
            checksum += (unsigned long)(i % 97 + 1) * (k + 1) * (list[i * MOST + k] + 1);
        }
    printf("verlet %d entries %ld\n", count, total);
    printf("checksum %lu\n", checksum);
    print_times(&watch, end, unused + touched);
    free(all.place);
    free(all.first);
    free(number);
    free(list);
    return 0;
}

/* Lennard-Jones forces between the particles of a molecular simulation, by the list of their neighbours.
 *
 *     forces [SIDE [REPETITIONS]]            SIDE^3 particles
 *
 * Each pair is in the list twice and each particle adds up its own forces; or with -DNEWTON, by Newton's third law, once,
 * and both get the force, atomically.
 */
#include "program.h"
#include "cells.h"

#ifdef NEWTON
#define HALF 1
#else
#define HALF 0
#endif

static void push(vector *momentum, const vector *place, const int *first, const int *neighbour, int count, double step)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < count; i++) {
        const double px = place[i].x, py = place[i].y, pz = place[i].z;
        double sx = 0.0, sy = 0.0, sz = 0.0;
        for (int k = first[i]; k < first[i + 1]; k++) {
            const int j = neighbour[k];
            const double dx = place[j].x - px, dy = place[j].y - py, dz = place[j].z - pz;
            const double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 > CUTOFF * CUTOFF)
                continue;
            const double r6 = r2 * r2 * r2, force = (24.0 * r6 - 48.0) / (r6 * r6 * r2) * step;
            sx += force * dx;
            sy += force * dy;
            sz += force * dz;
#ifdef NEWTON
#pragma omp atomic
            momentum[j].x -= force * dx;
#pragma omp atomic
            momentum[j].y -= force * dy;
#pragma omp atomic
            momentum[j].z -= force * dz;
#endif
        }
#ifdef NEWTON
#pragma omp atomic
#endif
        momentum[i].x += sx;
#ifdef NEWTON
#pragma omp atomic
#endif
        momentum[i].y += sy;
#ifdef NEWTON
#pragma omp atomic
#endif
        momentum[i].z += sz;
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIDE", 8, 1, 128}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "forces", size, 2);
    const int side = size[0].value, repetitions = size[1].value;
    particles all = new_particles(side);
    neighbours near = new_neighbours(&all, side, HALF);
    const vector *place = all.place;
    const int count = all.count, *first = near.first, *neighbour = near.neighbour;
    vector *momentum = allocate(count, sizeof *momentum);
    double squares = 0.0;
    for (int i = 0; i < count; i++)
        momentum[i].x = momentum[i].y = momentum[i].z = momentum[i].unused = 0.0;
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(tofrom: momentum[0:count]) map(to: place[0:count], first[0:count + 1], neighbour[0:first[count]])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        push(momentum, place, first, neighbour, count, 0.001);
        end_repetition(&watch);
    }
    double touched = touch(momentum, count * sizeof *momentum);
    double end = omp_get_wtime();

    for (int i = 0; i < count; i++)
        squares += (i % 97 + 1) * (momentum[i].x * momentum[i].x + momentum[i].y * momentum[i].y + momentum[i].z * momentum[i].z);
    printf("forces %d entries %d\n", count, first[count]);
    printf("squares %.9e\n", squares);
    print_times(&watch, end, unused + touched);
    free(all.place);
    free(all.first);
    free(near.first);
    free(near.neighbour);
    free(momentum);
    return 0;
}

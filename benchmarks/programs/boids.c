/* Boids: each agent of a flock steers by those around it, which it finds by cells.
 *
 *     boids [AGENTS [PER_CELL [REPETITIONS]]]
 *
 * The nine cells around an agent are visited from the lower left to the upper right; or with -DALIGNED by their places
 * modulo 3, so that neighbouring agents, though in different cells, visit the same cells at the same time.
 */
#include "program.h"
#include "cells.h"

#include <math.h>

static void steer(agent *next, const agent *now, const int *first, int count, int cells)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < count; i++) {
        const float px = now[i].x, py = now[i].y;
        const int left = cell_on_line(px, cells, cells) - 1, low = cell_on_line(py, cells, cells) - 1;
        float near = 0.0f, mx = 0.0f, my = 0.0f, mvx = 0.0f, mvy = 0.0f, ax = 0.0f, ay = 0.0f;
        for (int k = 0; k < 9; k++) {
#ifdef ALIGNED
            const int x = left + (k % 3 - left % 3 + 3) % 3, y = low + (k / 3 - low % 3 + 3) % 3;
#else
            const int x = left + k % 3, y = low + k / 3;
#endif
            if (x < 0 || x >= cells || y < 0 || y >= cells)
                continue;
            for (int j = first[y * cells + x]; j < first[y * cells + x + 1]; j++) {
                const float dx = now[j].x - px, dy = now[j].y - py;
                const float square = dx * dx + dy * dy;
                if (square < 1.0f && j != i) {
                    const float away = 1.0f / (square + 0.01f);
                    near += 1.0f;
                    mx += dx;
                    my += dy;
                    mvx += now[j].vx;
                    mvy += now[j].vy;
                    ax -= away * dx;
                    ay -= away * dy;
                }
            }
        }
        const float share = near > 0.0f ? 1.0f / near : 0.0f;
        next[i].x = px;
        next[i].y = py;
        next[i].vx = 0.9f * now[i].vx + share * (0.05f * mx + 0.1f * mvx + 0.01f * ax);
        next[i].vy = 0.9f * now[i].vy + share * (0.05f * my + 0.1f * mvy + 0.01f * ay);
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"AGENTS", 1000, 1, 10000000}, {"PER_CELL", 16, 1, 1000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "boids", size, 3);
    const int repetitions = size[2].value;
    flock all = new_flock(size[0].value, size[1].value);
    const agent *now = all.agents;
    const int count = all.count, cells = all.cells, *first = all.first;
    agent *next = allocate(count, sizeof *next);
    double squares = 0.0;
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(from: next[0:count]) map(to: now[0:count], first[0:cells * cells + 1])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        steer(next, now, first, count, cells);
        end_repetition(&watch);
    }
    double touched = touch(next, count * sizeof *next);
    double end = omp_get_wtime();

    for (int i = 0; i < count; i++)
        squares += (i % 97 + 1) * ((double)next[i].vx * next[i].vx + (double)next[i].vy * next[i].vy);
    printf("boids %d in %d x %d cells\n", count, cells, cells);
    printf("squares %.6e\n", squares);
    print_times(&watch, end, unused + touched);
    free(all.agents);
    free(all.first);
    free(next);
    return 0;
}

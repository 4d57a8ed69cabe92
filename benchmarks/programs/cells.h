/* cells.h: things in space sorted by the cell that they lie in: particles for verlet.c and forces.c, agents for boids.c, and
 * for their versions by hand.
 */
#ifndef CELLS_H
#define CELLS_H

#include "program.h"

/* first[c] .. first[c + 1] - 1 are the places, among things sorted by cell, of those in cell c; order[k] is who gets place k. */
static inline void sort_by_cell(const int *cell_of, int count, int cells, int *first, int *order)
{
    for (int c = 0; c <= cells; c++)
        first[c] = 0;
    for (int k = 0; k < count; k++)
        first[cell_of[k] + 1]++;
    for (int c = 0; c < cells; c++)
        first[c + 1] += first[c];
    for (int k = 0; k < count; k++)
        order[first[cell_of[k]]++] = k;
    for (int c = cells; c > 0; c--)
        first[c] = first[c - 1];
    first[0] = 0;
}

/* Which of `cells` cells of a line has a coordinate from 0 to `width`? */
static inline int cell_on_line(double coordinate, double width, int cells)
{
    const int cell = (int)(coordinate / width * cells);

    return cell < 0 ? 0 : cell < cells ? cell : cells - 1;
}

#define CUTOFF 2.5 /* forces reach so far */
#define REACH 2.8  /* and neighbours are listed from here on, since they move */

/* A place or a momentum; padded, so that one is two accesses of 16 bytes. */
typedef struct {
    double x, y, z, unused;
} vector;

/* Particles of density 1 in a cube with open sides, sorted by cell; cells along x are neighbours in memory. */
typedef struct {
    int count, cells; /* particles; cells along each axis */
    vector *place;
    int *first;
} particles;

static inline particles new_particles(int side)
{
    const int count = side * side * side, cells = side / REACH > 1 ? (int)(side / REACH) : 1;
    particles all = {count, cells, (vector *)allocate(count, sizeof(vector)), (int *)allocate((size_t)cells * cells * cells + 1, sizeof(int))};
    vector *const drawn = (vector *)allocate(count, sizeof(vector));
    int *const cell_of = (int *)allocate(count, sizeof(int)), *const order = (int *)allocate(count, sizeof(int));
    uint64_t state = 1;

    for (int k = 0; k < count; k++) {
        vector *const p = &drawn[k];
        p->x = k % side + 0.4 + 0.2 * random_number(&state);
        p->y = k / side % side + 0.4 + 0.2 * random_number(&state);
        p->z = k / side / side + 0.4 + 0.2 * random_number(&state);
        p->unused = 0.0;
        cell_of[k] = (cell_on_line(p->z, side, cells) * cells + cell_on_line(p->y, side, cells)) * cells + cell_on_line(p->x, side, cells);
    }
    sort_by_cell(cell_of, count, cells * cells * cells, all.first, order);
    for (int k = 0; k < count; k++)
        all.place[k] = drawn[order[k]];
    free(drawn);
    free(cell_of);
    free(order);
    return all;
}

/* The neighbours of each particle, all of them or those that come after it: entries first[i] .. first[i + 1] - 1. */
typedef struct {
    int *first, *neighbour;
} neighbours;

static inline neighbours new_neighbours(const particles *all, int side, int half)
{
    const int cells = all->cells;
    neighbours list = {(int *)allocate((size_t)all->count + 1, sizeof(int)), (int *)allocate((size_t)all->count * 160, sizeof(int))};
    int found = 0;

    for (int i = 0; i < all->count; i++) {
        const vector p = all->place[i];
        const int x = cell_on_line(p.x, side, cells), y = cell_on_line(p.y, side, cells), z = cell_on_line(p.z, side, cells);
        list.first[i] = found;
        for (int cz = z > 0 ? z - 1 : 0; cz <= z + 1 && cz < cells; cz++)
            for (int cy = y > 0 ? y - 1 : 0; cy <= y + 1 && cy < cells; cy++) {
                const int line = (cz * cells + cy) * cells;
                const int end = all->first[line + (x < cells - 1 ? x + 1 : x) + 1];
                for (int j = all->first[line + (x > 0 ? x - 1 : x)]; j < end; j++) {
                    const double dx = all->place[j].x - p.x, dy = all->place[j].y - p.y, dz = all->place[j].z - p.z;
                    if ((half ? j > i : j != i) && dx * dx + dy * dy + dz * dz < REACH * REACH)
                        list.neighbour[found++] = j;
                }
            }
    }
    list.first[all->count] = found;
    return list;
}

/* Agents in a plane, sorted by cell. */
typedef struct {
    float x, y, vx, vy;
} agent;

typedef struct {
    int count, cells; /* agents; cells along each axis, of side 1 */
    agent *agents;
    int *first;
} flock;

static inline flock new_flock(int count, int per_cell)
{
    int cells = 1;

    while ((double)cells * cells * per_cell < count)
        cells++;
    flock all = {count, cells, (agent *)allocate(count, sizeof(agent)), (int *)allocate((size_t)cells * cells + 1, sizeof(int))};
    agent *const drawn = (agent *)allocate(count, sizeof(agent));
    int *const cell_of = (int *)allocate(count, sizeof(int)), *const order = (int *)allocate(count, sizeof(int));
    uint64_t state = 1;

    for (int k = 0; k < count; k++) {
        agent *const a = &drawn[k];
        a->x = (float)(random_number(&state) * cells);
        a->y = (float)(random_number(&state) * cells);
        a->vx = (float)(random_number(&state) - 0.5);
        a->vy = (float)(random_number(&state) - 0.5);
        cell_of[k] = cell_on_line(a->y, cells, cells) * cells + cell_on_line(a->x, cells, cells);
    }
    sort_by_cell(cell_of, count, cells * cells, all.first, order);
    for (int k = 0; k < count; k++)
        all.agents[k] = drawn[order[k]];
    free(drawn);
    free(cell_of);
    free(order);
    return all;
}

#endif

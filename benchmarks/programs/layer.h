/* layer.h: the fields and coefficients of fdtd-apml.c, for C and CUDA. */
#ifndef LAYER_H
#define LAYER_H

#define MUI 0.25
#define CH 0.5

typedef struct {
    double *hz, *bza, *ex, *ey;                    /* planes of rows + 1 rows of columns + 1 */
    double *ax, *ry;                               /* what lies beyond the last row and the last column */
    double *czm, *czp, *cxmh, *cxph, *cymh, *cyph; /* of each plane, column, row */
} layer;

static inline double *random_doubles(size_t count, uint64_t seed, double least)
{
    double *const v = (double *)allocate(count, sizeof *v);

    fill_doubles(v, count, seed);
    for (size_t k = 0; k < count; k++)
        v[k] += least;
    return v;
}

/* Quotients of coefficients are at most 1, so nothing grows from step to step. */
static inline layer new_layer(int planes, int rows, int columns)
{
    const size_t points = (size_t)planes * (rows + 1) * (columns + 1);
    layer l;

    l.hz = random_doubles(points, 1, 0.0);
    l.bza = random_doubles(points, 2, 0.0);
    l.ex = random_doubles(points, 3, 0.0);
    l.ey = random_doubles(points, 4, 0.0);
    l.ax = random_doubles((size_t)planes * (columns + 1), 5, 0.0);
    l.ry = random_doubles((size_t)planes * (rows + 1), 6, 0.0);
    l.czm = random_doubles(planes, 7, 0.0);
    l.czp = random_doubles(planes, 8, 1.0);
    l.cxmh = random_doubles(columns + 1, 9, 0.0);
    l.cxph = random_doubles(columns + 1, 10, 1.0);
    l.cymh = random_doubles(rows + 1, 11, 0.0);
    l.cyph = random_doubles(rows + 1, 12, 1.0);
    return l;
}

static inline void free_layer(const layer *l)
{
    double *const all[] = {l->hz, l->bza, l->ex, l->ey, l->ax, l->ry, l->czm, l->czp, l->cxmh, l->cxph, l->cymh, l->cyph};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

#endif

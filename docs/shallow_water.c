/*
 * shallow_water.c - shallow water in a rectangular basin
 *
 * Solves the 2-D shallow water equations in conservative form
 *
 *     h_t  + (hu)_x + (hv)_y                       = 0
 *     hu_t + (hu^2/h + g h^2/2)_x + (huhv/h)_y     = -g h b_x - friction
 *     hv_t + (huhv/h)_x + (hv^2/h + g h^2/2)_y     = -g h b_y - friction
 *
 * with the Lax-Friedrichs (Rusanov) flux on a regular grid with one layer
 * of ghost cells.  Walls reflect, or the east side is open.
 *
 *     gcc -O2 -fopenmp shallow_water.c -o shallow_water -lm
 *     ./shallow_water [nx] [ny] [tend] [friction: none|manning|chezy] [out.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define G        9.81
#define DRY      1.0e-6
#define CFL      0.45
#define IDX(i, j) ((size_t)(i) * (g->ny + 2) + (j))

typedef struct {
    int     nx, ny;             /* interior cells */
    double  dx, dy;
    double *h, *hu, *hv;        /* state */
    double *h1, *hu1, *hv1;     /* next state */
    double *b;                  /* bed elevation */
    double *hmax;               /* highest water seen in each cell */
} grid_t;

typedef double (*friction_fn)(double h, double q);

typedef struct {
    int         open_east;
    friction_fn friction;       /* bed friction coefficient, chosen by name */
    double      tend;
    const char *out;
} params_t;

/* ---------------------------------------------------------------- utils */

static double now(void)
{
    struct timeval tv;

    gettimeofday(&tv, NULL);
    return tv.tv_sec + 1.0e-6 * tv.tv_usec;
}

static double *field(const grid_t *g)
{
    size_t  cells = (size_t)(g->nx + 2) * (g->ny + 2);
    double *p = malloc(cells * sizeof *p);

    if (p == NULL) {
        fprintf(stderr, "shallow_water: no memory for %zu cells\n", cells);
        exit(EXIT_FAILURE);
    }
    memset(p, 0, cells * sizeof *p);
    return p;
}

/* ------------------------------------------------------------- friction */

static double friction_none(double h, double q)
{
    (void)h;
    (void)q;
    return 0.0;
}

static double friction_manning(double h, double q)
{
    const double n = 0.025;

    return G * n * n * fabs(q) / pow(h, 7.0 / 3.0);
}

static double friction_chezy(double h, double q)
{
    const double c = 50.0;

    return G * fabs(q) / (c * c * h * h);
}

static friction_fn choose_friction(const char *name)
{
    if (strcmp(name, "none") == 0)
        return friction_none;
    if (strcmp(name, "manning") == 0)
        return friction_manning;
    if (strcmp(name, "chezy") == 0)
        return friction_chezy;
    fprintf(stderr, "shallow_water: unknown friction law '%s'\n", name);
    exit(EXIT_FAILURE);
}

/* ------------------------------------------------------------ the grid */

static void grid_create(grid_t *g, int nx, int ny)
{
    g->nx = nx;
    g->ny = ny;
    g->dx = 100.0 / nx;
    g->dy = 100.0 / ny;
    g->h = field(g);
    g->hu = field(g);
    g->hv = field(g);
    g->h1 = field(g);
    g->hu1 = field(g);
    g->hv1 = field(g);
    g->b = field(g);
    g->hmax = field(g);
}

static void grid_destroy(grid_t *g)
{
    free(g->h);
    free(g->hu);
    free(g->hv);
    free(g->h1);
    free(g->hu1);
    free(g->hv1);
    free(g->b);
    free(g->hmax);
}

/* A column of water beside a small hill; a bit of noise breaks the symmetry. */
static void initial_state(grid_t *g)
{
    int i, j;

    srand(42);
#pragma omp parallel for private(j)
    for (i = 0; i < g->nx + 2; i++) {
        for (j = 0; j < g->ny + 2; j++) {
            double x = (i - 0.5) * g->dx - 30.0;
            double y = (j - 0.5) * g->dy - 50.0;
            double r = sqrt(x * x + y * y);

            g->b[IDX(i, j)] = 0.4 * exp(-((x - 40.0) * (x - 40.0) + y * y) / 150.0);
            g->h[IDX(i, j)] = (r < 15.0 ? 2.0 : 1.0) - g->b[IDX(i, j)];
            g->hu[IDX(i, j)] = 0.0;
            g->hv[IDX(i, j)] = 0.0;
            g->hmax[IDX(i, j)] = 0.0;
        }
    }
    for (i = 1; i <= g->nx; i++)
        for (j = 1; j <= g->ny; j++)
            g->h[IDX(i, j)] += 1.0e-4 * rand() / RAND_MAX;
}

static void boundaries(grid_t *g, const params_t *p)
{
    int i, j;

#pragma omp parallel for
    for (j = 0; j < g->ny + 2; j++) {
        g->h[IDX(0, j)] = g->h[IDX(1, j)];
        g->hu[IDX(0, j)] = -g->hu[IDX(1, j)];
        g->hv[IDX(0, j)] = g->hv[IDX(1, j)];
        g->h[IDX(g->nx + 1, j)] = g->h[IDX(g->nx, j)];
        g->hu[IDX(g->nx + 1, j)] = p->open_east ? g->hu[IDX(g->nx, j)] : -g->hu[IDX(g->nx, j)];
        g->hv[IDX(g->nx + 1, j)] = g->hv[IDX(g->nx, j)];
    }
#pragma omp parallel for
    for (i = 0; i < g->nx + 2; i++) {
        g->h[IDX(i, 0)] = g->h[IDX(i, 1)];
        g->hu[IDX(i, 0)] = g->hu[IDX(i, 1)];
        g->hv[IDX(i, 0)] = -g->hv[IDX(i, 1)];
        g->h[IDX(i, g->ny + 1)] = g->h[IDX(i, g->ny)];
        g->hu[IDX(i, g->ny + 1)] = g->hu[IDX(i, g->ny)];
        g->hv[IDX(i, g->ny + 1)] = -g->hv[IDX(i, g->ny)];
    }
}

/* --------------------------------------------------------- time stepping */

static double time_step(const grid_t *g)
{
    double fastest = 1.0e-12;
    int i, j;

#pragma omp parallel for private(j) reduction(max:fastest)
    for (i = 1; i <= g->nx; i++) {
        for (j = 1; j <= g->ny; j++) {
            double h = g->h[IDX(i, j)];

            if (h > DRY) {
                double c = sqrt(G * h);
                double u = fabs(g->hu[IDX(i, j)] / h) + c;
                double v = fabs(g->hv[IDX(i, j)] / h) + c;

                fastest = fmax(fastest, fmax(u / g->dx, v / g->dy));
            }
        }
    }
    return CFL / fastest;
}

/* Rusanov flux of (h, q, r) in the direction of q */
static void flux(const double l[3], const double r[3], double f[3])
{
    double ul = l[0] > DRY ? l[1] / l[0] : 0.0;
    double ur = r[0] > DRY ? r[1] / r[0] : 0.0;
    double a = fmax(fabs(ul) + sqrt(G * l[0]), fabs(ur) + sqrt(G * r[0]));

    f[0] = 0.5 * (l[1] + r[1]) - 0.5 * a * (r[0] - l[0]);
    f[1] = 0.5 * (l[1] * ul + 0.5 * G * l[0] * l[0] + r[1] * ur + 0.5 * G * r[0] * r[0])
           - 0.5 * a * (r[1] - l[1]);
    f[2] = 0.5 * (l[2] * ul + r[2] * ur) - 0.5 * a * (r[2] - l[2]);
}

static void advance(grid_t *g, double dt)
{
    int i, j;

#pragma omp parallel for private(j) schedule(static)
    for (i = 1; i <= g->nx; i++) {
        for (j = 1; j <= g->ny; j++) {
            size_t c = IDX(i, j), w = IDX(i - 1, j), e = IDX(i + 1, j), s = IDX(i, j - 1), n = IDX(i, j + 1);
            double C[3] = {g->h[c], g->hu[c], g->hv[c]};
            double W[3] = {g->h[w], g->hu[w], g->hv[w]};
            double E[3] = {g->h[e], g->hu[e], g->hv[e]};
            double Cy[3] = {g->h[c], g->hv[c], g->hu[c]};
            double S[3] = {g->h[s], g->hv[s], g->hu[s]};
            double N[3] = {g->h[n], g->hv[n], g->hu[n]};
            double fw[3], fe[3], fs[3], fn[3];

            flux(W, C, fw);
            flux(C, E, fe);
            flux(S, Cy, fs);
            flux(Cy, N, fn);
            g->h1[c] = C[0] - dt / g->dx * (fe[0] - fw[0]) - dt / g->dy * (fn[0] - fs[0]);
            g->hu1[c] = C[1] - dt / g->dx * (fe[1] - fw[1]) - dt / g->dy * (fn[2] - fs[2])
                        - dt * G * C[0] * (g->b[e] - g->b[w]) / (2.0 * g->dx);
            g->hv1[c] = C[2] - dt / g->dx * (fe[2] - fw[2]) - dt / g->dy * (fn[1] - fs[1])
                        - dt * G * C[0] * (g->b[n] - g->b[s]) / (2.0 * g->dy);
        }
    }
}

static void apply_friction(grid_t *g, const params_t *p, double dt)
{
    int i, j;

#pragma omp parallel for private(j)
    for (i = 1; i <= g->nx; i++) {
        for (j = 1; j <= g->ny; j++) {
            size_t c = IDX(i, j);
            double h = g->h1[c];

            if (h > DRY) {
                double q = sqrt(g->hu1[c] * g->hu1[c] + g->hv1[c] * g->hv1[c]);
                double s = 1.0 / (1.0 + dt * p->friction(h, q));

                g->hu1[c] *= s;
                g->hv1[c] *= s;
            }
            if (h > g->hmax[c])
                g->hmax[c] = h;
        }
    }
}

static void swap_states(grid_t *g)
{
    double *t;

    t = g->h;  g->h = g->h1;   g->h1 = t;
    t = g->hu; g->hu = g->hu1; g->hu1 = t;
    t = g->hv; g->hv = g->hv1; g->hv1 = t;
}

static double volume(const grid_t *g)
{
    double sum = 0.0;
    int i, j;

#pragma omp parallel for private(j) reduction(+:sum)
    for (i = 1; i <= g->nx; i++)
        for (j = 1; j <= g->ny; j++)
            sum += g->h[IDX(i, j)];
    return sum * g->dx * g->dy;
}

/* ---------------------------------------------------------------- output */

static void write_pgm(const grid_t *g, const char *name)
{
    FILE *f = fopen(name, "w");
    int i, j;

    if (f == NULL) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    fprintf(f, "P2\n%d %d\n255\n", g->nx, g->ny);
    for (j = g->ny; j >= 1; j--) {
        for (i = 1; i <= g->nx; i++) {
            int grey = (int)(120.0 * g->hmax[IDX(i, j)]);

            fprintf(f, "%d ", grey < 0 ? 0 : grey > 255 ? 255 : grey);
        }
        fprintf(f, "\n");
    }
    fclose(f);
}

int main(int argc, char **argv)
{
    grid_t   g;
    params_t p;
    int      nx = argc > 1 ? atoi(argv[1]) : 200;
    int      ny = argc > 2 ? atoi(argv[2]) : 200;
    double   t = 0.0, start, dt;
    int      step = 0;

    p.tend = argc > 3 ? atof(argv[3]) : 5.0;
    p.friction = choose_friction(argc > 4 ? argv[4] : "manning");
    p.out = argc > 5 ? argv[5] : NULL;
    p.open_east = 1;
    grid_create(&g, nx, ny);
    initial_state(&g);
    printf("start: volume %.6f\n", volume(&g));

    start = now();
    while (t < p.tend) {
        boundaries(&g, &p);
        dt = time_step(&g);
        if (t + dt > p.tend)
            dt = p.tend - t;
        advance(&g, dt);
        apply_friction(&g, &p, dt);
        swap_states(&g);
        t += dt;
        if (++step % 50 == 0)
            printf("step %5d  t %8.4f  volume %.6f\n", step, t, volume(&g));
    }
    fprintf(stderr, "%d steps in %.3f s\n", step, now() - start);
    printf("end: t %.4f  volume %.6f  depth in the middle %.6f\n", t, volume(&g),
           g.h[(size_t)(nx / 2) * (ny + 2) + ny / 2]);
    if (p.out != NULL)
        write_pgm(&g, p.out);
    grid_destroy(&g);
    return 0;
}

/* Pointers in structs: values, pointers to structs, arrays of structs, several levels; structs that are written as well. */
/* args: 12 */
/* args: 33 */
/* expect-gpu: 12 */
/* expect-added: 4 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n, m; double *u, *f; double *none; } grid_t;
struct vector { double v[3]; float *tag; };
struct system { grid_t *grid; struct vector *pos; double dt, *mass; const char *name; void (*hook)(void); struct system *next; };
typedef struct { int rows, cols; double **data; } matrix_t;
struct cell { int count; double sum; int *member; struct { short *deep; } in; };
typedef struct csr { int n; int *start, *column; double *value; } csr_t;

static grid_t global_grid;
static struct system *global_system;

static grid_t make(int n, int m)
{
    grid_t g = {n, m, malloc(n * m * sizeof(double)), malloc(n * m * sizeof(double)), NULL};
    for (int i = 0; i < n * m; i++) g.u[i] = i % 7, g.f[i] = -i;
    return g;
}
static double total(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * (i % 3 + 1); return s; }

static void by_value(grid_t g)
{
    #pragma omp parallel for
    for (int i = 0; i < g.n; i++)
        for (int j = 0; j < g.m; j++) g.u[i * g.m + j] += 0.5 * g.f[i * g.m + j];
}
static void by_pointer(grid_t *g)
{
    #pragma omp parallel for
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->m; j++) {
            if (j > 1) g->u[i * g->m + j] = g->f[i * g->m + j] + g->u[i * g->m];
            if (g->none) g->none[i] = 0;
        }
}
static double norm(const struct system *s, int i)
{
    const struct vector *p = &s->pos[i];
    return p->v[0] * p->v[0] + p->v[1] + p->tag[0];
}
static void move(struct system *s, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) s->pos[i].v[k] += s->dt * s->mass[i] * (k + 1);
        s->pos[i].tag[0] += s->grid->u[i];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) s->mass[i] = norm(s, i);
}
static void product(matrix_t *c, const matrix_t *a, const matrix_t *b)
{
    #pragma omp parallel for
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->cols; j++) {
            double s = 0;
            for (int k = 0; k < a->cols; k++) s += a->data[i][k] * b->data[k][j];
            c->data[i][j] = s;
        }
}
static void multiply(const csr_t *a, const double *x, double *y)
{
    #pragma omp parallel for
    for (int r = 0; r < a->n; r++) {
        double s = 0;
        for (int k = a->start[r]; k < a->start[r + 1]; k++) s += a->value[k] * x[a->column[k]];
        y[r] = s;
    }
}
static matrix_t matrix(int n, int m)
{
    matrix_t a = {n, m, malloc(n * sizeof(double *))};
    for (int i = 0; i < n; i++) {
        a.data[i] = malloc(m * sizeof(double));
        for (int j = 0; j < m; j++) a.data[i][j] = i + 2 * j;
    }
    return a;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double s = 0;
    grid_t g = make(n, 5);
    by_value(g);
    by_pointer(&g);
    global_grid = make(n, 2);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) global_grid.u[i] += g.f[i] * global_grid.n;
    by_pointer(&global_grid);
    printf("%.12g %.12g\n", total(g.u, 5 * n), total(global_grid.u, 2 * n));

    struct system *sys = calloc(1, sizeof *sys);
    sys->grid = malloc(sizeof *sys->grid), *sys->grid = g;
    sys->pos = calloc(n, sizeof *sys->pos), sys->mass = malloc(n * sizeof(double)), sys->dt = .125;
    for (int i = 0; i < n; i++) sys->mass[i] = i, sys->pos[i].tag = calloc(2, sizeof(float));
    move(sys, n);
    global_system = sys;
    sys->grid = &global_grid;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) global_system->grid->f[i] += global_system->mass[i];
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += sys->pos[i].v[2] + sys->pos[i].tag[0] + (sys->next == NULL) + (sys->name != NULL);
    printf("%.12g %.12g\n", s, total(global_grid.f, n) + total(sys->mass, n));

    matrix_t a = matrix(n, 3), b = matrix(3, n), c = matrix(n, n);
    product(&c, &a, &b);
    matrix_t *several = malloc(2 * sizeof *several);
    several[0] = a, several[1] = c;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) several[k].data[i][0] += several[k].cols;
    printf("%.12g\n", total(c.data[n - 1], n) + total(a.data[1], 3));

    struct cell *cells = calloc(n, sizeof *cells);
    for (int i = 0; i < n; i++) {
        cells[i].count = i % 4;
        if (cells[i].count) cells[i].member = malloc(4 * sizeof(int)), cells[i].in.deep = calloc(4, sizeof(short));
        for (int k = 0; k < cells[i].count; k++) cells[i].member[k] = i * 10 + k;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct cell *me = &cells[i];
        for (int k = 0; k < me->count; k++) {
            me->sum += me->member[k];
            me->in.deep[k] = me->member[k] % 7;
        }
    }
    for (int i = 0; i < n; i++) {
        s += cells[i].sum * i;
        for (int k = 0; k < cells[i].count; k++) s += cells[i].in.deep[k] + cells[i].member[k];
    }
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) {
        struct cell copy = cells[i];
        for (int k = 0; k < copy.count; k++) s += copy.member[k];
    }
    csr_t m = {n, malloc((n + 1) * sizeof(int)), malloc(2 * n * sizeof(int)), malloc(2 * n * sizeof(double))};
    for (int i = 0; i < 2 * n; i++) m.column[i] = (i * 5) % n, m.value[i] = i;
    for (int i = 0; i <= n; i++) m.start[i] = 2 * i;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) x[i] = i % 3;
    multiply(&m, x, y);
    printf("%.12g %.12g\n", s, total(y, n));
    return 0;
}

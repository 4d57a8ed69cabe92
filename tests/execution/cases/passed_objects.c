/* Objects of a caller, on its stack or static, that the loop gets as pointers: structs that are handed on to functions, arrays
   whose elements data chooses, arrays inside structs, all of a size that the launch must know. */
/* args: 1200 */
/* expect-gpu: 7 */
#include <stdio.h>
#include <stdlib.h>
struct grid { int nx, ny; double h; double c[3]; };
struct big { int n; double tab[20]; struct grid g; };
static double at(const struct grid *g, int i, int j) { return g->h * i + g->c[j % 3]; }
static void sweep(const struct grid *g, double *u)
{
    #pragma omp parallel for
    for (int i = 0; i < g->nx; i++)
        for (int j = 0; j < g->ny; j++)
            u[i * g->ny + j] = at(g, i, j);
}
static void sweep2(struct big *b, double *u)
{
    #pragma omp parallel for
    for (int i = 0; i < b->n; i++)
        u[i] += b->tab[i % 20] + b->g.h;
}
static void sweep3(struct grid *g, double *u, int n)
{
    struct grid *q = g;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const struct grid *l = q;
        u[i] += l->h;
    }
}
static void sum4(double *a, double *s, int n)
{
    double t = 0;
    #pragma omp parallel for reduction(+:t)
    for (int i = 0; i < n; i++) t += a[i];
    *s = t;
}
static void scale(double *u, const double *f, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) u[i] *= *f;
}
static void hist(const double *u, int *h, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = (int)u[i] & 7;
        #pragma omp atomic
        h[k]++;
    }
}
static void arr(const double *u, double w[4], int n, double *v)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) v[i] = u[i] * w[i & 3];
}
struct bins { int n; int at[8]; };
static struct bins of_file;
static int weighed(const int *h) { int s = 0; for (int i = 0; i < 8; i++) s = s * 3 + h[i]; return s; }
static void run(struct grid *g, struct big *b, double *u) { sweep(g, u); sweep2(b, u); sweep3(&b->g, u, 1000); }
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    struct grid p = {n / 40, 40, 0.5, {1, 2, 3}};
    struct big b = {n, {1, 2, 3, 4}, {3, 4, 0.25, {1, 1, 1}}};
    double w[4] = {1, 2, 3, 4}, f = 2, s;
    int h[8] = {0}, before = -1, (*row)[8] = &h;
    struct bins own = {8, {0}}, several[3] = {{0}};
    static struct bins kept;
    static int still[8];
    double *u = calloc(n, sizeof *u), *v = malloc(n * sizeof *v);
    run(&p, &b, u);
    sum4(u, &s, n);
    scale(u, &f, n);
    hist(u, h, n);
    hist(u, *row, n);
    hist(u, own.at, n);
    hist(u, several[1].at, n);
    hist(u, kept.at, n);
    hist(u, still, n);
    hist(u, of_file.at, n);
    arr(u, w, n, v);
    for (int depth = 0; depth < 2; depth++) {
        int inner[8] = {depth};
        hist(u, inner, n);
        printf("%d ", weighed(inner));
    }
    for (int i = 0; i < n; i++) s += u[i] + v[i];
    printf("%d %d %d %d %d %d %d %d %g\n", before, own.n, weighed(h), weighed(own.at), weighed(several[1].at),
           weighed(kept.at), weighed(still), weighed(of_file.at), s);
    return 0;
}

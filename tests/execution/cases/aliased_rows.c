/* Rows that overlap, leave the program's memory or change: right whether or not the device takes the loop. */
/* args: 24 */
/* expect-gpu: 7 */
/* refuses: OMPC452 OMPC453 OMPC467 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct part { double *x; double w; };

static void add(double **to, double **from, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) to[i][j] += from[i][m - 1 - j];
}
static double gather(double **a, int n, int m)
{
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j] * (j + 1);
    return s;
}
static void first(double **a, double *b, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i][0] = b[i] + 1;
}
static void weigh(struct part *p, double *w, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) w[2 * i] = p[i].x[i] + p[i].w;
}
static void weights(struct part *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) p[i].w = p[i].x[i] * 2;
}
static double pick(struct part *p, const int *which, const double *w, int n)
{
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += p[which[i]].x[0] + w[2 * i];
    return s;
}
static void some(double **a, const int *take, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) if (take[i]) a[i][1] = i;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = 8, take[24];
    double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b), *block = malloc((n + 1) * m * sizeof *block), s = 0;
    for (int i = 0; i < (n + 1) * m; i++) block[i] = i;
    for (int i = 0; i < n; i++) a[i] = block + i * m, b[i] = malloc(m * sizeof **b), take[i] = i % 2;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = 1;
    add(a, b, n, m);
    add(a, a, n, m);                            /* a table with itself */
    b[n - 1] = b[0];
    printf("%.12g\n", gather(b, n, m) + gather(a, n, m)); /* a row twice, only read */
    add(b, a, n - 1, m);
    for (int i = 0; i < n; i++) b[i] = block + i * 2;      /* overlapping windows of one block */
    printf("%.12g\n", gather(b, n, m));
    first(b, block + 2 * m, m / 2);
    first(b, a[n - 1], 4);
    double *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    b[1] = map, b[0] = NULL;
    some(b, take, n);                            /* a row that nobody allocated */
    b[1] = block + (n + 1) * m;                  /* one past the end: not followed */
    take[1] = 0;
    for (int i = 0; i < n; i++) b[i] = i ? block + i : NULL;
    some(b, take, n);
    struct part *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = (struct part){block + i, i};
    weights(p, n);
    weigh(p, block, n / 2);
    double apart[48] = {0};
    weigh(p, apart, n);
    for (int i = 0; i < n; i++) s += apart[2 * i];
    weigh(p, &p[0].w, n);                        /* writes the structs that hold the pointers */
    s += pick(p, take, &p[0].w, n) + pick(p, take, block, n);
    for (int i = 0; i < (n + 1) * m; i++) s += block[i] * (i % 7);
    for (int i = 0; i < n; i++) s += p[i].w + (p[i].x - block);
    printf("%.12g %g\n", s, map[1]);
    return 0;
}

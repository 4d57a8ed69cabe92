/* Bounds of inner loops and rows' lengths that lie in memory which the launch only reads: arrays, structs by value and
   behind pointers, members that are arrays, elements at variable places. Null pointers of loops without iterations. */
/* args: 9 7 5 */
/* args: 0 7 5 */
/* args: 4 0 3 */
/* args: 1 1 -2 */
/* expect-gpu: 18 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid { int nx, ny; double h; struct { short nz; int lengths[3]; } deep; };
struct image { unsigned char *bytes; int width, height; };
enum sizes { SMALL = 3, LARGE = 6 };

static int points[3];
int visible[3];
static struct grid whole;
static enum sizes named[2] = {SMALL, LARGE};
static double a[64 * 64], b[64 * 64];

static double sum(void)
{
    double found = 0;
    for (int i = 0; i < 64 * 64; i++) found += a[i] * (i % 37 + 1);
    return found;
}

static void elements(double *out, int n, int m)
{
    const int size[2] = {n, m};
    #pragma omp parallel for
    for (int i = 0; i < points[2]; i++)
        for (int j = 0; j <= points[1] - 1; j++)
            out[i * 64 + j] = i + j * 0.5;
    #pragma omp parallel for
    for (int i = 0; i < size[0]; i++)
        for (int j = 0; j < size[1]; j++)
            out[i * 64 + j] += size[1] * j;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < named[1]; j++)
            out[i * 64 + j] -= j;
    #pragma omp parallel for
    for (int i = visible[0]; i > 0; i--)
        for (int j = visible[1]; j >= visible[2]; j--)
            if (j >= 0) out[i * 64 + j] *= 1.5;
}

static void structs(double *out, struct grid g, const struct grid *p)
{
    #pragma omp parallel for
    for (int i = 0; i < g.ny; i++)
        for (int j = 0; j < g.nx; j++)
            out[i * g.nx + j] += g.h;
    #pragma omp parallel for
    for (int i = 0; i < whole.ny; i++)
        for (unsigned j = 0; (int)j < whole.deep.nz; j++)
            out[i * 64 + j] += whole.h * j;
    #pragma omp parallel for
    for (int i = 0; i < p->ny; i++)
        for (int j = 0; j < p->nx; j++)
            out[i * p->nx + j] += p->h * p->deep.lengths[2];
    #pragma omp parallel for
    for (int i = 0; i < g.ny; i++)
        for (int j = 0; j < p->deep.lengths[1]; j++)
            for (int k = 0; k < p->deep.nz; k++)
                out[(i * p->deep.lengths[1] + j) * 5 + k] += k;
}

static void pointers(double *out, const int *n, int **table, int k, const long *dims)
{
    #pragma omp parallel for
    for (int i = 0; i < k; i++)
        for (int j = 0; j < *n; j++)
            out[i * *n + j] += 2;
    #pragma omp parallel for
    for (int i = 0; i < k; i++)
        for (int j = 0; j < (*table)[1]; j++)
            out[i * 64 + j] -= 0.25;
    #pragma omp parallel for
    for (long i = 0; i < dims[0]; i++)
        for (long j = 0; j < dims[1]; j++)
            for (long l = 0; l < dims[2]; l++)
                out[i * dims[1] * dims[2] + j * dims[2] + l] += l - j;
}

static void pixels(struct image *image)
{
    #pragma omp parallel for
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            image->bytes[y * image->width + x] = (unsigned char)(x * y + 3);
}

/* What it points to has the type of the bound, and may be the same memory: compared at the launch. */
static void same_type(int *out, const int *n, int rows)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n[1]; j++)
            out[i * 8 + j] = i - j;
}

/* There are pointers to n and m. What is stored is of another type, or compared with them at the launch. */
static void scanned(double *out, int *ints, const char *text)
{
    int n, m;
    sscanf(text, "%d %d", &n, &m);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i * m + j] += m;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m / 2; j++)
            ints[i * m + j] = i * m - j;
    #pragma omp parallel for firstprivate(m)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            ints[i * m + j] += j;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < points[m - 8]; j++) /* an element at a place that is read from memory itself */
            out[i * 64 + j] += points[m - 8];
}

/* Nothing may be read where the loop has no iteration. */
static void nothing(double *out, const struct grid *p, const int *n, int rows)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < p->nx; j++)
            for (int k = 0; k < n[0]; k++)
                out[(i * p->nx + j) * n[0] + k] += 1;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), p = atoi(argv[3]);
    int sizes[2] = {m, 6}, *table = sizes;
    long dims[3] = {n, m, p > 0 ? p : 0};
    struct grid g = {m, n, 0.125, {(short)p, {n, m, p}}};
    static unsigned char bytes[100];
    struct image image = {bytes, m, n};
    int *ints = calloc(200, sizeof *ints);

    (void)argc;
    memset(bytes, 0, sizeof bytes);
    points[1] = m, points[2] = n;
    visible[0] = n, visible[1] = m, visible[2] = p - 3;
    whole = g;
    elements(a, n, m);
    printf("%g\n", sum());
    structs(a, g, &g);
    printf("%g\n", sum());
    pointers(a, &m, &table, n, dims);
    printf("%g\n", sum());
    pixels(&image);
    for (int i = 0; i < 100; i++) ints[100] += bytes[i] * i;
    printf("%d\n", ints[100]);
    same_type(ints, ints + 101, 0);
    ints[150] = 3, ints[151] = 5;
    same_type(ints, ints + 150, n);
    for (int i = 0; i < 100; i++) ints[199] += ints[i] * (i % 7);
    printf("%d\n", ints[199]);
    scanned(a, ints, "7 9");
    for (int i = 0; i < 63; i++) ints[198] += ints[i] * (i % 7);
    printf("%g %d\n", sum(), ints[198]);
    nothing(a, n > 0 ? &g : NULL, n > 0 && m > 0 ? sizes : NULL, n);
    nothing(a, NULL, NULL, 0);
    printf("%g\n", sum());
    free(ints);
    return 0;
}

/* Neighbours in a periodic domain, and members of structs that neighbours touch: subscripts that are one of several numbers. */
/* args: 19 23 */
/* args: 8 8 */
/* args: 1 5 */
/* args: 5 1 */
/* args: 2 2 */
/* args: 0 4 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double speeds[5];
    int count;
} cell;

/* What leaves one cell arrives in its neighbours. */
static void stream(int ny, int nx, cell *to, const cell *from)
{
    #pragma omp parallel for
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            int north = (i == ny - 1) ? 0 : i + 1, south = (i == 0) ? ny - 1 : i - 1;
            int east = (j + 1) % nx, west = (j - 1 + nx) % nx;
            to[i * nx + j].speeds[0] = from[i * nx + j].speeds[0];
            to[i * nx + east].speeds[1] = from[i * nx + j].speeds[1];
            to[north * nx + j].speeds[2] = from[i * nx + j].speeds[2];
            to[i * nx + west].speeds[3] = from[i * nx + j].speeds[3];
            to[south * nx + j].speeds[4] = from[i * nx + j].speeds[4];
            to[i * nx + j].count = from[i * nx + j].count + 1;
        }
}

/* The same in place: each cell has one number of each neighbour's. */
static void swap(int ny, int nx, cell *a)
{
    #pragma omp parallel for
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            int north = i < ny - 1 ? i + 1 : 0, west = j > 0 ? j - 1 : nx - 1;
            double mine = a[i * nx + j].speeds[0], first = a[i * nx + west].speeds[1], second = a[north * nx + west].speeds[4];
            a[i * nx + west].speeds[1] = mine + 1;
            a[north * nx + west].speeds[4] = first * 2;
            a[i * nx + j].speeds[0] = second - first;
        }
}

/* Two rows meet in one: the inner loop is no axis. */
static void fold(int ny, int nx, double *a, const double *b)
{
    #pragma omp parallel for
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            int at = j % 2 ? j - 1 : j;
            a[i * nx + at] = a[i * nx + at] / 2 + b[i * nx + j];
        }
}

/* Members of a union, and bit-fields, share memory. */
typedef struct {
    union {
        int whole;
        short half[2];
    };
    int low : 5, high : 9;
} word;

static void unions(int ny, int nx, word *w)
{
    #pragma omp parallel for
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx - 1; j++) {
            w[i * nx + j].whole = w[i * nx + j].whole * 3 + j;
            w[i * nx + j + 1].half[0] += i;
        }
    #pragma omp parallel for
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx - 1; j++) {
            w[i * nx + j].low = j % 16;
            w[i * nx + j + 1].high += w[i * nx + j].low;
        }
}

static void life(int n, int m, int *next, const int *now)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int alive = 0;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    alive += now[(i + y + n) % n * m + (j + x + m) % m];
            next[i * m + j] = alive == 3 || (alive == 4 && now[i * m + j]);
        }
}

int main(int argc, char **argv)
{
    const int ny = argc > 1 ? atoi(argv[1]) : 9, nx = argc > 2 ? atoi(argv[2]) : 7, all = ny * nx;
    cell *a = calloc(all + 1, sizeof *a), *b = calloc(all + 1, sizeof *b);
    double *c = calloc(all + 1, sizeof *c), *d = calloc(all + 1, sizeof *d), sum = 0;
    word *w = calloc(all + 1, sizeof *w);
    int *now = calloc(all + 1, sizeof *now), *next = calloc(all + 1, sizeof *next);
    for (int k = 0; k < all; k++) {
        for (int s = 0; s < 5; s++)
            a[k].speeds[s] = k * 5 + s, b[k].speeds[s] = -k;
        a[k].count = k, c[k] = k % 13, d[k] = k % 7, w[k].whole = k, now[k] = k * 7 % 3 == 0;
    }
    stream(ny, nx, b, a);
    swap(ny, nx, b);
    swap(ny, nx, b);
    fold(ny, nx, c, d);
    unions(ny, nx, w);
    life(ny, nx, next, now);
    for (int k = 0; k < all; k++) {
        for (int s = 0; s < 5; s++)
            sum += b[k].speeds[s] * (k % 11 + s);
        sum += b[k].count + c[k] * (k % 5) + w[k].whole % 1000 + w[k].low * 3 + w[k].high * 5 + next[k] * (k % 17);
    }
    printf("%.17g\n", sum);
    free(a), free(b), free(c), free(d), free(w), free(now), free(next);
    return 0;
}

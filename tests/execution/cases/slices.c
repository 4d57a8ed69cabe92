/* Launches in slices, where arrays of many pages come to the device for the first time: each slice copies what its
   iterations touch. The tests ask for slices of a page, and the host writes to all arrays before each call. */
/* args: 70 41 */
/* args: 900 3 */
/* args: 4 130 */
/* args: 1 1 */
/* args: 0 5 */
/* nightly: 4 260 */
/* expect-gpu: 16 */
#include <stdio.h>
#include <stdlib.h>

struct point {
    float x, y;
    char kind;
    double weight;
};

static double *numbers(long n, int step)
{
    double *made = malloc(sizeof *made * (size_t)(n + 8));
    for (long i = 0; i < n + 8; i++)
        made[i] = (double)((i * step) % 23) - 7;
    return made;
}

/* The sum of what is there, which the host has then written anew. */
static double sum(double *a, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++) {
        s += a[i] * (double)(i % 5 + 1);
        a[i] += 1;
    }
    return s;
}

/* Rows of a and c slide; b is read as a whole. In tiles where there is much to do. */
static void product(int n, int m, const double *a, const double *b, double *c)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i * m + k] * b[k * m + j];
            c[i * m + j] += s;
        }
}

/* Elements on both sides, in a window whose width nobody knows; some are written. */
static void window(int n, int r, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = r; i < n - r; i++) {
        double v = 0;
        for (int k = -r; k <= r; k++)
            v = v * 0.5 + x[i + k];
        if (i % 3 != 1)
            y[i] += v;
    }
}

/* From the end to the begin. */
static void down(int n, int steps, double *x)
{
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i--)
        for (int s = 0; s < steps; s++)
            x[i] = x[i] * 0.5 + 1;
}

static void mirrored(int n, int steps, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = x[n - 1 - i];
        for (int s = 0; s < steps; s++)
            v = v * 0.25 + x[i];
        y[i] = v;
    }
}

/* Every third element, from the middle of a block on. */
static void strided(unsigned n, int steps, double *x)
{
#pragma omp parallel for
    for (unsigned i = 2; i < n; i += 3) {
        double v = x[i];
        for (int s = 0; s < steps; s++)
            v = v * 0.5 - 1;
        x[i] = v;
    }
}

/* Members of structs, with bytes between them. */
static void members(long n, int steps, struct point *p, const unsigned char *byte)
{
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        double v = p[i].x;
        for (int s = 0; s < steps; s++)
            v = v * 0.5 + byte[i];
        p[i].weight = v;
        p[i].y += 1;
    }
}

/* Places that are read from memory. */
static void gathered(int n, int steps, const int *place, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = 0;
        for (int s = 0; s < steps; s++)
            v = v * 0.5 + x[place[i]];
        y[i] = v;
    }
}

static void scattered(int n, int steps, const int *place, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = x[i];
        for (int s = 0; s < steps; s++)
            v = v * 0.5 + 1;
        y[place[i]] += v;
    }
}

/* Two loops of the directive; three; rows of a fixed length. */
static void collapsed(int n, int m, int steps, const double *a, double (*b)[7])
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 7; j++)
            b[i][j] += a[i * m] + j;
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 7; j++)
            for (int s = 0; s < steps; s++)
                b[i][j] = b[i][j] * 0.5 + a[i * m] + a[(i - 1) * m];
}

static void planes(int n, int m, int steps, const double *a, double *b)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 2; k++) {
                const int at = (i * m + j) * 2 + k;
                double v = b[at];
                for (int s = 0; s < steps; s++)
                    v = v * 0.5 + a[at];
                b[at] = v;
            }
}

static void transposed(int n, int m, int steps, const double *a, double *b)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double v = b[j * n + i];
            for (int s = 0; s < steps; s++)
                v = v * 0.5 + a[i * m + j];
            b[j * n + i] = v;
        }
}

/* One block, two pointers into it: the one half is read, the other written; or the same one. */
static void halves(long n, int steps, const double *from, double *to)
{
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        double v = to[i];
        for (int s = 0; s < steps; s++)
            v = v * 0.5 + from[i];
        to[i] = v;
    }
}

/* A loop of a region, with its own copy of a variable for each thread. */
static void in_region(int n, int steps, const double *x, double *y)
{
#pragma omp parallel
    {
        const int last = steps + 1;
#pragma omp for
        for (int i = 0; i < n; i++) {
            double v = y[i];
            for (int s = 1; s < last; s++)
                v = v * 0.5 + x[i] * s;
            y[i] = v;
        }
    }
}

/* The rows of a block shrink: those that the iterations do not reach come, too. */
static void triangle(int n, int m, double *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i && j < m; j++)
            a[i * m + j] = a[i * m + j] * 0.5 + a[i * m + m - 1] * (j == m - 1 ? 0 : 1);
}

/* Neighbours above and below. */
static void sweep(int n, int m, int steps, const double *a, double *b)
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            double v = 0;
            for (int s = 0; s < steps; s++)
                v = v * 0.5 + a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1];
            b[i * m + j] = v;
        }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 9, m = argc > 2 ? atoi(argv[2]) : 5;
    const long all = (long)n * m;
    double *a = numbers(all, 3), *b = numbers((long)m * m, 5), *c = numbers(all, 7), *d = numbers(2 * all, 11);
    double(*rows)[7] = calloc((size_t)n + 1, sizeof *rows);
    struct point *points = calloc((size_t)all + 1, sizeof *points);
    unsigned char *bytes = calloc((size_t)all + 1, 1);
    int *place = calloc((size_t)all + 1, sizeof *place);
    for (long i = 0; i < all; i++) {
        points[i].x = (float)(i % 9);
        points[i].kind = (char)(i % 100);
        bytes[i] = (unsigned char)(i * 7);
        place[i] = (int)((i * 37 + 11) % all); /* each element once, where 37 does not divide their number */
    }
    for (int turn = 0; turn < 2; turn++) {
        const int steps = 3 + turn;
        sum(a, all), sum(b, (long)m * m);
        product(n, m, a, b, c);
        printf("product %.10g\n", sum(c, all) + sum(a, all));
        window((int)all, m < 9 ? m : 9, a, c);
        printf("window %.10g\n", sum(c, all));
        down((int)all, steps, c + 1);
        printf("down %.10g\n", sum(c, all + 1));
        mirrored((int)all, steps, c, d + 3);
        printf("mirrored %.10g\n", sum(d, 2 * all));
        strided((unsigned)all, steps, c);
        members(all, steps, points, bytes);
        double s = 0;
        for (long i = 0; i < all; i++) {
            s += points[i].weight + points[i].y + points[i].kind;
            place[i] += bytes[i] ^= 0;
            place[i] -= bytes[i];
        }
        printf("strided %.10g members %.10g\n", sum(c, all), s);
        gathered((int)all, steps, place, a, d);
        printf("gathered %.10g\n", sum(d, 2 * all) + sum(a, all));
        if (all % 37 != 0)
            scattered((int)all, steps, place, a, c);
        printf("scattered %.10g\n", sum(c, all) + sum(a, all));
        collapsed(n, m, steps, a, rows);
        printf("collapsed %.10g\n", sum(&rows[0][0], 7L * n) + sum(a, all));
        planes(n, m / 2, steps, a, d);
        printf("planes %.10g\n", sum(d, 2 * all));
        transposed(n, m, steps, c, d + 5);
        printf("transposed %.10g\n", sum(d, 2 * all));
        halves(all, steps, d, d + all);
        d[7] = 2;
        halves(all, steps, d, d);
        printf("halves %.10g\n", sum(d, 2 * all) + sum(a, all));
        in_region((int)all, steps, a, c);
        printf("in_region %.10g\n", sum(c, all));
        triangle(n, m, c);
        printf("triangle %.10g\n", sum(c, all));
        sweep(n, m, steps, c, d);
        printf("sweep %.10g\n", sum(d, 2 * all));
    }
    free(a);
    free(b);
    free(c);
    free(d);
    free(rows);
    free(points);
    free(bytes);
    free(place);
    return 0;
}

/* Linear subscripts that stand for several: loops inside the annotated one become axes where rows cannot overlap. */
/* args: 5 7 9 11 */
/* args: 33 18 40 60 */
/* args: 40 5 33 4 */
/* args: 1 1 1 1 */
/* expect-gpu: 41 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000 };
static int a[MOST], b[MOST], c[MOST];
static float fa[MOST], fb[MOST], fc[MOST];

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        a[i] = i % 251;
        b[i] = i % 127 - 60;
        c[i] = -1;
        fa[i] = (float)(i % 17) - 8;
        fb[i] = (float)(i % 13) - 6;
        fc[i] = -1;
    }
}

static void show(const char *name)
{
    unsigned long sum = 0;
    double f = 0;
    for (int i = 0; i < MOST; i++) {
        sum = sum * 31 + (unsigned)a[i] + 7 * (unsigned)c[i];
        f += fc[i] * (i % 101 + 1);
    }
    printf("%s %lu %.10g\n", name, sum, f);
    fill();
}

/* Products: the inner annotated loop is not the one of the rows. */
static void products(float *r, const float *p, const float *q, int rows, int inner, int columns)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++)
            r[i * columns + j] = 0;
        for (int k = 0; k < inner; k++)
            for (int i = 0; i < rows; i++)
                r[i * columns + j] += p[i * inner + k] * q[k * columns + j];
    }
    show("j k i");
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            const int at = i * columns + j, row = i * inner;
            float sum = 0;
            for (int k = 0; k < inner; k++)
                sum += p[row + k] * q[k * columns + j];
            r[at] = sum;
        }
    show("j i k");
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float sum = 0;
            for (int k = 0; k < inner; k++)
                sum += p[k * rows + i] * q[j * inner + k];
            r[j * rows + i] = sum;
        }
    show("by columns");
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float sum = 0;
            for (int k = 0; k < inner; k++) /* neighbours but for every other pair */
                sum += p[i * inner + k] * q[k * columns + j + (j % 4 == 1 && j + 1 < columns) - (j % 4 == 2)];
            r[i * columns + j] = sum;
        }
    show("neighbours change places");
}

/* Sweeps over a cuboid: places of one dimension, built in several ways. */
static void sweeps(const int *old, int *new, int planes, int rows, int columns)
{
    const int plane = rows * columns;
    int j, k, at;
#pragma omp parallel for
    for (int i = 1; i < planes - 1; i++)
        for (int q = 1; q < rows - 1; q++)
            for (int w = 1; w < columns - 1; w++) {
                const int here = i * plane + q * columns + w;
                new[here] = old[here] + old[here - plane] + 2 * old[here + plane] + 3 * old[here - columns]
                    + 4 * old[here + columns] + 5 * old[here - 1] + 6 * old[here + 1];
            }
    show("sweep");
#pragma omp parallel for private(j, k, at)
    for (int i = 0; i < planes; i++)
        for (j = 0; j < rows; j++)
            for (k = 0; k < columns; k++) {
                at = i * plane + j * columns + k;
                new[at] = old[at] + at;
            }
    show("an old style");
#pragma omp parallel for private(j)
    for (k = 0; k < columns; k++)
        for (j = 0; j < rows; j++)
            for (int i = 0; i < planes; i++)
                new[i * plane + j * columns + k] = old[k * plane / columns + j * planes + i];
    show("outside in");
#pragma omp parallel for
    for (int i = 0; i < planes; i++)
        for (int q = 0; q < rows; q++)
            for (int w = 0; w < columns; w++)
                new[(i * rows + (rows - 1 - q)) * columns + (columns - 1 - w)] = old[(i * rows + q) * columns + w];
    show("backwards");
#pragma omp parallel for
    for (int i = 0; i < planes; i++)
        for (int q = -1; q <= rows; q++)
            for (int w = -1; w <= columns; w++)
                new[(i * (rows + 2) + q + 1) * (columns + 2) + w + 1] = old[i + q * 3 + w + 4];
    show("halo");
#pragma omp parallel for
    for (int i = 0; i < planes; i++)
        for (int q = 0; q < rows; q++)
            for (int w = 0; w < columns; w++)
                new[(w * rows + q) * planes + i] = old[(i * rows + q) * columns + w];
    show("turned round");
#pragma omp parallel for collapse(2)
    for (int i = 0; i < planes; i++)
        for (int q = 0; q < rows; q++)
            new[q * planes + i] += i - q + old[q * planes + i];
    show("collapsed");
#pragma omp parallel for
    for (int i = 0; i < planes; i++)
        for (int p = 0; p < plane; p++)
            new[i * plane + p] = 2 * old[i * plane + p];
    show("planes");
#pragma omp parallel for
    for (int p = 0; p < plane; p++)
        for (int i = 0; i < planes; i++)
            new[i * plane + p] = 3 * old[i * plane + p];
    show("columns of planes");
#pragma omp parallel for
    for (int i = 0; i < planes; i++)
        for (int q = i % 2; q < rows; q += 2)
            for (int w = 0; w < columns; w++)
                new[(i * rows + q) * columns + w] += new[(i * rows + q + (q % 2 ? -1 : 1) * (q + 1 < rows)) * columns + w];
    show("every other row");
}

/* The same in other types. */
static void types(int *to, const int *from, int n, int m)
{
    const size_t sn = (size_t)n, sm = (size_t)m;
    const unsigned un = (unsigned)n;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[(size_t)j * n + i] = from[(size_t)i * m + j];
    show("widened");
#pragma omp parallel for
    for (size_t i = 0; i < sn; i++)
        for (size_t j = 0; j < sm; j++)
            to[j * sn + i] = from[i * sm + j] + 1;
    show("size_t");
#pragma omp parallel for
    for (unsigned i = 0; i < un; i++)
        for (unsigned j = 0; j < (unsigned)m; j++)
            to[j * un + i] = from[i + j];
    show("unsigned");
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        for (long j = m - 1; j >= 0; j--)
            to[j * n + i] = from[i * m + j] + 2;
    show("long, down");
}

/* What is no array of rows: the order of the inner loops shows. */
static void overlapping(int *to, const int *from, int n, int m, int ld, int less)
{
    unsigned big = 1u << 31;
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* rows overlap where ld < m */
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                to[i * 10000 + j * ld + k] = from[j * m + k];
    show("ld");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* by two too far */
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m + 2; k++)
                to[i * 10000 + j * m + k] = from[j * m + k] * (j + 1);
    show("beyond a row");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* a neighbouring row's */
        for (int j = 1; j < n; j++)
            for (int k = 0; k < m; k++)
                to[i * 10000 + j * m + k] = to[i * 10000 + j * m + k - m] + from[k];
    show("the row before");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* the last of a row and the first of the next */
        for (int j = 0; j < n; j++)
            for (int k = 1; k <= m; k++)
                to[i * 10000 + j * m + k] = to[i * 10000 + j * m + k - 1] + 1;
    show("along a row");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* all rows are one */
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                to[i * 10000 + j * less + k] = j;
    show("stride 0");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* backwards, and shorter than a row */
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                to[i * 10000 + 5000 - j * ld + k] = from[j] + k;
    show("negative");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* 2 * 2^31 is 0 */
        for (unsigned j = 0; j < 4; j += 2)
            for (unsigned k = 0; k < 9; k++)
                to[i * 10000 + j * big + k] = from[j] + 1;
    show("wraps");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) {
        int moving = ld;
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < moving; k++)
                to[i * 10000 + j * moving + k] = from[j] + k;
            moving = moving > 1 ? moving - 1 : 1;
        }
    }
    show("a stride that changes");
}

/* Variables that stand for something else than what they were set to. */
static void variables(int *to, const int *from, int n, int m)
{
    int stride = m, place = 0;
    if (n > 4)
        stride = 1;
#pragma omp parallel for private(place)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) {
                place = i * 10000 + j * stride + k;
                to[place] = from[j * 2 + k];
            }
    show("set twice");
#pragma omp parallel for private(place)
    for (int i = 0; i < 2; i++) {
        place = i * 10000;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) {
                to[place] = from[j * m + k];
                if (from[k] > 0)
                    place = i * 10000 + j * m + k;
            }
    }
    show("set now and then");
}

/* What bounds, conditions and remainders keep apart, and what they only seem to. */
static void kept_apart(int *to, int n, int m, int row)
{
    for (int k = 0; k < n && k < m; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < m; j++)
                to[i * m + j] = (to[i * m + j] - to[i * m + k] * (to[k * m + j] % 7)) % 1009;
    }
    show("below and behind");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (j > row)
                to[i * m + j] += 3 * to[i * m + row];
    show("behind");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (j >= row) /* from itself on */
                to[i * m + j] += 3 * to[i * m + row];
    show("from there on");
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        for (int j = 1; j < n; j++)
            for (int q = 1 + (j + row) % 2; q < m - 1; q += 2)
                to[i * 10000 + j * m + q] += to[i * 10000 + (j - 1) * m + q] + to[i * 10000 + j * m + q + 1];
    show("every other one");
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            if ((j - row) % 2 == 1) /* -1 where it is negative */
                to[i * 10000 + 200 - j] += to[i * 10000 + 201 - 2 * row + j] + 1;
    show("odd");
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 64; j++)
            to[i * 10000 + (j & 7) * 8 + (j >> 3)] += j;
    show("permuted");
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        for (unsigned j = 0; j < 9; j++)
            if (j - 4 > 2) /* also where j < 4 */
                to[i * 10000 + j] += 2 * to[i * 10000 + 3] + 1;
    show("wraps");
}

/* Elements of several numbers each, and what only looks like them. */
static void channels(int *to, const int *from, int n, int m, size_t sm)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++)
                to[(i * m + j) * 3 + k] = from[(i * m + j) * 3 + 2 - k] + k;
    show("pixels");
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            for (size_t q = 0; q < sm; q++)
                for (int k = 0; k < 3; k++)
                    to[i * 30000 + (j * sm + q) * 3 + k] += from[(j * sm + q) * 3] * k;
    show("size_t pixels");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const int at = 3 * i * m + 3 * j;
            to[at] = to[at + 1] + to[at + 2];
        }
    show("one of three");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* a channel more than a pixel has */
        for (int j = 0; j < n; j++)
            for (int q = 0; q < m; q++)
                for (int k = 0; k < 4; k++)
                    to[i * 20000 + (j * m + q) * 3 + k] = from[j + q] + k;
    show("a channel too many");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* the next pixel's, which the loop changes */
        for (int j = 0; j < n; j++)
            for (int q = 0; q < m; q++)
                to[i * 20000 + (j * m + q) * 3] = 2 * to[i * 20000 + (j * m + q) * 3 + 3] + 1;
    show("the next pixel");
#pragma omp parallel for
    for (int i = 0; i < 2; i++) /* six of three times two */
        for (int j = 0; j < n; j++)
            for (int q = 0; q < m; q++)
                to[i * 20000 + (j + 2 * q) * 3] = from[j] + q;
    show("no rows");
}

int main(int argc, char **argv)
{
    const int n = atoi(argv[1]), m = atoi(argv[2]), l = atoi(argv[3]), ld = atoi(argv[4]);
    fill();
    products(fc, fa, fb, n, m, l);
    sweeps(a, c, n, m, l);
    types(c, a, n, m);
    overlapping(c, a, n, m, ld, argc > 9);
    variables(c, a, n, m);
    kept_apart(c, n, m, l % m);
    channels(c, a, n, m, (size_t)m);
    return 0;
}

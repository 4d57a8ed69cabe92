/* Loops over pointers, nests that are not rectangular, nests deeper than a grid, bounds that functions compute. */
/* args: 9 13 2 */
/* args: 1 2 1 */
/* args: 5 0 3 */
/* args: 40 37 5 */
/* expect-gpu: 27 */
/* expect-host: OMPC336 OMPC305 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

enum { SIZE = 64 };
static int a[SIZE][SIZE], cube[12][12][12], four[4][5][6][7], five[3][4][2][3][5];
static double table[SIZE * 4];
struct Grid { int rows; struct { int cols[3]; } *shape; double *cells; };
static int limit_calls;

static int smaller(int x, int y) { return x < y ? x : y; }
static int rows_of(const struct Grid *g) { int r = g->rows; if (r > SIZE) r = SIZE; return smaller(r, SIZE); }
static int counted(int x) /* by each thread of the host's team */
{
    #pragma omp atomic
    limit_calls++;
    return x;
}

static void show(const char *name)
{
    unsigned sum = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = sum * 31 + (unsigned)a[i][j];
    for (int i = 0; i < 12 * 12 * 12; i++)
        sum = sum * 31 + (unsigned)(&cube[0][0][0])[i];
    printf("%s %u\n", name, sum);
    memset(a, 0, sizeof a);
    memset(cube, 0, sizeof cube);
}

static void pointers(int n, int step)
{
    double *heap = malloc(sizeof(double) * (SIZE * 4 + 1)), *p, *end = heap + n;
    int (*row)[SIZE];
    double sum = 0;
    for (int i = 0; i <= SIZE * 4; i++)
        heap[i] = i;
    #pragma omp parallel for
    for (p = heap; p < end; p++)
        *p = *p * 2 + 1;
    #pragma omp parallel for
    for (p = heap + n; p >= heap; p -= 2)
        p[0] += 3;
    #pragma omp parallel for reduction(+:sum)
    for (const double *q = heap; q != end; ++q) {
        if (*q > 1000)
            continue;
        sum += *q * (double)(q - heap);
    }
    #pragma omp parallel for
    for (double *q = table + 1; q <= table + n; q += step)
        *q = heap[q - table] + 0.5;
    #pragma omp parallel for
    for (double *q = &table[n]; q > table; q = q - 1)
        q[-1] += 1;
    #pragma omp parallel for
    for (row = a; row < a + n; row++)
        for (int j = 0; j < SIZE; j++)
            (*row)[j] = j + (int)(row - a) * 3;
    #pragma omp parallel for collapse(2)
    for (row = a; row < a + n; row++)
        for (int *q = *a; q < *a + 3; q++)
            (*row)[q - *a] += 7;
    for (int i = 0; i < SIZE * 4; i++)
        sum += table[i] * i + heap[i];
    printf("%.3f\n", sum);
    show("pointers");
    free(heap);
}

static void triangles(int n, int m, int step)
{
    long sum = 0;
    int i, j, from = 2;
    #pragma omp parallel for collapse(2)
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++)
            a[i][j] += i * 100 + j;
    #pragma omp parallel for collapse(2) reduction(+:sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            sum += a[j][i] * (j + 1);
    #pragma omp parallel for collapse(2)
    for (int i = n - 1; i > 0; i -= step)
        for (int j = 2 * i + from; j > i; j--)
            a[i][j % SIZE] += 5;
    #pragma omp parallel for collapse(2)
    for (int i = 3; i < smaller(m, 12); i += 2)
        for (int j = i - 3; j < 20 - i; j += 4)
            a[i][j] += 11;
    #pragma omp parallel for collapse(3) firstprivate(n)
    for (int i = 0; i < smaller(n, 12); i++)
        for (int j = i; j < 12; j++)
            for (int k = i + 1; k < 12; k++)
                cube[i][j][k] += i + j * k + n;
    #pragma omp parallel for collapse(3)
    for (long i = 0; i < 12; i++)
        for (long j = 0; j <= i; j++)
            for (long k = j; k < 12; k++)
                cube[i][j][k] += (int)(i * j - k);
    #pragma omp parallel for collapse(2)
    for (unsigned i = 0; i < 12u; i++)
        for (unsigned j = i + 1; j < 12u; j++)
            cube[i][j][0] += 9;
    #pragma omp parallel for collapse(2) lastprivate(j)
    for (int i = 0; i < 12; i++)
        for (j = i; j < 12; j++)
            cube[j][i][3] += 9;
    printf("%ld %d\n", sum, j);
    show("triangles");
}

static void deep(int n)
{
    long sum = 0;
    int last = 0;
    if (n > 4)
        n = 4;
    #pragma omp parallel for collapse(4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 5; k >= 0; k--)
                for (int l = 0; l < 7; l += 2)
                    four[i][j][k][l] = i * 1000 + j * 100 + k * 10 + l;
    #pragma omp parallel for collapse(5) reduction(+:sum) lastprivate(last)
    for (int i = 0; i < 3; i++)
        for (int j = 4; j > 0; --j)
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 3; l++)
                    for (int m = 0; m < 5; m++) {
                        if (m == 2 && l == 1)
                            continue;
                        five[i][j - 1][k][l][m] += m + i * l;
                        sum += four[i][j][k][l] * m;
                        last = i * 100 + j * 10 + m;
                    }
    for (int i = 0; i < 4 * 5 * 6 * 7; i++)
        sum = sum * 31 % 1000003 + (&four[0][0][0][0])[i];
    for (int i = 0; i < 3 * 4 * 2 * 3 * 5; i++)
        sum = sum * 31 % 1000003 + (&five[0][0][0][0][0])[i];
    printf("deep %ld %d\n", sum, last);
}

static void bounds(struct Grid *g, int n, int m)
{
    const int *row = g->shape->cols;
    #pragma omp parallel for
    for (int i = 0; i < rows_of(g); i++)
        a[i][0] = i;
    #pragma omp parallel for
    for (int i = smaller(n, m); i < smaller(n, m) + (int)sqrt((double)n); i++)
        a[i][1] = i;
    #pragma omp parallel for schedule(dynamic, smaller(n, 4) + 1) num_threads(smaller(n, 3) + 1) if (smaller(n, 1))
    for (int i = row[0]; i < row[2]; i++)
        a[i][2] = i;
    #pragma omp parallel for
    for (int i = counted(1); i < n; i++)
        a[i][3] = i;
    #pragma omp parallel for
    for (int i = g->shape[0].cols[1]; i != g->rows; i++)
        a[i][4] = i;
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < g->rows; i++)
        for (int j = row[0]; j < g->shape->cols[2]; j++)
            a[i][j] += 5;
    #pragma omp parallel for
    for (long long i = 1ll << 40; i < (1ll << 40) + n; i++)
        a[i - (1ll << 40)][5] = (int)(i >> 38);
    #pragma omp parallel for
    for (unsigned char i = 250; i < 255; i++)
        a[i - 250][6] = i;
    #pragma omp parallel for
    for (size_t i = (size_t)n; i > 0; i--)
        a[i - 1][7] = (int)i;
    printf("%d\n", limit_calls);
    show("bounds");
}

static void shares(int parts, int n, int width) /* bounds that nobody may ask for: parts or width may be 0 */
{
    #pragma omp parallel for
    for (int p = 0; p < parts; p++)
        for (int i = 0; i < n / parts; i++)
            a[p][i] = p - i;
    #pragma omp parallel for
    for (int p = 0; p < parts; p++)
        if (width != 0)
            for (int i = 0; i < n % width; i++)
                a[p][i] += 3;
    #pragma omp parallel for
    for (int p = 0; p < n; p++) {
        int sum = 0;
        if (width != 0)
            for (int i = 0; i < (n + 37) / width; i++)
                sum += a[p][i];
        a[p][39] = sum;
    }
    show("shares");
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), step = atoi(argv[3]);
    struct Grid g = {n, 0, 0};
    g.shape = malloc(sizeof *g.shape);
    g.shape->cols[0] = 1;
    g.shape->cols[1] = 0;
    g.shape->cols[2] = m < 3 ? 3 : m;
    pointers(n, step);
    triangles(n / 2 + 1, m, step);
    deep(n);
    bounds(&g, n, m);
    shares(n, n, step);
    shares(0, n, 0);
    free(g.shape);
    return 0;
}

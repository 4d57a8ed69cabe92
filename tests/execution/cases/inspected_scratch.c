/* Scratch of each thread at places that are products and shifts: before the launch, the host looks what iterations access. */
/* args: 5 16 0 */
/* args: 4 20 0 */
/* args: 3 9 2 */
/* expect-gpu: 7 */
/* expect-host: OMPC309 OMPC309 OMPC309 OMPC309 OMPC309 */
/* refuses: OMPC478 */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 64
#define PAD 5
#define N 24

typedef struct {
    double re, im;
} complex_t;

static int power, size, gap, width, pad;
static complex_t roots[ROWS + 1];
static complex_t ping[ROWS][PAD], pong[ROWS][PAD];
#pragma omp threadprivate(ping, pong)
static double halves[40], kept[40], marked[40], carried[40], seen[40], taken[40], stored[40];
#pragma omp threadprivate(halves, kept, marked, carried, seen, taken, stored)
static complex_t grid[N][ROWS][8];
static double out[N], sums[N], lists[N];
static int places[40];
static double *address;

static void read_sizes(char **texts)
{
    power = atoi(texts[1]);
    size = atoi(texts[2]);
    gap = atoi(texts[3]);
    width = 4;
    pad = PAD;
    if (width != 4)
        pad = width + 1;
}

/* ------------------------------------------------ as NAS FT has it: a transform of columns between two arrays, in turn */

static void pass(int sign, int l, int m, int n, int ny, int ny1, complex_t u[n], complex_t x[n][ny1], complex_t y[n][ny1])
{
    int half = n / 2, lk = 1 << (l - 1), li = 1 << (m - l), i, j, k;
    for (i = 0; i < li; i++) {
        complex_t w = u[li + i];
        if (sign < 0)
            w.im = -w.im;
        for (k = 0; k < lk; k++)
            for (j = 0; j < ny; j++) {
                complex_t a = x[i * lk + k][j], b = x[i * lk + half + k][j];
                y[2 * i * lk + k][j] = (complex_t){a.re + b.re, a.im + b.im};
                y[2 * i * lk + lk + k][j] = (complex_t){w.re * (a.re - b.re) - w.im * (a.im - b.im), w.re * (a.im - b.im) + w.im * (a.re - b.re)};
            }
    }
}

static void transform(int sign, int m, int n, complex_t x[n][pad], complex_t y[n][pad])
{
    int i, j, l, most = (int)roots[0].re;
    if ((sign != 1 && sign != -1) || m < 1 || m > most) {
        printf("not initialised: %d %d\n", m, most);
        exit(EXIT_FAILURE);
    }
    for (l = 1; l <= m; l += 2) {
        pass(sign, l, m, n, width, pad, roots, x, y);
        if (l == m) {
            for (j = 0; j < n; j++)
                for (i = 0; i < width; i++)
                    x[j][i] = y[j][i];
            return;
        }
        pass(sign, l + 1, m, n, width, pad, roots, y, x);
    }
}

static int logarithm(int n)
{
    int found = 0;
    while (1 << found < n)
        found++;
    return found;
}

static void columns(int sign, int n)
{
    int i, j, k, jj, m = logarithm(n);
    #pragma omp parallel for private(i, j, jj)
    for (k = 0; k < N; k++)
        for (jj = 0; jj <= 8 - width; jj += width) {
            for (j = 0; j < n; j++)
                for (i = 0; i < width; i++)
                    ping[j][i] = grid[k][j][i + jj];
            transform(sign, m, n, ping, pong);
            for (j = 0; j < n; j++)
                for (i = 0; i < width; i++)
                    grid[k][j][i + jj] = ping[j][i];
        }
}

static void same_columns(int n)
{
    int m = logarithm(n);
    #pragma omp parallel
    {
        int i, j;
        #pragma omp for schedule(static, 2)
        for (int k = 0; k < N; k++) {
            for (j = 0; j < n; j++)
                for (i = 0; i < width; i++)
                    ping[j][i] = grid[k][j][i];
            transform(-1, m, n, ping, pong);
            out[k] += ping[n / 2][1].re + ping[n - 1][width - 1].im;
        }
    }
}

/* ------------------------------------------------ for some sizes only: of 9, the last one keeps what another iteration left */

static void two_halves(void)
{
    int i, k;
    #pragma omp parallel for private(i) schedule(static)
    for (k = 0; k < N; k++) {
        for (i = 0; i < size / 2; i++) {
            halves[i] = k + i;
            halves[i + size / 2] = k - i;
        }
        for (i = 0; i < size; i++)
            sums[k] += halves[i];
    }
}

/* ------------------------------------------------ what one loop leaves, another one reads: where there is a gap */

static void leaves(void)
{
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < size; i++)
            kept[i * 2 % size + i * 2 / size * (1 - size % 2)] = k + i;
        for (int i = 0; i < size; i++)
            sums[k] += kept[i];
    }
}

static void finds(void)
{
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < size - gap; i++)
            kept[i] = k;
        for (int i = 0; i < size; i++)
            sums[k] += kept[(i << 1) % size];
    }
}

/* ------------------------------------------------ a condition that data decide: what is under it may be read */

static void perhaps(void)
{
    #pragma omp parallel for
    for (int k = 0; k < N; k++) {
        int i = 0;
        for (int j = 0; j < size; j++) {
            double *p = marked + j * (j + 1) / 2 % size;
            marked[j] = j;
            *p = k;
        }
        while (i * i < size)
            i++;
        if (lists[k] > 3)
            sums[k] += marked[i - 1] + marked[size / 2];
        else if (lists[k] < -3)
            sums[k] = 0;
    }
}

/* ------------------------------------------------ arrays of a region, whose sizes it leaves alone */

static void halve(int n, const double *from, double *to)
{
    for (int k = 0; k < n / 2; k++) {
        to[2 * k] = from[k] + from[k + n / 2];
        to[2 * k + 1] = from[k] - from[k + n / 2];
    }
}

static void steps(unsigned long n)
{
    #pragma omp parallel
    {
        double a[ROWS], b[ROWS];
        unsigned long k, l;
        for (int step = 0; step < 3; step++) {
            #pragma omp for
            for (int q = 0; q < N; q++) {
                for (k = 0; k < n; k++)
                    a[k * 5 % n] = sums[q] + k * step;
                for (l = 1; l < n; l <<= 1) {
                    halve(n, a, b);
                    for (k = 0; k < n; k++)
                        a[k] = b[k ^ 1] / 2;
                }
                sums[q] += a[n / 2] - b[n - 1];
            }
        }
    }
}

/* ------------------------------------------------ refused: read behind the loop; places from data; kept addresses */

static void behind(void)
{
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < size; i++)
            seen[i * 3 % size] = k;
        sums[k] += seen[0];
    }
    printf("seen %g\n", seen[0]);
}

static void by_data(void)
{
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < size; i++)
            taken[places[i]] = k;
        for (int i = 0; i < size; i++)
            sums[k] += taken[i];
    }
}

static void by_iteration(void)
{
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < k * k % size; i++)
            carried[i] = k;
        for (int i = 0; i < size; i++)
            sums[k] += carried[i];
    }
}

static void by_address(void)
{
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < size; i++)
            stored[i * 3 % size] = k;
        sums[k] += stored[1];
    }
    address = stored;
}

static void under_data(void)
{
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < size; i++)
            if (lists[k] > i)
                taken[i] = k;
        sums[k] += taken[size / 2];
    }
}

static void show(const char *name)
{
    double all = 0;
    for (int k = 0; k < N; k++)
        all += (k + 1) * (sums[k] + out[k]);
    for (int k = 0; k < N; k++)
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < 8; i++)
                all += grid[k][j][i].re * (i + 1) - grid[k][j][i].im * (j + 1);
    printf("%s %.9g\n", name, all);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    read_sizes(argv);
    int i = 1;
    for (int ln = 1; ln < ROWS; ln *= 2)
        for (int k = 0; k < ln; k++, i++)
            roots[i] = (complex_t){1.0 / (k + 1), 0.5 * k / ln};
    roots[0].re = 7;
    for (int k = 0; k < N; k++) {
        lists[k] = k % 9 - 4;
        for (int j = 0; j < ROWS; j++)
            for (int l = 0; l < 8; l++)
                grid[k][j][l] = (complex_t){(k + j * l) % 7, (k * j + l) % 5};
    }
    for (int k = 0; k < 40; k++)
        places[k] = k * 7 % size;
    columns(1, 1 << power);
    show("columns");
    columns(-1, 1 << power);
    show("columns");
    same_columns(1 << power);
    show("same columns");
    steps(1 << power);
    show("steps");
    for (int twice = 0; twice < 2; twice++) {
        two_halves();
        show("halves");
        leaves();
        finds();
        show("kept");
        perhaps();
        show("perhaps");
        behind();
        by_data();
        by_iteration();
        by_address();
        under_data();
        show("refused");
    }
    return address[0] < 0;
}

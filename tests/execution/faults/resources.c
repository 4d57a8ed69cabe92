/* Blocks of every kind go to the device again and again while the host works on them too: whatever the device refuses at
   whichever moment, the answer is the same. */
/* expect-gpu: 8 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700, ROWS = 4, COLUMNS = 150, LARGE = 9000 };
static double global[N], mapped[N], weights[5] = {1, 2, 3, 4, 5};
struct cell { int *values; int count; };

static double sum(const double *v, int n)
{
    double s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

int main(void)
{
    double *x = malloc(N * sizeof *x), *large = calloc(LARGE, sizeof *large), *rows[ROWS], local[N];
    struct cell cells[4];
    int histogram[16] = {0};
    for (int i = 0; i < N; i++)
        x[i] = local[i] = i % 7, mapped[i] = i % 3;
    for (int r = 0; r < ROWS; r++)
        memset(rows[r] = malloc(COLUMNS * sizeof(double)), 0, COLUMNS * sizeof(double));
    for (int k = 0; k < 4; k++)
        cells[k] = (struct cell){calloc(100 + k, sizeof(int)), 100 + k};

    for (int step = 1; step <= 3; step++) {
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            global[i] += x[i] * weights[i % 5] + local[i];
        x[step] = sum(global, N); /* the host's turn */
        weights[step] += 1, weights[0] += 0;

        #pragma omp target data map(tofrom: mapped)
        {
            #pragma omp target teams distribute parallel for map(to: global)
            for (int i = 0; i < N; i++)
                mapped[i] += global[i];
            #pragma omp target update from(mapped)
            x[0] += mapped[N - 1];
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++)
                mapped[i] = (long)mapped[i] % 1000;
        }
        #pragma omp parallel for
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++)
                rows[r][c] += mapped[(r * COLUMNS + c) % N] + step;
        rows[step][step] = -1, weights[0] += 0;
        #pragma omp parallel for
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < cells[k].count; i++)
                cells[k].values[i] += i * step;
        #pragma omp parallel for reduction(+: histogram)
        for (int i = 0; i < N; i++)
            histogram[(int)mapped[i] % 16]++;
        #pragma omp parallel for
        for (int i = 0; i < LARGE; i++)
            large[i] += i % 10 * step;
        large = realloc(large, (LARGE + 5000 * step) * sizeof *large); /* moves, or not */
        x = realloc(x, (N + step) * sizeof *x);
        printf("%d: %g %g %g %g", step, x[step], x[0], rows[3][149], rows[step][step]);
        printf(" %d %d %g %d\n", cells[3].values[102], histogram[0] + 2 * histogram[15], large[LARGE - 1], histogram[7]);
    }
    printf("%g %g %g\n", sum(mapped, N), sum(local, N), sum(large, LARGE));
    for (int k = 0; k < 4; k++)
        free(cells[k].values);
    for (int r = 0; r < ROWS; r++)
        free(rows[r]);
    free(large);
    free(x);
    return 0;
}

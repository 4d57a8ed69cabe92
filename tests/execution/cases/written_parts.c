/* Loops that write a part of the arrays they use: the rest is the host's, who changes it between launches and beside them.
 * Static, automatic and heap arrays, several writes, rows, negative steps, functions, empty loops, histograms, swaps. */
/* args: 60 17 */
/* args: 2 1 */
/* args: 300 0 */
/* args: 200 91 */
/* expect-gpu: 14 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

#define N 400

static double grid[N][8], line[N], other[N];
static int counts[N], small[40];
static struct { float x; int n; } points[N];

static void put(double *to, int at, double value) { to[at] = value; }

static double checksum(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * (i % 13 + 1);
    return sum;
}

int main(int argc, char **argv)
{
    const int n = atoi(argv[argc - 2]), k = atoi(argv[argc - 1]);
    double *heap = malloc(N * sizeof *heap), local[N], *p = heap + 5;
    const int rows = 130;
    double *flat = calloc(rows * (k + 1), sizeof *flat);
    for (int i = 0; i < N; i++) {
        line[i] = i % 7, other[i] = i % 5, heap[i] = i % 11, local[i] = i, counts[i] = i, points[i].x = i, points[i].n = -i;
        for (int j = 0; j < 8; j++)
            grid[i][j] = i * j;
    }
    for (int i = 0; i < 40; i++)
        small[i] = i;
    for (int step = 0; step < 3; step++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) /* the ends are read */
            line[i] = 0.5 * line[i] + line[0] - line[N - 1];
        line[0] += 1, line[N - 1] -= step, line[n - 1] *= 2;
#pragma omp parallel for
        for (int i = n - 1; i > k; i -= 2) /* and downwards, every other one */
            other[i] += other[i - k] + other[0];
        other[k] += 1, other[0] += 0;
#pragma omp parallel for
        for (int j = 0; j < 8; j++) { /* a row, and two elements elsewhere */
            grid[k][j] = grid[k + 1][j] + j;
            if (j == 3)
                grid[n][j] = grid[0][j] + 1;
        }
        grid[k + 1][2] += 3, grid[n][4] += 1, grid[0][0] -= 1;
#pragma omp parallel for
        for (int i = 2; i < n; i++) /* by a function: nobody says which */
            put(local, i, local[i] + local[0]);
        local[0] += 1, local[1] += 2;
#pragma omp parallel for
        for (int i = 0; i < n; i++) /* in front of the pointer, and behind */
            p[i - 3] += heap[N - 1];
        heap[0] += 1, heap[N - 1] += 2, heap[1] += 1;
#pragma omp parallel for
        for (int i = k; i < n; i++) /* a histogram of few, in an array of more */
#pragma omp atomic
            counts[3 + i % 10] += 1;
        counts[2] += 5, counts[13] -= 5, counts[N - 1]++;
#pragma omp parallel for
        for (int i = 10; i < 20; i++)
            small[i] = small[39 - i] + small[0];
        small[0]++, small[39]++, small[20]++, small[9]--;
#pragma omp parallel for
        for (int i = 1; i < n; i++) /* a member of each */
            points[i].n += (int)points[0].x + i;
        points[0].x += 1, points[n].n = 5, points[1].x += 2;
#pragma omp parallel for
        for (int i = 0; i < k; i++) /* two arrays of which one is read where it was written */
            line[i + 1] = other[i] + line[i + n];
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < 7; j++)
                grid[i][j] -= grid[0][j] + grid[N - 1][j - 1];
        grid[N - 1][3] += step, grid[0][1] += step;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i > k) /* perhaps nothing at all */
                other[i] = 2 * other[i] + line[N - 2];
        line[N - 2] += 1, line[0] += 0;
#pragma omp parallel for
        for (int i = 1; i < rows - 1; i++) /* rows of variable length: the first and the last are read */
            for (int j = 1; j < k; j++)
                flat[i * k + j] = 0.5 * flat[i * k + j] + flat[j] - flat[(rows - 1) * k + j - 1];
        for (int j = 0; j < k; j++)
            flat[j] += 1, flat[(rows - 1) * k + j] -= step;
#pragma omp parallel for
        for (int i = rows - 2; i > 0; i -= 2) /* and columns */
            flat[i * k + k / 2] += flat[i * k] + flat[k];
        if (k > 0)
            flat[0] -= 1, flat[(rows - 2) * k] += 2, flat[k] += 3;
        double *const before = p;
#pragma omp parallel for
        for (int i = 5; i < n; i++)
            before[i] = before[i] + before[-5] + before[1];
        before[-5] += 1, before[1] += 1, before[n] += 1;
    }
    long total = 0;
    for (int i = 0; i < N; i++)
        total += counts[i] * (i % 9 + 1) + (long)points[i].x + 3 * points[i].n;
    for (int i = 0; i < 40; i++)
        total += small[i] * (i + 1);
    printf("%.12g %.12g %.12g %.12g %.12g %ld\n", checksum(line, N), checksum(other, N), checksum(grid[0], 8 * N), checksum(local, N),
           checksum(heap, N), total);
    printf("%.12g\n", checksum(flat, rows * (k + 1)));
    free(heap), free(flat);
    return 0;
}

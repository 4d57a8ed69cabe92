/* Sizes that main sets once: with them, scratch that other functions use too is written before it is read. */
/* args: 9 11 7 */
/* args: 2 5 4 */
/* args: 4 4 16 */
/* expect-gpu: 5 */
/* expect-host: OMPC309 */
#include <stdio.h>
#include <stdlib.h>

#define N 16

int points[3], nx, ny, nz, wide;
double row[N], old[N][2], line[N], kept[N], tall[N][N];
#pragma omp threadprivate(row, old, line, kept, tall)
double u[N][N][N], sums[N], w[N], first[N];

static void read_sizes(int count, char **texts)
{
    int k;
    for (k = 0; k < 3; k++)
        points[k] = k + 1 < count ? atoi(texts[k + 1]) : 5;
}

static void set_sizes(void)
{
    nx = points[0] - 2;
    ny = points[1] - 2;
    nz = points[2] - 2;
}

void row_ends(int n)
{
    row[0] = row[n] = 0.5;
}

void ends(int n)
{
    int m;
    for (m = 0; m < 2; m++)
        old[0][m] = old[n][m] = m + 1;
    row_ends(n);
}

/* both ends by a function, the inside by a loop, and everything is read */
void solve(int turn)
{
    int i, j, k, m;
    #pragma omp parallel for private(i, j, m)
    for (k = 1; k <= nz; k++) {
        ends(nx + 1);
        for (j = 1; j <= ny; j++) {
            for (i = 1; i <= nx; i++) {
                row[i] = u[k][j][i] + turn;
                for (m = 0; m < 2; m++)
                    old[i][m] = k + m;
            }
            for (i = 0; i <= points[0] - 1; i++)
                u[k][j][i] += row[i] * old[i][1] - old[i][0];
        }
    }
}

/* an axis of the loops over j, whose threads have their part of `tall`, and a `line` of their own */
void planes(void)
{
    int i, j, k;
    #pragma omp parallel for private(i, j)
    for (k = 1; k <= nz; k++) {
        for (j = 1; j <= ny; j++)
            tall[j][0] = tall[j][nx + 1] = k;
        for (j = 1; j <= ny; j++) {
            for (i = 0; i <= points[0] - 1; i++)
                line[i] = u[k][j][i];
            for (i = 1; i <= nx; i++)
                tall[j][i] = line[i - 1] + line[i + 1];
        }
        for (j = 1; j <= ny; j++)
            for (i = points[0] - 1; i >= 0; i--)
                u[k][j][i] = 0.25 * tall[j][i];
    }
}

/* line[2] is only written where there are so many points: the launcher looks */
void looked_at(void)
{
    #pragma omp parallel for
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < points[0]; i++)
            line[i] = u[1][1][i] + k;
        sums[k] += points[0] > 3 ? line[2] : line[0];
    }
}

void inside(void)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int k = 0; k < N; k++) {
            row_ends(nx + 1);
            for (int i = 1; i <= nx; i++)
                row[i] = i + k;
            for (int i = 0; i < 3; i++)
                w[k] += row[i];
        }
    }
}

/* nothing is known of a size that changes */
void changing(void)
{
    #pragma omp parallel for
    for (int k = 0; k < N; k++) {
        kept[0] = kept[wide + 1] = k;
        for (int i = 1; i <= wide; i++)
            kept[i] = i;
        for (int i = 0; i < points[0]; i++)
            first[k] += kept[i];
    }
}

int main(int argc, char **argv)
{
    double sum = 0;
    int k;
    read_sizes(argc, argv);
    if (points[0] > N || points[1] > N || points[2] > N)
        return 1;
    set_sizes();
    #pragma omp parallel for
    for (k = 0; k < N * N * N; k++)
        (&u[0][0][0])[k] = 1 + k % 7;
    for (k = 0; k < 3; k++) {
        wide = points[0] - 2;
        solve(k);
        planes();
        looked_at();
        if (nx > 0)
            inside();
        changing();
    }
    for (k = 0; k < N * N * N; k++)
        sum += (&u[0][0][0])[k] * (k % 11);
    for (k = 0; k < N; k++)
        sum += w[k] * (k + 1) + sums[k] + first[k];
    printf("%.10g\n", sum);
    return 0;
}

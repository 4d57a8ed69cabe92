/* Edges of a grid, done for one value of a counter between loops over the others. */
/* args: 20 */
/* args: 5 */
/* args: 3 */
/* args: 1 */
/* expect-gpu: 5 */
#include <stdio.h>
#include <stdlib.h>
#define N 24

static double rhs[N][N][N][3], u[N][N][N][3];
static long counts[N][N];

static void show(const char *what)
{
    double sum = 0;
    long all = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++)
                for (int m = 0; m < 3; m++)
                    sum = sum * 0.99 + rhs[k][j][i][m];
            all = (all * 3 + counts[k][j]) % 1000003;
        }
    printf("%s %.12g %ld\n", what, sum, all);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10;
    int i, j, m;
    for (int k = 0; k < N; k++)
        for (j = 0; j < N; j++) {
            counts[k][j] = k * j;
            for (i = 0; i < N; i++)
                for (m = 0; m < 3; m++) {
                    u[k][j][i][m] = (k * 3 + j * 5 + i * 7 + m) % 11;
                    rhs[k][j][i][m] = 1;
                }
        }

    /* along the innermost dimension, in loops over the one around it */
#pragma omp parallel for private(i, j, m)
    for (int k = 1; k <= n; k++) {
        for (j = 1; j <= n; j++)
            for (i = 1; i <= n; i++)
                rhs[k][j][i][0] += u[k][j][i + 1][0] - u[k][j][i - 1][1];
        for (j = 1; j <= n; j++) {
            i = 1;
            for (m = 0; m < 3; m++)
                rhs[k][j][i][m] -= 5 * u[k][j][i][m] - u[k][j][i + 1][m];
            i = 2;
            for (m = 0; m < 3; m++)
                rhs[k][j][i][m] -= 3 * u[k][j][i][m] - u[k][j][i + 2][m];
        }
        for (j = 1; j <= n; j++)
            for (i = 3; i <= n - 2; i++)
                for (m = 0; m < 3; m++)
                    rhs[k][j][i][m] -= u[k][j][i - 2][m] * 4;
        for (j = 1; j <= n; j++) {
            i = n;
            for (m = 0; m < 3; m++)
                rhs[k][j][i][m] -= 7 * u[k][j][i][m] - u[k][j][i - 1][m];
        }
    }
    show("innermost");

    /* along the middle one, around loops over the innermost one */
#pragma omp parallel for private(i, j, m)
    for (int k = 1; k <= n; k++) {
        j = 0;
        for (i = 1; i <= n; i++)
            for (m = 0; m < 3; m++)
                rhs[k][j][i][m] = u[k][j + 1][i][m] * 0.5;
        for (j = 1; j <= n; j++)
            for (i = 1; i <= n; i++)
                for (m = 0; m < 3; m++)
                    rhs[k][j][i][m] += u[k][j + 1][i][m] - u[k][j - 1][i][m];
        j = n + 1;
        for (i = 1; i <= n; i++)
            rhs[k][j][i][1] -= u[k][j - 1][i][1];
    }
    show("middle");

    /* not these: an edge that reads what the loop has left of others, a counter that is read behind */
#pragma omp parallel for private(j)
    for (int k = 0; k < n; k++) {
        for (j = 1; j < n; j++)
            counts[k][j] += k % 3;
        j = 0;
        counts[k][j] = counts[k][j + 1] * 2;
        for (j = 1; j < n; j++)
            counts[k][j] += 1;
    }
    show("neighbour");
#pragma omp parallel for private(j)
    for (int k = 0; k < n; k++) {
        for (j = 1; j < n; j++)
            counts[k][j] += j;
        j = 0;
        counts[k][j] = counts[k][j] * 2 + k;
        long more = 5;
        counts[k][n] += j + more;
    }
    show("behind");
#pragma omp parallel for private(j)
    for (int k = 0; k < n; k++) {
        long last = k;
        for (j = 1; j < n; j++)
            counts[k][j] += j;
        j = (int)(last % 3);
        counts[k][j] = counts[k][j] * 2 + k;
        last = j;
        for (j = 4; j < n; j++)
            counts[k][j] -= last;
    }
    show("moving");
    return 0;
}

/* Inner loops one after the other over the same range, with loops and boundary statements in them: they become one axis
   where no iteration touches what another one writes, and stay in a thread where one does. */
/* expect-gpu: 9 */
#include <stdio.h>
#include <stdlib.h>
#define N 20
#define M 40
#define K 70
static double u[N][M][K], v[N][M][K], w[N][M];
static int ni = M - 2, mj = K - 2, last[N];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            sum += w[i][j] * (i + 3 * j % 7);
            for (int k = 0; k < K; k++) sum += v[i][j][k] * ((i + 2 * j + 5 * k) % 11);
        }
    printf("%s %.17g\n", what, sum);
}

/* As in the right-hand sides of flow solvers: an interior, then its two ends. */
static void rows(void)
{
    int i, j, k;
    double a, b;
#pragma omp parallel for private(j, k, a, b)
    for (i = 0; i < N; i++) {
        for (j = 1; j <= ni; j++) {
            for (k = 1; k <= mj; k++) {
                a = u[i][j][k - 1];
                b = u[i][j][k + 1];
                v[i][j][k] = v[i][j][k] + a - 2 * b;
            }
        }
        for (j = 1; j <= ni; j++) {
            k = 1;
            v[i][j][k] = v[i][j][k] - u[i][j][k + 2];
            k = 2;
            v[i][j][k] = v[i][j][k] - v[i][j][k - 1];
        }
        for (j = 1; j <= ni; j++)
            for (k = 3; k <= mj - 2; k++)
                v[i][j][k] = v[i][j][k] - (v[i][j][k - 1] + u[i][j][k]) / 2;
    }
}

/* The same along the other direction: the loop that is shared stands in others, and beside assignments. */
static void columns(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int j;
        for (j = 1; j <= ni; j++)
            for (int k = 1; k <= mj; k++) v[i][j][k] += u[i][j + 1][k] - u[i][j - 1][k];
        j = 1;
        for (int k = 1; k <= mj; k++) v[i][j][k] -= v[i][j + 1][k] / 4;
        j = ni;
        for (int k = 1; k <= mj; k++) v[i][j][k] -= v[i][j - 1][k] / 8;
    }
}

/* The second loop reads what another iteration of the first one has written. */
static void neighbours(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        for (int j = 1; j < M - 1; j++) v[i][j][3] = u[i][j][4] + j;
        for (int j = 1; j < M - 1; j++) w[i][j] = v[i][j + 1][3] - v[i][j - 1][3];
    }
}

/* A sum of one loop is used by the next one. */
static void sums(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int j = 0; j < M; j++) s += u[i][j][2];
        for (int j = 0; j < M; j++) w[i][j] = w[i][j] / 2 + s;
    }
}

/* The last iteration's value is used by the next loop, and behind both. */
static void values(void)
{
    double t = 0;
#pragma omp parallel for firstprivate(t)
    for (int i = 0; i < N; i++) {
        int j;
        for (j = 0; j < M; j++) { t = u[i][j][7]; v[i][j][9] = t; }
        for (j = 0; j < M; j++) w[i][j] += t;
        last[i] = j;
    }
}

/* Ranges that differ by one, and by their direction. */
static void ranges(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) v[i][j][11] = u[i][j][12];
        for (int j = 1; j < M; j++) v[i][j][12] = v[i][j - 1][11];
        for (int j = M - 1; j >= 0; j--) v[i][j][13] = j;
        for (int j = 0; j < M; j++) v[i][j][13] += v[i][j][12];
    }
}

/* A subscript that nobody knows beside one that tells iterations apart; then the other way round. */
static void unknown(const int *at)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) { int k = at[j]; v[i][j][k] += 1; }
        for (int j = 0; j < M; j++) { int k = at[M - 1 - j]; v[i][j][k] *= 2; }
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) { int k = at[j] % M; v[i][k][j] += 3; }
        for (int j = 0; j < M; j++) { int k = at[M - 1 - j] % M; v[i][k][j] *= 0.5; }
    }
}

/* What stands beside the loops writes memory. */
static void beside(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) v[i][j][20] = u[i][j][21] + w[i][0];
        w[i][0] = v[i][M - 1][20];
        for (int j = 0; j < M; j++) v[i][j][22] = w[i][0] + j;
    }
}

int main(void)
{
    int at[M];
    for (int j = 0; j < M; j++) at[j] = (7 * j + 3) % K;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            w[i][j] = i - j;
            for (int k = 0; k < K; k++) u[i][j][k] = (i * 31 + j * 17 + k * 7) % 64, v[i][j][k] = (i + j + k) % 32;
        }
    rows(); show("rows");
    columns(); show("columns");
    neighbours(); show("neighbours");
    sums(); show("sums");
    values(); show("values");
    ranges(); show("ranges");
    unknown(at); show("unknown");
    beside(); show("beside");
    long all = 0;
    for (int i = 0; i < N; i++) all += last[i];
    printf("last %ld\n", all);
    return 0;
}

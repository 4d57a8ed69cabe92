/* `#pragma ompc`: blocks of every form, strided over where there are few of them; several rows; tiles; lanes; which of a
   launch's kernels. Kernels made otherwise: loops of the grid, their order, lanes that share no loop, memory of the arrays. */
/* args: 3 37 */
/* args: 65 129 */
/* expect-gpu: 23 */
/* expect-added: 2 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 140 };
static double u[MOST][MOST], v[MOST][MOST], w[3][MOST][MOST], x[MOST * MOST];
static float a[MOST][MOST], b[MOST][MOST], c[MOST][MOST];
static int row[MOST + 1], table[MOST], seen[16];

static void grids(int n, int m)
{
    #pragma ompc block(16, 16)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = i * 3 + j % 7;
    #pragma ompc block(128, 2) rows(8) fills(1)
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
    #pragma ompc rows(4) block(2, 32)
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            u[i][j] = v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1];
    #pragma ompc block(8, 4) fills(1)
    #pragma omp parallel for collapse(3)
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                w[k][i][j] = u[i][j] * k + v[i][j];
}

static double sums(int n, int m)
{
    double sum = 0, largest = 0;
    #pragma ompc block(32) fills(64)
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < n * m; i++) {
        x[i] = i % 11;
        sum += x[i];
    }
    #pragma ompc block(256) fills(1000)
    #pragma omp parallel for reduction(max:largest)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            largest = w[2][i][j] > largest ? w[2][i][j] : largest;
    return sum + largest;
}

static void products(int n, int m)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            a[i][j] = (float)((i + j) % 5);
            b[i][j] = (float)((i * j) % 3);
        }
    #pragma ompc tile(8)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < 20; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    #pragma ompc tile(0) block(64, 4)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = c[i][j];
            for (int k = 0; k < 20; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void schedules(int n, int m)
{
    #pragma ompc schedule(1)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = c[i][j];
            for (int k = 0; k < 5; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    #pragma ompc schedule(0) tile(4)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = c[i][j];
            for (int k = 0; k < 20; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    #pragma ompc schedule(2) lanes(64)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = c[i][j];
            for (int k = 0; k < m; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    #pragma ompc schedule(1) lanes(256)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            c[i][j] = a[i][j] + b[i][j] * 2;
}

static double rows(int n)
{
    double sum = 0;
    for (int i = 0; i < MOST; i++)
        row[i + 1] = row[i] + i * 5 % 17;
    #pragma ompc lanes(32) block(96)
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += x[k];
    #pragma ompc lanes(1)
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double own = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            own += x[k] * i;
        v[i][0] = own;
    }
    return sum;
}

static double nests(int n, int m)
{
    double sum = 0;
    #pragma ompc inner(0) constant(1) readonly(0)
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = u[i - 1][j] + u[i + 1][j] + table[j] + table[i] * 0.5;
    table[1] = 5;
    #pragma ompc inner(1) constant(0)
    #pragma omp parallel for
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                w[k][i][j] = v[i][j] * k + table[k] + table[i];
    #pragma ompc order(2, 1, 3) constant(1)
    #pragma omp parallel for
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                w[k][i][j] += v[i][j] + table[(i * j) % 7];
    #pragma ompc order(2, 1) fills(1) rows(4)
    #pragma omp parallel for collapse(2) reduction(+:sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += w[1][i][j] + v[i][j];
    #pragma ompc order(3, 2, 1) readonly(0)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int q = 0; q < 5; q++) {
            v[i][q] = 0;
            for (int k = 0; k < 3; k++)
                v[i][q] += w[k][i][q];
        }
    #pragma ompc order(2, 1)
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            double r = w[k][i][0];
            for (int j = 0; j < m; j++)
                u[i][j] += r * w[k][i][j];
        }
    }
    return sum;
}

static int histogram(int n, int m)
{
    int all = 0;
    #pragma ompc shared(0)
    #pragma omp parallel for reduction(+:seen[:16])
    for (int i = 0; i < n * m; i++)
        seen[table[i % MOST]]++;
    #pragma ompc lanes(0) block(64) readonly(0)
    #pragma omp parallel for reduction(+:all)
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            all += table[k % MOST];
    for (int i = 0; i < 16; i++)
        all = all * 3 % 100003 + seen[i];
    return all;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4, m = argc > 2 ? atoi(argv[2]) : 4;
    double all = 0;
    grids(n, m);
    products(n, m);
    schedules(n, m);
    printf("%g ", sums(n, m));
    printf("%g\n", rows(n));
    for (int i = 0; i < MOST; i++)
        table[i] = i * 5 % 16;
    printf("%g %d\n", nests(n, m), histogram(n, m));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            all += u[i][j] + v[i][j] * 3 + c[i][j] * (i + j);
    #pragma ompc block(32, 8)
    #pragma omp parallel for reduction(+:all)
    for (int i = 0; i < n; i++)
        all += v[i][0];
    printf("%.6f\n", all);
    return 0;
}

/* Variable-length arrays: automatic, as parameters, behind pointers, of rank 1 to 3. */
/* args: 13 9 */
/* args: 1 1 */
/* expect-gpu: 6 */
/* expect-added: 1 */
/* expect-host: OMPC325 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void scale(int rows, int cols, double a[rows][cols], double by)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            a[i][j] *= by;
}

static void transpose(int n, int m, double (*from)[m], double (*to)[n])
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[j][i] = from[i][j];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]);
    double a[n][m], line[n + m];
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * 100 + j;
    double (*h)[m] = malloc(sizeof(double[n][m]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            h[i][j] = a[i][j];
    scale(n, m, a, 0.5);  /* an automatic array of variable size: the device does not know where it ends */
    scale(n, m, h, 0.5);
    #pragma omp parallel for
    for (int i = 0; i < n + m; i++)
        line[i] = i < n ? a[i][m - 1] : a[n - 1][i - n];
    double (*b)[n] = malloc(sizeof(double[m][n]));
    transpose(n, m, h, b);
    n++;  /* the arrays keep the size that they were declared with */
    double total = 0;
    #pragma omp parallel for reduction(+:total)
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n - 1; i++)
            total += b[j][i] * (j + 1) + line[i];
    int c[2][n][m];
    #pragma omp parallel for collapse(3)
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                c[k][i][j] = k * 1000 + i * 10 + j;
    long sum = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                sum = sum * 3 % 100003 + c[k][i][j];
    int (*rows)[n][m] = malloc(sizeof c);
    memcpy(rows, c, sizeof c);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        rows[1][i][0] += rows[0][i][m - 1];
    for (int i = 0; i < n; i++)
        sum = sum * 3 % 100003 + rows[1][i][0];
    printf("%.10g %ld\n", total, sum);
    free(b);
    free(rows);
    free(h);
    return 0;
}

/* Automatic arrays of a caller reach the loop as pointers: exact sections, rows, offsets, neighbours that must survive. */
/* args: 30 */
/* args: 0 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>

static void fill(double *to, int n, double v)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = v + i;
}
static void odd(int *to, int from, int upto)
{
    #pragma omp parallel for
    for (int i = from; i < upto; i++)
        to[2 * i + 1] = i;
}
static void stencil(const double *a, double *b, int n)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i] + a[i + 1];
}
static void matrix(double (*m)[7], int rows)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < 6; j++)
            m[i][j] = m[i][0] + j;
}
static void flat(double m[], int rows, int cols)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[i * cols + j] *= 2;
}
static double dot(const double a[static 1], const double *restrict b, int n)
{
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++)
        s += a[i] * b[n - 1 - i];
    return s;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double before[3] = {1, 2, 3}, a[40], middle[3] = {4, 5, 6}, b[40], m[6][7], after[3] = {7, 8, 9};
    int k[100];
    for (int i = 0; i < 100; i++)
        k[i] = -i;
    for (int i = 0; i < 40; i++)
        a[i] = b[i] = i;
    for (int i = 0; i < 42; i++)
        m[i / 7][i % 7] = i;
    fill(a + 3, n, 0.5);
    fill(&m[2][1], n / 6, 2);
    odd(k, 3, n);
    odd(k + 40, -20, n / 2);
    stencil(a, b, n);
    matrix(m, n / 5);
    flat(&m[0][0], n / 6, 7);
    double *heap = calloc(42, sizeof *heap);
    flat(heap, 6, 7);
    free(heap);
    printf("%.10g %g %g %g\n", dot(a, b, n), before[2], middle[0] + middle[2], after[0]);
    for (int i = 0; i < 40; i++)
        printf("%g %g ", a[i], b[i]);
    for (int i = 0; i < 42; i++)
        printf("%g ", m[i / 7][i % 7]);
    for (int i = 0; i < 100; i++)
        printf("%d ", k[i]);
    printf("\n");
    return 0;
}

/* on device: 2
   Calls that become statements of a kernel stay calls where a variable there hides a function that they call: the text did not
   compile as CUDA. */
#include <math.h>
#include <stdio.h>

enum { N = 40, M = 50 };
static double a[N][M][4], b[N][M];

static double twice(double x)
{
    return x * 2;
}

static void absolute(double r[4])
{
    r[1] = fabs(r[2]);
}

static void with_parameter(double r[4], double fabs)
{
    r[3] += fabs;
    absolute(r);
}

static void doubled(double r[4])
{
    r[1] += twice(r[2]) + r[3];
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int m = 0; m < 4; m++)
                a[i][j][m] = (i * 31 + j * 17 + m * 5) % 101 * 0.5 - 20;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            with_parameter(a[i][j], j);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            {
                double twice = j;
                b[i][j] += twice;
                doubled(a[i][j]);
            }
            {
                int twice = 3;
                b[i][j] += twice;
            }
        }
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int m = 0; m < 4; m++)
                sum += a[i][j][m] * (1 + m) + b[i][j];
    printf("%.12g\n", sum);
    return 0;
}

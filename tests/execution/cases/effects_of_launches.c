/* Loops that do something besides the stores of their iterations, which kernel forms must not repeat, reorder or divide:
   output, sums of records, best values with companions, sums over data that is copied in slices. */
/* args: 2 70 41 */
/* args: 4 33 9 */
/* args: 0 200 130 */
/* expect-gpu: 7 */
/* without: glue */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 70

typedef struct { double sum; int count; } both;

#pragma omp declare reduction(add : both : omp_out.sum += omp_in.sum, omp_out.count += omp_in.count) \
    initializer(omp_priv = (both){0, 0})

static double u[N + 2][N + 2], v[N + 2][N + 2];
static int count[16], data[400];

static void stencils(int n)
{
    both all = {0, 0};
    #pragma omp parallel for collapse(2) reduction(add : all)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            v[i][j] = u[i - 1][j] + u[i][j] + u[i + 1][j];
            all.sum += v[i][j];
            all.count++;
        }
    printf("%.12g %d\n", all.sum, all.count);
    /* of equal ones the first in the program's order */
    double best = 1e300;
    int at_i = -1, at_j = -1;
    #pragma omp parallel for collapse(2)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            double here = u[i - 1][j] + u[i][j] * 2 + u[i + 1][j] + i * 1e-3 + j * 1e-6;
            v[i][j] -= here;
            #pragma omp critical
            if (here < best) {
                best = here;
                at_i = i;
                at_j = j;
            }
        }
    printf("%.12g %d %d\n", best, at_i, at_j);
    double last = 0;
    #pragma omp parallel for collapse(2) lastprivate(last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            last = u[i - 1][j] + u[i][j] + u[i + 1][j];
            v[i][j] += last;
        }
    printf("%.12g\n", last);
}

static void histogram(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp atomic
        count[data[i] % 16]++;
        if (data[i] % 3 == 0)
            printf("a third\n");
    }
    for (int k = 0; k < 16; k++)
        printf("%d ", count[k]);
    printf("\n");
}

static void slices(int n, int m, double *a, double *x)
{
    double sum = 0, last = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += a[(long)i * m + j] * x[j] + sqrt(a[(long)i * m + j] + j);
        x[m + i] = s;
        sum += s;
    }
    for (int i = 0; i < n * m; i++) /* it is to be copied again */
        a[i] += 0.5;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            for (int k = 1; k < 4; k++)
                s += a[(long)i * m + j] * x[j] + sqrt(a[(long)i * m + j] + j) / k;
        x[m + i] += s;
        sum += s * 0.5;
    }
    for (int i = 0; i < n * m; i++)
        a[i] += 0.25;
    #pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++) {
        double s = i;
        for (int j = 0; j < m; j++)
            s += a[(long)i * m + j] * x[j] + sqrt(a[(long)i * m + j] + j);
        x[m + i] -= s;
        last = s;
    }
    for (int i = 0; i < n; i++)
        sum += x[m + i] * (i % 5);
    printf("%.9g %.9g\n", sum, last);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    if (argv[1][0] != '0')
        setenv("OMPC_TILES", argv[1], 1);
    const int n = atoi(argv[2]), m = atoi(argv[3]);
    double *a = malloc((size_t)n * m * sizeof *a), *x = calloc(n + m, sizeof *x);
    for (int i = 0; i < n * m; i++)
        a[i] = i % 13 * 0.5;
    for (int j = 0; j < m; j++)
        x[j] = j % 7 - 2;
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < N + 2; j++)
            u[i][j] = (i * 7 + j * 11) % 23;
    for (int i = 0; i < 400; i++)
        data[i] = (i * 37 + 5) % 101;
    stencils(n < N ? n : N);
    histogram(n);
    slices(n, m, a, x);
    free(a), free(x);
    return 0;
}

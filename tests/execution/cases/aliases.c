/* Two parameters that are one array, or overlap: right whether or not the device takes the loop. */
/* args: 50 */
/* expect-gpu: 3 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

static void add(double *to, const double *a, const double *b, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = a[i] + b[i];
}
static void twice(int n, double (*m)[10], double *flat)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        m[i][0] += 1;
        flat[i * 10] *= 2;
    }
}

static double global[10][10], apart[100];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *block = malloc(3 * n * sizeof(double)), local[100];
    for (int i = 0; i < 3 * n; i++) block[i] = i;
    for (int i = 0; i < 100; i++) local[i] = -i;
    add(block, block, block, n);
    add(block + n, block, block + 2 * n, n);
    add(local, local + 50, local, 50);
    add(block, local + 1, local, n);
    twice(10, global, &global[0][0]);
    twice(10, global, apart);
    double *alias = block + 1;
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n - 1; i++)
        s += block[i + 1] * alias[i];
    for (int i = 0; i < 3 * n; i++) s += block[i] * (i % 3);
    for (int i = 0; i < 100; i++) s += local[i];
    for (int i = 0; i < 10; i++) s += global[i][0] * i;
    printf("%.12g\n", s);
    free(block);
    return 0;
}

/* Functions with loops that are called from inside a parallel region, and from outside: inside they run on the host. */
/* args: 30 */
/* expect-gpu: 3 */
/* expect-host: OMPC330 */
/* refuses: OMPC451 */
#include <stdio.h>
#include <stdlib.h>

static double rows[8][64], sums[8];

static double fill(double *row, int n, int k)
{
    double s = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        row[i] = i * k;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++)
        s += row[i];
    return s;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double total = fill(rows[0], n, 1);
    #pragma omp parallel
    {
        #pragma omp for
        for (int k = 0; k < 8; k++)
            sums[k] = fill(rows[k], n, k);
    }
    #pragma omp parallel for
    for (int k = 0; k < 8; k++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            rows[k][i] += sums[k];
    }
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < n; i++)
            total += rows[k][i] * (i + k);
    printf("%.12g\n", total);
    return 0;
}

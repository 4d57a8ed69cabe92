/* Functions with loops that are called outside of regions, in iterations (where the loop is a part of the kernel), and by
   the threads of a region (where it runs on the host). */
/* args: 30 */
/* expect-gpu: 4 */
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
    #pragma omp parallel num_threads(2)
    {
        #pragma omp critical
        sums[0] += fill(rows[0], n, 1);
    }
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < n; i++)
            total += rows[k][i] * (i + k);
    printf("%.12g %.12g\n", total, sums[0]);
    return 0;
}

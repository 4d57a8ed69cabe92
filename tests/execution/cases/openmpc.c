/* OpenMPC's own pragmas: the launch's shape, constant memory by the user's will, loops that stay on the host. */
/* args: 300 */
/* args: 17 */
/* expect-gpu: 7 */
/* expect-host: OMPC356 OMPC356 */
#include <stdio.h>
#include <stdlib.h>

static double w[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, a[64][64], p[1000];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), rows = n < 64 ? n : 64;
    double sum = 0, most = 0;
    #pragma cuda gpurun threadblocksize(64) maxnumofblocks(2) constant(w) sharedRO(n) c2gmemtr(w)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = w[i % 10];
    w[3] = 40;
    #pragma omp parallel for
    #pragma cuda gpurun constant(w) threadblocksize(100)
    for (int i = 0; i < n; i++)
        p[i] += w[(i * 7) % 10] + w[2];
    #pragma cuda gpurun threadblocksize(7) maxnumofblocks(3)
    #pragma omp parallel for reduction(+:sum) reduction(max:most)
    for (int i = 0; i < n; i++) {
        sum += p[i] * (i + 1);
        most = p[i] > most ? p[i] : most;
    }
    #pragma cuda gpurun threadblocksize(96) noloopcollapse
    #pragma omp parallel
    {
        #pragma cuda gpurun noconstant(w)
        #pragma omp for
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < 64; j++)
                a[i][j] = w[j % 10] * i;
    }
    #pragma cuda gpurun threadblocksize(48) maxnumofblocks(5)
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < rows; i++)
        for (int j = i; j < 64; j++)
            a[i][j] += 1;
    #pragma cuda gpurun threadblocksize(20)
    #pragma omp parallel for collapse(3)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 8; k++)
                a[i][j * 8 + k] *= 2;
    #pragma cuda cpurun
    for (int r = 0; r < 2; r++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] += r;
    }
    #pragma cuda nogpurun
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] -= w[i % 10];
    #pragma cuda gpurun constant(p)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] += 3;
    for (int i = 0; i < 64 * 64; i++)
        sum += a[i / 64][i % 64] * i;
    for (int i = 0; i < n; i++)
        sum += p[i];
    printf("%.1f %.1f\n", sum, most);
    return 0;
}

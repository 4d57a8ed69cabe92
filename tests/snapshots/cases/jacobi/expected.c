#include "input.ompc.h"
/* Two sweeps over a grid: one array is read, the other written. */
#include <stdio.h>
#include <math.h>
#define N 200

static double u[N][N], old[N][N], f[N][N];

int main(void)
{
    double ax = 0.25, error = 1.0;
    for (int k = 0; k < 100 && error > 1e-6; k++) {
        OMPC_OFFLOAD(ompc_launch_main_old(u, old))
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                old[i][j] = u[i][j];
        error = 0.0;
        OMPC_OFFLOAD(ompc_launch_main_u(ax, u, old, f, &error))
        #pragma omp parallel for reduction(+:error)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                double r = ax * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]) - f[i][j];
                u[i][j] = old[i][j] + 0.8 * (r - old[i][j]);
                error += r * r;
            }
    }
    printf("%g %g\n", error, u[N / 2][N / 2]);
    return 0;
}
OMPC_OWN_PAGES(u);
OMPC_OWN_PAGES(old);
OMPC_OWN_PAGES(f);
OMPC_GLOBALS({u, sizeof u}, {old, sizeof old}, {f, sizeof f})

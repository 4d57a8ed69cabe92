#include "input.ompc.h"
/* Heap matrices of a size known at run time, in a function. */
#include <stdlib.h>

void matmul(int n, const double *a, const double *b, double *c)
{
OMPC_OFFLOAD(ompc_launch_matmul(n, a, b, c))
#pragma omp parallel for collapse(2) schedule(static)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

#include "input.ompc.h"
/* opt: thesis */
/* Page-locked arrays, local and global, and __constant__ memory in the order found. */
#include <stdio.h>

double *table;
double *result;

static double sum(int n)
{
    double *work OMPC_RELEASED = ompc_malloc_host(sizeof(double[1000]));
    if (n < 0)
        return -1;
    OMPC_OFFLOAD(ompc_launch_sum(n, work, table))
    #pragma omp parallel for
    for (int i = 0; i < 1000; i++)
        work[i] = table[i % 100] * n;
    return work[n];
}

int main(void)
{
    table = ompc_malloc_host_global(sizeof(double[100]));
    result = ompc_malloc_host_global(sizeof(double[4000]));
    for (int i = 0; i < 100; i++)
        table[i] = i;
    OMPC_OFFLOAD(ompc_launch_main_result(result, table))
    #pragma omp parallel for
    for (int i = 0; i < 4000; i++)
        result[i] = table[i / 40];
    printf("%g %g\n", result[77], sum(5));
    return 0;
}

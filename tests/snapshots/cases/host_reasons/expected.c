#include "input.ompc.h"
/* Loops that stay on the host between one that does not. */
#include <stdio.h>
#include <stdlib.h>

static double a[100];
static double last;

void loops(int n, double **rows)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        printf("%p\n", (void *)&a[i]);
    OMPC_OFFLOAD(ompc_launch_loops_a(n, a))
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        last = last * a[i];
    OMPC_OFFLOAD(ompc_launch_loops_rows(n, rows))
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        rows[i][0] = 0;
    #pragma omp parallel for
    for (int i = 1; i < n; i += n)
        a[i] = rand();
}
OMPC_GLOBALS({a, sizeof a})

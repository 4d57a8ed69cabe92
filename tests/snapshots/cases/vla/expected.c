#include "input.ompc.h"
/* Variable-length rows behind a parameter; a two-dimensional automatic array of variable size. */
double weigh(int rows, int cols, double (*m)[cols])
{
    double copy[rows][cols], total = 0; OMPC_AUTOMATIC_ARRAY(copy);
    OMPC_OFFLOAD(ompc_launch_weigh_copy(rows, cols, cols, sizeof(copy), m, copy))
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            copy[i][j] = m[i][j] * (i + 1);
    OMPC_OFFLOAD(ompc_launch_weigh_total(rows, cols, cols, sizeof(copy), copy, &total))
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            total += copy[i][j];
    return total;
}

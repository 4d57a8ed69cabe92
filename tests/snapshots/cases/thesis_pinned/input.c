/* opt: thesis */
/* Page-locked arrays, local and global, and __constant__ memory in the order found. */
#include <stdio.h>

double table[100];
double result[4000];

static double sum(int n)
{
    double work[1000];
    if (n < 0)
        return -1;
    #pragma omp parallel for
    for (int i = 0; i < 1000; i++)
        work[i] = table[i % 100] * n;
    return work[n];
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        table[i] = i;
    #pragma omp parallel for
    for (int i = 0; i < 4000; i++)
        result[i] = table[i / 40];
    printf("%g %g\n", result[77], sum(5));
    return 0;
}

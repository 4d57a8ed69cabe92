/* Loops in a header, for positions.c. */
#ifndef POSITIONS_H
#define POSITIONS_H
#define SIZE 100
static double in_header[SIZE];

static inline double header_sum(const double *x, int n)
{
    double sum = 0;
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * i;
    return sum;
}

static inline void header_fill(int n, double value)
{
#if SIZE > 10
    PARALLEL_FOR
    for (int i = 0; i < n; i++)
        in_header[i] = value + i;
#endif
    printf("%s %d\n", strrchr(__FILE__, '/') ? "here" : __FILE__, __LINE__);
}
#endif

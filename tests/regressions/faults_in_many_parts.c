/* on device: 2
   A kernel overwrites all of an array, and the host reads and writes an element of it: what a fault opens grew each time, until
   it was nothing, and the program died of a division by zero. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 300000;
    double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b), sum = 0;
    for (int step = 0; step < 60; step++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = i * step;
        for (int k = 0; k < n; k += n / 3)
            if ((sum += a[k]) > 0)
                a[k] = sum - (long)sum % 7;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] += 1;
    }
    for (int i = 0; i < n; i++)
        sum += a[i] + b[i];
    printf("%g\n", sum);
    free(a);
    free(b);
    return 0;
}

/* Arrays of N GB each, two of them: together more than one GPU has, or one of them alone. Tells how many elements are wrong. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long n = (argc > 1 ? atol(argv[1]) : 80) * 125000000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    long wrong = 0;
    if (a == NULL || b == NULL)
        return 2;
    for (int r = 0; r < 3; r++) {
        #pragma omp parallel for
        for (long i = 0; i < n; i++)
            a[i] = i % 1000 + r;
        #pragma omp parallel for
        for (long i = 0; i < n; i++)
            b[i] = a[i] * 2;
        #pragma omp parallel for reduction(+ : wrong)
        for (long i = 0; i < n; i++)
            wrong += b[i] != 2.0 * (i % 1000 + r);
    }
    printf("large: %ld elements are wrong\n", wrong);
    return wrong != 0;
}

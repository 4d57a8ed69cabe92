/* `register` variables have no address: the launcher gets that of a copy. Arrays with one copy per thread have one that no
   initialiser of the file may name. */
/* args: 100 3 */
/* args: 100 1 */
/* expect-gpu: 4 */
/* expect-host: OMPC309 */
/* refuses: OMPC458 */
#include <stdio.h>
#include <stdlib.h>

static double line_of[8], a[200];
#pragma omp threadprivate(line_of)

static double sum(register int n, register const double *x)
{
    register double total = 1;
    register int last = 0;
    #pragma omp parallel for reduction(+:total) lastprivate(last)
    for (register int i = 0; i < n; i++) {
        total += x[i];
        last = i;
    }
    return total + last;
}

int main(int argc, char **argv)
{
    register int n = atoi(argv[1]), found = -1;
    register struct { double x; int k; } by = {2.5, 3};
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i * by.x + by.k;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i == 17)
            found = i;
    #pragma omp parallel num_threads(atoi(argv[2]))
    {
        line_of[0] = 1;
        #pragma omp for
        for (int i = 0; i < n; i++) {
            line_of[1] = a[i];
            a[i] = line_of[1] + line_of[0];
        }
        #pragma omp for
        for (int i = 0; i < n; i++)
            a[i] += line_of[0];
    }
    printf("%g %d %g\n", sum(n, a), found, a[5]);
    return 0;
}

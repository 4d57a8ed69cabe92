/* What each thread of a region has of its own, with a value from before the loop, or one that is wanted behind it by
   another name: not private to an iteration. */
/* args: 40 */
/* args: 100 */
/* expect-gpu: 0 */
/* expect-host: OMPC345 OMPC345 OMPC345 */
#include <stdio.h>
#include <stdlib.h>

#define N 100

static double a[N], b[N];

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40;
    int total = 0;
    /* the array has a value from before the loop, beside one of each iteration */
    #pragma omp parallel
    {
        double w[2];
        w[0] = 3;
        #pragma omp for
        for (int i = 0; i < n; i++) {
            w[1] = i;
            a[i] = w[0] * w[1];
        }
    }
    /* what a pointer leads to is read behind the loop */
    #pragma omp parallel num_threads(4)
    {
        int t = 1, *p = &t;
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            t = 5;
            b[i] = t + i;
        }
        #pragma omp atomic
        total += *p;
    }
    #pragma omp parallel num_threads(4)
    {
        int t = 1, *p = &t;
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            *p = 7;
            b[i] += t;
        }
        #pragma omp atomic
        total += t;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (i + 1) + b[i];
    printf("%d %.12g\n", total == 48, sum);
    return 0;
}

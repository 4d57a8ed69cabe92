/* The program reads each clock while a kernel is under way, which waits for it; what is logged and profiled of that reads the
   clock, too, and does not. */

#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

double omp_get_wtime(void);

enum { N = 40000 };

int main(void)
{
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
    struct timespec now;
    struct timeval day;
    for (int k = 0; k < 4; k++) {
        if (!ompc_twice(N, x, y))
            return 1;
        switch (k) {
        case 0: clock_gettime(CLOCK_MONOTONIC, &now); break;
        case 1: gettimeofday(&day, NULL); break;
        case 2: clock(); break;
        default: omp_get_wtime();
        }
        if (kernels_done() != -1 && kernels_done() != k + 1)
            return 2;
    }
    free(x);
    free(y);
    puts("ok");
    return 0;
}

/* simd loops inside a parallel loop: private variables of theirs, whose outer namesakes keep their values. */
/* args: 50 */
/* args: 1 */
/* expect-gpu: 3 */
#include <stdio.h>
#include <stdlib.h>

static double x[60][40], y[60][40], z[60];

static double squares(const double *row, int m)
{
    double t = 3, s = 0;
    #pragma omp simd private(t) reduction(+:s)
    for (int j = 0; j < m; j++) {
        t = row[j];
        s += t * t;
    }
    return s + t;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), last = -1;
    double shared = 7;
    for (int i = 0; i < 60; i++) for (int j = 0; j < 40; j++) x[i][j] = i * j % 11;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double own = i, pair[2] = {1, 2};
        #pragma omp simd private(own, pair, shared)
        for (int j = 0; j < 40; j++) {
            own = x[i][j];
            pair[0] = own, pair[1] = own + 1;
            shared = pair[0] * pair[1];
            y[i][j] = shared;
        }
        z[i] = own + pair[1];
    }
    #pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++) {
        int k = -1;
        #pragma omp simd lastprivate(k)
        for (int j = 0; j < 40; j++) { k = j; y[i][j] += k; }
        z[i] += k;
        last = i;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] += squares(x[i], 40);
    double sum = shared;
    for (int i = 0; i < n; i++) for (int j = 0; j < 40; j++) sum += y[i][j] * (j % 3) + z[i];
    printf("%.10g %d\n", sum, last);
    return 0;
}

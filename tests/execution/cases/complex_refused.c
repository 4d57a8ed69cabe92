/* What of complex numbers stays on the host. */
/* args: 40 */
/* expect-gpu: 1 */
/* expect-host: OMPC323 OMPC323 OMPC323 OMPC323 OMPC344 OMPC355 OMPC327 OMPC326 OMPC320 */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

static double complex z[40], w[40];
static double x[40];

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = i + 0.5 * I, w[i] = 1, x[i] = i;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long double complex wide = z[i];
        w[i] = wide * wide;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] += (1.1 + 2.3 * I) * (0.7 - 0.3 * I); /* each part rounded once */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] += 3.0i / (0.7 - 0.3 * I);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *to = &x[i];
        *to++ *= z[i]; /* the real part of the product, once */
    }
    double complex sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(1)
    for (int i = 0; i < n; i++)
        __real__ sum += x[i];
    double complex last = 0;
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        last += z[i];
        w[i] -= last;
    }
    volatile double complex changing = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] += changing;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        static const double complex units[2] = {1, 1.0i};
        z[i] *= units[i % 2];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = cacosh(z[i]);
    for (int i = 0; i < n; i++)
        sum += z[i] + w[i] + x[i];
    printf("%.12g %.12g\n", creal(sum), cimag(sum));
    return 0;
}

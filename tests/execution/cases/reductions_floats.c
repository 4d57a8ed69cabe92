/* Sums, products and extremes of float and double; several of them in one loop; a reduction beside an array. */
/* args: 4096 */
/* args: 37 */
/* args: 0 */
/* expect-gpu: 5 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <float.h>

static double x[5000];
static float y[5000];

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i < 5000; i++) {
        x[i] = sin(i * 0.37) + 1e-3 * i;
        y[i] = (float)(i % 64) * 0.25f - 3.0f;
    }
    double sum = 1.5, product = 2.0, low = DBL_MAX, high = -DBL_MAX;
    #pragma omp parallel for reduction(+:sum) reduction(*:product) reduction(min:low) reduction(max:high)
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
        product *= 1.0 + 1e-4 * x[i];
        low = fmin(low, x[i]);
        if (x[i] > high)
            high = x[i];
    }
    printf("%.12e %.12e %.12e %.12e\n", sum, product, low, high);

    float fsum = 0.5f, flow = FLT_MAX, fhigh = -FLT_MAX;
    #pragma omp parallel for reduction(+:fsum) reduction(min:flow) reduction(max:fhigh)
    for (int i = 0; i < n; i++) {
        fsum += y[i];
        flow = y[i] < flow ? y[i] : flow;
        fhigh = y[i] > fhigh ? y[i] : fhigh;
    }
    printf("%.9e %.9e %.9e\n", fsum, flow, fhigh);

    double energy = 0.0, least = 0.0;
    long count = 0;
    #pragma omp parallel for reduction(+:energy,count) reduction(-:least)
    for (int i = 0; i < n; i++) {
        double v = x[i] * 0.5;
        x[i] = v;
        energy += v * v;
        least -= fabs(v);
        count += v > 0;
    }
    printf("%.12e %ld %.12e %.12e\n", energy, count, least, x[n / 2]);

    double worst = 0.0;
    #pragma omp parallel for collapse(2) reduction(max:worst)
    for (int i = 0; i < n / 8; i++)
        for (int j = 0; j < 8; j++)
            worst = fmax(worst, fabs(x[i * 8 + j]));
    printf("%.12e\n", worst);

    double all = 1.0;
    #pragma omp parallel for reduction(&&:all)
    for (int i = 0; i < n; i++)
        all = all && x[i] < 1e6;
    printf("%g\n", all);
    return 0;
}

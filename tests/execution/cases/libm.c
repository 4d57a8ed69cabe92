/* The C library's mathematics with float, int and double arguments as C's prototypes convert them. */
/* args: 64 */
/* expect-gpu: 5 */
/* expect-host: OMPC316 */
/* rtol: 1e-6 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static float f[100];
static double d[100], out[100][12];
static int k[100];
static long ints[100][8];
static int signs[100];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) {
        f[i] = 0.3f + i * 0.11f;
        d[i] = (i - 31.5) * 0.37;
        k[i] = i - 20;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i][0] = sqrt(f[i]);
        out[i][1] = sin(k[i]) + cos(f[i]);
        out[i][2] = pow(k[i] + 21, 2) + pow(2, k[i] % 5);
        out[i][3] = abs((int)d[i]) + abs((int)3.7);
        out[i][4] = fabs(f[i] - 5) + fabs(k[i]);
        out[i][5] = fmax(k[i], d[i]) - fmin(f[i], 2);
        out[i][6] = exp(-f[i]) * log(f[i] + 1) + log10(k[i] + 100);
        out[i][7] = floor(d[i]) + ceil(d[i]) * 3 + round(d[i]) * 7 + trunc(f[i]);
        out[i][8] = atan2(d[i], k[i]) + hypot(k[i], 3) + cbrt(d[i]);
        out[i][9] = fmod(d[i], 2.5) + remainder(d[i], 2.5) + copysign(2, d[i]);
        out[i][10] = ldexp(f[i], 3) + tanh(d[i]) + asinh(k[i]);
        out[i][11] = sqrt(k[i] < 0 ? -k[i] : k[i]) / 3;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        ints[i][0] = lround(d[i]);
        ints[i][1] = (long)rint(d[i] + 0.5);
        ints[i][2] = labs((long)k[i] * 3000000000L);
        ints[i][3] = llabs((long long)d[i]);
        ints[i][4] = (int)(sqrt(f[i] * 100) * 1000);
        ints[i][5] = isnan(d[i]) + 2 * (isnan(sqrt(d[i])) != 0) + 4 * (isinf(1 / (double)(k[i])) != 0);
        ints[i][6] = signbit(d[i]) != 0;
        ints[i][7] = isfinite(d[i] / k[i]) != 0;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        f[i] = sqrtf(f[i]) + powf(f[i], 1.5f) - fabsf(-f[i]) + sinf(f[i]) / 2 + expf(-f[i]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* isinf is -1 of -INFINITY where it is a number */
        double x = i % 3 == 0 ? d[i] / 0.0 : d[i];
        signs[i] = isinf(x) + 4 * isinf(f[i] / (i % 2 ? 0.0f : -0.0f)) + 16 * (isinf(x) && i > 5) + 32 * !isinf(x);
        if (isinf(log(i * 0.0)) < 0)
            signs[i] += 64 * signbit(x);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) /* what signbit is of a float is the compiler's own */
        signs[i] += signbit(f[i] - 2) & 1;
    double worst = -INFINITY;
    #pragma omp parallel for reduction(max:worst)
    for (int i = 0; i < n; i++)
        worst = fmax(worst, d[i] > 3 ? NAN : d[i]);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 12; c++)
            printf("%.10g ", out[i][c]);
        for (int c = 0; c < 8; c++)
            printf("%ld ", ints[i][c]);
        printf("%d %.6f\n", signs[i], f[i]);
    }
    printf("%g\n", worst);
    return 0;
}

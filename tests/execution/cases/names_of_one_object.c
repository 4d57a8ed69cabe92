/* Several names of one object, and functions that are called by other names than their own. */
/* expect-gpu: 6 */
/* expect-host: OMPC323 OMPC332 OMPC320 OMPC323 */
#include <stdio.h>
#define N 200
double a[N], u[N];
extern double b[N] __attribute__((alias("a")));
static int scale = 3;
extern int its_alias __attribute__((alias("scale")));
extern double label[N] __asm__("u"), renamed[N];
#pragma redefine_extname renamed u
double c[N];
extern double first asm("c");
extern double only[N] asm("hidden_name");
double only[N];

double sin(double) __asm__("cos");
double triple(double x) { return 3 * x; }
static double by_weakref(double) __attribute__((weakref("triple")));
double by_alias(double) __attribute__((alias("triple")));
__attribute__((weak)) double may_be_another(double x) { return x + 1; }
static double sum(const double *p) { double s = 0; for (int i = 0; i < N; i++) s += (i % 7 + 1) * p[i]; return s; }

int main(void)
{
    for (int i = 0; i < N; i++) { a[i] = i; c[i] = i; only[i] = i; }
    #pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = 2 * a[i] + b[i];
    b[3] = 50;
    #pragma omp parallel for
    for (int j = 0; j < 1; j++)
        for (int i = 1; i < N; i++) a[i] = b[i - 1] * 0.5 + scale;
    its_alias++;
    #pragma omp parallel for
    for (int i = 0; i < N; i++) u[i] = a[i] + scale;
    label[5] = 7;
    renamed[6] = 8;
    #pragma omp parallel for
    for (int i = 0; i < N; i++) u[i] += label[i] + renamed[i];
    printf("%.10g %.10g %.10g\n", sum(b), sum(label), sum(renamed));
    #pragma omp parallel for
    for (int i = 0; i < N; i++) c[i] += i;
    first = 9;
    #pragma omp parallel for
    for (int i = 0; i < N; i++) only[i] += i;
    printf("%.10g %.10g\n", sum(c), sum(only));
    #pragma omp parallel for
    for (int i = 0; i < N; i++) u[i] = (int)(1e6 * sin(i));
    #pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = by_alias(i) + by_weakref(u[i]);
    #pragma omp parallel for
    for (int i = 0; i < N; i++) u[i] = may_be_another(i);
    printf("%.10g %.10g\n", sum(a), sum(u));
    #pragma omp parallel for
    for (int i = 0; i < N; i++) c[i] = i;
    printf("%.10g\n", sum(c));
    return 0;
}

/* Each operator on complex numbers gives gcc's bits: for all pairs of zeros, infinities, NaN, and very small and large
   numbers, and for many others; also between complex and real, and between float and double. */
/* args: 20000 */
/* args: 0 */
/* expect-gpu: 6 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long bits;
typedef struct { double complex sum, difference, product, quotient, turned, lower, upper, real_sum, real_product; } results;
typedef struct { float complex sum, difference, product, quotient, real_quotient, narrowed; double complex wide; } narrow;

static const double edges[] = {
    0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 1e-308, -4.9e-324, 1.7e308, -1.3e308, 2.5e-310, 1e-17, 3e155, 0.7,
};
#define EDGES ((int)(sizeof edges / sizeof *edges))

static bits seed = 88172645463325252ull;
static double random_number(int range)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    const double fraction = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    return ldexp(fraction, (int)(seed % (2 * range + 1)) - range);
}

static bits noted(bits before, double x) /* all NaN are alike */
{
    bits own = 1;
    if (x == x)
        memcpy(&own, &x, sizeof own);
    return (before ^ own) * 1099511628211ull + (before >> 31);
}
static bits both(bits before, double complex z) { return noted(noted(before, creal(z)), cimag(z)); }

static void show(const char *what, const results *r, int n)
{
    bits all[9] = {0};
    for (int i = 0; i < n; i++) {
        all[0] = both(all[0], r[i].sum), all[1] = both(all[1], r[i].difference), all[2] = both(all[2], r[i].product);
        all[3] = both(all[3], r[i].quotient), all[4] = both(all[4], r[i].turned), all[5] = both(all[5], r[i].lower);
        all[6] = both(all[6], r[i].upper), all[7] = both(all[7], r[i].real_sum), all[8] = both(all[8], r[i].real_product);
    }
    printf("%s", what);
    for (int k = 0; k < 9; k++)
        printf(" %016llx", all[k]);
    printf("\n");
}

static void show_narrow(const char *what, const narrow *r, int n)
{
    bits all[7] = {0};
    for (int i = 0; i < n; i++) {
        all[0] = both(all[0], r[i].sum), all[1] = both(all[1], r[i].difference), all[2] = both(all[2], r[i].product);
        all[3] = both(all[3], r[i].quotient), all[4] = both(all[4], r[i].real_quotient);
        all[5] = both(all[5], r[i].narrowed), all[6] = both(all[6], r[i].wide);
    }
    printf("%s", what);
    for (int k = 0; k < 7; k++)
        printf(" %016llx", all[k]);
    printf("\n");
}

static void compute(const char *what, const double complex *z, const double complex *w, results *r, narrow *f, int *same, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double complex a = z[i], b = w[i];
        const double x = creal(b);
        r[i].sum = a + b;
        r[i].difference = a - b;
        r[i].product = a * b;
        r[i].quotient = a / b;
        r[i].turned = -a + ~b * 2;
        r[i].lower = x - a;
        r[i].upper = x / a;
        r[i].real_sum = a + x - (b + x * I);
        r[i].real_product = x * a + a / x;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float complex a = z[i], b = (float complex)w[i];
        f[i].sum = a + b;
        f[i].difference = b - a;
        f[i].product = a * b;
        f[i].quotient = a / b;
        f[i].real_quotient = 3 / a - b * (float)z[i];
        f[i].narrowed = z[i] * b;
        f[i].wide = w[i] - a;
        a += z[i];
        b *= 1.7;
        f[i].narrowed -= a / b;
        f[i].wide /= a;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        same[i] = (z[i] == w[i]) + 2 * (z[i] != creal(w[i])) + 4 * !z[i] + 8 * (z[i] && w[i]) + 16 * (z[i] ? 1 : 0)
            + 32 * (_Bool)w[i];
    long total = 0;
    for (int i = 0; i < n; i++)
        total += same[i] * (i % 97 + 1l);
    show(what, r, n);
    show_narrow(what, f, n);
    printf("%s %ld\n", what, total);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 0, pairs = EDGES * EDGES * EDGES * EDGES;
    const int most = n > pairs ? n : pairs;
    double complex *z = malloc(sizeof *z * most), *w = malloc(sizeof *w * most);
    results *r = malloc(sizeof *r * most);
    narrow *f = malloc(sizeof *f * most);
    int *same = malloc(sizeof *same * most);

    for (int i = 0; i < pairs; i++) {
        const double parts[4] = {edges[i % EDGES], edges[i / EDGES % EDGES], edges[i / EDGES / EDGES % EDGES], edges[i / EDGES / EDGES / EDGES]};
        z[i] = CMPLX(parts[0], parts[1]);
        w[i] = CMPLX(parts[2], parts[3]);
    }
    compute("edges", z, w, r, f, same, n > 0 ? pairs : 0);

    for (int range = 3; range < 1100; range *= 7) {
        for (int i = 0; i < n; i++) {
            z[i] = CMPLX(random_number(range), random_number(range));
            w[i] = i % 10 == 0 ? z[i] : CMPLX(random_number(range), random_number(range));
        }
        compute("random", z, w, r, f, same, n);
    }

    double most_real = 0;
#pragma omp parallel for reduction(max : most_real)
    for (int i = 0; i < n; i++)
        most_real = fmax(most_real, __real__ z[i]);

    int count = 0; /* as computed on the host, exactly */
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++) {
        double complex c = CMPLX(-2 + 2.5 * i / n, (i % 113) / 113.0), orbit = 0;
        while (creal(orbit) * creal(orbit) + cimag(orbit) * cimag(orbit) < 4) {
            orbit = orbit * orbit + c;
            if (++__real__ c > 3)
                break;
        }
        count += creal(orbit) > 0.1;
    }

#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double x = creal(z[i]) * cimag(w[i]) + creal(w[i]); /* not contracted beside complex numbers */
        double complex step = z[i];
        step++;
        same[i] = x > cimag(step) * creal(step) - x;
        --step;
        x -= step;
        same[i] += x == creal(w[i]);
    }
    long total = 0;
    for (int i = 0; i < n; i++)
        total += same[i] * (i % 97 + 1l);
    printf("%.17g %d %ld\n", most_real, count, total);
    free(z), free(w), free(r), free(f), free(same);
    return 0;
}

/* Uses of a floating-point value that make more of its last bit: everything printed is the same bit for bit. Kernels are
   optimised, since only then products and sums are contracted. */
/* args: 300 */
/* expect-gpu: 14 */
/* expect-added: 1 */
/* flags: -O1 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 300
#define ROWS 40
#define LENGTH 90

struct part { double where; int cell; };
union bits { double value; long whole; unsigned char bytes[8]; };

static double x[N], y[N], z[N], work[N], out[N], terms[ROWS][LENGTH];
static int found[N];
static long large[N];

static double difference(double a, double b, double c) { return a * b - c; }
static int cell_of(double a) { return (int)floor(a); }

static void fill(int n) /* z is what the host makes of the product, half of it less */
{
    for (int i = 0; i < n; i++) {
        x[i] = 5.0 + i % 17 * 0.1;
        y[i] = 8.6 + i % 23 * 0.01;
        z[i] = x[i] * y[i];
    }
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < LENGTH; k++)
            terms[r][k] = (r * 37 + k * 11) % 101 * 0.01 - 0.4;
}

/* So much that contraction pays; nothing else is done with the number. */
#define WORK(i) \
    do { \
        double s_ = x[i]; \
        for (int k_ = 0; k_ < 60; k_++) \
            s_ = s_ * 0.5 + y[i]; \
        work[i] = s_; \
    } while (0)

static void show(const char *what, int n)
{
    long sum = 0;
    double real = 0;
    for (int i = 0; i < n; i++) {
        sum = (sum * 31 + found[i] * 7 + large[i] % 1000003) % 1000000007;
        real += isnan(out[i]) ? 1000 : out[i];
    }
    printf("%-12s %ld %.17g\n", what, sum, real);
    memset(found, 0, sizeof found);
    memset(large, 0, sizeof large);
    memset(out, 0, sizeof out);
}

static void rounding_functions(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        found[i] = (int)lrint(1e17 * (x[i] * y[i] - z[i])) + (int)lround(x[i] * y[i] - z[i] + 0.5);
        out[i] = floor(x[i] * y[i] - z[i]) + ceil(x[i] * y[i] - z[i]) + rint(0.5 + (x[i] * y[i] - z[i]));
        large[i] = llrint(1e18 * (x[i] * y[i] - z[i]));
    }
    show("rounding", n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        out[i] = fmod(x[i] * y[i] - z[i], 1e-3) * 1e20 + copysign(1.0, x[i] * y[i] - z[i]);
        out[i] += nextafter(x[i] * y[i] - z[i], 1.0) > 0;
        found[i] = signbit(x[i] * y[i] - z[i]) != 0;
        found[i] += isnan(0.0 / (x[i] * y[i] - z[i])) ? 3 : 0;
        found[i] += ilogb(x[i] * y[i] - z[i] + 1.0) + (isnan(logb(x[i] * y[i] - z[i])) ? 1 : 0);
    }
    show("signs", n);
}

static void initialisers(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        int v[2] = {1e17 * (x[i] * y[i] - z[i])};
        struct part p = {.cell = 1e17 * (x[i] * y[i] - z[i])};
        found[i] = v[0] + 3 * p.cell;
        p = (struct part){1.0, 1e17 * (x[i] * y[i] - z[i])};
        found[i] += p.cell + abs((int[]){1e17 * (x[i] * y[i] - z[i])}[0]);
    }
    show("lists", n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        found[i] = abs(1e17 * x[i] * y[i] - 1e17 * z[i]);
        out[i] = ldexp(1.0, 1e16 * (x[i] * y[i] - z[i]));
        large[i] = cell_of(1.0 + difference(x[i], y[i], z[i])) + labs(1e17 * difference(x[i], y[i], z[i]));
    }
    show("arguments", n);
}

static void edges(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        out[i] = sqrt(x[i] * x[i] - (i % 3 ? x[i] * x[i] : 1.0)) + 1e8 * cbrt(x[i] * y[i] - z[i]);
    }
    show("roots", n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        found[i] = (acos(1.0 + (x[i] * y[i] - z[i])) > 0) + 2 * (atan2(x[i] * y[i] - z[i], -1.0) > 0);
        out[i] = isinf(log(x[i] * y[i] - z[i])) ? 1 : 0;
        out[i] += 1 / (x[i] * y[i] - z[i]) > 0 ? 7 : 0;
        out[i] += pow(x[i] * y[i] - z[i], 0.5) * 1e9;
    }
    show("edges", n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        double quotient = (x[i] * y[i] - z[i]) / (i % 2 ? 0.0 : x[i]);
        out[i] = quotient;
        large[i] = i;
    }
    for (int i = 0; i < n; i++)
        found[i] = isnan(out[i]) ? 1 : isinf(out[i]) ? 2 : 3;
    show("zero", n);
}

static void bits(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        union bits u;
        u.value = x[i] * y[i] - z[i] + 1e-18;
        large[i] = u.whole;
        u = (union bits){x[i] * y[i] + 0.1};
        found[i] = u.bytes[0] + 256 * u.bytes[1];
    }
    show("union", n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        double d = x[i] * y[i] + 0.1;
        memcpy(&large[i], &d, sizeof d);
        const unsigned char *c = (const unsigned char *)&d;
        found[i] = c[0];
    }
    show("bytes", n);
}

static void flows(int n) /* by variables, arrays, structs, pointers, functions */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        double a[2] = {x[i] * y[i]}, *p = &a[1];
        *p = a[0] - z[i];
        struct part one = {a[1], 2}, other = one;
        found[i] = (other.where > 0) + 2 * (difference(x[i], y[i], z[i]) < 0);
        large[i] = other.where != 0 && i;
        double c = i % 2 ? x[i] * y[i] : 0;
        c -= z[i];
        if (c)
            large[i] += 5;
    }
    show("flows", n);
}

static void sums(void)
{
    #pragma omp parallel for
    for (int r = 0; r < ROWS; r++) {
        double s = 0;
        for (int k = 0; k < LENGTH; k++)
            s += terms[r][k];
        large[r] = lrint(s * 1e17); /* which a long can hold */
        out[r] = floor(s * 1e15);
    }
    show("sum", ROWS);
    #pragma omp parallel for
    for (int r = 0; r < ROWS; r++) {
        double s = 0;
        for (int k = 0; k < LENGTH; k++)
            s += terms[r][k] * terms[(r + 1) % ROWS][k];
        long v[1] = {s * 1e17};
        large[r] = v[0];
        found[r] = signbit(s - 0.125) ? 1 : 2;
    }
    show("products", ROWS);
}

static void stored(int n) /* by one kernel, compared by another one and by the host */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        WORK(i);
        out[i] = x[i] * y[i] - z[i];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        found[i] = out[i] > 0 ? 1 : out[i] < 0 ? 2 : 0;
    int host = 0;
    for (int i = 0; i < n; i++)
        host += out[i] != 0;
    printf("host %d\n", host);
    show("stored", n);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : N;
    fill(n);
    rounding_functions(n);
    initialisers(n);
    edges(n);
    bits(n);
    flows(n);
    sums();
    stored(n);
    return 0;
}

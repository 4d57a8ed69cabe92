/* Critical sections, and those under locks, that add several numbers at once: one atomic operation for each, in their order.
   Parts that a pointer leads to the sum from are computed before; other types, and what reads the sum otherwise, stay on the host. */
/* args: 200 */
/* args: 50 */
/* args: 1 */
/* args: 0 */
/* refuses: OMPC453 */
/* expect-gpu: 7 */
/* expect-host: OMPC355 OMPC348 OMPC348 OMPC348 OMPC348 */
/* rtol: 1e-12 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };
static double a[N], b[N], sums[8];
static int at[N], counts[8];
static unsigned bits[8];
static struct { float f; double d; } both[8];
static omp_lock_t locks[8];

static double half(double x) { return x / 2; }

static void show(const char *what)
{
    double all = 0;
    for (int k = 0; k < 8; k++)
        all += (k + 1) * (sums[k] + 3 * counts[k] + 5 * both[k].f + 7 * both[k].d + bits[k] % 1000);
    printf("%s %.10g\n", what, all);
}

static void sections(int n)
{
    double s = 1, part = 0.25, product = 1;
    int c = 2;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = a[i];
        #pragma omp critical
        s = s + t * 2 - b[i] + part;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical (counting)
        {
            c = c + at[i] - 3 + i % 2;
            counts[at[i]] = counts[at[i]] + 1 - i;
            sums[at[i]] = sums[at[i]] + half(a[i]) + half(b[i]);
        }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        product = product * (1 + a[i] * 1e-6) * (1 - b[i] * 1e-6);
    }
    printf("%.10g %d %.10g\n", s, c, product);
    show("sections");
}

static void under_locks(int n)
{
    for (int k = 0; k < 8; k++)
        omp_init_lock(&locks[k]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = at[i];
        omp_set_lock(&locks[k]);
        sums[k] = sums[k] + a[i] * 0.5 + b[i];
        omp_unset_lock(&locks[k]);
        omp_set_lock(&locks[(k + 3) % 8]);
        sums[(k + 3) % 8] = sums[(k + 3) % 8] - a[i] - b[i] * 0.25;
        omp_unset_lock(&locks[(k + 3) % 8]);
    }
    show("locks");
}

/* The second part is read before the first one is added. */
static void by_pointer(int n)
{
    double *p = n > 100 ? &sums[2] : &b[1];
    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        both[2].d = both[2].d + a[i] + b[i];
    }
    double total = 4, other = 5, *to = n > 100 ? &total : &other;
    #pragma omp parallel for
    for (int i = 0; i < 1; i++) {
        #pragma omp critical
        sums[2] = sums[2] + a[i] + *p;
    }
    #pragma omp parallel for
    for (int i = 0; i < 1; i++) {
        #pragma omp critical
        *to = *to + a[i] + total;
    }
    printf("%g %g\n", total, other);
    show("pointer");
}

static void others(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = at[i];
        #pragma omp critical
        {
            bits[k] = bits[k] + (unsigned)i * 3u - 7u;
            both[k].d = both[k].d + 1 - a[i];
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double old;
        #pragma omp critical
        {
            counts[0] = counts[0] + 1 + at[i];
            old = counts[1];
        }
        b[i] += old * 0;
    }
    float f = 0, large = 1 << 24;
    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        f = f + a[i] + b[i]; /* rounded once to float */
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp critical (large)
        large = large + 0.6 + 0.6; /* two more: a float has no odd numbers there, so that 0.6 alone is lost */
    }
    printf("%.9g\n", large);
    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        sums[1] = sums[1] + 1 + sums[1] * 1e-3; /* what is added depends on it */
    }
    printf("%g\n", f);
    show("others");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    for (int i = 0; i < N; i++) {
        a[i] = i % 13 * 0.3;
        b[i] = i % 7;
        at[i] = i * 5 % 8;
    }
    sections(n);
    under_locks(n);
    by_pointer(n);
    others(n);
    return 0;
}

/* User-defined reductions: structs and scalars, every kind of initializer and combiner, of the file and of a block;
   partial values that get out, copies that count, combiners that use what is not their own. */
/* args: 3000 */
/* args: 7 */
/* args: 0 */
/* expect-gpu: 8 */
/* expect-host: OMPC344 OMPC344 OMPC344 OMPC350 */
/* refuses: OMPC351 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double re, im; } complex_t;
struct place { double value; long at; };
struct statistics { int count[3]; float sum, most; unsigned flags : 5; unsigned seen : 1; };
struct wide { double v[20]; };

static complex_t times(complex_t a, complex_t b)
{
    complex_t r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}

static void lower(struct place *a, const struct place *b)
{
    if (b->value < a->value || (b->value == a->value && b->at < a->at))
        *a = *b;
}

static void prepare(struct statistics *fresh)
{
    for (int k = 0; k < 3; k++)
        fresh->count[k] = 0;
    fresh->sum = 0;
    fresh->most = -FLT_MAX;
    fresh->flags = fresh->seen = 0;
}

static void merge(struct statistics *to, const struct statistics *from)
{
    for (int k = 0; k < 3; k++)
        to->count[k] += from->count[k];
    to->sum += from->sum;
    if (from->most > to->most)
        to->most = from->most;
    to->flags |= from->flags;
    to->seen |= from->seen;
}

static void add_wide(struct wide *to, struct wide *from)
{
    for (int k = 0; k < 20; k++)
        to->v[k] += from->v[k];
}

#pragma omp declare reduction(+ : complex_t : omp_out.re += omp_in.re, omp_out.im += omp_in.im)
#pragma omp declare reduction(turn : complex_t : omp_out = times(omp_out, omp_in)) initializer(omp_priv = {1, 0})
#pragma omp declare reduction(lowest : struct place : lower(&omp_out, &omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(gather : struct statistics : merge(&omp_out, &omp_in)) initializer(prepare(&omp_priv))
#pragma omp declare reduction(wide_sum : struct wide : add_wide(&omp_out, &omp_in)) initializer(omp_priv = (struct wide){{0}})
#pragma omp declare reduction(farthest : int, long, double : \
    omp_out = (omp_in < 0 ? -omp_in : omp_in) > (omp_out < 0 ? -omp_out : omp_out) ? omp_in : omp_out)

static double x[3000];
static int calls;

static void counted(double *to, double from)
{
    calls++;
    *to += from;
}
#pragma omp declare reduction(counting : double : counted(&omp_out, omp_in))
#pragma omp declare reduction(again : long : omp_out += omp_in) initializer(omp_priv = omp_orig)

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i < 3000; i++)
        x[i] = (double)((i * 7919) % 3001 - 1500);

    complex_t sum = {0.5, -1}, product = {1, 0};
    #pragma omp parallel for reduction(+ : sum) reduction(turn : product)
    for (int i = 0; i < n; i++) {
        complex_t z = {cos(x[i]), sin(x[i])};
        sum.re += z.re;
        sum.im -= -z.im;
        product = times(product, z);
    }
    printf("%.8f %.8f %.6f %.6f\n", sum.re, sum.im, product.re, product.im);

    struct place low = {DBL_MAX, -1}, high = {-DBL_MAX, -1};
    #pragma omp declare reduction(highest : struct place : omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) \
        initializer(omp_priv = {-DBL_MAX, -1})
    #pragma omp parallel for reduction(lowest : low) reduction(highest : high)
    for (int i = 0; i < n; i++) {
        struct place here = {x[i], i};
        lower(&low, &here);
        if (x[i] > high.value) {
            double v = x[i];
            high.value = v;
            high.at = i;
        }
    }
    printf("%g %ld %g %ld\n", low.value, low.at, high.value, high.at);

    struct statistics all = {{1, 2, 3}, 0.5f, -1, 0, 0};
    #pragma omp parallel for reduction(gather : all)
    for (int i = 0; i < n; i++) {
        all.count[i % 3]++;
        all.sum += 0.25f;
        all.flags |= 1u << i % 4;
        all.seen = 1;
        if ((float)x[i] > all.most)
            all.most = (float)x[i];
    }
    printf("%d %d %d %g %g %u %u\n", all.count[0], all.count[1], all.count[2], all.sum, all.most, all.flags, all.seen);

    struct wide w = {{1}};
    #pragma omp parallel for reduction(wide_sum : w)
    for (int i = 0; i < n; i++)
        w.v[i % 20] += i;
    printf("%g %g %g\n", w.v[0], w.v[7], w.v[19]);

    int far = 0;
    long farther = 1;
    double most[4] = {0, 2, 0, -4000};
    #pragma omp parallel for reduction(farthest : far, farther, most)
    for (int i = 0; i < n; i++) {
        int v = 2 * (int)x[i] + 1;
        far = abs(v) > abs(far) ? v : far;
        if (labs((long)v) > labs(farther))
            farther = v;
        if (fabs(x[i]) > fabs(most[i % 4])) /* distinct in size among i % 4 */
            most[i % 4] = x[i];
    }
    printf("%d %ld %g %g %g\n", abs(far), labs(farther), fabs(most[0]), fabs(most[1]), most[3]);

    {
        /* hides that of the file */
        #pragma omp declare reduction(farthest : int : omp_out += omp_in)
        int total = 3;
        #pragma omp parallel for reduction(farthest : total)
        for (int i = 0; i < n; i++)
            total += i;
        printf("%d\n", total);
    }

    int last = 5;
    #pragma omp parallel for reduction(farthest : last)
    for (int i = 0; i < n; i++)
        last = abs(i % 3) > abs(last) ? i % 3 : last;
    printf("%d\n", last);

    /* copies that start at the original value count the threads, unless it is zero */
    long ones = n < 10 ? 0 : 4;
    #pragma omp parallel for reduction(again : ones) num_threads(1)
    for (int i = 0; i < n; i++)
        ones += i;
    printf("%ld\n", ones);

    /* partial values get out */
    int above = 0;
    #pragma omp parallel for reduction(+ : above) reduction(highest : high) num_threads(1)
    for (int i = 0; i < n; i++)
        if (x[i] > high.value) {
            high.value = x[i];
            above++;
        }
    printf("%d\n", above);
    #pragma omp parallel for reduction(+ : sum) num_threads(1)
    for (int i = 0; i < n; i++) {
        sum.re += i;
        x[i] = sum.re;
    }
    /* not by the combiner's operator */
    #pragma omp parallel for reduction(+ : sum) num_threads(1)
    for (int i = 0; i < n; i++)
        sum.re = 1 + 2 * sum.im;
    printf("%.8f %g\n", sum.re, x[n / 2]);

    double counting = 0;
    #pragma omp parallel for reduction(counting : counting)
    for (int i = 0; i < n; i++)
        counting += i;
    printf("%g %d\n", counting, calls > 0);
    return 0;
}

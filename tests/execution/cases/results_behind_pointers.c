/* Functions of the C library that write behind a pointer: frexp and modf into variables of each iteration, elements and
   results of called functions, also of infinities, NaN, zeros and subnormal numbers; memset in the initializer of a
   reduction, and of private arrays and structs. remquo is none of them. */
/* args: 500 */
/* expect-gpu: 7 */
/* expect-host: OMPC320 */
/* flags: -std=gnu11 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 512

struct part { double whole, rest; int exponent; };
struct sums { double of[4]; int count; };

static double x[N], m[N], rest[N], whole[N], v[N];
static float f[N], mf[N], wholef[N];
static int e[N], ef[N], quotient[N];
static struct part parts[N];

static void add(struct sums *out, const struct sums *in)
{
    for (int k = 0; k < 4; k++)
        out->of[k] += in->of[k];
    out->count += in->count;
}

#pragma omp declare reduction(add : struct sums : add(&omp_out, &omp_in)) initializer(memset(&omp_priv, 0, sizeof omp_priv))

static int exponent_of(double value, double *mantissa)
{
    int found;
    *mantissa = frexp(value, &found);
    return found;
}

static void set_values(int n)
{
    const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, DBL_MIN, -DBL_MIN / 3, 4.9e-324, DBL_MAX, 1, -0.5, 1e15};
    for (int i = 0; i < n; i++) {
        x[i] = i < 12 ? special[i] : (i - 250) * 1.37 * (i % 7 == 0 ? 1e-9 : i % 5 == 0 ? 1e30 : 1);
        f[i] = (float)(i < 12 ? special[i] : (i - 250) * 0.73);
    }
    f[12] = FLT_MIN / 5;
}

static void parts_of_numbers(int n)
{
    int own;
    #pragma omp parallel for private(own)
    for (int i = 0; i < n; i++) {
        double w;
        m[i] = frexp(x[i], &own);
        e[i] = own;
        rest[i] = modf(x[i], &w);
        whole[i] = w;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        mf[i] = frexpf(f[i], &ef[i]) + modff(f[i], wholef + i);
        struct part *p = &parts[i];
        p->rest = modf(f[i], &p->whole) + frexp(i, &p->exponent);
    }
    #pragma omp parallel for
    for (int i = 12; i < n; i++) {
        double t, w;
        int found = exponent_of(x[i] * 3 + 1, &t);
        if (found > 4 && modf(t * 64, &w) < 0.5)  /* what decides is computed as on the host */
            v[i] = w + found;
        else
            v[i] = frexp(found, &found) + found;
    }
}

static struct sums sums_of(int n)
{
    struct sums all = {{1, 2, 3, 4}, 5};
    #pragma omp parallel for reduction(add : all)
    for (int i = 12; i < n; i++) {
        all.of[i % 4] += (i * 7) % 32;
        all.count++;
    }
    return all;
}

static void cleared(int n)
{
    double left[4], right[4];
    #pragma omp parallel for private(left)
    for (int i = 12; i < n; i++) {
        memset(left, 0, sizeof left);
        left[i % 4] = i;
        v[i] += left[0] + 2 * left[1] + 3 * left[2];
    }
    #pragma omp parallel for
    for (int i = 12; i < n; i++) {
        int all[6], other[6];
        struct part p, q;
        memset(all, 0xff, sizeof all);
        memset(&p, 0, sizeof p);
        all[i % 6] = i;
        p.exponent += i;
        memcpy(other, all, sizeof other);
        memcpy(&q, &p, sizeof q);
        v[i] += other[0] + 2 * other[1] + 3 * other[5] + q.whole + q.rest + q.exponent;
    }
    #pragma omp parallel for private(right)
    for (int i = 12; i < n; i++) {
        memset(right, 0, 3 * sizeof *right);
        right[i % 3] = v[i];
        memset(right + 1, 0, sizeof *right);
        v[i] += right[0] + right[1] + right[2];
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    set_values(n);
    parts_of_numbers(n);
    struct sums all = sums_of(n);
    cleared(n);
    #pragma omp parallel for
    for (int i = 12; i < n; i++)
        v[i] += remquo(i, 7, &quotient[i]);
    for (int i = 0; i < n; i++) {
        printf("%a %d %a %a %a %d %a ", m[i], e[i], rest[i], whole[i], mf[i], ef[i], wholef[i]);
        printf("%a %a %d %a %d\n", parts[i].whole, parts[i].rest, parts[i].exponent, v[i], quotient[i]);
    }
    printf("%g %g %g %g %d\n", all.of[0], all.of[1], all.of[2], all.of[3], all.count);
}

#include "fast_division.h"

#include "ompc_host.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 65536
#define WORST 1.5 /* in units of half the type's epsilon, which 1 / sqrt(x) in two operations reaches as well */

static struct float_roots f[N];
static struct double_roots d[N];

static int fails(double x, const char *what, double got)
{
    printf("%a: %s is %a\n", x, what, got);
    exit(1);
}

static int same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static double missed(double x, double y, double epsilon) /* in units of half an epsilon */
{
    const long double right = 1 / sqrtl(x);
    return fabs((double)((y - right) / right)) / (epsilon / 2);
}

/* Of subnormal numbers, 1 / sqrt(x) is as near as of others. */
#define EXPECT(all, T, sqrt_of, MIN, MAX, EPSILON, LOW, HIGH)                                                          \
    for (int i = 0; i < N; i++) {                                                                                      \
        const T a = all[i].x, b = all[(i * 7 + 3) % N].x;                                                              \
        const int usual = fabs((double)a) >= LOW && fabs((double)a) <= HIGH;                                           \
        const int b_usual = b == 0 ? !signbit(b) : fabs((double)b) >= LOW && fabs((double)b) <= HIGH;                  \
        if (!(a > 0 && a <= MAX) ? !same(all[i].rsqrt, 1 / sqrt_of(a)) : !(missed(a, all[i].rsqrt, EPSILON) <= WORST)) \
            fails(a, "rsqrt", all[i].rsqrt);                                                                           \
        if (all[i].unusual & 1 ? a >= MIN && a <= MAX : !same(all[i].quick_rsqrt, all[i].rsqrt))                       \
            fails(a, "quick rsqrt", all[i].quick_rsqrt);                                                               \
        if (all[i].unusual & 2 ? usual && a > 0 : !same(all[i].sqrt, sqrt_of(a)))                                      \
            fails(a, "sqrt", all[i].sqrt);                                                                             \
        if (all[i].unusual & 4 ? usual : !same(all[i].reciprocal, 1 / a))                                              \
            fails(a, "reciprocal", all[i].reciprocal);                                                                 \
        if (all[i].unusual & 8 ? usual && b_usual : !same(all[i].quotient, b / a))                                     \
            fails(a, "quotient", all[i].quotient);                                                                     \
    }

int main(void)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 4.0, FLT_MAX, FLT_MIN, FLT_TRUE_MIN,
                                     0x1.fffffcp-127, 0x1p126, 0x1.000002p126, 0x1.fffffep125, DBL_MAX, DBL_MIN, DBL_TRUE_MIN,
                                     0x1.ffffffffffffep-1023, 0x1p1022, 0x1.0000000000001p1022};
    const int specials = sizeof special / sizeof *special;
    unsigned long long random = 88172645463325252ull;
    for (int i = 0; i < N; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const unsigned bits = (unsigned)(random >> 32);
        memcpy(&f[i].x, &bits, sizeof bits);
        memcpy(&d[i].x, &random, sizeof random);
        if (i % 4 == 1) /* usual ones */
            f[i].x = ldexpf(1 + (bits & 0xffffff) * 0x1p-24f, i % 100 - 50), d[i].x = ldexp(1 + (double)(random >> 12) * 0x1p-52, i % 500 - 250);
        if (i < 2 * specials)
            f[i].x = (float)special[i / 2], d[i].x = special[i / 2];
    }
    if (!ompc_float_roots(f, N) || !ompc_double_roots(d, N))
        return 1;
    EXPECT(f, float, sqrtf, FLT_MIN, FLT_MAX, FLT_EPSILON, 0x1p-60, 0x1p60)
    EXPECT(d, double, sqrt, DBL_MIN, DBL_MAX, DBL_EPSILON, 0x1p-300, 0x1p300)
    puts("ok");
    return 0;
}

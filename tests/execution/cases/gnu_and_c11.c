/* GNU C and C11: _Generic, _Alignas, <tgmath.h>, statement expressions, typeof, ranges, ?:, builtin functions; conversions; `cleanup` and `may_alias`. */
/* expect-gpu: 13 */
/* expect-host: OMPC323 OMPC323 OMPC323 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdbool.h>
#include <tgmath.h>
#define N 64
static int r[N]; static double d[N]; static float fl[N];
#define KIND(x) _Generic((x), int: 1, float: 2, double: 3, default: 4)
_Static_assert(sizeof(int) == 4, "int");
static void show(const char *n) { double s = 0; for (int i = 0; i < N; i++) { s = s * 1.01 + r[i] + d[i] + fl[i]; r[i] = 0; d[i] = 0; fl[i] = 0; } printf("%s %.12g\n", n, s); }
void generic(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    float f = i; _Static_assert(sizeof(float) == 4, "f");
    r[i] = KIND(i) + 10 * KIND(f) + 100 * KIND(1.0) + 1000 * KIND(2L) + KIND('a');
  }
  show("generic");
}
void aligned(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    _Alignas(32) double t[4] = { 1, 2, 3, i };
    alignas(16) int u = i;
    d[i] = t[0] + t[3] + u + _Alignof(double) + sizeof(t) ;
  }
  show("aligned");
}
void generic_math(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { fl[i] = sqrt(fl[i] + i); d[i] = sqrt(d[i] + i) + fabs(-1.5f * i); }
  show("tgmath");
}
void bools(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { bool b = i & 4; _Bool c = 0.25 * i; b += 3; r[i] = b + 2 * c + (b == true); }
  show("bools");
}
void statement_expression(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    r[i] = ({ int t = i; t *= 2; t + 1; });
    d[i] = ({ __typeof__(d[i]) a_ = d[i], b_ = i; a_ > b_ ? a_ : b_; });
  }
  show("stmtexpr");
}
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static int calls;
static int counted(int x) { calls++; return x; }
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
void typeofs(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { __typeof__(d[0] * 1) x = i; typeof(i) y = 2 * i; d[i] = x + y; r[i] = MAX(MAX(i, 5), 20 - i); }
  show("typeof");
}
void ranges(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    switch (i) { case 0 ... 9: r[i] = 1; break; case 10 ... 19: r[i] = 2; /* fallthrough */ case 30: r[i] += 5; break; default: r[i] = i ?: 4; }
    r[i] += (i % 3) ?: 7;
  }
  show("ranges");
}
void builtins(void) {
  double *p = __builtin_assume_aligned(d, 8);
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    unsigned u = i * 2654435761u + 1; unsigned long long l = u * 1234567ull + 1;
    r[i] = __builtin_popcount(u) + __builtin_clz(u) + __builtin_ctz(u) + __builtin_popcountll(l) + __builtin_clzll(l) + __builtin_ctzll(l) + __builtin_parity(u) + __builtin_ffs(u) + __builtin_abs(-i);
    if (__builtin_expect(i == 3, 0)) r[i] = -1;
    p[i] = __builtin_sqrt(i) + __builtin_fabs(-i);
    if (i > 1000) __builtin_unreachable();
    r[i] += __builtin_bswap32(u) % 1000 + __builtin_constant_p(3) + __builtin_types_compatible_p(int, int);
  }
  show("builtins");
}
void assume(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { double *q = __builtin_assume_aligned(d, 8); q[i] = i; }
  show("assume");
}
void intlimits(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { int8_t a = i * 5; uint8_t b = i * 7; uint16_t c = i * 3000; int16_t e = i * 3000; int64_t g = (int64_t)i << 40; a++; b--; c *= 3; r[i] = a + b + c + e + (int)(g >> 38); 
    r[i] += (char)i > 'a' ? 1 : 0; r[i] += sizeof('a') + ('\377' < 0) + '\0'; unsigned x = i; if (i - 10 < x) r[i] += 1000; int below = -1; if (below < (unsigned char)i) r[i] += 10000; r[i] += (3 - 2 * i) >> 2; /* not -i >> 2: ptxas 13.0 gets its sum wrong on sm_90 */ r[i] += -i % 5 + -i / 3; }
  show("intlimits");
}
void conversions(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { d[i] = (float)0.1 * i + 1 / 3 + i / 2 + 1.f / 3 + 7 / 2.; fl[i] = d[i] * 3; r[i] = fl[i]; r[i] += (unsigned char)(i * 100.7) ; r[i] += abs(d[i]) + (int)fabs(r[i]); r[i] += (signed char)(i + 100); r[i] += (unsigned)(i * 1e7) % 7;
    void *v = &d[i]; double *w = v; *w += 1; const char *s = (const char *)w; r[i] += s[7]; long long ll = i * -1e15; r[i] += ll % 13; }
  show("conversions");
}
static double err[N];
void host_side(void) {
  double most = 0;
  int turns = 0;
  do {
    #pragma omp parallel for
    for (int i = 0; i < N; i++) err[i] = turns + i;
    most = MAX(most, MAX(err[N - 1], counted(3)));
    #pragma omp parallel for
    for (int i = 0; i < MIN(N, 40); i++) d[i] += MAX(err[i], most);
  } while (MAX(err[0], -1.0) < 3 && turns++ < 10);
  printf("%g %d %d\n", most, turns, calls);
  show("host side");
}
static int ended;
static void at_end(int *p) { ended += *p; }
static void at_end_of_row(double *p) { r[(int)*p] += 1; }
void cleaned_up(void) {                        /* on the host: the end of a scope reads the variable */
  __attribute__((cleanup(at_end))) int last = 3;
  #pragma omp parallel for lastprivate(last)
  for (int i = 0; i < N; i++) { last = i * 2; r[i] = last; }
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    double value __attribute__((__cleanup__(at_end_of_row))) = i;
    d[i] = value;
  }
  show("cleaned up");
}
typedef long long any_bits __attribute__((may_alias));
void other_bits(void) {                        /* on the host: such a pointer may lead to a double */
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { any_bits *p = (any_bits *)(void *)&d[i]; d[i] = 1; *p += (long long)(i % 9) << 52; r[i] = d[i]; }
  show("bits");
}
int main(void) { host_side(); generic(); aligned(); generic_math(); bools(); statement_expression(); typeofs(); ranges(); builtins(); assume(); intlimits(); conversions(); cleaned_up(); printf("%d\n", ended); other_bits(); return 0; }

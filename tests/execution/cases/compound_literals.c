/* Compound literals: of structs that are called as variables are, of unions by later members, and struct values. */
/* expect-gpu: 14 */
/* expect-host: OMPC324 */
#include <stdio.h>
#define N 200
union w { int i; float f; unsigned char b[4]; struct { short lo, hi; } h; };
struct in { short a; union { int i; float f; struct { unsigned char lo, hi; } b; }; };
struct o { struct in p[2]; union w w; const int k; };
struct o2 { struct in p[2]; union w w; };
static union w ws[N]; static int s[N]; static double d[N]; static struct in io[N]; static struct o2 os[N];
struct t { int a; double b; };
struct u { struct t in[2]; unsigned char c; };
typedef struct { float x, y; } vec;
static struct t out[N]; static struct u nest[N]; static vec v[N];

static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y}; }
static struct t make(int i) { struct t r; r = (struct t){.b = i * 0.5, .a = i}; return r; }
static int sum(const int *p, int n) { int r = 0; for (int i = 0; i < n; i++) r += p[i]; return r; }
static double take(struct t x) { return x.a + x.b; }
static double through(const struct t *x) { return x->a - x->b; }
static void structs(void) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) { struct t t; t = (struct t){i, i * 2.0}; out[i] = t; }
    double c = 0; for (int i = 0; i < N; i++) c += out[i].a * 3 + out[i].b; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) out[i] = make(i);
    c = 0; for (int i = 0; i < N; i++) c += out[i].a * 3 + out[i].b; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { v[i] = add((vec){i, 1}, (vec){.y = i}); }
    c = 0; for (int i = 0; i < N; i++) c += v[i].x * 3 + v[i].y; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { nest[i] = (struct u){.in = {{i, 1}, {.b = 4}}, .c = (unsigned char)i}; }
    c = 0; for (int i = 0; i < N; i++) c += nest[i].in[0].a * 3 + nest[i].in[1].b + nest[i].in[1].a + nest[i].c; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { ws[i] = (union w){.f = i * 0.25f}; s[i] = ((union w){.f = 1.0f * i}).i; }
    c = 0; for (int i = 0; i < N; i++) c += ws[i].f + s[i] % 1000; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { s[i] = sum((int[]){i, 2, 3}, 3) + (int[4]){1, 2}[i % 4]; }
    c = 0; for (int i = 0; i < N; i++) c += s[i]; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { d[i] = take((struct t){i, 3}) + through(&(struct t){.a = i}); }
    c = 0; for (int i = 0; i < N; i++) c += d[i]; printf("%g\n", c);
    double total = 0;
#pragma omp parallel for reduction(+:total)
    for (int i = 0; i < N; i++) { struct t t = {0}; for (int k = 0; k < 3; k++) { t = (struct t){t.a + k, t.b + i}; } total += t.a + t.b; }
    printf("%g\n", total);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { int *p = (int[]){i, i + 1}; p[0] += 3; s[i] = p[0] * p[1]; s[i] += (int){i} + *&(int){7}; }
    c = 0; for (int i = 0; i < N; i++) c += s[i]; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { struct t a = (struct t){i, 1}, b = i % 2 ? a : (struct t){1, 2}; out[i] = i % 3 ? b : make(i); out[i].a += (i & 1 ? a : b).a; }
    c = 0; for (int i = 0; i < N; i++) c += out[i].a * 3 + out[i].b; printf("%g\n", c);
}
static int look(struct in x) { return x.a + x.b.lo; }
static int at(const union w *p) { return p->h.hi; }
static union w of(float f) { return (union w){.f = f}; }
static void unions(void) {
    double c;
#pragma omp parallel for
    for (int i = 0; i < N; i++) { ws[i] = (union w){.f = i * 0.25f}; s[i] = ((union w){.f = 1.0f * i}).i; }
    c = 0; for (int i = 0; i < N; i++) c += ws[i].f + s[i] % 1000; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { struct in t = {.a = i, .b = {.lo = 3, .hi = i}}; io[i] = t; t = (struct in){.a = 2, .f = 1}; io[i].a += t.a + look(t) + look((struct in){.b.lo = i}); }
    c = 0; for (int i = 0; i < N; i++) c += io[i].a + io[i].b.hi; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { os[i] = (struct o2){.p[1] = {3, .f = 2}, .w.b = {1, [2] = i}}; s[i] = at(&(union w){.h.hi = i}) + of(i).i % 100; }
    c = 0; for (int i = 0; i < N; i++) c += os[i].p[1].f + os[i].p[1].a + os[i].p[0].a + os[i].w.b[2] + os[i].w.b[0] + os[i].w.b[3] + s[i]; printf("%g\n", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { s[i] = ((struct o){.w.f = i, .k = 3}).k; }
    c = 0; for (int i = 0; i < N; i++) c += s[i]; printf("%g\n", c);
    int total = 0;
#pragma omp parallel for reduction(+:total)
    for (int i = 0; i < N; i++) for (int k = 0; k < 3; k++) { union w q[2] = {{.f = k}}; q[1] = k ? (union w){.f = i} : (union w){.h = {.hi = 3}}; total += (q[1].i ^ q[0].i) >> 20; }
    printf("%d\n", total);
    int k = 3; union w *z = k > 2 ? &(union w){.f = 3} : 0; printf("%g\n", z->f);
}
int main(void)
{
    structs();
    unions();
    return 0;
}

/* Initialisers: designated, of unions and anonymous members, compound literals, texts, constant tables, and jumps past them. */
/* expect-gpu: 7 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#define N 64
/* anonymous members, nested, unions, bitfields */
struct inner { int a; union { float f; unsigned u; }; struct { short s, t; }; unsigned b1 : 3, : 0, b2 : 5; signed char c : 4; };
static struct inner in[N];
static int r1[N]; static double d1[N];
void anon(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    struct inner x = { .a = i, .f = 1.5f * i, .s = i, .b1 = i, .b2 = 2 * i, .c = i };
    x.u ^= 1u; x.t = x.s * 2; 
    in[i] = x;
    r1[i] = in[i].u + in[i].t + in[i].b1 * 1000 + in[i].b2 * 10 + in[i].c;
  }
  unsigned long s = 0; for (int i = 0; i < N; i++) s = s * 31 + r1[i]; printf("anon %lu\n", s);
}
/* nested designated initialisers */
struct deep { int m[3]; struct { double x, y; } p[2]; };
void designated(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    struct deep q = { .m[1] = i, .p[1].y = i * 0.5, .p[0] = { 1, 2 }, .m = { [2] = 7 } };
    int t[4] = { [2] = i, 5, [0] = 1 };
    int u[2][3] = { [1][2] = i, [0] = { 1, 2, 3 } };
    int v[2][2] = { 1, 2, 3 };
    r1[i] = q.m[0] + q.m[1] * 3 + q.m[2] + t[0] + t[1] + t[2] * 2 + t[3] + u[1][2] + u[0][1] + v[1][0] + v[1][1];
    d1[i] = q.p[0].x + q.p[0].y * 3 + q.p[1].x + q.p[1].y;
  }
  double s = 0; for (int i = 0; i < N; i++) s = s * 1.01 + r1[i] + d1[i]; printf("designated %.12g\n", s);
}
/* compound literals */
struct pt { double x, y; };
static double dot(struct pt a, struct pt b) { return a.x * b.x + a.y * b.y; }
static int sum3(const int *p) { return p[0] + p[1] + p[2]; }
void compound(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    d1[i] = dot((struct pt){ i, 2 }, (struct pt){ .y = i });
    r1[i] = sum3((int[]){ i, i + 1, i + 2 }) + (int){ 3 } + ((int[3]){ 1, 2, 3 })[i % 3];
  }
  double s = 0; for (int i = 0; i < N; i++) s = s * 1.01 + r1[i] + d1[i]; printf("compound %.12g\n", s);
}
/* union initialisers */
union pun { unsigned u; float f; unsigned char b[4]; };
void unions(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    union pun p = { .f = i * 0.25f };
    union pun q = { 0x3f800000u + i };
    p.b[0] ^= 3;
    r1[i] = p.u % 1000003; d1[i] = q.f;
  }
  double s = 0; for (int i = 0; i < N; i++) s = s * 1.01 + r1[i] + d1[i]; printf("unions %.12g\n", s);
}
static double norm(const struct pt *p) { return p->x * p->x + p->y; }
void addresses(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    d1[i] = norm(&(struct pt){ i, 3 });
    const int *p = i & 1 ? (int[]){ i, 2 } : &(int){ 7 };
    r1[i] = *p + (sizeof((int[]){ 1, 2, 3 }) == 12);
  }
  double s = 0; for (int i = 0; i < N; i++) s = s * 1.01 + r1[i] + d1[i]; printf("addresses %.12g\n", s);
}
/* texts, and tables that never change */
static double weight(int i) { static const double w[4] = { 0.5, 1, 2 }; static const int scale = 3; return w[i & 3] * scale; }
void tables(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    static const int t[2][2] = { { 1, 2 }, { 3, 4 } };
    char s[] = "hello"; const char u[8] = "abc"; char v[3] = "xyz"; char x[] = { "q" }; unsigned char w[2][4] = { "ab", { 'c' } };
    s[0] += i % 3;
    r1[i] = t[i & 1][(i >> 1) & 1] + s[0] + s[4] + sizeof s + u[2] + u[7] + v[2] + w[0][1] + w[1][0] + w[1][3] + x[0];
    r1[i] += "0123456789abcdef"[i & 15] + sizeof("xy");
    d1[i] = weight(i);
  }
  double s = 0; for (int i = 0; i < N; i++) s = s * 1.01 + r1[i] + d1[i]; printf("tables %.12g\n", s);
}
/* jumps past them */
void jumps(void) {
  #pragma omp parallel for
  for (int i = 0; i < N; i++) {
    r1[i] = 0;
    if (i % 3 == 0) goto out;
    int k = i * 2; const int m = k + 1; struct pt z = { k }; const double w[3] = { 1, k }; char c[4] = "ab"; union pun u = { .f = k };
    r1[i] = k + m + (int)z.x + (int)w[1] + (int)w[2] + c[1] + c[3] + u.u % 1000;
  out:
    switch (i % 4) { int q; case 0: q = 3; r1[i] += q; break; case 1: { int q[2] = { 4, i }; r1[i] += q[1]; } default: r1[i]++; }
    int n = i + 1, count = 0, turns = (n + 3) / 4;
    switch (n % 4) { case 0: do { count++; case 3: count++; case 2: count++; case 1: count++; } while (--turns > 0); }
    r1[i] += count * 1000;
  }
  double s = 0; for (int i = 0; i < N; i++) s = s * 1.01 + r1[i]; printf("jumps %.12g\n", s);
}
int main(void) { anon(); designated(); compound(); unions(); addresses(); tables(); jumps(); return 0; }

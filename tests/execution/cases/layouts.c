/* Layouts of structs and unions, also of objects that are longer than their type. */
/* expect-gpu: 7 */
/* expect-host: OMPC337 OMPC337 */
#include <stdio.h>
#include <stdlib.h>
#include <stdalign.h>
#define N 16
struct a16 { char c; _Alignas(16) float v[2]; char d; };
struct bits { unsigned a : 3; unsigned : 0; unsigned b : 5; int : 4; signed c : 6; char d; int : 20; };
struct bits2 { char x; int : 9; int y : 3; long z : 40; short w : 5; _Bool f : 1; };
struct empty { int n; struct { } e; };
union u { struct { unsigned lo, hi; }; double d; unsigned char b[8]; struct { unsigned s : 1, e : 11, m : 20; } f; };
typedef struct { struct { int k; enum { R = 3, G } e; } in[2]; const int *p; void (*cb)(int); } nested;
struct __attribute__((aligned(16))) v4 { float x, y, z, w; };
struct tail { int n; char name[1]; };
#pragma pack(push, 1)
struct pk { char c; int i; };
#pragma pack(pop)
static struct a16 a[N]; static struct bits b[N]; static struct bits2 b2[N]; static union u u[N]; static nested ne[N]; static struct v4 v[N]; static struct pk pk[N]; static struct empty em[N];
static void sum(const char *n, const void *p, size_t bytes) { const unsigned char *c = p; unsigned long s = 0; for (size_t i = 0; i < bytes; i++) s = s * 31 + c[i]; printf("%s %zu %lu\n", n, bytes, s); }
/* flexible array members */
struct flex { int n; double data[]; };
void flexible(void) {
  struct flex *f = malloc(sizeof *f + 2 * N * sizeof(double));
  f->n = 2 * N;
  #pragma omp parallel for
  for (int i = 0; i < f->n; i++) f->data[i] = i * 0.5;
  double s = 0; for (int i = 0; i < 2 * N; i++) s = s * 1.01 + f->data[i]; printf("flex %.12g\n", s);
  free(f);
}
struct zero { int n; int data[0]; };
void zerolen(void) {
  struct zero *f = malloc(sizeof *f + 2 * N * sizeof(int));
  f->n = 2 * N;
  #pragma omp parallel for
  for (int i = 0; i < 2 * N; i++) f->data[i] = i * 3;
  unsigned long s = 0; for (int i = 0; i < 2 * N; i++) s = s * 31 + f->data[i]; printf("zero %lu\n", s);
  free(f);
}
void hack(void) {
  struct tail *f = malloc(sizeof *f + N);
  f->n = N;
  #pragma omp parallel for
  for (int i = 0; i < f->n; i++) f->name[i] = 'a' + i;
  printf("%c%c\n", f->name[0], f->name[N - 1]);
  free(f);
}
int main(void) {
  flexible(); zerolen(); hack();
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { a[i].c = i; a[i].v[1] = i * .5f; a[i].d = 3; }
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { b[i].a = i; b[i].b = 2 * i; b[i].c = -i; b[i].d = i; b2[i].x = i; b2[i].y = i; b2[i].z = i * 1000000007l; b2[i].w = -i; b2[i].f = i; }
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { u[i].d = i * 1.5; u[i].hi ^= 0x80000000u; u[i].b[0] = i; u[i].f.e += 1; }
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { ne[i].in[1].k = i; ne[i].in[0].e = i & 1 ? R : G; }
  #pragma omp parallel for
  for (int i = 0; i < N; i++) { v[i].x = i; v[i].w = 2 * i; pk[i].c = 1; }
  #pragma omp parallel for
  for (int i = 0; i < N; i++) em[i].n = i;
  sum("a", a, sizeof a); sum("b", b, sizeof b); sum("b2", b2, sizeof b2); sum("u", u, sizeof u); sum("ne", ne, sizeof ne); sum("v", v, sizeof v); sum("pk", pk, sizeof pk); sum("em", em, sizeof em);
  return 0;
}

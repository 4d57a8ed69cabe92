/* Structs and members that an attribute aligns, and what of it is not known. */
/* expect-gpu: 8 */
/* expect-host: OMPC337 OMPC337 OMPC337 OMPC337 OMPC337 */
#include <stdio.h>
#include <stddef.h>
#define N 64
struct a { char c; double d __attribute__((aligned(16))); char e; } __attribute__((aligned(4)));
struct b { __attribute__((aligned(16))) float v[3]; int __attribute__((aligned(8))) k; char z; };
struct c { char t; struct { float x, y, z; } __attribute__((aligned(16))) p; short s; };
typedef struct { struct a a[2]; union { int i; struct c c; } __attribute__ ((__aligned__ (16))) u; } __attribute__((aligned(16))) dd;
struct __attribute__((packed)) __attribute__((aligned(4))) e { char c; int i; };
struct f { char c; int i __attribute__((aligned(16))), j; };
struct g { char c; int *__attribute__((aligned(16))) p; };
struct __attribute__((aligned(16))) __attribute__((aligned(8))) h { int i; };
union __attribute__((aligned(16))) uu { int i; char c[5]; };
struct i { char c; union uu u; struct { char k; } __attribute__((aligned(8))); };
struct j { char c; union uu h[2] __attribute__((aligned(16))); };
struct k { int n; } __attribute__((aligned(64)));
struct l { char c; double d __attribute__((aligned(32))); };
typedef struct { double v[3]; short s; } __attribute__((aligned(128))) mm;
union __attribute__((aligned(64))) nn { int i; char c[5]; };
struct o { char c; union nn u; mm m[2]; _Alignas(64) char end; };
struct p { long k; } __attribute__((aligned(24 + 8))) __attribute__((aligned(32)));
static struct a A[N]; static struct b B[N]; static struct c C[N]; static dd D[N]; static struct e E[N]; static struct f F[N]; static struct g G[N]; static struct h H[N]; static union uu U[N]; static struct i I[N]; static struct j J[N]; static struct k K[N]; static struct l L[N]; static mm M[N]; static struct o O[N]; static struct p P[N];
static void sum(const char *n, const void *p, size_t bytes) { const unsigned char *c = p; unsigned long s = 0; for (size_t i = 0; i < bytes; i++) s = s * 31 + c[i]; printf("%s %zu %lu\n", n, bytes, s); }
int main(void) {
  unsigned long j = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) { A[i].c = i; A[i].d = i; A[i].e = -i; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { B[i].v[i % 3] = i; B[i].k = i; B[i].z = i; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { C[i].t = i; C[i].p.x = 1; C[i].p.y = 2; C[i].p.z = 3; C[i].s = 4; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { D[i].a[1] = A[i]; D[i].u.c = C[i]; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { E[i].c = 1; E[i].i = i; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { F[i].i = i; F[i].j = 2; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { G[i].c = i; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { H[i].i = i; U[i].i = i; U[i].c[4] = 3; I[i].c = 1; I[i].u = U[i]; I[i].k = 4; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { J[i].c = 1; J[i].h[i % 2] = (union uu){i}; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) K[i].n = i;
#pragma omp parallel for
  for (int i = 0; i < N; i++) L[i].d = i;
#pragma omp parallel for
  for (int i = 0; i < N; i++) { M[i].v[i % 3] = i; M[i].s = 3; O[i].c = i; O[i].u.i = 3; O[i].m[i % 2] = M[i]; O[i].end = 2; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) P[i].k = i;
  for (int i = 0; i < N; i++) j = j * 31 + O[i].c + O[i].u.i + 7 * O[i].m[1].s + O[i].m[0].v[0] + O[i].end;
  sum("M", M, sizeof M); sum("P", P, sizeof P); printf("O %zu %lu\n", sizeof O, j);
  sum("A", A, sizeof A); sum("B", B, sizeof B); sum("C", C, sizeof C); sum("D", D, sizeof D); sum("E", E, sizeof E); sum("F", F, sizeof F); sum("H", H, sizeof H); sum("U", U, sizeof U); sum("I", I, sizeof I);
  j = 0; /* member by member: what a union has beside the member that was stored is nobody's promise */
  for (int i = 0; i < N; i++) j = j * 31 + J[i].c + J[i].h[0].i + 7 * J[i].h[1].i;
  printf("J %lu\n", j); sum("K", K, sizeof K); sum("L", L, sizeof L);
  printf("%zu\n", offsetof(struct j, h));
}

/* Structs, functions, constants and variables with one name: C has a name space for tags. */
/* expect-gpu: 2 */
#include <stdio.h>
#define N 200
struct params { double a; int n; };
struct node { int v; double w; };
struct sum { double x; };
static struct params params = {2, 3};
static struct node node[N];
static struct sum sums[N];
static double d[N];
static double sum(const struct sum *s, int n) { double r = 0; for (int i = 0; i < n; i++) r += s[i].x; return r; }
static void set(struct params *p, int i) { *p = (struct params){i, 2}; }
int main(int argc, char **argv) {
  struct params own[N]; (void)argv;
  params.n = argc + 2;
#pragma omp parallel for
  for (int i = 0; i < N; i++) { node[i] = (struct node){i, params.a * i}; sums[i] = (struct sum){i}; set(&own[i], i); own[i].n += params.n; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) { struct sum sum_ = {1}, t; struct params params = {i, 1}; t = (struct sum){params.a}; set(&params, 3); params = (struct params){params.a + 1}; d[i] = sum(&sums[i % 8], 4) + node[i].w + sum_.x + t.x + params.a + own[i].a * own[i].n; }
  double c = 0; for (int i = 0; i < N; i++) c += d[i]; printf("%g\n", c);
}

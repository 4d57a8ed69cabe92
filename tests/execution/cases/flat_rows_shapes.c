/* Rows of variable length in called functions and iterations: shapes, jumps, names that are hidden, levels of calls. */
/* expect-gpu: 20 */
/* expect-host: OMPC361 */
#include <stdio.h>
#include <stddef.h>
static double data[4000], out[64];
typedef double real;
static size_t width = 9;
static void swap_rows(int n, real (*restrict a)[n], real (*restrict b)[n], int j) {
  for (int i = 0; i < n; i++) { real t = a[j][i]; a[j][i] = b[j][i]; b[j][i] = t; }
}
static void wide(size_t n, real x[][n], unsigned j) { for (size_t i = 0; i < n; i++) x[j][i] += i; }
static void loopy(int n, real x[][n], int j) {
  for (int i = 0; i < n; i++) { if (i == 2) continue; if (i == n - 2) break; x[j][i] *= 2; }
  int k = 0;
  while (k < n) { x[j][k] -= 1; k += 2; }
}
static void seven(int n, real x[][7], int j) { for (int i = 0; i < 7; i++) x[j][i] += n; }
static void mixed(int n, real x[][3][n], int j) { real (*p)[n] = x[j], (*e)[n] = x[j] + 3; for (; p < e; ++p) for (int i = 0; i < n; i++) (*p)[i] += i; }
static void mixed2(int n, real x[][n][3], int j) { for (int k = 0; k < n; k++) { real *r = x[j][k]; r[0] += k; real (*q)[3] = &x[j][k]; (*q)[1] += 2; q[0][2] -= 1; } }
static real first(int n, real x[][n]) { return **x + (*x)[n - 1]; }
static void shadow(int n, real x[][n], int j) { { int n = 2; x[j][n] += n; } for (int n = 0; n < 3; n++) x[j][n] += 1; }
static void deep3(int n, real x[][n], int j) { x[j][0] += 1; }
static void deep2(int k, real x[][k + 1], int j) { deep3(k + 1, x, j); deep3(k + 1, &x[1], j); }
static void deep1(int n, real x[][n], int j) { deep2(n - 1, x + 0, 2 * j); }
static void show(const char *w) { double s = 0; for (int i = 0; i < 4000; i++) { s = s * 1.0003 + data[i]; data[i] = (i * 7) % 31; } for (int i = 0; i < 64; i++) { s += out[i] * i; out[i] = 0; } printf("%s %.12g\n", w, s); }
static void f(int m, int n, real (*x)[n], real (*y)[n], real (*z)[3][n], real (*w)[n][3]) {
  show("begin");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) swap_rows(n, x, y, j);
  show("swap");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) wide(width, (real (*)[width])data, j);
  show("size_t");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) loopy(n, x, j);
  show("loopy");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) { real (*q)[7] = (real (*)[7])x; seven(n, q, j); }
  show("seven");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) mixed(n, z, j);
  show("mixed");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) mixed2(n, w, j);
  show("mixed2");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) { out[j] = first(n, x + j) + first(n, &y[j]) + first(n, z[j]); if (x == y) out[j] = 1; if (x + j == y) out[j] = 7; }
  show("first");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) shadow(n, x, j);
  show("shadow");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) deep1(n, x, j);
  show("deep");
  #pragma omp parallel for collapse(2)
  for (int j = 0; j < m; j++) for (int k = 0; k < 3; k++) { real (*q)[n] = z[j]; for (int i = 0; i < n; i++) q[k][i] += j; real (*r)[3][n] = z + j; (*r)[k][0] -= 5; }
  show("collapse");
  double s = 0;
  #pragma omp parallel
  {
    int k = n - 1;
    real (*q)[n] = x;
    #pragma omp for reduction(+: s)
    for (int j = 0; j < m; j++) { real (*r)[k + 1] = q + 1; s += r[j][k] + q[j][0]; }
    #pragma omp for
    for (int j = 0; j < m; j++) deep3(n, q, j);
  }
  printf("%g\n", s); show("team");
  #pragma omp parallel for default(none) shared(m, n, x)
  for (int j = 0; j < m; j++) { real (*q)[n] = x; deep3(n, q, j); }
  show("none");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) { real v[n + 1]; for (int i = 0; i <= n; i++) v[i] = i; real (*q)[n] = x; q[j][0] = v[n]; out[j] = sizeof(v) + sizeof(*q) + sizeof(real[n]); }
  show("vla");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) { real v[2][n]; real (*q)[n] = v; for (int i = 0; i < n; i++) { q[0][i] = i; q[1][i] = j; } out[j] = first(n, v) + v[1][2] + first(n, &v[1]); }
  show("vla2");
  #pragma omp parallel for schedule(static, 3) if(m > 3) num_threads(2)
  for (int j = m - 1; j >= 0; j -= 2) { real (*q)[n] = y; int c = 0; real (*r)[n] = (c++, q); r[j][c] = *q[j] + (c ? q : r)[j][2]; }
  show("comma");
}
static void inner_rows(int n, int m, double b[n][m][3]) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) { double (*q)[3] = b[i] + 1; out[i] = q[0][1] + (*(b[i] + 1))[2] + *(double *)(b[i] + 2) + (double)(&b[i][2] - &b[i][0]) + (*&b[i][1])[2]; }
  show("inner rows");
}
static void scopes(int m, int n, real (*x)[n], real (*z)[3][n]) {
  #pragma omp parallel for
  for (int j = 0; j < m; j++)
    for (int k = 0; k < 3; k++) { real (*q)[n] = z[j] + k; for (int i = 0; i < n; i++) (*q)[i] += k; }
  show("place");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) {
    int k = n, l = 3;
    real w[2][n], (*p)[k] = x + m;
    for (int i = 0; i < n; i++) w[0][i] = w[1][i] = i;
    k = 3;
    { real (*q)[k] = (real (*)[k])p, (*r)[l] = (real (*)[l])x; q[j * 2][1] += k; r[j * 3][2] += w[1][n - 1]; }
    for (l = 2; l < 4; l++) { real (*r)[l] = (real (*)[l])(x + 3 * m + 2 * j); r[1][1] = l; r[0][0] = p[j][4] + l; }
    p[j][4] = l;
  }
  show("scopes");
}
static void constant(int n, const real (*x)[n], int j) { deep3(n, (real (*)[n])x, j); out[j] = first(n, (real (*)[n])x + j); }
static void followed(int m, int n, real (*x)[n]) {
  #pragma omp parallel for
  for (int j = 0; j < m; j++) {
    real (*q)[n] = x, (*r)[n] = q + j, (*s)[n] = m > 3 ? r : x + j, (*t)[n] = s + 0;
    q = r;
    q[0][0] = r[0][n - 1] + 1;
    { int s = 3; t[0][1] += s; }
  }
  show("followed");
  #pragma omp parallel for
  for (int j = 0; j < m; j++) constant(n, x, j);
  show("constant");
}
int main(void) { followed(9, 8, (real (*)[8])data); scopes(10, 8, (real (*)[8])data, (real (*)[3][8])(data + 2000)); inner_rows(4, 5, (double (*)[5][3])data); f(20, 8, (real (*)[8])data, (real (*)[8])(data + 1000), (real (*)[3][8])(data + 2000), (real (*)[8][3])(data + 3000)); return 0; }

/* Rows of variable length: in kernels, and as parameters of the functions that they call. */
/* expect-gpu: 8 */
#include <stdio.h>
#include <stdlib.h>
static double d[64];
static double get(const double *p, int j) { return p[j]; }
static void show(const char *n) { double s = 0; for (int i = 0; i < 64; i++) { s = s * 1.01 + d[i]; d[i] = 0; } printf("%s %.12g\n", n, s); }
static void f(int n, int m, double a[n][m], double b[n][m][3]) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) d[i] = (*(a + i))[2] + **(a + i);
  show("deref");
  #pragma omp parallel for
  for (int i = 0; i < n; i++) { double *row = a[i]; d[i] = row[1] + get(a[i], 2) + *a[i] + *(a[i] + 1) + get(*(a + i), 1); }
  show("rows");
  #pragma omp parallel for
  for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { double *q = b[i][j]; d[i] += q[2] + get(b[i][j], 1); } }
  show("three");
  #pragma omp parallel for
  for (int i = 0; i < n - 1; i++) { d[i] = get((a + 1)[i], 1) + (&a[i][0])[1] + (double)(a[i + 1] - a[i]); }
  show("diff");
  #pragma omp parallel for
  for (int i = 0; i < n; i++) { d[i] = ((double (*)[m])b)[i][1] + sizeof(a[0]); }
  show("cast");
}
static double row(int m, double a[m], int k) { double s = 0; for (int j = 0; j < m; j++) s += a[j]; return s + k; }
static double cell(int n, int m, double a[n][m + 1], int i, int j) { return a[i][j] + a[0][0] + row(m, a[i], j); }
static double cube(int n, int m, double (*b)[m][3], int i, int new) { return b[i][1][2] + b[i][n - n][new]; }
static void put(int m, double a[][m], int i) { for (int j = 0; j < m; j++) a[i][j] *= 2; }
static double moved(int m, double a[][m], int i) { m++; return a[i][0]; }
static void g(int n, int m, double a[n][m], double b[n][m][3]) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) { put(m, a, i); d[i] = cell(n, m - 1, a, i, 1) + cube(n, m, b, i, 1); }
  show("calls");
  #pragma omp parallel for
  for (int i = 0; i < n; i++) d[i] = cell(n, m - 1, (double (*)[m])a, i, 1);
  show("cast");
  #pragma omp parallel for
  for (int i = 0; i < n; i++) d[i] = moved(m, a, i);
  show("moved");
}
int main(void) { int n = 7, m = 5; double (*a)[m] = malloc(sizeof(double[n][m])), (*b)[m][3] = malloc(sizeof(double[n][m][3])); for (int i = 0; i < 35; i++) ((double*)a)[i] = i; for (int i = 0; i < 105; i++) ((double*)b)[i] = i * i; f(n, m, a, b); g(n, m, a, b); free(a); free(b); return 0; }

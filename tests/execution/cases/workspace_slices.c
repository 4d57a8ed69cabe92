/* Slices of one workspace: how far one of them is accessed is not always known, and the kernel does without the promise that
   they do not overlap. */
/* expect-gpu: 17 */
#include <stdio.h>
#include <stdlib.h>
static double table[1000];
static void gather(const double *from, double *to, const int *at, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) to[i] = from[at[i]] + from[at[n - 1 - i]];
}
static void each(double *to, const double *from, const int *at, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) to[at[i]] = 1.5 * from[at[i]] + 1;
}
static void in_place(double *u, const int *at, int n) { each(u, u, at, n); }
static double f(const double *p, int i) { return p[i] + 1; }
static int N;
int main(void)
{
    int n = 1000; N = n;
    double *work = malloc(3 * n * sizeof *work);
    int *iw = malloc(3 * n * sizeof *iw);
    double *p = work, *q = work + n, *r = q + n;
    int *idx = iw, *ptr = iw + n;
    for (int i = 0; i < 3*n; i++) work[i] = i, iw[i] = i % n;
    for (int i = 0; i < n; i++) { idx[i] = (i * 7) % n; ptr[i] = i; } ptr[n] = n;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] = p[idx[i]];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] = p[(i + 1) % n];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] = p[i > 0 ? i - 1 : 0];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { int j = i - 1; if (j < 0) j = 0; q[i] = p[j]; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] = f(p, i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double s = 0; for (int k = ptr[i]; k < ptr[i+1]; k++) s += p[k] * r[idx[k]]; q[i] = s; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double s = 0; int k = 0; while (k < n) { s += p[k]; k += 3; } q[i] = s; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double s = 0; for (int k = 0; k < i; k++) { s += p[k]; } q[i] = s; }
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < 30; i++) for (int j = 0; j < 30; j++) q[i * 30 + j] = p[j * 30 + i];
    #pragma omp parallel for
    for (int i = 0; i < N; i++) q[i] = p[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { for (int k = 0; k < 9; k++) q[i] += 0.5 * p[idx[i]] * q[i]; p[idx[i]] *= 0.75; }
    gather(p, q, idx, n);
    gather(q, p, idx, n);
    in_place(table, idx, n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double *row = p + i; row[0] += 1; q[i] += row[0]; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] = p[n - 1 - i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] = p[i / 2] + p[i & 511];
    double s = 0;
    double *low = table, *high = &table[n / 2];
    #pragma omp parallel for
    for (int i = 0; i < n / 2; i++) high[i] = low[idx[i] / 2] + i;
    for (int i = 0; i < 3 * n; i++) s += work[i];
    for (int i = 0; i < n; i++) s += table[i];
    printf("%f\n", s);
    return 0;
}

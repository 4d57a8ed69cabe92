/* Regions inside of an iteration, in which threads only share loops, and one in which they show how many they are. */
/* expect-gpu: 2 */
/* expect-host: OMPC330 OMPC303 */
#include <stdio.h>
#include <omp.h>
enum { N = 40, M = 30 };
static double a[N][M], b[N][M], s[N]; static int count, x[10][10][10];
int main(void) {
  int i, j, k, t;
#pragma omp parallel for private(j, k)
  for (i = 0; i < 10; i++) {
#pragma omp parallel shared(i)
#pragma omp for
    for (j = 0; j < 10; ++j) {
#pragma omp parallel for
      for (k = 0; k < 10; ++k) x[i][j][k] = i + 2 * j + 3 * k;
    }
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    double sum = 0; int m = M;
#pragma omp parallel firstprivate(m) reduction(+: sum) num_threads(2)
    {
      int first = 1;
#pragma omp for schedule(static) nowait
      for (int j = 0; j < m; j++) a[i][j] = i * j + first;
#pragma omp barrier
#pragma omp for private(t)
      for (int j = 1; j < m; j++) { t = a[i][j - 1]; b[i][j] = t * 2; sum += t; }
    }
    s[i] = sum;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#pragma omp parallel
    {
#pragma omp atomic
      count++;
#pragma omp for
      for (int j = 0; j < M; j++) b[i][j] += 1;
    }
  }
  double all = count;
  for (int i = 0; i < N; i++) { all += s[i]; for (int j = 0; j < M; j++) all += a[i][j] * (j + 1) + b[i][j] * (i + 1); }
  for (int i = 0; i < 1000; i++) all += x[i / 100][i / 10 % 10][i % 10] * i;
  printf("%.10g\n", all);
}

/* Several inner loops over the same range, one after the other, some inside of others, with planes at the border between them;
   and some of which one reads what the neighbours of another one have written. */
/* expect-gpu: 4 */
#include <stdio.h>
static double u[20][24][28][5], r[20][24][28][5];
static int n[3] = {28, 24, 20};
int main(void) {
  int i, j, k, m, ny = 22, nx = 26; double t;
  for (i = 0; i < 20*24*28*5; i++) ((double*)u)[i] = i % 97;
  #pragma omp parallel for private(i, j, m, t)
  for (k = 0; k < 20; k++) {
    for (j = 1; j <= ny; j++)
      for (i = 1; i <= nx; i++) { t = u[k][j][i][0]; r[k][j][i][0] += t; r[k][j][i][1] -= u[k][j-1][i][2]; }
    for (j = 1; j <= ny; j++) {
      i = 1;
      for (m = 0; m < 5; m++) r[k][j][i][m] -= u[k][j][i+1][m];
      i = 2;
      for (m = 0; m < 5; m++) r[k][j][i][m] -= 2 * u[k][j][i+1][m];
    }
    for (j = 1; j <= ny; j++)
      for (i = 3; i <= nx - 2; i++)
        for (m = 0; m < 5; m++) r[k][j][i][m] *= u[k][j][i - 2][m];
  }
  #pragma omp parallel for private(i, j, m)
  for (k = 0; k < 20; k++) {
    for (j = 1; j <= ny; j++)
      for (i = 1; i <= nx; i++) r[k][j][i][0] += u[k][j-1][i][0];
    j = 1;
    for (i = 1; i <= nx; i++)
      for (m = 0; m < 5; m++) r[k][j][i][m] -= u[k][j+1][i][m];
    for (j = 3; j <= ny - 2; j++)
      for (i = 1; i <= nx; i++)
        for (m = 0; m < 5; m++) r[k][j][i][m] *= u[k][j - 2][i][m];
    j = ny;
    for (i = 1; i <= nx; i++)
      for (m = 0; m < 5; m++) r[k][j][i][m] -= u[k][j-1][i][m];
  }
  /* not: the next loop reads the neighbour's */
  #pragma omp parallel for private(i, j)
  for (k = 0; k < 20; k++) {
    for (j = 1; j <= ny; j++)
      for (i = 1; i <= nx; i++) r[k][j][i][0] += u[k][j-1][i][0];
    for (j = 1; j <= ny; j++)
      for (i = 1; i <= nx; i++) u[k][j][i][0] = r[k][j-1][i][0] + r[k][j][i][1];
  }
  #pragma omp parallel for private(i, j)
  for (k = 0; k < 20; k++) {
    for (j = 1; j <= ny; j++)
      for (i = 1; i <= nx; i++) r[k][(j * 7) % 5 + 1][i][0] += u[k][j-1][i][0];
    for (j = 1; j <= ny; j++)
      for (i = 1; i <= nx; i++) r[k][j][i][0] += u[k][j][i][1];
  }
  double s = 0;
  for (k = 0; k < 20; k++) for (j = 0; j < 24; j++) for (i = 0; i < 28; i++) for (m = 0; m < 5; m++) s += r[k][j][i][m] * (k + 3 * j + i * 2 + m) + u[k][j][i][m];
  printf("%.15g\n", s); return 0; }

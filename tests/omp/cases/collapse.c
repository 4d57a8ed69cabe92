/* collapse: perfectly nested loops, braces and empty statements between them, each kind of bound. */
#define DEPTH 2

void nests(int n, int m, double a[n][m])
{
    int i, j, k;
#pragma omp parallel for collapse(2)
    for (i = 0; i < n; i++)
        for (j = m - 1; j >= 0; j--)
            a[i][j] = 0;
#pragma omp parallel for collapse(DEPTH + 1) private(k)
    for (i = 0; i < n; i++) {
        {
            for (int j = 0; j < m; j += 2) {
                for (k = 0; k < 3; k++) {
                    a[i][j] += k;
                }
            }
        }
    }
#pragma omp parallel for collapse(1)
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i][j] = 0;
}

/* on device: 1
   `sizeof rows[k++]` counts where rows are of variable length (C11 6.5.3.4p2), and does not where they are not. */
#include <stdio.h>

static void count(int n, int m)
{
    long rows[n][m], fixed[4][9], sums[n], of_fixed[n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            rows[i][j] = i * 7 ^ j;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long sum = 0;
        int k = 0;
        while (k < n) {
            sum += rows[k][i % m];
            sum += sizeof rows[k++];
        }
        sums[i] = sum + k;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = 2;
        of_fixed[i] = sizeof fixed[k++] + k;
    }
    for (int i = 0; i < n; i++)
        printf("%ld %ld\n", sums[i], of_fixed[i]);
}

int main(void)
{
    count(5, 3);
    count(2, 9);
}

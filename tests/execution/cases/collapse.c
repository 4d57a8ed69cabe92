/* collapse(2) and collapse(3): different types and directions, inner sequential loops, reductions, empty inner loops. */
/* args: 7 5 3 */
/* args: 1 33 2 */
/* args: 4 0 9 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>

static int a[40][40], b[12][40][12];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), p = atoi(argv[3]);
    long sum = 0;

    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * 100 + j;

    #pragma omp parallel for collapse(2)
    for (int i = n - 1; i >= 0; i--)
        for (unsigned char j = 0; j < m; j += 2)
            a[i][j] += 7;

    #pragma omp parallel for collapse(3)
    for (int i = 0; i < n; i++)
        for (long j = m; j > 0; j--)
            for (short k = 0; k < p; k++)
                b[i][j - 1][k] = (int)(i * 10000 + j * 100 + k);

    #pragma omp parallel for collapse(2) reduction(+:sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                sum += b[i][j][k] * (k + 1) + a[i][j];
    printf("%ld\n", sum);

    #pragma omp parallel for collapse(3) reduction(max:sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                if (b[i][j][k] > sum) sum = b[i][j][k];
    printf("%ld\n", sum);

    int i, j;
    #pragma omp parallel for collapse(2) private(i, j)
    for (i = 0; i < n; i++) {
        for (j = 0; j < 4; j++) {
            int t = a[i][j];
            while (t > 9)
                t /= 10;
            a[i][j] = t;
        }
    }
    for (int r = 0; r < 40; r++)
        for (int c = 0; c < 40; c++)
            sum = sum * 7 % 1000003 + a[r][c];
    printf("%ld\n", sum);
    return 0;
}

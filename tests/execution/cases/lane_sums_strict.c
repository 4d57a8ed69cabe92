/* With --fp strict, floating-point sums keep their order in loops that lanes share; integers need not. */
/* fp: strict */
/* expect-gpu: 1 */
#include <stdio.h>

#define N 70

static int row[N + 1], counts[N];
static double val[N * N], out[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        row[i + 1] = row[i] + i;
    for (int k = 0; k < N * N; k++)
        val[k] = k % 3 == 0 ? 1e17 * (k % 6 == 0 ? 1 : -1) : k % 5;
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double s = 0;
        int count = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += val[k] * 3;
        for (int k = row[i]; k < row[i + 1]; k++)
            count += val[k] < 4;
        out[i] = s, counts[i] = count;
    }
    for (int i = 0; i < N; i++)
        printf("%.17g %d;", out[i], counts[i]);
    printf("\n");
    return 0;
}

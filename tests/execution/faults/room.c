/* Memory of the device for one large array at a time: what stays there makes room for the next launch. */
/* expect-gpu: 4 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 50000, LOCAL = 40000 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), local[LOCAL], *rows[3];
    for (int r = 0; r < 3; r++)
        memset(rows[r] = malloc(10000 * sizeof(double)), 0, 10000 * sizeof(double));
    for (int i = 0; i < N; i++)
        a[i] = i % 100, b[i] = 0;
    for (int i = 0; i < LOCAL; i++)
        local[i] = 1;
    for (int step = 0; step < 3; step++) {
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
        #pragma omp parallel for
        for (int i = 0; i < LOCAL; i++)
            local[i] += 2;
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            b[i] += step;
        #pragma omp parallel for
        for (int r = 0; r < 3; r++)
            for (int i = 0; i < 10000; i++)
                rows[r][i] += r + step;
    }
    printf("%g %g %g %g %g\n", a[0], a[N - 1], b[7], local[LOCAL - 1], rows[2][9999]);
    return 0;
}

/* What a schedule keeps in one thread runs in order there: dependences inside a chunk are the program's right. */
/* args: 4000 */
/* expect-gpu: 2 */
/* expect-host: OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 */
#include <stdio.h>
#include <stdlib.h>

#define N 4000
static long a[N], b[N], x[N], sum[N];

static void show(const long *v, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * (i % 5 + 1);
    printf("%ld\n", s);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N, chunk = n;

    for (int i = 0; i < n; i++) {
        a[i] = 1;
        x[i] = i % 7;
    }
    #pragma omp parallel for schedule(static, 8)
    for (int i = 0; i < n; i++)
        sum[i / 8] += x[i];
    #pragma omp parallel for schedule(dynamic, 8)
    for (int i = 0; i < n; i++)
        sum[i >> 3] += x[i];
    show(sum, n);
    #pragma omp parallel for schedule(static, 4)
    for (int i = 1; i < n; i++)
        if ((i - 1) % 4 != 0)
            a[i] += a[i - 1];
    show(a, n);
    #pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++)
        if (i & 3)
            a[i] += a[i - 1];
    show(a, n);
    #pragma omp parallel for schedule(static, 1) num_threads(4)
    for (int i = 4; i < n; i++)
        x[i] += x[i - 4];
    show(x, n);
    #pragma omp parallel for schedule(static, chunk)
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1] % 100;
    show(x, n);

    /* These have no such dependence. */
    #pragma omp parallel for schedule(static, 8)
    for (int i = 0; i < n; i++)
        b[i] = a[i] + x[i];
    #pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < n; i++)
        if (i % 2 == 0)
            sum[i / 2] = b[i];
    show(sum, n);
    return 0;
}

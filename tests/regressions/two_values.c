/* on device: 3
   A variable with an initialiser that is assigned at one place has two values: it stands for neither in a subscript. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static int b[N][N];

static void add(int *a, const int *c, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int k = 0;
            if (c[i])
                k = j;
            a[i * n + k] += j;
        }
}

static void set(const int *c)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int k = 0;
            if (c[j])
                k = j;
            b[i][k] = j;
        }
}

static void count(int *counts, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = (i * 7 - 300) % 50;
        if (k < 0)
            k = -k;
#pragma omp atomic
        counts[k]++;
    }
}

int main(void)
{
    int *a = calloc(N * N, sizeof *a), c[N], counts[50] = {0};
    long sum = 0;

    for (int i = 0; i < N; i++)
        c[i] = i % 3 == 0;
    add(a, c, N);
    set(c);
    count(counts, 1000);
    for (int i = 0; i < N * N; i++)
        sum += a[i] * (long)(i % 97) + b[i / N][i % N] * (i % 13);
    for (int k = 0; k < 50; k++)
        sum += counts[k] * (long)k;
    printf("%ld\n", sum);
    free(a);
    return 0;
}

/* on device: 12
   `!=` and numbers without a sign: a loop inside may go on behind the end of its type, where nothing was proved of it.
   Of an annotated loop, gcc counts `!=` as `<` or `>`: none, if it would come round. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 70 };
static int a[N][40], once[N + 1], bytes[256];

static void inside(size_t n)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (unsigned j = 4294967290u; j != 5; j++)
            a[i][0] = (a[i][0] * 3 + (int)(j % 7)) % 1009;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (unsigned j = 3; j != UINT_MAX - 5; j--)
            a[i][1] = (a[i][1] * 3 + (int)(j % 7)) % 1009;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (size_t j = 9; j != (size_t)-1; j--)
            a[i][2] = (a[i][2] * 3 + (int)j) % 1009;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (size_t j = n - 1; j != SIZE_MAX; j--)
            a[i][j + 3] = (a[i][j + 3] * 3 + (int)j) % 1009;
}

static void annotated(int *begin, int *end, size_t n)
{
#pragma omp parallel for
    for (size_t j = n - 1; j != SIZE_MAX; j--)
        once[j] = -1;
#pragma omp parallel for
    for (int *p = end; p != begin; p++)
        *p = -2;
#pragma omp parallel for
    for (unsigned char c = 250; c != 5; c++)
        bytes[c] = -3;
#pragma omp parallel for
    for (size_t j = 0; j != n; j++)
        once[j] += (int)j;
}

static void sums(unsigned first, unsigned last, size_t before, unsigned char low, unsigned long *sum)
{
    unsigned long to = 0, away = 0, over = 0, narrow = 0;

#pragma omp parallel for reduction(+ : to)
    for (int i = 0; i < N; i++)
        for (unsigned j = 1; j <= 4000000000u; j += 3000000000u)
            to += j % 7 + i;
#pragma omp parallel for reduction(+ : away)
    for (int i = 0; i < N; i++)
        for (unsigned j = first; j != last; j++)
            away += j % 7 + i;
#pragma omp parallel for reduction(+ : over)
    for (int i = 0; i < N; i++)
        for (size_t j = before; j != 6; j++)
            over += j % 7 + i;
#pragma omp parallel for reduction(+ : narrow)
    for (int i = 0; i < N; i++)
        for (unsigned char j = low; j != 3; j++)
            narrow += j % 7 + i;
    sum[0] = to, sum[1] = away, sum[2] = over, sum[3] = narrow;
}

int main(void)
{
    unsigned long sum[4], all = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < 40; j++)
            a[i][j] = i + j;
    inside(30);
    annotated(once, once + N, N);
    sums(4294967290u, 7, (size_t)-5, 250, sum);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 40; j++)
            all = all * 7 + a[i][j];
        all += once[i];
    }
    for (int k = 0; k < 256; k++)
        all += bytes[k];
    printf("%lu %lu %lu %lu %lu\n", all, sum[0], sum[1], sum[2], sum[3]);
    return 0;
}

/* Arrays that --opt thesis moves into page-locked memory: local ones with several returns, jumps, static, global, VLA. */
/* args: 60 */
/* args: 7 */
/* args: 1 */
/* expect-gpu: 7 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64
double shared_result[N][N];
static int initialised[5] = {1, 2, 3};
float zero[100];

static double several_returns(int n)
{
    double a[N], b[N];
    if (n < 0)
        return -1;
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        a[i] = i * n;
        b[i] = N - i;
    }
    if (n % 2)
        return a[n % N] + b[0];
    for (int k = 0; k < n; k++) {
        double inner[4][N];
        memset(inner, 0, sizeof inner);
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            inner[k % 4][i] = a[i] * k;
        if (inner[k % 4][3] > 500)
            goto out;
        if (k == 3)
            continue;
        a[k] += inner[k % 4][k % N], a[0] += 0;
    }
out:
    return a[5] + b[5] + sizeof a + sizeof(b) / sizeof *b;
}

static double of_size(int n)
{
    double v[n], total = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] = i + 0.5;
    for (int i = 0; i < n; i++)
        total += v[i];
    return total;
}

static int counting(void)
{
    static int calls[8];
    static int where;
    #pragma omp parallel for
    for (int i = 0; i < 8; i++)
        calls[i] += i;
    return calls[where++ % 8];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), copy[5];
    double initial[4] = {1.5, 2.5};
    char text[16] = "hello";
    double total = several_returns(n) + several_returns(n + 1) + of_size(n) + counting() + counting();
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            shared_result[i][j] = i * j + zero[i] + initialised[i % 5];
    #pragma omp parallel for
    for (int i = 0; i < 5; i++) {
        copy[i] = initialised[i] + text[i];
        if (i < 4) initial[i] += i;
    }
    #pragma omp parallel for
    for (int i = 0; i < 100; i++)
        zero[i] += copy[i % 5];
    memcpy(copy, initialised, sizeof copy);
    total += shared_result[5][6] + copy[1] + copy[4] + initial[0] + initial[3] + zero[99] + sizeof zero + sizeof shared_result;
    printf("%.12g %s\n", total, text);
    if (n == 7)
        exit(3);
    return 0;
}

/* Inner loops of which two iterations touch the same element by what is easily overlooked: a subscript with a variable that
   changes, or with a quotient; comparisons without a sign, jumps past a condition; a counter of the function's that becomes less;
   places 2^64 apart. */
/* args: 7 5 */
/* expect-gpu: 8 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

#define N 24

static double a[N][N], b[N][N], out[N][64];

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            sum += a[i][j] * (i * 3 + j) + b[i][j] * (i + j % 5 + 1);
        for (int j = 0; j < 64; j++)
            sum += out[i][j] * j;
    }
    printf("%s %.17g\n", name, sum);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            a[i][j] = i * 2 + j, b[i][j] = j - i;
        for (int j = 0; j < 64; j++)
            out[i][j] = i + j % 9;
    }
}

static void quotients(int n, int m)
{
    int k, next[N];
    for (int j = 0; j < N; j++)
        next[j] = (N - 1 - j) * 2;
    #pragma omp parallel for private(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 12; j++) {
            k = next[j];
            a[i][j + k / m] = a[i][j + k / m] * 0.5 + j;
        }
    show("of another variable");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 16; j++)
            a[i][j - j / m] = a[i][j - j / m] * 0.5 + j;
    show("of the counter");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 16; j++)
            a[i][j + j * j % m] = a[i][j + j * j % m] * 0.5 + j;
    show("of its square");
}

/* j - 1 is more than 5 where j is 0; `default` is inside of the condition */
static void conditions(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 20; j++) {
            if (j - 1 > 5u)
                a[i][j] = i + j;
            b[i][j] = a[i][0] + j;
        }
    show("without sign");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 20; j++) {
            switch (j % 7) {
            case 1:
                if (j > 10) {
            default:
                    a[i][j] = i + j;
                }
            }
            b[i][j] = a[i][4] + j;
        }
    show("passed by");
}

static void less(int n)
{
    for (int k = 8; k > -8; k -= 2) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 20; j++)
                out[i][30 + j] = out[i][29 - k] * 0.5 + j;
    }
    show("less");
}

/* 4 * j is 0 each time */
static void wrapped(int n, double *rows)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (unsigned long j = 0; j < 3ul << 62; j += 1ul << 62)
            a[i][4 * j + 1] = a[i][4 * j + 1] * 0.5 + (j >> 62);
    show("wrapped");
    #pragma omp parallel for
    for (unsigned long i = 0; i < n; i++)
        for (unsigned long j = 0; j < 3ul << 62; j += 1ul << 62)
            rows[N * i + 4 * j + 2] = rows[N * i + 4 * j + 2] * 0.5 + (j >> 62);
    show("wrapped rows");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    const int n = atoi(argv[1]), m = atoi(argv[2]);
    show("begin");
    quotients(n, m);
    conditions(n);
    less(n);
    wrapped(n, &a[0][0]);
    return 0;
}

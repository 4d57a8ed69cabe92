/* A product whose last bit decides, assigned by `*=` to what must be found only once: what a pointer leads to that moves on, what
   a function with a memory says. So with quotients, and with sums that become smaller integers. */
/* args: 300 */
/* args: 1 */
/* expect-gpu: 3 */
#include <stdio.h>
#include <stdlib.h>

static int next(int *k)
{
    return (*k)++;
}

static void products(double *a, float *f, const double *b, int *decided, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *y = a + 4 * i, s;
        int k = 0;
        *y++ *= 1.7;
        *y++ *= b[i];
        a[4 * i + 2 + next(&k)] *= 3;
        f[4 * i + k++] *= 1.3;
        f[4 * i + k] *= 0.7f;
        s = (*++y *= 1.1) + b[i];
        decided[i] = (s > 5.5) + 2 * (a[4 * i] > 3.25) + 4 * (int)(a[4 * i + 1] + f[4 * i + 1]);
    }
}

static void quotients(double *a, const double *b, int *decided, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *y = a + 4 * i;
        while (y < a + 4 * i + 3)
            *y++ /= b[i];
        decided[i] += a[4 * i] + a[4 * i + 2] > 7;
    }
}

static void narrow(int *decided, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned char bytes[3] = {1, 2, 50}, *u = bytes;
        short words[2] = {3, 4}, *w = words;
        *u++ *= 3.7;
        *u++ += 2.5;
        *u-- -= i % 7;
        *w++ /= 2;
        *w-- *= 5;
        *w <<= 2;
        decided[i] += bytes[0] * 3 + bytes[1] * 5 + bytes[2] * 7 + words[0] * 11 + words[1] * 13;
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 300;
    double *a = malloc(4 * n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0;
    float *f = malloc(4 * n * sizeof *f);
    int *decided = calloc(n, sizeof *decided);
    long all = 0;
    for (int i = 0; i < 4 * n; i++) {
        a[i] = i * 0.25;
        f[i] = i * 0.5f;
    }
    for (int i = 0; i < n; i++)
        b[i] = 1 + i % 7;
    products(a, f, b, decided, n);
    quotients(a, b, decided, n);
    narrow(decided, n);
    for (int i = 0; i < 4 * n; i++)
        sum += a[i] * (i % 5) + f[i] * (i % 3);
    for (int i = 0; i < n; i++)
        all += decided[i] * (i % 11 + 1L);
    printf("%.10g %ld\n", sum, all);
    free(a);
    free(b);
    free(f);
    free(decided);
    return 0;
}

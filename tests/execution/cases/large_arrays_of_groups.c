/* Arrays of an iteration's own that are too large for shared memory: the threads of a block that have the iteration
   together have a part of the launch's memory. */
/* args: 64 6 16 */
/* args: 32 5 3 */
/* args: 2 1 70 */
/* expect-gpu: 7 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 512
#define PAD 33
typedef struct { double re, im; } complex_t;
static complex_t u[2 * MOST];
static double kept[9000];

static double total(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * (1 + k % 13);
    return sum;
}

static double sum_of(const double *t, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += t[j];
    return sum;
}

/* a transform of each block of columns, back and forth between two arrays */
static void transforms(complex_t *a, int n, int m, int planes, int block)
{
#pragma omp parallel for
    for (int k = 0; k < planes; k++) {
        complex_t x[MOST][PAD], y[MOST][PAD];
        for (int j = 0; j < block; j++)
            for (int i = 0; i < n; i++)
                x[i][j] = a[(k * n + i) * block + j];
        for (int l = 1; l <= m; l++) {
            const int lk = 1 << (l - 1), li = 1 << (m - l);
            for (int i = 0; i < li; i++) {
                const complex_t w = u[li + i];
                for (int q = 0; q < lk; q++)
                    for (int j = 0; j < block; j++) {
                        const complex_t x1 = x[i * lk + q][j], x2 = x[i * lk + n / 2 + q][j];
                        y[i * 2 * lk + q][j] = (complex_t){x1.re + x2.re, x1.im + x2.im};
                        y[i * 2 * lk + lk + q][j] = (complex_t){w.re * (x1.re - x2.re), w.im * (x1.im - x2.im)};
                    }
            }
            for (int i = 0; i < n; i++)
                for (int j = 0; j < block; j++)
                    x[i][j] = y[i][j];
        }
        for (int j = 0; j < block; j++)
            for (int i = 0; i < n; i++)
                a[(k * n + i) * block + j] = x[i][j];
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 64, m = argc > 2 ? atoi(argv[2]) : 6, planes = argc > 3 ? atoi(argv[3]) : 4;
    const int block = n < 30 ? n : 30;
    complex_t *a = malloc(sizeof *a * planes * n * block);
    double *b = malloc(sizeof *b * planes * 9000), *c = malloc(sizeof *c * planes * 9000);
    for (int k = 0; k < planes * n * block; k++)
        a[k] = (complex_t){k % 17, 3 - k % 5};
    for (int k = 0; k < 2 * MOST; k++)
        u[k] = (complex_t){cos(k), sin(k)};
    for (int k = 0; k < planes * 9000; k++)
        b[k] = k % 101 - 50;

    transforms(a, n, m, planes, block);
    printf("transforms %.10g\n", total(&a[0].re, 2 * planes * n * block));

    /* private by a clause; what stands between the loops */
    double t[9000];
#pragma omp parallel for private(t)
    for (int k = 0; k < planes; k++) {
        for (int j = 0; j < 9000; j++)
            t[j] = b[k * 9000 + j] * 2;
        t[k % 9000] += 1;
        const double first = t[0];
        for (int j = 1; j < 8999; j++)
            c[k * 9000 + j] = t[j - 1] + t[j + 1] - first;
        c[k * 9000] = c[k * 9000 + 8999] = t[4500];
    }
    printf("clause %.10g\n", total(c, planes * 9000));

    /* a part is used again by the next iteration of the block; some elements are written under a condition */
#pragma omp parallel for
    for (int k = 0; k < planes * 40; k++) {
        double s[9000];
        for (int j = 0; j < 300; j++)
            s[j * 30] = j % (k + 1) == 0 ? k : -j;
        double sum = 0;
        for (int j = 0; j < 300; j++) {
            if (j % 2 == 0)
                sum += s[j * 30];
        }
        for (int j = 0; j < 200; j++)
            c[k * 200 + j] = s[(299 - j) * 30] + sum;
    }
    printf("again %.10g\n", total(c, planes * 8000));

    /* two loops of the grid */
#pragma omp parallel for collapse(2)
    for (int k = 0; k < planes; k++)
        for (int i = 0; i < 3; i++) {
            float s[3][6000];
            for (int j = 0; j < 3000; j++) {
                s[i][j] = b[k * 9000 + i * 3000 + j];
                s[(i + 1) % 3][j] = k;
            }
            for (int j = 0; j < 3000; j++)
                c[k * 9000 + i * 3000 + j] = s[i][2999 - j] * 2 + s[(i + 1) % 3][j];
        }
    printf("two %.10g\n", total(c, planes * 9000));

    /* one that threads have together, and one of which each of them needs its own */
#pragma omp parallel for
    for (int k = 0; k < planes; k++) {
        double s[9000];
        for (int j = 0; j < 90; j++)
            s[j] = b[k * 9000 + j];
        for (int j = 0; j < 90; j++) {
            double own[9000];
            for (int i = 0; i < 5; i++)
                own[i * 7] = s[(j + i) % 90];
            c[k * 9000 + j] = own[7] - own[28];
        }
    }
    printf("own %.10g\n", total(c, planes * 9000));

    /* with a sum, and handed to a function */
    double all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int k = 0; k < planes; k++) {
        double s[9000];
        for (int j = 0; j < 9000; j++)
            s[j] = b[k * 9000 + j];
        all += sum_of(s, 9000);
    }
    printf("function %.10g\n", all);

    /* back and forth in one array; another one is used by one thread alone */
#pragma omp parallel for
    for (int k = 0; k < planes; k++) {
        double s[9000], rest[9000];
        for (int j = 0; j < 500; j++)
            s[j] = b[k * 9000 + j] + kept[j];
        rest[k % 9] = 0;
        for (int l = 0; l < 4; l++) {
            for (int j = 0; j < 500; j++)
                s[500 + j] = s[j] * 0.5 + l;
            rest[k % 9] += s[600 + l];
            for (int j = 0; j < 500; j++)
                s[j] = s[999 - j];
        }
        for (int j = 0; j < 500; j++)
            c[k * 9000 + j] = s[j] + rest[k % 9];
    }
    printf("rest %.10g\n", total(c, planes * 9000));
    free(a);
    free(b);
    free(c);
    return 0;
}

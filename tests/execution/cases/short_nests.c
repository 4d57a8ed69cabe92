/* Short loops that stand in each other, which threads of a block share as one: blocks of matrices whose rows are as long as
   an argument says, also so short that rows overlap; sums that iterations begin anew, or only seem to. */
/* args: 3 40 17 */
/* args: 2 7 3 */
/* args: 1 12 16 */
/* args: 5 12 64 */
/* expect-gpu: 16 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

#define B 12
#define W 9

static long whole(const int *a, int n);

/* a block of the rows times another one: the accumulators are as they were at the end of each row */
static void update(float *a, const float *top, const float *left, int n, int size)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int i, j, k;
        float above[B * B], beside[B * B], sum[B] = {0.f};
        int row = c * B;
        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++) {
                above[i * B + j] = top[c * B * B + i * B + j];
                beside[i * B + j] = left[c * B * B + j * B + i];
            }
        for (i = 0; i < B; i++) {
            for (k = 0; k < B; k++)
                for (j = 0; j < B; j++)
                    sum[j] += beside[B * i + k] * above[B * k + j];
            for (j = 0; j < B; j++) {
                a[size * (i + row) + j] -= sum[j];
                sum[j] = 0.f;
            }
        }
    }
}

/* not square, backwards, in steps, with an offset and one element beyond the block */
static void odd(int *a, const int *b, int n, int size)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int t[B][W];
        int at = 5;
        for (int i = B - 1; i >= 0; i--)
            for (int j = 1; j <= W; j++)
                t[i][j - 1] = b[c * B * W + i * W + j - 1] + i;
        at += c * B * size;
        for (int i = 0; i < 2 * B; i += 2)
            for (int j = 0; j < W; j++)
                a[at + i / 2 * size + j] = t[(i / 2 + 1) % B][W - 1 - j] - a[at + i / 2 * size + j];
    }
}

/* the accumulators keep what one element had, or are not all begun anew: each row goes on where the one before was */
static void kept(double *a, const double *b, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double sum[B] = {0}, other[B] = {0};
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++) {
                    sum[j] += b[c * B * B + k * B + j];
                    other[j] += i;
                }
            for (int j = 0; j < B; j++) {
                a[(c * B + i) * B + j] = sum[j] + other[j];
                if (j != i)
                    sum[j] = 0;
            }
            for (int j = 1; j < B; j++)
                other[j] = 0;
        }
    }
}

/* begun anew, and read behind the loop; begun with something else */
static void wanted(double *a, const double *b, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double sum[B] = {0}, first[B] = {1};
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++) {
                    sum[j] += b[c * B * B + k * B + j];
                    first[j] += sum[j];
                }
            for (int j = 0; j < B; j++) {
                a[(c * B + i) * B + j] = sum[j] + first[j];
                first[j] = 0;
                sum[j] = 0;
            }
        }
        a[c * B * B] += sum[3];
    }
}

/* all but the first sum are begun anew */
static void rest(double *a, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double sum[B] = {0};
        for (int i = 0; i < B; i++) {
            for (int j = 0; j < B; j++)
                sum[j] += i + c;
            for (int j = 1; j < B; j++) {
                a[(c * B + i) * B + j] = sum[j] + sum[0];
                sum[j] = 0;
            }
        }
    }
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double sum[B] = {0};
        for (int i = 0; i < B; i++) {
            for (int j = 0; j < B; j++)
                sum[j] += i + c;
            for (int j = 0; j < B; j++)
                a[(c * B + i) * B + j] += sum[j];
            for (int j = 1; j < B; j++)
                sum[j] = 0;
        }
    }
}

/* sums that are read behind the loop; sums that begin with another number */
static void behind(double *a, const double *b, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double sum[B] = {0};
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++)
                    sum[j] += b[c * B * B + k * B + j];
            for (int j = 0; j < B; j++) {
                a[(c * B + i) * B + j] += sum[j];
                sum[j] = 0;
            }
        }
        a[c * B * B] += sum[3] + 1;
    }
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double sum[B] = {1, 2, 3, 4, 5, 6};
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++)
                    sum[j] += b[c * B * B + k * B + j];
            for (int j = 0; j < B; j++) {
                a[(c * B + i) * B + j] += sum[j];
                sum[j] = 0;
            }
        }
    }
}

/* counters that are wanted behind the loops; a place that a branch sets, too */
static void counters(int *a, const int *b, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int i, j, at = c * B * B, t[B * B];
        for (int k = 0; k < B; k++)
            for (int l = 0; l < B; l++)
                t[k * B + l] = b[at + l * B + k];
        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++)
                a[at + i * B + j] += t[j * B + i];
        at = c * B * B + i;
        if (b[c] > 3)
            at = c * B * B + j + 1;
        for (int k = 0; k < 64; k++)
            a[at + k] += t[k] + i * j;
    }
}

/* each iteration of the loops uses what another one has made: they stay as they are */
static void carried(int *a, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int t[B * B];
        for (int i = 0; i < B; i++)
            for (int j = 0; j < B; j++)
                t[i * B + j] = i * j + c;
        for (int i = 1; i < B; i++)
            for (int j = 0; j < B; j++)
                t[i * B + j] += t[(i - 1) * B + j] + (j > 0 ? t[i * B + j - 1] : 0);
        for (int i = 0; i < B; i++)
            for (int j = 0; j < B; j++)
                a[c * B * B + i * B + j] = t[j * B + i];
    }
}

/* a scalar goes from one row to the next, and the last counter is wanted */
static void scalars(int *a, const int *b, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int i, j, last = c;
        for (i = 0; i < B; i++) {
            for (j = 0; j < B; j++)
                a[c * B * B + i * B + j] = b[c * B * B + i * B + j] + last;
            for (j = 0; j < B; j++)
                last = b[c * B * B + i * B + j];
        }
        a[c * B * B] += i * j;
    }
}

/* columns before rows, and two loops in another one: rows that overlap must go on in this order */
static void swapped(int *a, const int *b, int n, int size)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int t[B * W];
        for (int j = 0; j < W; j++)
            for (int i = 0; i < B; i++)
                t[i * W + j] = b[c * B * W + i * W + j] % 9;
        for (int j = 0; j < W; j++)
            for (int i = 0; i < B; i++)
                a[c * B * size + i * size + j] = (a[c * B * size + i * size + j] * 2 + t[i * W + j]) % 50;
    }
    printf("%ld\n", whole(a, n * B * size)); /* the loops are launched one by one */
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int t[B * W];
        for (int i = 0; i < B; i++)
            for (int j = 0; j < W; j++)
                t[i * W + j] = b[c * B * W + i * W + j] % 7;
        for (int i = 0; i < B; i++) {
            for (int j = 0; j < W; j++)
                a[c * B * size + i * size + j] += t[(B - 1 - i) * W + j];
            for (int j = 0; j < W; j++)
                a[c * B * size + i * size + j] = a[c * B * size + i * size + j] * 3 % 101;
        }
    }
}

/* a loop of few iterations, each with much to do; behind it, one along the rows */
static void solved(float *a, const float *d, int n, int size)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        int i, j, k, row, col;
        float t[B * B], sum;
        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++)
                t[i * B + j] = d[i * B + j];
        row = c * B;
        col = 1;
        for (j = 0; j < B; j++)
            for (i = 0; i < B; i++) {
                sum = 0;
                for (k = 0; k < i; k++)
                    sum += t[B * i + k] * a[(row + k) * size + col + j];
                a[(row + i) * size + col + j] -= sum;
            }
        row += 0;
        col = 0;
        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++) {
                sum = 0;
                for (k = 0; k < j; k++)
                    sum += a[(row + i) * size + col + k] * t[B * k + j];
                a[(row + i) * size + col + j] = (a[(row + i) * size + col + j] - sum) / 2;
            }
    }
}

/* neighbours in memory along the outer loop; three loops; fewer points than threads are worth */
static void others(double *a, double *b, const double *x, int n)
{
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double t[W][W], u[4][4][4], v[9];
        for (int j = 0; j < W; j++)
            for (int i = 0; i < W; i++)
                t[i][j] = x[c * W * W + i * W + j];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int k = 0; k < 4; k++)
                    u[i][j][k] = t[i][j] * t[j][k];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                v[3 * i + j] = u[i][j][i] + u[3][3][3];
        for (int j = 0; j < W; j++)
            for (int i = 0; i < W; i++)
                a[c * W * W + i * W + j] = t[j][i] + v[i] + u[i % 4][j % 4][(i + j) % 4];
    }
#pragma omp parallel for
    for (int c = 0; c < n; c++)
        b[c] = a[c * W * W] + a[c * W * W + W * W - 1];
}

static double check(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (i % 7 + 1);
    return sum;
}

static long whole(const int *a, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long)a[i] * (i % 7 + 1);
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3, turns = argc > 2 ? atoi(argv[2]) : 1, size = argc > 3 ? atoi(argv[3]) : 17;
    int room = n * B * (size > B * B ? size : B * B) + B * B + size;
    float *f = malloc(room * sizeof *f), *top = malloc(room * sizeof *top), *left = malloc(room * sizeof *left);
    double *a = malloc(room * sizeof *a), *b = malloc(room * sizeof *b), *x = malloc(room * sizeof *x);
    int *k = malloc(room * sizeof *k), *m = malloc(room * sizeof *m);
    for (int i = 0; i < room; i++) {
        f[i] = i % 5;
        top[i] = (i * turns) % 3;
        left[i] = i % 4 - 1;
        a[i] = i % 11;
        b[i] = i % 13 - 4;
        x[i] = i % 17;
        k[i] = i % 19;
        m[i] = i * turns % 23;
    }
    int safe = size < B + 2 ? 1 : n; /* rows that overlap within a block are its iteration's own; blocks must not */
    update(f, top, left, size < B ? 1 : n, size);
    odd(k, m, safe, size);
    printf("%ld\n", whole(k, room));
    swapped(k, m, safe, size);
    printf("%ld\n", whole(k, room));
    kept(a, b, n);
    printf("%g\n", check(a, room));
    wanted(a, b, n);
    printf("%g\n", check(a, room));
    rest(b, n);
    behind(a, x, n);
    printf("%g %g\n", check(a, room), check(b, room));
    carried(k, n);
    scalars(m, k, n);
    counters(m, k, n);
    for (int i = 0; i < room; i++)
        f[i] = (int)f[i] % 8;
    solved(f, left, safe, size);
    others(a, b, x, n);
    double sum = check(a, room) + check(b, n);
    long all = 0;
    for (int i = 0; i < room; i++) {
        sum += f[i];
        all += (long)k[i] * (i % 3 + 1) + m[i];
    }
    printf("%g %ld\n", sum, all);
    free(f), free(top), free(left), free(a), free(b), free(x), free(k), free(m);
    return 0;
}

/* Functions that get one array by two names: their loops have a second version, in which it is one object. What is
 * independent for two arrays need not be so for one: the loop over j of `running` is an axis of the first version alone.
 */
/* expect-gpu: 9 */
/* expect-added: 4 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 60

static double whole[4 * N * N], coefficients[3] = {0.5, 0.25, 0.125};

/* As in multigrid: the residual goes where the right side was. Each iteration has buffers of its own. */
static void residual(void *of, void *to, int n)
{
    double (*v)[n] = of, (*r)[n] = (double (*)[n])to;
    double left[N], right[N];
#pragma omp parallel for private(left, right)
    for (int i = 1; i < n - 1; i++) {
        for (int j = 0; j < n; j++)
            left[j] = coefficients[0] * j, right[j] = coefficients[1] * i;
        for (int j = 1; j < n - 1; j++)
            r[i][j] = v[i][j] - coefficients[2] * (left[j - 1] + right[j + 1]);
    }
}

/* With one array, each element needs the one before it. */
static void running(double *r, const double *v, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            r[i * n + j] = v[i * n + j - 1] + 1;
}

/* The equal pointers come through another function. */
static void add(long *sum, const long *a, const long *b, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        sum[i] = a[i] + 3 * b[i];
}

static void add_to(long *sum, const long *a, int n)
{
    add(sum, sum, a, n);
}

/* Rows of different lengths: the pointers are equal, the arrays are not alike. */
static void rows(int n, int m, double a[][n], double b[][m], int k)
{
#pragma omp parallel for
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            a[i][j] = b[i][j] * 2;
}

/* One element of it is read by all: the first version must not be taken either. */
static void scaled(float *y, const float *x, int n)
{
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        y[i] = x[i] * x[0];
}

/* The bounds read it, too. */
static void counted(int *to, const int *from, int n)
{
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        for (int k = 0; k < from[i] % 7; k++)
            to[i] += k;
}

/* Neighbouring rows go through registers where the arrays are two. */
static void smoothed(double *to, const double *from, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] = from[i * n + j] * 0.5 + j;
}

static double checksum(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * (i % 13 + 1);
    return sum;
}

/* One element of the other array is all that is read of it, by the host: it is no array of the kernel. */
static void turns(void)
{
    int *p = malloc(N * sizeof *p), *q = malloc(N * sizeof *q), n = N - 4;
    for (int i = 0; i < N; i++)
        p[i] = i % 5, q[i] = i % 7;
    for (int step = 0; step < 3; step++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            q[i] = p[N - 2] + i * step;
        int *swap = p;
        p = q;
        q = swap;
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += (i + 1) * (p[i] + 3 * q[i]);
    printf("%ld\n", sum);
    free(p);
    free(q);
}

/* Two structs of which a call passes one: what is made of both alike is one array. The second loop is divided by its threads. */
typedef struct {
    double *data;
    int n;
} vector;

static void shifted(const vector *from, vector *to, int offset)
{
    const double *x = from->data + offset;
    double *y = to->data + offset;
    int n = to->n - offset;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i] * .5 + i;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int i = me; i < n; i += threads)
            y[i] = x[i] - 2 * i;
    }
}

static void shift(vector *both, int offset)
{
    shifted(both, both, offset);
}

int main(void)
{
    double *const half = whole + 2 * N * N;
    for (int i = 0; i < 4 * N * N; i++)
        whole[i] = i % 17;
    residual(half, whole, N);
    printf("%.12g\n", checksum(whole, 4 * N * N));
    residual(&whole[N], &whole[N], N - 5);
    printf("%.12g\n", checksum(whole, 4 * N * N));

    running(whole, half, N);
    printf("%.12g\n", checksum(whole, 4 * N * N));
    running(half, half, N);
    printf("%.12g\n", checksum(whole, 4 * N * N));

    long *const a = malloc(N * sizeof *a), *const b = malloc(N * sizeof *b), *const c = malloc(N * sizeof *c);
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = i * i;
    add(c, a, b, N);
    add_to(a, b, N);
    add(b, a, a, N);
    for (int i = 0; i < N; i += 7)
        printf("%ld %ld %ld\n", a[i], b[i], c[i]);

    rows(N, N, (double (*)[N])whole, (double (*)[N])whole, N);
    rows(N, N - 1, (double (*)[N])whole, (double (*)[N - 1])half, N - 1);
    printf("%.12g\n", checksum(whole, 4 * N * N));

    float x[N], y[N];
    int counts[N], totals[N];
    for (int i = 0; i < N; i++)
        x[i] = 1 + i % 5, counts[i] = i, totals[i] = -i;
    scaled(y, x, N);
    scaled(x, x, N);
    counted(totals, counts, N);
    counted(counts, counts, N);
    double sum = 0;
    for (int i = 1; i < N; i++)
        sum += x[i] + 2 * y[i] + 3 * totals[i] + 5 * counts[i];
    printf("%.12g\n", sum);

    smoothed(whole, half, N);
    smoothed(half, half, N);
    printf("%.12g\n", checksum(whole, 4 * N * N));
    vector first = {whole, N}, second = {half, N};
    shift(&first, 3);
    shifted(&first, &second, 1);
    shifted(&second, &second, 0);
    printf("%.12g\n", checksum(whole, 4 * N * N));
    free(a), free(b), free(c);
    turns();
    return 0;
}

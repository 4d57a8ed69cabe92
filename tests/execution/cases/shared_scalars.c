/* Variables that no clause makes private though each iteration writes them first: on the device each iteration has its own, and
 * the last iteration's value is there behind the loop. */
/* threads: 1 */
/* args: 70 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 10 */
/* expect-host: OMPC203 OMPC331 OMPC331 */
#include <stdio.h>
#include <stdlib.h>

#define N 300

static double a[N][N], b[N][N], c[N][N];
static long key[N];

static int current;

static int twice_current(void)
{
    return 2 * current;
}

static double half(double x)
{
    return x / 2;
}

/* The product of everybody's first lesson. */
static void product(int n)
{
    int i, j, k;
    double s;

#pragma omp parallel for
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            s = 0;
            for (k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

/* Read behind the loop, also where it has no iteration; a pointer; some only sometimes written. */
static void last_values(int n)
{
    int i, last = -1, many = 0;
    unsigned char small = 7;
    double t = 5, *row, sometimes = 7;

#pragma omp parallel for
    for (i = 0; i < n; i++) {
        t = i * 2.0;
        row = c[i];
        row[0] = t;
        small = i;
        key[i] = small + last;
        if (i % 3 == 0) {
            sometimes = half(t);
            row[1] = sometimes;
        }
    }
    printf("%g %d %d\n", t, last, small);
#pragma omp parallel for
    for (i = n - 1; i >= 0; i--) {
        last = i;
        key[i] += last;
    }
    printf("%d %d\n", last, many);
#pragma omp parallel for collapse(2)
    for (i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            many = i * 10 + k;
            c[i][k] += many;
        }
    printf("%d\n", many);
}

/* In a region with several loops, of which a later one names the variable again. */
static void in_region(int n)
{
    int i, j;
    double s = 1, kept = 3;

#pragma omp parallel
    {
#pragma omp for
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                if (j % 2) {
                    s = a[i][j];
                    c[i][j] += s;
                }
#pragma omp for
        for (i = 0; i < n; i++) {
            kept = b[i][0];
            for (j = i; j < n; j++)
                c[i][j] *= kept;
        }
    }
    printf("%g\n", kept);
    for (int k = 0; k < 2; k++) { /* the loop around writes it before the next launch reads it */
        kept = k;
#pragma omp parallel for
        for (i = 0; i < n; i++)
            c[i][0] += kept;
#pragma omp parallel for
        for (i = 0; i < n; i++) {
            s = c[i][0];
            c[i][1] -= s;
        }
    }
}

/* The target region has a copy of the variable, of which nothing comes back. */
static void of_target(int n)
{
    double t = 5;

#pragma omp target teams distribute parallel for map(tofrom : c)
    for (int i = 0; i < n; i++) {
        t = i;
        c[i][2] += t;
    }
    printf("%g\n", t);
#pragma omp target teams distribute parallel for map(tofrom : c, t)
    for (int i = 0; i < n; i++) {
        t = i;
        c[i][2] += t;
    }
    printf("%g\n", t);
}

/* What iterations hand on stays shared: the variable is read before it is written, or behind a loop that may not write it. */
static int handed_on(int n)
{
    int found = -1, before = 5;

#pragma omp parallel for
    for (int i = 0; i < n; i++) { /* called functions name the variable */
        current = i;
        key[i] += current + twice_current();
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (a[i][0] > 100)
            before = i;
        key[i] += before;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (a[i][0] > 5) {
            found = i;
            key[i] += found;
        }
    return found;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    double sum = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 7 + j) % 11, b[i][j] = (i + j * 3) % 13;
    product(n);
    last_values(n);
    in_region(n);
    of_target(n);
    printf("%d\n", handed_on(n));
    for (int i = 0; i < N; i++) {
        sum += key[i] * (i % 7 + 1);
        for (int j = 0; j < N; j++)
            sum += c[i][j] * (i % 5 + 1) * (j % 3 + 1);
    }
    printf("%.17g\n", sum);
    return 0;
}

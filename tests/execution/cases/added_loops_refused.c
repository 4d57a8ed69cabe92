/* Loops without a pragma between launches that stay as they are: what one of them does, another thread of it could tell; or nobody
   knows that they are asked about seldom. */
/* args: 40 3 */
/* args: 1 2 */
/* expect-gpu: 2 */
/* expect-added: 2 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64
#define LOOP for (int m = 0; m < n; m++)

static double x[N], y[N], of_file = 1;
static int length, bytes[N];
static volatile int seen;
static int own;
#pragma omp threadprivate(own)

static double scaled(double a) { return a * of_file; }
static double counted(double a) { length++; return a; }

static void helper(double *a, int n)
{
    for (int i = 0; i < n; i++) /* called by a loop without launches: too often */
        a[i] += 0.125;
}

static void in_team(int n)
{
    for (int i = 0; i < n; i++) /* called by threads */
        bytes[i] |= 1;
}

static int first_above(int n, double least)
{
    for (int i = 0; i < n; i++)
        if (y[i] > least)
            return i;
    return n;
}

static int team(void)
{
    int threads = 0;
    #pragma omp parallel
    #pragma omp single
    threads = omp_get_num_threads();
    return threads;
}

static double launched(int n)
{
    double sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 0.5 + y[i];
    for (int i = 0; i < n; i++) /* an order of additions */
        sum += x[i];
    for (int i = 1; i < n; i++) /* a recurrence */
        y[i] += y[i - 1] * 0.25;
    return sum;
}

static void sections(int n)
{
    int i;
    int *p = bytes;
    bytes[0] = n;
    for (int k = 0; k < *p; k++) /* the bound changes */
        bytes[k] = n / 2;
    for (i = 0; i < n; i++) /* `i` is read below */
        x[i] += 1;
    y[i - 1] += i, y[0] += 0;
    for (i = 0; i < n; i++) {
        if (i == n / 2)
            break;
        y[i] += 0.5;
    }
    int latest = 5;
    for (i = 0; i < n; i++) { /* not each iteration gives it a value, and not the last one */
        if (i & 1 || i > n / 2)
            continue;
        latest = i;
        y[i] += latest;
    }
    y[0] += latest, y[1] += 0;
    for (i = 0; i < n; i++)
        x[i] = counted(x[i]);
    for (i = 0; i < n; i++)
        x[i] = scaled(x[i]); /* could be another `of_file` */
    for (i = 0; i < n; i++)
        x[i] += seen;
    seen = n;
    for (i = 0; i < seen; i++) /* read each time */
        y[i] += 0.25;
    for (i = 0; i < n; i++)
        x[i] += ++own;
    for (i = 0; i < n; i++) {
        bytes[i] += 2;
        if (n < 3)
            printf("%d\n", bytes[i]);
    }
    for (i = 0; i < n; i++) { double *of = i % 2 ? x : y; helper(of, n); }
    #pragma GCC ivdep
    for (i = 0; i < n; i++)
        x[i] -= 0.5;
    x[0] = 1; for (i = 1; i < n; i++) x[i] += 2;
    LOOP x[m] -= 1;
    for (i = 0; i < n; i++)
        bytes[bytes[i] % N] += i;
    for (i = 0; i < n; i++) {
        static int kept;
        y[i] += kept++;
    }
    for (i = 0; i < n; i++)
        bytes[i] += omp_get_num_threads() + 10 * omp_get_thread_num(); /* of one thread */
    for (i = 0; i < n; i++)
        bytes[i] += team();
    for (i = 0; i < n; i++) {
        int of_one = 0;
        #pragma omp parallel reduction(+ : of_one)
        of_one += 1;
        bytes[i] += of_one;
    }
    for (i = 0; i < n; i++)
        if (x[i] > 1)
            length++;
    for (i = 0; i < n; i++) {
        #pragma omp atomic
        length += bytes[i] % 3;
    }
    for (i = 0; i < n; i += i + 1) /* a step that changes */
        y[i] += 1;
    for (i = 0; i < n; i++) /* one that is launched */
        y[i] = y[i] * 0.5;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), turns = atoi(argv[2]);
    double sum = 0;
    for (int t = 0; t < turns; t++) {
        length = n;
        sum += launched(n);
        sections(n);
        if (first_above(n, 3) < n)
            sum += 1;
        #pragma omp parallel num_threads(1)
        in_team(n);
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] += x[i] / 8;
    }
    for (int i = 0; i < N; i++)
        sum += x[i] + y[i] * i + bytes[i];
    printf("%.10g %d %d\n", sum, length, own);
    return 0;
}

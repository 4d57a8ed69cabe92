/* Worksharing loops beside other code of their region: one thread launches for its team. */
/* args: 300 5 */
/* expect-gpu: 18 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 500

static double a[N], b[N], c[N];
static int hist[16], flags[N];
static double tp_value;
#pragma omp threadprivate(tp_value)

/* orphaned: called from a region, and from outside */
static void scale(double *x, int n, double f)
{
    int i;
    #pragma omp for
    for (i = 0; i < n; i++)
        x[i] *= f;
}

static void smooth(int n)
{
    double t;
    int i, j;
    #pragma omp for nowait
    for (i = 1; i < n - 1; i++) {
        t = 0;
        for (j = -1; j <= 1; j++)
            t += a[i + j];
        b[i] = t / 3;
    }
    #pragma omp for schedule(static)
    for (i = 1; i < n - 1; i++)
        c[i] = i;
    #pragma omp for
    for (i = 1; i < n - 1; i++)
        a[i] = b[i] + c[i] * 1e-3;
}

static double checksum(const double *x)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i] * (1 + i % 7);
    return s;
}

static void time_steps(int n, int steps)
{
    int step, i;
    double *from = a, *to = b, most = 0, total = 0;
    #pragma omp parallel private(step) firstprivate(from, to)
    {
        for (step = 0; step < steps; step++) {
            double change = 0;
            #pragma omp for private(i)
            for (i = 1; i < n - 1; i++)
                to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]) + step;
            #pragma omp for private(i)
            for (i = 1; i < n - 1; i++)
                if (fabs(to[i] - from[i]) > change)
                    change = fabs(to[i] - from[i]);
            #pragma omp critical
            {
                if (change > most)
                    most = change;
            }
            #pragma omp barrier
            #pragma omp master
            total += most;
            #pragma omp barrier
            double *swap = from;
            from = to;
            to = swap;
        }
    }
    printf("steps %.12g %.12g %.12g\n", most, total, checksum(a));
}

static void partial_sums(int n)
{
    double total = 0, product = 1;
    int i, count = 0, all = 1;
    long evens = 0;
    #pragma omp parallel reduction(+:count) reduction(&&:all)
    {
        double part = 0;
        long even = 0;
        #pragma omp for nowait
        for (i = 0; i < n; i++)
            part += sqrt(i);
        #pragma omp for
        for (i = 0; i < n; i++) {
            if (a[i] > 1)
                count++;
            all = all && a[i] < 1e9;
        }
        #pragma omp for
        for (i = 0; i < n; i++)
            even += i % 2 == 0;
        #pragma omp critical
        {
            total += 0.5 * part;
            evens = evens + even;
        }
    }
    #pragma omp parallel
    {
        double mine = 1;
        #pragma omp for
        for (i = 1; i < 20; i++)
            mine *= 1 + 1.0 / i;
        #pragma omp atomic
        product *= mine;
    }
    printf("sums %.9g %d %d %ld %.9g\n", total, count, all, evens, product);
}

static void beside(int n)
{
    int i, last = -1, total = 0, seen = 0;
    double tables[4] = {1, 2, 3, 4};
    #pragma omp parallel shared(last)
    {
        double weights[3] = {0.25, 0.5, 0.25};
        struct { int from; double by; } shift = {2, 0.5};
        int half = n / 2;
        #pragma omp single copyprivate(tp_value)
        tp_value = 3.5;
        #pragma omp sections
        {
            #pragma omp section
            tables[0] = 10;
            #pragma omp section
            tables[1] = 20;
        }
        #pragma omp for lastprivate(last)
        for (i = shift.from; i < half; i++) {
            c[i] = weights[0] * a[i - 1] + weights[1] * a[i] + weights[2] * a[i + 1] + shift.by + tables[i % 4];
            last = i;
        }
        #pragma omp for schedule(dynamic, 3) reduction(+:total)
        for (i = 0; i < n; i++) {
            flags[i] = i > half;
            total += flags[i];
        }
        #pragma omp for
        for (i = 0; i < n; i++)
            b[i] = tp_value * i;
        #pragma omp single
        {
            #pragma omp task
            seen += 1;
            #pragma omp taskwait
            seen += 1;
        }
        #pragma omp for
        for (i = n - 1; i >= 0; i -= 2)
            c[i] += b[i];
        #pragma omp master
        hist[0] = total;
    }
    printf("beside %d %d %d %d %.12g\n", last, total, seen, hist[0], checksum(c));
}

static void scratch(int n)
{
    int i, j, k;
    double row[8], t, *p;
    #pragma omp parallel private(i, j, k, row, t, p) default(none) shared(a, b, c, n)
    {
        #pragma omp for
        for (i = 0; i < n; i++) {
            for (j = 0; j < 8; j++)
                row[j] = a[i] + j;
            t = 0;
            for (j = 0; j < 8; j++)
                t += row[j];
            p = b + i;
            *p = t;
        }
        k = 7;
        t = k;
        #pragma omp for
        for (i = 0; i < n; i++)
            c[i] = b[i] * k + t;
    }
    printf("scratch %.12g\n", checksum(c));
}

/* tasks are done when a team has passed the barrier of a loop, also a team of one */
static void tasks(int n, int threads)
{
    int count = 0;
    double total = 0;
    #pragma omp parallel num_threads(threads) reduction(+:total)
    {
        #pragma omp single nowait
        for (int k = 0; k < 10; k++) {
            #pragma omp task
            #pragma omp atomic
            count++;
        }
        #pragma omp for
        for (int i = 0; i < n; i++)
            a[i] += 1;
        total += count;
        #pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = a[i] + count;
    }
    printf("tasks %g %.12g\n", total, checksum(b));
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    for (int i = 0; i < N; i++)
        a[i] = i % 13;
    #pragma omp parallel
    {
        scale(a, n, 1.5);
        smooth(n);
    }
    printf("orphans %.12g\n", checksum(a));
    scale(b, n, 2);
    smooth(n);
    printf("alone %.12g\n", checksum(a));
    time_steps(n, steps);
    partial_sums(n);
    beside(n);
    scratch(n);
    tasks(n, 1);
    tasks(n, 3);
    return 0;
}

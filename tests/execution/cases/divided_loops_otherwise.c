/* Loops that threads divide, whose first part does something besides, or that have a pragma which says nothing about threads. */
/* args: 1000 4 */
/* args: 37 3 */
/* args: 20 1 */
/* args: 0 2 */
/* expect-gpu: 0 */
/* expect-added: 8 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
enum { MOST = 1000 };
static double x[MOST + 8], y[MOST + 8], z[MOST + 8];
static long u[MOST + 8], total;
static int n, counted;

static void show(const char *what)
{
    double s = 0;
    for (int i = 0; i < MOST; i++)
        s = s * .97 + x[i] + 2 * y[i] + 3 * z[i] + u[i] % 1000;
    printf("%s %.12g %ld %d\n", what, s, total, counted);
}

/* A sum that begins there, as in lectures; a bound, a pointer; the other way round. */
static void besides(void)
{
    int i, last;
    long part, sum, by, before = 7;
    double *to;
    total = 0;
#pragma omp parallel private(i, last, part, sum, by, to) firstprivate(before)
    {
        const int me = omp_get_thread_num(), threads = omp_get_num_threads();
        const int begin = n * me / threads, end = n * (me + 1) / threads;
        for (i = me, sum = 0; i < n; i += threads)
            sum += u[i] * 3;
#pragma omp atomic
        total += sum;
        for (i = begin, last = end, to = y; i < last; i++)
            to[i] += 2 * x[i];
        for (by = 100, before = 3, i = begin; i < end; i++)
            z[i] += by * x[i];
        z[MOST + me] = 0;
#pragma omp atomic
        total += before + by;
#pragma omp barrier
        for (i = begin, part = 1000; i < end - 1; i++)
            part += u[i];
#pragma omp atomic
        total += part;
    }
    show("besides");
}

/* What is given depends on what else is, is read by another name, or counts something: no loops for all threads. */
static void ties(void)
{
    int i, last, seen;
#pragma omp parallel private(i, last, seen)
    {
        const int me = omp_get_thread_num(), threads = omp_get_num_threads();
        const int begin = n * me / threads, end = n * (me + 1) / threads;
        for (i = begin, last = i + (end - begin); i < last; i++)
            y[i] += 1;
#pragma omp barrier
        int bound = begin, *where = &bound;
        for (i = *where, bound = end; i < bound; i++)
            y[i] += 2;
#pragma omp barrier
        last = 1;
        for (i = begin, last = last + 1; i < end; i++)
            y[i] += last;
#pragma omp barrier
        int *to = me == 0 ? &counted : &seen;
        for (i = begin, last = (*to)++; i < end; i++)
            y[i] += 1;
    }
    show("ties");
}

static void simd(void)
{
    int t = 5;
    long part, last = 4;
    int k;
#pragma omp parallel private(part, k) firstprivate(last)
    {
        const int me = omp_get_thread_num(), threads = omp_get_num_threads();
        const int begin = n * me / threads, end = n * (me + 1) / threads;
#pragma omp simd
        for (int i = begin; i < end; i++)
            y[i] += 2 * x[i];
#pragma omp barrier
        if (n > 3) {
#pragma omp simd safelen(8)
            for (int i = me; i < n; i += threads)
                x[i] += .5;
        }
#pragma omp barrier
        part = 3;
#pragma omp simd reduction(+ : part)
        for (int i = begin; i < end; i++)
            part += u[i];
#pragma omp atomic
        total += part;
#pragma omp simd private(t)
        for (int i = begin; i < end; i++) {
            t = i % 7;
            z[i] += t * x[i];
        }
#pragma omp simd lastprivate(last)
        for (int i = begin; i < end; i++) {
            last = u[i];
            u[i] = last * 2;
        }
#pragma omp atomic
        total += n > 0 ? last : 0;
        k = 2;
#pragma omp simd linear(k : 2)
        for (int i = begin; i < end; i++)
            z[i] += k;
#pragma omp simd collapse(2)
        for (int i = begin; i < end; i++)
            for (int j = 0; j < 3; j++)
                u[i] += j;
#pragma omp simd safelen(4)
        for (int i = begin + 4; i < end; i++)
            y[i] += y[i - 4];
    }
    printf("%d ", t);
    show("simd");
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : MOST;
    omp_set_num_threads(argc > 2 ? atoi(argv[2]) : 4);
    for (int i = 0; i < MOST; i++) {
        x[i] = i * 37 % 101 - 50;
        y[i] = 1;
        z[i] = i % 7;
        u[i] = i;
    }
    for (int k = 0; k < 2; k++) {
        besides();
        ties();
        simd();
    }
    return 0;
}

/* Loops of regions that the program divides among its threads itself, in blocks and in turns: one launch for all threads. */
/* args: 1000 4 */
/* args: 1000 3 */
/* args: 37 1 */
/* args: 2 3 */
/* args: 0 2 */
/* expect-gpu: 2 */
/* expect-added: 17 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 1000 };
static double x[MOST + 8], y[MOST + 8], z[MOST + 8], values[5 * MOST];
static int row[MOST + 1], column[5 * MOST], n;
static long u[MOST + 8];
static char starts[MOST + 8];

static void show(const char *what)
{
    double s = 0;
    for (int i = 0; i < MOST; i++)
        s = s * .97 + x[i] + 2 * y[i] + 3 * z[i] + u[i] % 1000;
    printf("%s %.12g\n", what, s);
}

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = i * 37 % 101 - 50;
        y[i] = 1;
        z[i] = i % 7;
        u[i] = i;
        row[i] = 5 * i;
    }
    row[MOST] = 5 * MOST;
    for (int k = 0; k < 5 * MOST; k++) {
        column[k] = k * 17 % MOST;
        values[k] = k % 11 - 5;
    }
}

static void part_of(int *begin, int *end)
{
    int me = omp_get_thread_num(), threads = omp_get_num_threads(), size = n / threads, rest = n % threads;
    *begin = me * size + (me < rest ? me : rest);
    *end = *begin + size + (me < rest);
}

static int begin_of(int me)
{
    return (int)((long)n * me / omp_get_num_threads());
}

/* Bounds behind addresses, which another function finds; those of every thread by itself. */
static void blocks(void)
{
#pragma omp parallel
    {
        int begin, end;
        part_of(&begin, &end);
        for (int i = begin; i < end; i++)
            y[i] += 2 * x[i];
    }
}

/* A product by rows, under conditions that are the same for all threads; variables that the region has its own of. */
static void product(double alpha, double beta)
{
    int i, k;
    double t;
#pragma omp parallel private(i, k, t)
    {
        int begin = begin_of(omp_get_thread_num()), end = begin_of(omp_get_thread_num() + 1);
        if (beta == 0) {
            for (i = begin; i < end; i++) {
                t = 0;
                for (k = row[i]; k < row[i + 1]; k++)
                    t += values[k] * x[column[k]];
                y[i] = alpha * t;
            }
        } else
            for (i = begin; i < end; i++) {
                t = y[i] * beta;
                for (k = row[i]; k < row[i + 1]; k++)
                    t += values[k] * x[column[k]];
                y[i] = alpha * t;
            }
    }
}

static void turns(void)
{
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int i = me; i < n; i += threads)
            z[i] = x[i] * .5 + z[i];
    }
}

/* In another order, from the third element on, with as many threads as the text says. */
static void turns_of_three(void)
{
#pragma omp parallel num_threads(3)
    for (int i = 4 - omp_get_thread_num(); i <= n - 1; i += 3)
        z[i] = x[i] * .25 + z[i];
}

/* Downwards, in steps, in several rounds with a barrier between them, threads in the opposite order. */
static void other_ways(void)
{
#pragma omp parallel
    {
        int begin, end, threads = omp_get_num_threads(), me = threads - 1 - omp_get_thread_num();
        part_of(&begin, &end);
        for (int i = end - 1; i >= begin; i--)
            y[i] = y[i] * x[i] + 3;
#pragma omp barrier
        long first = begin_of(me), last = begin_of(me + 1);
        for (long k = first; k < last; k++)
            u[k] = u[k] * 3 + (long)y[k] % 5;
        for (int round = 0; round < 3; round++) {
#pragma omp barrier
            for (int i = begin; i < end; i++)
                z[i] += round * x[i];
        }
#pragma omp barrier
        for (unsigned i = n / threads * me; i < n / threads * (me + 1u); i += 2)
            x[i] += .5;
    }
}

/* What each thread adds up, and all of them together; a sum of each thread stays with it. */
static double parts[64];
static void sums(void)
{
    long total = 0, most = -1000;
    double sum = 0;
    int threads = 1;
#pragma omp parallel
    {
        int begin, end, me = omp_get_thread_num();
        long part = 0, greatest = -1000;
        double own = 0;
        part_of(&begin, &end);
        for (int i = begin; i < end; i++)
            part += (long)x[i] * i;
        for (int i = begin; i < end; i++)
            if ((long)x[i] > greatest)
                greatest = (long)x[i];
        for (int i = begin; i < end; i++)
            own += x[i];
        parts[me] = own;
#pragma omp critical
        {
            total += part;
            most = most < greatest ? greatest : most;
            threads = omp_get_num_threads();
        }
    }
    for (int k = 0; k < threads; k++)
        sum += parts[k];
    printf("sums %ld %ld %.12g\n", total, most, sum);
}

/* The threads' bounds beside what they add up, as tutorials have it; sums of the region; atomic operations. */
static int counts[16];
static void tutorials(void)
{
    double area = 0, step = n > 0 ? 1.0 / n : 0;
    long total = 0;
#pragma omp parallel
    {
        double at, own = 0;
        int i, me = omp_get_thread_num(), threads = omp_get_num_threads();
        for (i = me; i < n; i += threads) {
            at = (i + .5) * step;
            own += 4.0 / (1.0 + at * at);
        }
#pragma omp critical
        area += own * step;
    }
#pragma omp parallel reduction(+ : total)
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        int begin = n * me / threads, end = n * (me + 1) / threads;
        for (int i = begin; i < end; i++)
            total += (long)x[i] * 3 + i;
        for (int i = begin; i < end; i++) {
#pragma omp atomic
            counts[column[i] & 15]++;
        }
    }
    printf("tutorials %.9f %ld %d %d\n", area, total, counts[3], counts[15]);
}

/* Bounds in memory, which the second loop may change: where its table of bounds lies in what it writes, it does. */
static int borders[70], marks[MOST + 8];
static void bordered(const int *from, int *to)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int i = from[me]; i < from[me + 1]; i++)
            z[i] += .5 * i;
#pragma omp barrier
        for (int i = from[me]; i < from[me + 1]; i++)
            to[i] = i / 2 + 1;
    }
}

static void row_of_all(double *of, int length)
{
#pragma omp for
    for (int k = 0; k < length; k++)
        of[k] += k;
}

/* Each thread comes as often, and all of them share what is called. */
static void shared_inside(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int k = 2 * me; k < 2 * me + 2; k++)
            row_of_all(x, n);
    }
}

/* Not launched: what an iteration leaves for the next one of its thread, in memory or in a variable without a value at first; */
/* counters that are read behind the loop; loops to which not all threads come; elements of each thread; a gap between parts. */
static void alone(void)
{
    long ends = 0, mine[64] = {0};
#pragma omp parallel
    {
        int begin, end, me = omp_get_thread_num(), i;
        double held;
        part_of(&begin, &end);
        for (i = begin + 1; i < end; i++)
            z[i] += z[i - 1];
#pragma omp critical
        {
            ends += i;
            starts[begin] = 1;
        }
#pragma omp barrier
        for (int j = begin; j < end; j++) {
            if (starts[j])
                held = x[j];
            else
                y[j] += held;
        }
        for (int j = begin; j < end; j++)
            mine[me] += u[j];
        if (me != 1)
            for (int j = begin; j < end; j++)
                u[j] += 1;
        for (int j = begin; j < end; j++)
            u[j] += me == 0 ? 1 : 2;
    }
    printf("alone %ld %ld %ld\n", ends, mine[0], mine[1]);
#pragma omp parallel
    {
        int begin, end;
        part_of(&begin, &end);
        for (int i = begin; i < end - 1; i++)
            x[i] += 1;
    }
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : MOST;
    omp_set_num_threads(argc > 2 ? atoi(argv[2]) : 4);
    fill();
    for (int k = 0; k < 3; k++)
        blocks();
    show("blocks");
    product(2, 0);
    product(.5, 2);
    show("product");
    turns();
    turns();
    turns_of_three();
    show("turns");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = y[i] * .5 + 1;
    other_ways();
    show("other ways");
    sums();
    tutorials();
    int threads = omp_get_max_threads();
    for (int k = 0; k <= threads; k++)
        borders[k] = (int)((long)n * k / threads);
    bordered(borders, marks);
    if (threads == 1) {
        marks[n] = 0, marks[n + 1] = n + 6;
        bordered(marks + n, marks);
    }
    shared_inside();
    long all = 0;
    for (int k = 0; k < MOST; k++)
        all = (all * 31 + marks[k]) % 1000003;
    printf("marks %ld\n", all);
    alone();
    show("alone");
    return 0;
}

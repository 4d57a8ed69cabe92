/* Threads ask for their numbers by functions of the program that do nothing else, and by some that do. */
/* args: 1000 4 */
/* args: 1000 3 */
/* args: 37 1 */
/* args: 2 3 */
/* expect-gpu: 5 */
/* expect-host: OMPC339 */
/* expect-added: 4 */
/* refuses: OMPC458 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
enum { MOST = 1000, FIRST = 0 };
typedef int Number;
static double x[MOST + 8], y[MOST + 8], z[16 * MOST];
static int n, calls[64];

Number number(void)
{
    Number number;
    number = omp_get_thread_num();
    return number;
}

Number team()
{
    Number threads;

    threads = omp_get_num_threads();

    return threads;
}

static long last(void)
{
    long at = team() - 1;
    at = at + FIRST;
    return at;
}

static unsigned char narrow(void)
{
    return (unsigned char)(number() * 128);
}

/* Of a team of its own; of what it counts; of what may be another; of what it sets; of a condition; by themselves; of a parameter. */
static int of_one(void)
{
    int me = -1;
#pragma omp parallel num_threads(1)
    me = omp_get_thread_num();
    return me;
}

static int counted(void)
{
    int me = omp_get_thread_num();
    calls[me]++;
    return me;
}

__attribute__((weak)) int weak(void)
{
    return omp_get_thread_num();
}

static int turned;
static int conditional(void)
{
    if (turned)
        return omp_get_num_threads() - 1 - omp_get_thread_num();
    return omp_get_thread_num();
}

static int mark;
static int marking(void)
{
    mark = 5;
    return omp_get_thread_num();
}

static int deep;
static int itself(void)
{
    return deep-- > 0 ? itself() : omp_get_thread_num();
}

static int times(int k)
{
    return k * omp_get_thread_num();
}

static int (*pointer)(void) = team;

static void show(const char *what)
{
    double s = 0;
    for (int i = 0; i < MOST; i++)
        s = s * .97 + x[i] + 2 * y[i];
    for (int i = 0; i < 16 * MOST; i++)
        s += (i % 13) * z[i];
    printf("%s %.12g\n", what, s);
}

static void blocks_and_turns(void)
{
#pragma omp parallel
    {
        int begin = (int)((long)n * number() / team()), end = (int)((long)n * (number() + 1) / team());
        for (int i = begin; i < end; i++)
            y[i] += 2 * x[i];
#pragma omp barrier
        for (int i = number(); i < n; i += team())
            x[i] += .5 * y[i];
#pragma omp barrier
        for (int i = last() - number(); i < n; i += 1 + last())
            y[i] += 1;
    }
}

/* An element, and a row, of each thread. */
static void rows(void)
{
#pragma omp parallel
    {
        int me = number();
        double *mine = z + number() * n;
#pragma omp for
        for (int i = 0; i < n; i++)
            mine[i * 7 % n] += x[i] * team();
#pragma omp for
        for (int i = 0; i < n; i++)
            z[me] += x[i];
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            z[64 + narrow()] += 1;
        }
    }
}

/* Each thread has another value of what only some of the functions say. */
static void others(void)
{
#pragma omp parallel
    {
        int a = of_one(), b = counted(), c = weak(), d = conditional(), e = itself(), f = times(2), g = pointer();
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] += a;
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            z[b + c] += 1;
#pragma omp atomic
            z[d + e] += i;
#pragma omp atomic
            z[f + g] += 3;
        }
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++)
        y[i] += marking();
    z[70] += mark;
    mark = 0;
    for (int k = 0; k < 64; k++)
        z[k] += calls[k];
}

/* In regions that are inside others each thread is the first one. */
static void nested(void)
{
    int k = number() + 2 * team();
    y[k] += 1;
#pragma omp parallel
    {
        double *mine = z + n * number();
#pragma omp parallel num_threads(1)
        {
            for (int i = number(); i < n; i += team())
                mine[i] += x[i];
        }
    }
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : MOST;
    omp_set_num_threads(argc > 2 ? atoi(argv[2]) : 4);
    for (int i = 0; i < MOST; i++)
        x[i] = i * 37 % 101 - 50;
    for (int k = 0; k < 3; k++)
        blocks_and_turns();
    show("blocks and turns");
    rows();
    show("rows");
    others();
    turned = 1;
    others();
    show("others");
    nested();
    show("nested");
    return 0;
}

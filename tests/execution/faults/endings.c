/* A program that ends in the middle of its work: handlers see what the last loop has computed, and may run loops too. */
/* expect-gpu: 5 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 20000 };
static double table[N];
static double *heap;

static double host_sum(const double *v)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += v[i];
    return s;
}

static void say(const char *who)
{
    printf("%s: %g %g\n", who, host_sum(table), host_sum(heap));
}

static void early(void) { say("first handler"); }
static void quick(void)
{
    say("quick handler");
    fflush(stdout);
}

static void late(void)
{
    say("last handler");
    double s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < N; i++)
        s += heap[i] * 2;
    printf("%g\n", s);
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        table[i] = heap[i] + 1;
    say("after its loops");
}

static void on_signal(int number)
{
    say(strsignal(number));
    fflush(stdout);
    _exit(5);
}

__attribute__((destructor)) static void destructor(void)
{
    if (heap != NULL)
        say("destructor");
}

static void step(int k)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        table[i] += i % 10;
        heap[i] = table[i] * k;
    }
}

static void end(int mode)
{
    switch (mode) {
    case 1: exit(3);
    case 2: say("before _exit"), fflush(stdout), _exit(4);
    case 3: quick_exit(6);
    case 4: signal(SIGTERM, on_signal), raise(SIGTERM); break;
    case 5: say("before abort"), fflush(stdout), abort();
    case 6: heap[7] = -1; exit(0);
    case 7: signal(SIGSEGV, on_signal), raise(SIGSEGV); break;
    }
}

int main(int argc, char **argv)
{
    const int mode = argc > 1 ? atoi(argv[1]) : 0;
    heap = malloc(N * sizeof *heap);
    memset(heap, 0, N * sizeof *heap);
    if (mode == 8)
        end(1); /* nothing was launched */
    atexit(early);
    step(1);
    atexit(late);
    at_quick_exit(quick);
    #pragma omp target data map(tofrom: table) if(mode == 9)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            table[i] += 1;
        if (mode == 9)
            end(1);
    }
    #pragma omp parallel if(mode == 10)
    {
        #pragma omp for
        for (int i = 0; i < N; i++)
            heap[i] += 1;
        #pragma omp single
        if (mode == 10)
            end(1);
    }
    step(2);
    end(mode);
    step(3);
    return 0;
}

/* SIGSEGV, which the guards of pages need, in the hands of the program. The first argument: which part. */
/* expect-gpu: 2 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { N = 40000 };
static double *a;
static volatile double seen;
static volatile int told;
static sigjmp_buf out;
static char stack[1 << 16];

static void fill(double by)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] += by;
}

static double sum(void)
{
    double all = 0;
    #pragma omp parallel for reduction(+:all)
    for (int i = 0; i < N; i++)
        all += a[i];
    return all;
}

static void on_timer(union sigval value)
{
    seen = a[value.sival_int];
    told = 1;
}

static void timer(void)
{
    struct sigevent event;
    struct itimerspec soon;
    timer_t made;
    memset(&event, 0, sizeof event);
    memset(&soon, 0, sizeof soon);
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = on_timer;
    event.sigev_value.sival_int = 7;
    soon.it_value.tv_nsec = 1000000;
    if (timer_create(CLOCK_MONOTONIC, &event, &made) != 0 || timer_settime(made, 0, &soon, NULL) != 0)
        exit(3);
    while (!told)
        usleep(1000);
    printf("timer %g\n", seen);
}

static void mask(int how, sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    pthread_sigmask(how, &set, before);
}

static int is_blocked(void)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGSEGV);
}

static void on_segv(int number)
{
    told = number;
}

static void leave(int number)
{
    siglongjmp(out, number);
}

static int deeper(volatile char *above)
{
    volatile char room[4096];
    room[0] = above[0];
    return deeper(room) + room[0];
}

static void on_own_stack(void)
{
    stack_t own;
    struct sigaction action;
    memset(&own, 0, sizeof own);
    memset(&action, 0, sizeof action);
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    action.sa_handler = leave;
    action.sa_flags = SA_ONSTACK;
    sigaltstack(&own, NULL);
    sigaction(SIGSEGV, &action, NULL);
    if (sigsetjmp(out, 1) == 0)
        deeper(stack);
    printf("the stack ran out\n");
}

static void sent_while_blocked(void)
{
    sigset_t waiting;
    signal(SIGSEGV, on_segv);
    mask(SIG_BLOCK, NULL);
    raise(SIGSEGV);
    sigpending(&waiting);
    printf("blocked %d, pending %d, told %d, %g\n", is_blocked(), sigismember(&waiting, SIGSEGV), told, a[9]);
    mask(SIG_UNBLOCK, NULL);
    sigpending(&waiting);
    printf("blocked %d, pending %d, told %d\n", is_blocked(), sigismember(&waiting, SIGSEGV), told);
}

static void fetched(int by_file)
{
    sigset_t set;
    int number = 0;
    struct signalfd_siginfo info;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    mask(SIG_BLOCK, NULL);
    raise(SIGSEGV);
    if (by_file) {
        const int file = signalfd(-1, &set, 0);
        if (read(file, &info, sizeof info) != sizeof info)
            exit(4);
        number = (int)info.ssi_signo;
    } else {
        sigwait(&set, &number);
    }
    printf("fetched %d %g\n", number, a[11]);
}

static void once(void)
{
    struct sigaction action, now;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_segv;
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    raise(SIGSEGV);
    sigaction(SIGSEGV, NULL, &now);
    printf("once %d %d %g\n", told, now.sa_handler == SIG_DFL, a[3]);
}

static void *in_thread(void *data)
{
    const double *const at = data;
    printf("thread %d %g\n", is_blocked(), *at);
    return NULL;
}

int main(int argc, char **argv)
{
    const int part = argc > 1 ? atoi(argv[1]) : 0;
    if (argc > 2) { /* once more, with SIGSEGV blocked, or ignored, from the start */
        if (argv[2][0] == 'b')
            mask(SIG_BLOCK, NULL);
        else
            signal(SIGSEGV, SIG_IGN);
        execl(argv[0], argv[0], argv[1], (char *)NULL);
    }
    a = calloc(N, sizeof *a);
    fill(1);
    switch (part) {
    case 0: timer(); break;
    case 1: on_own_stack(); break;
    case 2: sent_while_blocked(); break;
    case 3: fetched(0); break;
    case 4: fetched(1); break;
    case 5: once(); break;
    case 6: printf("first look %d %g\n", is_blocked(), a[5]); break;
    case 7: signal(SIGSEGV, SIG_IGN), raise(SIGSEGV), printf("ignored %g\n", a[6]); break;
    case 8: mask(SIG_BLOCK, NULL), in_thread(a + 4); break;
    case 9: mask(SIG_BLOCK, NULL), fflush(stdout), *(volatile int *)(long)(part - 9) = 1; break;
    }
    fill(1);
    printf("%g %g\n", a[N - 1], sum());
    return 0;
}

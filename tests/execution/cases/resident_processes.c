/* Who else may touch what the device has: threads of the host, children, handlers of signals (also the program's own for
   bad accesses), handlers of the end, clocks, loops that are refused, mapped data. */
/* args: 0 */
/* args: 1 */
/* args: 2 */
/* args: 3 */
/* args: 4 */
/* args: 5 */
/* args: 6 */
/* args: 7 */
/* plain: 0 */
/* plain: 1 */
/* plain: 2 */
/* plain: 7 */
/* plain: 8 */
/* plain: 9 */
/* plain: 10 */
/* plain: 11 */
/* expect-gpu: 9 */
/* without: glue */
/* flags: -std=gnu11 */
/* refuses: OMPC450 OMPC451 OMPC473 */
#define _GNU_SOURCE
#include <omp.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N 40000
#define BYTES (N * sizeof(double))

static double a[N], b[N], *x, *y;
static int where[N], even[N / 2], mode, caught;
static double weights[300];

static void grow(double *to, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += by * (i % 7 + 1);
}
static void from(double *to, const double *x, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = 2 * x[i] + 1;
}
static void permute(double *to, const double *x, const int *index, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[index[i]] += x[index[n - 1 - i]] + 1;
}
static double on_host(const double *from, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += from[i] * (i % 5 + 1);
    return s;
}

/* Threads of the host fault at once: they read, write pages of each other's, and some do nothing. */
static void threads(void)
{
    double s = 0;
    for (int k = 0; k < 4; k++) {
        grow(x, N, 1), grow(a, N, 2);
        #pragma omp parallel num_threads(4)
        {
            int me = omp_get_thread_num(), all = omp_get_num_threads();
            double mine = 0;
            for (int i = me; i < N; i += all * (k + 1))
                mine += x[i], a[i] += me == k;
            #pragma omp critical
            s += mine;
            #pragma omp barrier
            #pragma omp sections
            {
                #pragma omp section
                x[0] = a[N - 1];
                #pragma omp section
                x[1] = a[N / 2];
                #pragma omp section
                memcpy(x + 20000, a, 80000);
            }
            #pragma omp single
            for (int i = 0; i < 3; i++) {
                #pragma omp task
                x[10000 * i + 5] = a[i];
            }
        }
        grow(x, N, 1);
        #pragma omp parallel
        {
            #pragma omp for
            for (int i = 0; i < N; i++)
                a[i] += x[i];
            if (a[17] > x[18])
                #pragma omp atomic
                caught++;
            #pragma omp barrier
            #pragma omp for
            for (int i = 0; i < N; i++)
                x[i] += a[N - 1 - i];
        }
    }
    printf("threads %d %g %g %g\n", caught >= 4, s, on_host(x, N), on_host(a, N));
    caught = 0;
}

static void say(int pipe, double value) { caught += write(pipe, &value, sizeof value) == sizeof value; }
static double hear(int pipe) { double v = -1; caught += read(pipe, &v, sizeof v) == sizeof v; return v; }

/* The child has what its parent had, and its parent does not have what the child does. */
static void children(void)
{
    int up[2], down[2], status = -1;
    double *shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pipe(up) || pipe(down))
        return;
    grow(x, N, 1), grow(a, N, 1), grow(shared, N, 1);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        say(up[1], x[5] + a[N - 1]), say(up[1], on_host(a, N));
        for (int i = N - 1; i >= 0; i -= 3)     /* no loop of a team: libgomp's threads are not there */
            x[i] += 2;
        x[6] += 3, shared[7] += 10;
        memcpy(a + 10, x, BYTES / 2);
        say(up[1], x[6] + hear(down[0])), say(up[1], on_host(a, N));
        memset(shared + 20000, 0, 8000);
        _exit(on_host(x, N) > 0 ? 7 : 8);
    }
    x[5] = 1, a[3] = 2;
    grow(x, N, 2);
    double one = hear(up[0]), two = hear(up[0]);
    say(down[1], x[6]);
    double three = hear(up[0]), four = hear(up[0]);
    waitpid(child, &status, 0);
    grow(shared, N, 1), grow(a, N, 1);
    printf("children %g %g %g %g %d %d", one, two, three, four, WEXITSTATUS(status), caught);
    printf(" %g %g %g\n", on_host(x, N), on_host(a, N), on_host(shared, N));
    grow(x, N, 1);
    FILE *p = popen("cat", "w");
    fwrite("popen\n", 1, 6, p);
    fflush(stdout), pclose(p);
    x[0] += system("exit 3") / 256;
    char *words[3] = {strcpy((char *)(b + 30000), "/bin/echo"), strcpy((char *)(b + 35000), "vforked"), NULL};
    grow(b, 30000, 1);
    fflush(stdout);
    if ((child = vfork()) == 0) {
        execv(words[0], words);
        _exit(1);
    }
    waitpid(child, &status, 0);
    grow(x, N, 1);
    printf("%g %d\n", on_host(x, N), WEXITSTATUS(status));
    memset(b, 0, sizeof b);
    close(up[0]), close(up[1]), close(down[0]), close(down[1]), munmap(shared, BYTES);
    caught = 0;
}

static void on_user(int number)
{
    caught += number == SIGUSR1 && x[100] > 0;
    x[101] += 1000, a[N - 5] += x[102];
}
static void on_alarm(int number, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    /* While it waits for a page, the next alarm is another thread's. */
    __atomic_fetch_add(&caught, number == SIGALRM && y[3] >= 0, __ATOMIC_SEQ_CST);
    double seen = y[N - 2], next;
    do
        next = seen + 1;
    while (!__atomic_compare_exchange(&y[N - 2], &seen, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
/* Signals are blocked, all of them, also those of pages: by masks of every kind. */
static void masks(void)
{
    sigset_t all, old, now, most, pending;
    struct timespec soon = {0, 1000};
    double s = 0;
    sigfillset(&all), sigfillset(&most), sigdelset(&most, SIGUSR1);
    grow(x, N, 1);
    sigprocmask(SIG_BLOCK, &all, &old);
    s += x[3], grow(x, N, 1), s += x[N - 3], grow(x, N, 1);
    sigprocmask(SIG_SETMASK, NULL, &now);
    raise(SIGUSR1), sigpending(&pending);
    printf("masks %d %d %d %d", sigismember(&now, SIGSEGV), sigismember(&now, SIGUSR2), sigismember(&pending, SIGUSR1), sigismember(&old, SIGSEGV));
    sigsuspend(&most);
    s += x[5], grow(x, N, 1), raise(SIGUSR1);
    s += ppoll(NULL, 0, &soon, &most) + x[6];
    sigprocmask(SIG_SETMASK, &old, NULL);
    grow(x, N, 1);
    sighold(SIGSEGV), s += x[8], sigrelse(SIGSEGV);
    printf(" %d %g %g\n", caught, s, on_host(x, N));
    caught = 0;
}

static sigjmp_buf back;
static double *bad;
static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    caught += number == SIGSEGV && info->si_addr == (void *)bad;
    x[7] += a[8];                               /* may fault itself */
    siglongjmp(back, 1);
}
static void simple_fault(int number) { caught += 100, y[11] += number; siglongjmp(back, 2); }
static void repair(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    caught += 1000;
    mprotect((void *)((uintptr_t)info->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}

static void signals(void)
{
    struct sigaction action = {.sa_handler = on_user}, old, full = action, alarmed = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, &old);
    for (int k = 0; k < 3; k++) {
        grow(x, N, 1), grow(a, N, 1);
        raise(SIGUSR1);
        grow(x, N, 1);
        kill(getpid(), SIGUSR1);
        a[0] += x[101];
        sigfillset(&full.sa_mask), sigaction(SIGUSR1, &full, &old); /* the next ones run with SIGSEGV blocked */
    }
    sigaction(SIGALRM, &alarmed, NULL);
    struct itimerval soon = {{0, 2000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    double turns = 0;
    setitimer(ITIMER_REAL, &soon, NULL);        /* comes at any moment, in launches too */
    while (caught < 10 && turns < 1e5)
        grow(x, N, 1), grow(y, N / 2, 1), turns++;
    setitimer(ITIMER_REAL, &never, NULL);
    usleep(200000);                             /* the last one may be on its way still, in another thread */
    turns *= -1, grow(x, N, turns), grow(y, N / 2, turns);
    caught -= y[N - 2] > 0 && y[N - 2] + 6 == caught ? 0 : 1000;
    y[N - 2] = 0;
    printf("signals %d %g %g %g\n", caught >= 10, on_host(x, N), on_host(a, N), on_host(y, N));
    caught = 0;
}
static void faults(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER}, before, none;
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16}, last;
    bad = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    grow(x, N, 1), grow(a, N, 1);
    sigaction(SIGSEGV, &action, &before);
    printf("faults %d", before.sa_handler == SIG_DFL || before.sa_sigaction != on_fault);
    grow(x, N, 1);
    printf(" %g", x[3]);                        /* the launch's own, after the program has a handler */
    for (int k = 0; k < 3; k++) {
        grow(x, N, 1), grow(a, N, 1);
        if (sigsetjmp(back, 1) == 0)
            *(volatile double *)bad = x[9];
        grow(x, N, 1);
        if (sigsetjmp(back, 1) == 0)
            x[10] = *(volatile double *)bad;
    }
    void (*was)(int) = signal(SIGSEGV, simple_fault);
    grow(y, N, 1);
    printf(" %d %g", was == (void (*)(int))on_fault, on_host(y, N));
    grow(y, N, 1);
    if (sigsetjmp(back, 1) == 0)
        *(volatile double *)bad = 1;
    sysv_signal(SIGSEGV, simple_fault);         /* once */
    grow(y, N, 1), y[12] += y[N - 1], grow(y, N, 1);
    if (sigsetjmp(back, 1) == 0)
        *(volatile double *)bad = 1;
    sigset(SIGSEGV, simple_fault);
    y[13] += y[12], grow(y, N, 1);
    if (sigsetjmp(back, 1) == 0)
        *(volatile double *)bad = 1;
    y[14] += y[12];
    action.sa_sigaction = repair, action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    grow(y, N, 1);
    bad[3] = y[3];                              /* goes on after the handler */
    bad[600] = y[4];
    sigaction(SIGSEGV, NULL, &none);
    printf(" %d %g %g %d\n", none.sa_sigaction == repair, bad[3] + bad[600], on_host(y, N), caught);
    sigset_t set, old;
    sigfillset(&set);
    grow(x, N, 1);
    sigprocmask(SIG_BLOCK, &set, &old);         /* all of them, also those of pages */
    x[5] += a[3] + x[30000];
    grow(x, N, 1);
    double s = on_host(x, N);
    x[6] = (grow(a, N, 1), s);
    sigprocmask(SIG_SETMASK, &old, NULL);
    action.sa_handler = SIG_IGN, action.sa_flags = 0;
    sigaction(SIGSEGV, &action, NULL);
    grow(x, N, 1);
    printf("blocked %g %g %g", s, x[6], on_host(x, N));
    signal(SIGSEGV, SIG_DFL);
    grow(x, N, 1);
    printf(" %g\n", on_host(x, N));
    bad = mmap(bad, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    action.sa_sigaction = on_fault, action.sa_flags = SA_SIGINFO;
    sigaltstack(&stack, &last);
    action.sa_flags |= SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    grow(x, N, 1), grow(a, N, 1);
    if (sigsetjmp(back, 1) == 0)
        *(volatile double *)bad = 1;
    last.ss_flags = SS_DISABLE;
    sigaltstack(&last, NULL);
    grow(x, N, 1);
    printf("stack %g %d\n", on_host(x, N), caught);
    free(stack.ss_sp), munmap(bad, 8192);
    caught = 0;
}

/* A clock does not stop before the work it measures is done, and never goes back. */
static void clocks(void)
{
    double last = omp_get_wtime();
    clock_t ticks = clock();
    int back = 0;
    struct timeval tv[2];
    struct timespec ts[2];
    gettimeofday(&tv[0], NULL), clock_gettime(CLOCK_MONOTONIC, &ts[0]);
    for (int k = 0; k < 5; k++) {
        grow(x, N, 1);
        double now = omp_get_wtime();
        from(y, x, N);
        back += now < last, last = now;
        grow(y, N, 1);
        clock_t then = clock();
        back += then < ticks, ticks = then;
        grow(y, N, 1);
        gettimeofday(&tv[1], NULL), clock_gettime(CLOCK_MONOTONIC, &ts[1]);
        back += tv[1].tv_sec < tv[0].tv_sec || ts[1].tv_sec < ts[0].tv_sec, tv[0] = tv[1], ts[0] = ts[1];
    }
    printf("clocks %d %g\n", back, on_host(y, N));
}

/* Between launches, loops that are refused: in a team, for blocks that overlap or that nobody knows. */
static void refused(void)
{
    double *unknown = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int k = 0; k < 3; k++) {
        grow(x, N, 1), grow(y, N, 2);
        permute(x, y, where, N);
        if (k == 1)
            x[3] += y[4];
        permute(x, x + 1, even, N / 2);         /* OMPC453, and reads what nobody writes */
        permute(unknown, x, where, N);          /* OMPC452 */
        grow(x, N, 1);
        #pragma omp parallel num_threads(2)
        #pragma omp sections
        {
            #pragma omp section
            grow(x, N, 1);
            #pragma omp section
            grow(y, N, 1);
        }
        permute(y, x, where, N);
    }
    printf("refused %g %g %g\n", on_host(x, N), on_host(y, N), on_host(unknown, N));
    munmap(unknown, BYTES);
}

/* Data that the program maps itself, and loops that know nothing of it, on the same arrays; tables between. */
static void maps(void)
{
    for (int k = 0; k < 2; k++) {
        grow(a, N, 1), grow(b, N, 1);
        for (int i = 0; i < 300; i++)
            weights[i] = i % 5 + k;
        #pragma omp target data map(tofrom: a) map(to: b[0:N])
        {
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++)
                a[i] += b[i] + weights[7];
            #pragma omp target update from(a)
            grow(b, N, 1);                      /* the host's */
            b[3] += a[4];
            #pragma omp target update to(b)
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++)
                a[i] += b[i];
        }
        grow(a, N, 1);
        weights[7] = a[9];
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            b[i] += weights[7] * (i % 2) + weights[9];
    }
    printf("maps %g %g\n", on_host(a, N), on_host(b, N));
}

static void first_handler(void)
{
    printf("first %g %g\n", x[5], on_host(a, N));
    fflush(stdout);
}
static void last_handler(void)
{
    grow(a, N, 1);
    printf("last %g %g\n", a[3], on_host(x, N));
}
__attribute__((destructor)) static void after_main(void)
{
    grow(a, N, 1);
    printf("after %g %g\n", on_host(a, N), on_host(x, N));
    fflush(stdout);
}

/* SIGSEGV that nobody's access has made. */
static void sent(void)
{
    struct sigaction once = {.sa_handler = simple_fault, .sa_flags = SA_RESETHAND}, now;
    signal(SIGSEGV, SIG_IGN), raise(SIGSEGV);
    y[0] = x[3], grow(x, N, 1), y[1] = x[4];
    sigaction(SIGSEGV, &once, NULL);
    grow(x, N, 1), y[2] = x[5], grow(x, N, 1);
    if (sigsetjmp(back, 1) == 0)
        kill(getpid(), SIGSEGV);
    sigaction(SIGSEGV, NULL, &now);
    printf("sent %g %g %d %d\n", on_host(x, N), y[2] + y[11], caught, now.sa_handler == SIG_DFL);
    grow(x, N, 1);
}
static void in_itself(int number)
{
    caught += write(1, "once\n", 5) == 5;
    *(volatile int *)8 = number;                /* blocked: it ends the program */
}
/* The program closes files that it does not know, and opens others, which are then its own. */
static void closed(void)
{
    char name[] = "/tmp/residentXXXXXX";
    double s = x[5];
    for (int file = 3; file < 1000; file++)
        close(file);
    FILE *files[3];
    for (int k = 0; k < 3; k++)
        files[k] = tmpfile();
    for (int k = 0; k < 3; k++)
        grow(x, N, 1), s += x[k] + x[N - 1];
    int file = mkstemp(name), size = 0;
    for (int k = 0; k < 3; k++)
        size += fseek(files[k], 0, SEEK_END) + (int)ftell(files[k]);
    printf("closed %g %d %d\n", s, size, file);
    unlink(name);
}

/* How the program ends, with arrays on the device, and results in a buffer that another program reads. */
static void ends(void)
{
    static char whole[200000];
    FILE *out = mode == 2 || mode == 4 ? popen("cksum", "w") : NULL;
    if (out)
        setvbuf(out, whole, _IOFBF, sizeof whole), fwrite(x + 7000, 1, 100000, out);
    grow(x, N, 1), grow(a, N, 1);
    #pragma omp parallel for num_threads(1)     /* so that it is known what it has done when it ends the program */
    for (int i = 0; i < N; i++) {
        if (mode == 7 && i == 39000) { fprintf(stderr, "stopped\n"); exit(9); }
        x[i] += a[i];
    }
    switch (mode) {
    case 1: exit(3);
    case 2: pclose(out); exit(0);
    case 3: printf("%g\n", x[N - 1]); fflush(stdout); _exit(4);
    case 4: fwrite(x, 1, 50000, out); pclose(out); quick_exit(5);
    case 5: fflush(stdout); caught += write(1, "5\n", 2) == 2; abort();
    case 6: fflush(stdout); raise(SIGKILL); break;
    /* Without sanitizers, which report these. */
    case 8: fflush(stdout); *(volatile int *)8 = 3; break;
    case 9: sent(), fflush(stdout), raise(SIGSEGV); break;
    case 10: signal(SIGSEGV, in_itself), fflush(stdout); *(volatile int *)8 = 3; break;
    case 11: closed(); break;
    }
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? atoi(argv[1]) : 0;
    x = calloc(N, sizeof *x), y = calloc(N, sizeof *y);
    for (int i = 0; i < N; i++)
        where[i] = (int)(i * 7919LL % N), even[i / 2] = where[i / 2] * 2 % N;
    atexit(first_handler), atexit(last_handler);
    if (mode == 0)
        threads(), children(), signals(), masks(), clocks(), refused(), maps(), faults();
    ends();
    return 0;
}

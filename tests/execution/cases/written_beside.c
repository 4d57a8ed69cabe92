/* Handlers of signals, and functions that timers call, write beside a loop's elements while launches copy the same arrays: into
   other elements, other members, other columns of rows, the ends of an automatic array. They run on threads that a parallel
   region has left behind, on those of the timer, and where the loop was. */
/* args: 0 */
/* args: 1 */
/* args: 2 */
/* args: 3 */
/* plain: 0 */
/* plain: 1 */
/* plain: 2 */
/* plain: 3 */
/* expect-gpu: 3 */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { N = 300, ROWS = 40, LONG = 17000, PAGE = 4096 };
struct mixed { char kind; short width; int here; long there; };
static long flat[2 * N];
static long partly[3 * N];       /* the loop overwrites the first third, and changes every other element of the rest */
static unsigned char bytes[2 * N + 3];
static struct mixed mixed[N];
static long **rows;             /* rows[r][c]: the loop writes even columns */
static long *ends[2];           /* of an automatic array, in pages that are others', too: only its own pages are guarded */
static volatile int caught, done, nested;
static volatile long seen;

static void notice(void)
{
    const int k = __atomic_fetch_add(&caught, 1, __ATOMIC_RELAXED) % N;
    __atomic_fetch_add(&flat[2 * k + 1], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&partly[N + 2 * k + 1], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&bytes[2 * k + 1], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&mixed[k].width, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&mixed[k].there, 1, __ATOMIC_RELAXED);
    if (rows != NULL)
        __atomic_fetch_add(&rows[k % ROWS][2 * (k % 20) + 1], 1, __ATOMIC_RELAXED);
    for (int end = 0; end < 2; end++)
        if (ends[end] != NULL)
            __atomic_fetch_add(ends[end], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
}

static void on_signal(int number)
{
    (void)number;
    notice();
}
static void on_info(int number, siginfo_t *info, void *context)
{
    (void)context;
    seen = flat[0] + mixed[1].here; /* either of two values */
    if (number == SIGUSR1 && info->si_code == SI_QUEUE && info->si_value.sival_int == 1) {
        union sigval value = {2};
        sigqueue(getpid(), SIGUSR1, value); /* inside itself: SA_NODEFER */
    }
    notice();
}
static void on_timer(union sigval value)
{
    (void)value;
    notice();
}

static void step(int n, long *long_one)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        flat[2 * i] += i;
        partly[i] = flat[2 * i];
        partly[N + 2 * i] += i;
        bytes[2 * i] += 1;
        mixed[i].kind += 1;
        mixed[i].here += i;
    }
    #pragma omp parallel for
    for (int i = 0; i < LONG / 2; i++)
        long_one[2 * i] += i;
    #pragma omp parallel for
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < 20; c++)
            rows[r][2 * c] += c;
}

static void set(int number, int flags, void (*plain)(int), void (*full)(int, siginfo_t *, void *))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = flags;
    if (plain != NULL)
        action.sa_handler = plain;
    else
        action.sa_sigaction = full;
    sigaction(number, &action, NULL);
}

static void say(const char *name, int turns, const long *long_one)
{
    long f = 0, p = 0, b = 0, w = 0, t = 0, r = 0, wrong = 0;
    while (done != caught)
        usleep(1000);
    for (int i = 0; i < N; i++) {
        f += flat[2 * i + 1], p += partly[N + 2 * i + 1], b += bytes[2 * i + 1], w += mixed[i].width, t += mixed[i].there;
        wrong += partly[i] != (long)turns * i || partly[N + 2 * i] != (long)turns * i;
        wrong += flat[2 * i] != (long)turns * i || mixed[i].here != turns * i || bytes[2 * i] != (unsigned char)turns;
    }
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < 20; c++)
            r += rows[i][2 * c + 1], wrong += rows[i][2 * c] != (long)turns * c;
    for (int i = 0; i < LONG / 2; i++)
        wrong += long_one[2 * i] != (long)turns * i;
    printf("%s %d: lost %ld %ld %ld %ld %ld %ld %ld %ld, wrong %ld\n", name, caught > 100, caught - f, caught - p, caught - b, caught - w, caught - t,
           caught - r, caught - *ends[0], caught - *ends[1], wrong);
    fflush(stdout);
}

static void many(int part, int n)
{
    static const char *const names[] = {"alarm", "timer", "queue", "blocked"};
    long automatic[LONG] = {0};
    volatile int turns = 0;
    timer_t timer;
    const int by_thread = part == 1;
    struct sigevent event;
    struct itimerspec soon = {{0, 300000}, {0, 300000}};
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    long others[2] = {0, 0};
    ends[0] = (uintptr_t)(automatic - 1) / PAGE == (uintptr_t)(automatic + 1) / PAGE ? automatic + 1 : others;
    ends[1] = (uintptr_t)(automatic + LONG - 1) / PAGE == (uintptr_t)(automatic + LONG) / PAGE ? automatic + LONG - 1 : others + 1;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = on_timer;
    set(SIGUSR1, SA_SIGINFO | SA_NODEFER | SA_RESTART, NULL, on_info);
    if (by_thread) {
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &soon, NULL) != 0)
            exit(3);
    } else {
        set(SIGALRM, SA_RESTART, on_signal, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
    }
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGALRM);
    while (caught <= 100 && turns < 3000) {
        if (part == 3)
            pthread_sigmask(SIG_BLOCK, &one, NULL);
        step(n, automatic);
        turns++;
        if (part == 3)
            pthread_sigmask(SIG_UNBLOCK, &one, NULL);
        if (part == 2) {
            union sigval value = {1};
            sigqueue(getpid(), SIGUSR1, value);
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    if (by_thread)
        timer_delete(timer);
    usleep(50000);
    say(names[part], turns, automatic);
    ends[0] = ends[1] = NULL;
}

int main(int argc, char **argv)
{
    const int part = argc > 1 ? atoi(argv[1]) : 0;
    rows = malloc(ROWS * sizeof *rows);
    for (int r = 0; r < ROWS; r++)
        rows[r] = calloc(40 + r % 3, sizeof **rows);
    #pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 2)
        nested = 0; /* there are other threads now */
    many(part, N);
    return 0;
}

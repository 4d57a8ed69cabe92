/* Signals arrive while the program is inside malloc and free; their handlers touch an array that is on the device. */
/* A sanitizer's malloc cannot be made to hold handlers back: the first that reads from the device may wait for ever. */
/* expect-gpu: 1 */
/* sanitizers: 0 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N 60000
#define SENT 300

static double a[N];
static volatile long ticks, sum_of_values, wrong, once;
static void *kept[64];

static void on_tick(int number)
{
    ticks++;
    if (number != SIGALRM || a[ticks % N] < 0)
        wrong++;
}

static void on_value(int number, siginfo_t *info, void *context)
{
    (void)context;
    sum_of_values += info->si_value.sival_int;
    if (number != SIGRTMIN || info->si_code != SI_QUEUE || a[info->si_value.sival_int] < 0)
        wrong++;
}

static void on_first(int number)
{
    (void)number;
    once++;
    a[0] += 0;
}

static void churn(int round)
{
    for (int i = 0; i < 64; i++) {
        free(kept[i]);
        kept[i] = malloc(i % 8 == 0 ? 70000 : 24 + (size_t)(round + i) % 900);
    }
    kept[3] = realloc(kept[3], 5000);
}

static pid_t sender(void)
{
    const pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    for (int i = 1; i <= SENT; i++) {
        const union sigval value = {.sival_int = i};
        const struct timespec pause = {0, 20000};
        while (sigqueue(parent, SIGRTMIN, value) != 0)
            nanosleep(&pause, NULL);
        nanosleep(&pause, NULL);
    }
    _exit(0);
}

int main(void)
{
    struct sigaction tick, value, first, now;
    memset(&tick, 0, sizeof tick);
    tick.sa_handler = on_tick;
    tick.sa_flags = SA_RESTART | SA_NODEFER;
    sigaction(SIGALRM, &tick, NULL);
    memset(&value, 0, sizeof value);
    value.sa_sigaction = on_value;
    value.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaddset(&value.sa_mask, SIGALRM);
    sigaction(SIGRTMIN, &value, NULL);
    memset(&first, 0, sizeof first);
    first.sa_handler = on_first;
    first.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGUSR1, &first, NULL);

    sigaction(SIGUSR1, NULL, &now);
    printf("%d %d", now.sa_handler == on_first, (now.sa_flags & ((int)SA_RESETHAND | SA_SIGINFO)) == (int)SA_RESETHAND);
    raise(SIGUSR1);
    sigaction(SIGUSR1, NULL, &now);
    printf(" %ld %d", once, now.sa_handler == SIG_DFL);
    sigaction(SIGRTMIN, NULL, &now);
    printf(" %d %d %d", now.sa_sigaction == on_value, (now.sa_flags & SA_SIGINFO) != 0, sigismember(&now.sa_mask, SIGALRM));
    printf(" %d\n", signal(SIGALRM, on_tick) == on_tick);
    sigaction(SIGALRM, &tick, NULL);

    const pid_t child = sender();
    /* Much shorter, and handlers that interrupt each other leave nothing for the program on a busy machine. */
    const struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &every, NULL);
    for (int round = 0; sum_of_values < SENT * (SENT + 1L) / 2 || ticks < 500; round++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1.0;
        churn(round);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    waitpid(child, NULL, 0);
    int same = 1;
    for (int i = 1; i < N; i++)
        same = same && a[i] == a[0];
    printf("%ld %d %ld %d\n", sum_of_values, ticks >= 500, wrong, same);
    return 0;
}

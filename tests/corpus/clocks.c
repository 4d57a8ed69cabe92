/* Clocks that go forward in leaps: what a program says differently with them depends on the time. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static _Atomic long long now; /* nanoseconds */

static long long next(void)
{
    if (now == 0) now = 1000000000000LL * (getpid() % 1000 + 1);
    long long step = 1000000LL + now / 7919 % 9000000000LL;
    return atomic_fetch_add(&now, step) + step;
}

double omp_get_wtime(void) { return next() * 1e-9; }
clock_t clock(void) { return next() / 1000; }
time_t time(time_t *to)
{
    time_t seconds = next() / 1000000000;
    if (to != NULL) *to = seconds;
    return seconds;
}
int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    long long at = next();
    (void)zone;
    to->tv_sec = at / 1000000000;
    to->tv_usec = at % 1000000000 / 1000;
    return 0;
}
int clock_gettime(clockid_t clock, struct timespec *to)
{
    long long at = next();
    (void)clock;
    to->tv_sec = at / 1000000000;
    to->tv_nsec = at % 1000000000;
    return 0;
}

/* ompc_notices.h: signals that the program fetches, and functions that libc calls on threads of its own (private to ompc_heap.c).

   libc starts such a thread with all signals blocked, SIGSEGV too: the first guarded page that it touched would end the
   program. So the function that it calls is ours, which unblocks SIGSEGV, and then the program's. */

#ifndef OMPC_NOTICES_H
#define OMPC_NOTICES_H

#include "ompc_replaces.h"

#include "ompc_interposition.h"
#include "ompc_signals.h"

#include <mqueue.h>
#include <sys/signalfd.h>
#include <time.h>

EXPORTED int sigwait(const sigset_t *restrict set, int *restrict number)
{
    fetches("sigwait", set);
    footprint((uintptr_t)set, sizeof *set, 0);
    footprint((uintptr_t)number, sizeof *number, 1);
    NEXT(sigwait, set, number);
}

EXPORTED int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    fetches("sigwaitinfo", set);
    footprint((uintptr_t)set, sizeof *set, 0);
    footprint((uintptr_t)info, info == NULL ? 0 : sizeof *info, 1);
    NEXT(sigwaitinfo, set, info);
}

EXPORTED int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict timeout)
{
    fetches("sigtimedwait", set);
    footprint((uintptr_t)set, sizeof *set, 0);
    footprint((uintptr_t)info, info == NULL ? 0 : sizeof *info, 1);
    footprint((uintptr_t)timeout, timeout == NULL ? 0 : sizeof *timeout, 0);
    NEXT(sigtimedwait, set, info, timeout);
}

EXPORTED int signalfd(int file, const sigset_t *set, int flags)
{
    fetches("signalfd", set);
    footprint((uintptr_t)set, sizeof *set, 0);
    NEXT(signalfd, file, set, flags);
}

static int pending_for_program(sigset_t *set)
{
    footprint((uintptr_t)set, sizeof *set, 1);
    NEXT(sigpending, set);
}

EXPORTED int sigpending(sigset_t *set)
{
    const int result = pending_for_program(set);
    if (result == 0 && has_pending)
        sigaddset(set, SIGSEGV);
    return result;
}

/* What the program wants to be called; nobody says when it is for the last time. */
typedef struct {
    void (*call)(union sigval);
    union sigval value;
} notice_t;

static void on_notice(union sigval value)
{
    const notice_t notice = *(const notice_t *)value.sival_ptr;
    if (!is_programs_alone)
        set_faults(SIG_UNBLOCK);
    notice.call(notice.value);
}

/* The event, or one that calls ours in front of the program's. */
static struct sigevent *with_faults(struct sigevent *event, struct sigevent *place)
{
    if (event == NULL || event->sigev_notify != SIGEV_THREAD)
        return event;
    __atomic_store_n(&is_called_back, 1, __ATOMIC_RELEASE);
    notice_t *const notice = system_memory(sizeof *notice);
    if (notice == NULL)
        return event;
    *notice = (notice_t){event->sigev_notify_function, event->sigev_value};
    *place = *event;
    place->sigev_notify_function = on_notice;
    place->sigev_value.sival_ptr = notice;
    return place;
}

EXPORTED int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
    struct sigevent place;
    footprint((uintptr_t)event, event == NULL ? 0 : sizeof *event, 0);
    footprint((uintptr_t)timer, sizeof *timer, 1);
    NEXT(timer_create, clock, with_faults(event, &place), timer);
}

EXPORTED int mq_notify(mqd_t queue, const struct sigevent *event)
{
    struct sigevent copy, place;
    footprint((uintptr_t)event, event == NULL ? 0 : sizeof *event, 0);
    if (event != NULL)
        copy = *event;
    NEXT(mq_notify, queue, event == NULL ? NULL : with_faults(&copy, &place));
}

#endif

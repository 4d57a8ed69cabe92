/* ompc_notices.c: signals that the program fetches, and functions that libc calls on threads of its own.

   libc starts such a thread with all signals blocked, SIGSEGV too: the first guarded page that it touched would end the
   program. So the function that it calls is ours, which unblocks SIGSEGV, and then the program's. */

#include "ompc_replaces.h"

#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_lock.h"
#include "ompc_signals.h"

#include <mqueue.h>
#include <sys/signalfd.h>
#include <time.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
BEFORE(int, sigwait, (const sigset_t *restrict set, int *restrict number), (set, number),
       ompc_fetches("sigwait", set),
       footprint((uintptr_t)set, sizeof *set, 0),
       footprint((uintptr_t)number, sizeof *number, 1))
BEFORE(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict info), (set, info),
       ompc_fetches("sigwaitinfo", set),
       footprint((uintptr_t)set, sizeof *set, 0),
       footprint((uintptr_t)info, info == NULL ? 0 : sizeof *info, 1))
BEFORE(int, sigtimedwait, (const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict timeout),
       (set, info, timeout),
       ompc_fetches("sigtimedwait", set),
       footprint((uintptr_t)set, sizeof *set, 0),
       footprint((uintptr_t)info, info == NULL ? 0 : sizeof *info, 1),
       footprint((uintptr_t)timeout, timeout == NULL ? 0 : sizeof *timeout, 0))
BEFORE(int, signalfd, (int file, const sigset_t *set, int flags),
       (file, set, flags), ompc_fetches("signalfd", set), footprint((uintptr_t)set, sizeof *set, 0))

static int pending_for_program(sigset_t *set)
{
    footprint((uintptr_t)set, sizeof *set, 1);
    NEXT(sigpending, set);
}

EXPORTED int sigpending(sigset_t *set)
{
    const int result = pending_for_program(set);
    if (result == 0 && ompc_has_pending)
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
    if (!ompc_is_programs_alone)
        ompc_set_faults(SIG_UNBLOCK);
    notice.call(notice.value);
}

/* The event, or one that calls ours in front of the program's. */
static struct sigevent *with_faults(struct sigevent *event, struct sigevent *place)
{
    if (event == NULL || event->sigev_notify != SIGEV_THREAD)
        return event;
    __atomic_store_n(&ompc_is_called_back, 1, __ATOMIC_RELEASE);
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

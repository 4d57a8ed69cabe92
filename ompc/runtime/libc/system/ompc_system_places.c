/* ompc_system_places.c: functions of libc with which the kernel reads and writes the program's memory, and that need more
   than a line of ompc_system_functions.c. See ompc_system_calls.c. */

#include "ompc_replaces.h"

#include "ompc_forks.h"
#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_mappings.h"
#include "ompc_passes.h"
#include "ompc_system_calls.h"

#include <aio.h>
#include <errno.h>
#include <netdb.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
/* Numbers, so that compilers do not take the call for a read of what is not there yet. */
#define told(place, bytes) footprint((uintptr_t)(place), bytes, 1)

static void touched_messages(struct mmsghdr *messages, size_t count, int writes)
{
    told(messages, count * sizeof *messages);
    for (size_t i = 0; guards_are_on() && i < count; i++)
        ompc_touched_message(&messages[i].msg_hdr, writes);
}

BEFORE(int, recvmmsg, (int socket, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout),
       (socket, messages, count, flags, timeout), touched_messages(messages, count, 1), told(timeout, sizeof *timeout))
BEFORE(int, sendmmsg, (int socket, struct mmsghdr *messages, unsigned count, int flags), (socket, messages, count, flags),
       touched_messages(messages, count, 0))

/* ---- times: also clocks ---------------------------------------------------------------------------------------------- */

BEFORE(int, getrusage, (__rusage_who_t who, struct rusage *to), (who, to), told(to, sizeof *to), CLOCK_IS_READ)
BEFORE(clock_t, times, (struct tms * to), (to), told(to, sizeof *to), CLOCK_IS_READ)
BEFORE(time_t, time, (time_t * to), (to), told(to, sizeof *to), CLOCK_IS_READ)
BEFORE(int, timespec_get, (struct timespec * to, int base), (to, base), told(to, sizeof *to), CLOCK_IS_READ)

/* ---- other programs --------------------------------------------------------------------------------------------------- */

/* The words behind `first`, NULL at the end, as execv wants them. */
static size_t words_passed(const char *first, va_list passed, char **words)
{
    size_t count = 0;
    for (const char *word = first; word != NULL; word = va_arg(passed, const char *)) {
        if (words != NULL)
            words[count] = (char *)(uintptr_t)word;
        count++;
    }
    if (words != NULL)
        words[count] = NULL;
    return count;
}

#define EXECL(name, call, rest)                              \
    EXPORTED int name(const char *path, const char *first, ...) \
    {                                                        \
        va_list passed, again;                               \
        va_start(passed, first);                             \
        va_copy(again, passed);                              \
        char *words[words_passed(first, again, NULL) + 1];   \
        va_end(again);                                       \
        words_passed(first, passed, words);                  \
        rest;                                                \
        va_end(passed);                                      \
        return call;                                         \
    }
EXECL(execl, execv(path, words), (void)0)
EXECL(execlp, execvp(path, words), (void)0)
EXECL(execle, execve(path, words, environment), char *const *const environment = va_arg(passed, char *const *))

/* ---- copies of this process ------------------------------------------------------------------------------------------- */

/* Behind a function that returns in both: the handlers of fork have not run. */
static long copied(long child)
{
    const int saved = errno;
    if (child == 0)
        ompc_after_fork_in_child();
    else
        ompc_after_fork();
    errno = saved;
    return child;
}

#if __GLIBC_PREREQ(2, 34)
EXPORTED pid_t _Fork(void)
{
    static __typeof__(_Fork) *next;
    if (next == NULL)
        next = (__typeof__(_Fork) *)next_function("_Fork");
    ompc_before_fork();
    return (pid_t)copied(next());
}
#endif

typedef int clone_t(int (*function)(void *), void *stack, int flags, void *argument, ...);

typedef struct {
    int (*function)(void *);
    void *argument;
} started_t;

static int start_copy(void *started)
{
    const started_t what = *(const started_t *)started;
    copied(0);
    return what.function(what.argument);
}

/* A copy of the process; or a process in its memory, which nobody tells what is on the device: that is copied back, for good
   where the caller does not wait until the other one has ended. */
static int cloned(clone_t *next, const char *name, started_t what, void *stack, int flags, void *const *more)
{
    if ((flags & CLONE_VM) == 0) {
        ompc_before_fork();
        return (int)copied(next(start_copy, stack, flags, &what, more[0], more[1], more[2]));
    }
    ompc_exempted((char *)stack - 1, 1);
    if ((flags & CLONE_VFORK) != 0)
        ompc_everything();
    else
        ompc_guards_end(name);
    return next(what.function, stack, flags, what.argument, more[0], more[1], more[2]);
}

#define CLONE(name)                                                                        \
    EXPORTED int name(int (*function)(void *), void *stack, int flags, void *argument, ...) \
    {                                                                                      \
        static clone_t *next;                                                              \
        void *more[3];                                                                     \
        va_list passed;                                                                    \
        va_start(passed, argument);                                                        \
        for (int i = 0; i < 3; i++)                                                        \
            more[i] = va_arg(passed, void *);                                              \
        va_end(passed);                                                                    \
        if (next == NULL)                                                                  \
            next = (clone_t *)next_function(#name);                                        \
        return cloned(next, #name, (started_t){function, argument}, stack, flags, more);   \
    }
extern clone_t __clone;
CLONE(clone)
CLONE(__clone)

/* ---- requests that others work at while the program goes on --------------------------------------------------------------- */

static void request_stays(struct aiocb *request)
{
    if (request == NULL)
        return;
    ompc_exempted(request->aio_buf, request->aio_nbytes);
    ompc_exempted(request, sizeof *request);
}

static void requests_stay(struct aiocb *const *requests, int count)
{
    for (int i = 0; i < count; i++)
        request_stays(requests[i]);
    ompc_exempted(requests, (size_t)(count > 0 ? count : 0) * sizeof *requests);
}

BEFORE(int, aio_read, (struct aiocb * request), (request), request_stays(request))
BEFORE(int, aio_write, (struct aiocb * request), (request), request_stays(request))
BEFORE(int, aio_read64, (struct aiocb64 * request), (request), request_stays((struct aiocb *)request))
BEFORE(int, aio_write64, (struct aiocb64 * request), (request), request_stays((struct aiocb *)request))
BEFORE(int, lio_listio, (int mode, struct aiocb *const requests[restrict], int count, struct sigevent *restrict event),
       (mode, requests, count, event), requests_stay(requests, count))
BEFORE(int, lio_listio64, (int mode, struct aiocb64 *const requests[restrict], int count, struct sigevent *restrict event),
       (mode, requests, count, event), requests_stay((struct aiocb *const *)requests, count))
_Static_assert(offsetof(struct aiocb, aio_nbytes) == offsetof(struct aiocb64, aio_nbytes), "requests of both names are alike");

static void questions_stay(struct gaicb *const *questions, int count)
{
    for (int i = 0; i < count; i++) {
        if (questions[i] == NULL)
            continue;
        ompc_exempted(questions[i]->ar_name, 1);
        ompc_exempted(questions[i]->ar_service, 1);
        ompc_exempted(questions[i]->ar_request, 1);
        ompc_exempted(questions[i], sizeof *questions[i]);
    }
    ompc_exempted(questions, (size_t)(count > 0 ? count : 0) * sizeof *questions);
}

BEFORE(int, getaddrinfo_a, (int mode, struct gaicb *questions[restrict], int count, struct sigevent *restrict event),
       (mode, questions, count, event), questions_stay(questions, count))

/* ---- syscall ------------------------------------------------------------------------------------------------------------ */

/* Calls that pages which are guarded cannot survive, or that hand memory to others who go on. */
static const char *unguarding(long number, const long *a)
{
    switch (number) {
    case SYS_rt_sigaction:
        return a[0] == SIGSEGV && a[1] != 0 ? "syscall(SYS_rt_sigaction)" : NULL;
    case SYS_rt_sigprocmask:
        return a[1] != 0 && a[0] != SIG_UNBLOCK && sigismember((const sigset_t *)a[1], SIGSEGV) == 1 ? "syscall(SYS_rt_sigprocmask)" : NULL;
    case SYS_io_setup:
        return "syscall(SYS_io_setup)";
#ifdef SYS_io_uring_setup
    case SYS_io_uring_setup:
        return "syscall(SYS_io_uring_setup)";
#endif
#ifdef SYS_userfaultfd
    case SYS_userfaultfd:
        return "syscall(SYS_userfaultfd)";
#endif
    default:
        return NULL;
    }
}

/* Those whose arguments lead to other addresses, or that change pages: as the functions of these names. */
static void touched_beyond(long number, const long *a)
{
    switch (number) {
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2:
        ompc_touched_vector((const struct iovec *)a[1], (size_t)a[2], 1);
        break;
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
        ompc_touched_vector((const struct iovec *)a[1], (size_t)a[2], 0);
        break;
    case SYS_vmsplice:
        ompc_exempted_vector((const struct iovec *)a[1], (size_t)a[2]);
        break;
    case SYS_process_vm_readv:
    case SYS_process_vm_writev:
        ompc_touched_vector((const struct iovec *)a[1], (size_t)a[2], 1);
        ompc_touched_vector((const struct iovec *)a[3], (size_t)a[4], 1);
        break;
    case SYS_recvmsg:
    case SYS_sendmsg:
        ompc_touched_message((const struct msghdr *)a[1], 1);
        break;
    case SYS_recvmmsg:
    case SYS_sendmmsg:
        touched_messages((struct mmsghdr *)a[1], (size_t)a[2], 1);
        break;
    case SYS_execve:
        ompc_touched_texts((char *const *)a[1]);
        ompc_touched_texts((char *const *)a[2]);
        break;
    case SYS_execveat:
        ompc_touched_texts((char *const *)a[2]);
        ompc_touched_texts((char *const *)a[3]);
        break;
    case SYS_munmap:
    case SYS_mremap:
    case SYS_mmap:
        if (number != SYS_mmap || (a[3] & MAP_FIXED) != 0)
            ompc_forget_mapped((uintptr_t)a[0], ompc_page_end((size_t)a[1]));
        break;
    case SYS_madvise:
        if (!ompc_leaves_contents((int)a[2]))
            ompc_pages_change((uintptr_t)a[0], (size_t)a[1]);
        break;
    case SYS_mprotect:
    case SYS_pkey_mprotect:
        ompc_protected_by_program((void *)a[0], (size_t)a[1], (int)a[2]);
        break;
    case SYS_remap_file_pages:
    case SYS_set_robust_list:
        ompc_exempted((void *)a[0], (size_t)a[1]);
        break;
    }
}

/* Is it a copy of the process that is asked for? One in its memory on a stack of its own cannot return from here: that is
   left as it is. Without a stack it is what vfork does, which fork does as well. */
static int makes_copy(long *number, long *a)
{
#ifdef SYS_fork
    if (*number == SYS_vfork)
        *number = SYS_fork;
    if (*number == SYS_fork)
        return 1;
#endif
    if (*number == SYS_clone && a[1] == 0)
        a[0] &= ~(long)(CLONE_VM | CLONE_VFORK);
    if (*number == SYS_clone)
        return (a[0] & CLONE_VM) == 0;
#ifdef SYS_clone3
    if (*number == SYS_clone3 && a[0] != 0)
        return (*(const unsigned long long *)a[0] & CLONE_VM) == 0;
#endif
    return 0;
}

/* Reads six words whether they were passed or not: behind those in registers is the caller's stack, whatever is there. */
EXPORTED __attribute__((no_sanitize_address)) long syscall(long number, ...)
{
    static __typeof__(syscall) *next;
    long a[6];
    va_list passed;
    va_start(passed, number);
    for (int i = 0; i < 6; i++) {
        a[i] = va_arg(passed, long);
        ompc_anything((uintptr_t)a[i]);
    }
    va_end(passed);
    if (next == NULL)
        next = (__typeof__(syscall) *)next_function("syscall");
    if (makes_copy(&number, a)) {
        ompc_before_fork();
        return copied(next(number, a[0], a[1], a[2], a[3], a[4], a[5]));
    }
    const char *const why = unguarding(number, a);
    if (why != NULL)
        ompc_guards_end(why);
    touched_beyond(number, a);
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
#endif

/* ompc_signals.c: what the program says about signals.

   Ours stays in front of the program's handler of SIGSEGV, whichever function of libc installs that, and SIGSEGV is never
   blocked: the system would end the program at the next guarded page. What the program asks for is remembered and told; one that
   is sent while the program has it blocked waits until it is not. A program that fetches SIGSEGV (sigwait, signalfd) has it to
   itself, without guards.
   Handlers of other signals may touch guarded pages, so they wait while the runtime is at work on the same thread: most of its
   work begins by blocking them. Inside malloc, which must be quick, they are put off when they come (ompc_critical.h). */

#include "ompc_replaces.h"

#include "ompc_critical.h"
#include "ompc_guards.h"
#include "ompc_host.h"
#include "ompc_interposition.h"
#include "ompc_lock.h"
#include "ompc_passes.h"
#include "ompc_signals.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <ucontext.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
extern int __sigaction(int number, const struct sigaction *action, struct sigaction *before);

OF_THREAD_AT_START volatile int ompc_critical;
OF_THREAD_AT_START volatile unsigned long long ompc_put_off;
__thread int ompc_in_runtime;

static struct sigaction programs_action; /* for SIGSEGV */
static int handler_is_ours;              /* of SIGSEGV */
int ompc_has_pending;
static int uses_small_stacks;            /* the program has handlers on stacks of their own */
static __thread int in_programs_handler; /* for SIGSEGV, which is blocked there unless it says otherwise */
static __thread int handlers_run;        /* of the program's, for SIGSEGV, and whether it was blocked outside */
static __thread int blocked_outside;
static const int of_accesses[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}; /* cannot wait */
static sigset_t blocks_faults;       /* signals whose handlers the program wants to run with SIGSEGV blocked */
static sigset_t handled;             /* asynchronous signals that the program handles */
static int handles_any;
static int blocked_at_start;                 /* SIGSEGV, as who has started the program has left it */
int ompc_is_programs_alone;
static __thread int blocked_by_program = -1; /* SIGSEGV; -1: as at the start */

/* ---- masks -------------------------------------------------------------------------------------------------------- */

static const sigset_t *without_faults(const sigset_t *mask, sigset_t *place)
{
    if (mask == NULL)
        return NULL;
    *place = *mask;
    if (!ompc_is_programs_alone)
        sigdelset(place, SIGSEGV);
    return place;
}

static int faults_are_blocked(void)
{
    return blocked_by_program < 0 ? blocked_at_start : blocked_by_program;
}

static void deliver_pending(void)
{
    if (ompc_has_pending && !faults_are_blocked() && !in_programs_handler) {
        ompc_has_pending = 0;
        raise(SIGSEGV);
    }
}

void ompc_set_faults(int how)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGSEGV);
    ompc_libc_pthread_sigmask(how, &one, NULL);
}

static int take_handler(void)
{
    struct sigaction ours;
    if (handler_is_ours)
        return 1;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = ompc_fault_entry;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER; /* a fault in the program's handler is one too */
    sigfillset(&ours.sa_mask);               /* other handlers may touch guarded pages: they wait */
    for (int i = 0; i < (int)(sizeof of_accesses / sizeof *of_accesses); i++)
        sigdelset(&ours.sa_mask, of_accesses[i]);
    handler_is_ours = __sigaction(SIGSEGV, &ours, &programs_action) == 0;
    return handler_is_ours;
}

/* The system calls the program's own again. */
static void give_handler_back(void)
{
    if (handler_is_ours && __sigaction(SIGSEGV, &programs_action, NULL) == 0)
        handler_is_ours = 0;
}

int ompc_take_faults(void)
{
    return !uses_small_stacks && take_handler();
}

/* The process is about to be another program, which finds SIGSEGV as this one would have left it. */
void ompc_leave_signals_behind(void)
{
    if (handler_is_ours && faults_are_blocked())
        ompc_set_faults(SIG_BLOCK);
    if (handler_is_ours && programs_action.sa_handler == SIG_IGN)
        give_handler_back();
}

void ompc_look_at_first_mask(void)
{
    sigset_t now;
    if (ompc_libc_pthread_sigmask(SIG_SETMASK, NULL, &now) != 0 || sigismember(&now, SIGSEGV) != 1)
        return;
    blocked_at_start = 1;
    if (take_handler())
        ompc_set_faults(SIG_UNBLOCK);
}

/* 0 or an error's number, as pthread_sigmask. */
static int change_mask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t place, old;
    const int was = faults_are_blocked(), named = set != NULL && sigismember(set, SIGSEGV) == 1;
    const int error = ompc_libc_pthread_sigmask(how, without_faults(set, &place), &old);
    if (error != 0)
        return error;
    if (set != NULL)
        blocked_by_program = how == SIG_SETMASK ? named : named ? how == SIG_BLOCK : was;
    if (!ompc_is_programs_alone && faults_are_blocked() && !was)
        take_handler(); /* what is sent from now on waits */
    if (was)
        deliver_pending();
    if (before != NULL) {
        *before = old;
        if (was)
            sigaddset(before, SIGSEGV);
    }
    return 0;
}

EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    return change_mask(how, set, before);
}

EXPORTED int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    const int error = change_mask(how, set, before);
    if (error != 0)
        errno = error;
    return error == 0 ? 0 : -1;
}

static int change_one(int how, int number)
{
    sigset_t one;
    sigemptyset(&one);
    return sigaddset(&one, number) == 0 && change_mask(how, &one, NULL) == 0 ? 0 : -1;
}

EXPORTED int sighold(int number)
{
    return change_one(SIG_BLOCK, number);
}

EXPORTED int sigrelse(int number)
{
    return change_one(SIG_UNBLOCK, number);
}

/* The signals below 32 as bits: all that sigblock and sigsetmask know. */
static int change_bits(int how, unsigned bits)
{
    sigset_t set, before;
    unsigned old = 0;
    sigemptyset(&set);
    for (int number = 1; number < 32; number++)
        if ((bits >> (number - 1) & 1) != 0)
            sigaddset(&set, number);
    change_mask(how, &set, &before);
    for (int number = 1; number < 32; number++)
        old |= (unsigned)(sigismember(&before, number) == 1) << (number - 1);
    return (int)old;
}

EXPORTED int sigblock(int bits)
{
    return change_bits(SIG_BLOCK, (unsigned)bits);
}

EXPORTED int sigsetmask(int bits)
{
    return change_bits(SIG_SETMASK, (unsigned)bits);
}

BEFORE(int, sigsuspend, (const sigset_t *mask), (without_faults(mask, &place)), sigset_t place)
BEFORE(int, ppoll, (struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
       (files, count, timeout, without_faults(mask, &place)),
       sigset_t place; footprint((uintptr_t)files, count * sizeof *files, 1))
BEFORE(int, pselect, (int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *timeout, const sigset_t *mask),
       (count, reads, writes, others, timeout, without_faults(mask, &place)),
       sigset_t place; footprint((uintptr_t)reads, sizeof *reads, 1), footprint((uintptr_t)writes, sizeof *writes, 1),
       footprint((uintptr_t)others, sizeof *others, 1))
BEFORE(int, epoll_pwait, (int file, struct epoll_event *events, int most, int timeout, const sigset_t *mask),
       (file, events, most, timeout, without_faults(mask, &place)),
       sigset_t place; footprint((uintptr_t)events, most > 0 ? (size_t)most * sizeof *events : 0, 1))
#if __GLIBC_PREREQ(2, 35)
BEFORE(int, epoll_pwait2, (int file, struct epoll_event *events, int most, const struct timespec *timeout, const sigset_t *mask),
       (file, events, most, timeout, without_faults(mask, &place)),
       sigset_t place; ompc_anything((uintptr_t)events), ompc_anything((uintptr_t)timeout))
#endif
BEFORE(int, __ppoll_chk, (struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t room),
       (files, count, timeout, without_faults(mask, &place), room),
       sigset_t place; ompc_anything((uintptr_t)files), ompc_anything((uintptr_t)timeout))

/* ---- faults ----------------------------------------------------------------------------------------------------- */

/* As the system would: with its mask, once, and not inside itself. */
static void call_programs_handler(int number, siginfo_t *info, void *context)
{
    const struct sigaction program = programs_action;
    const int inside = in_programs_handler;
    blocked_outside = handlers_run++ == 0 ? faults_are_blocked() : blocked_outside;
    sigset_t mask = ((const ucontext_t *)context)->uc_sigmask, before;
    sigorset(&mask, &mask, &program.sa_mask);
    if ((program.sa_flags & SA_RESETHAND) != 0)
        programs_action.sa_handler = SIG_DFL;
    change_mask(SIG_SETMASK, &mask, &before);
    in_programs_handler = (program.sa_flags & SA_NODEFER) == 0;
    if ((program.sa_flags & SA_SIGINFO) != 0)
        program.sa_sigaction(number, info, context);
    else
        program.sa_handler(number);
    in_programs_handler = inside;
    handlers_run--;
    change_mask(SIG_SETMASK, &before, NULL);
    deliver_pending();
}

/* A fault that no guard has caused, or SIGSEGV that was sent. */
void ompc_unguarded_fault(int number, siginfo_t *info, void *context)
{
    const int is_access = info->si_code > 0;
    if (!is_access && (faults_are_blocked() || in_programs_handler))
        ompc_has_pending = 1;
    if (!is_access && (ompc_has_pending || programs_action.sa_handler == SIG_IGN))
        return;
    if (!faults_are_blocked() && programs_action.sa_handler != SIG_DFL && programs_action.sa_handler != SIG_IGN && !in_programs_handler) {
        call_programs_handler(number, info, context);
        return;
    }
    ompc_bring_home_for_core();
    struct sigaction end;
    memset(&end, 0, sizeof end);
    end.sa_handler = SIG_DFL;
    __sigaction(number, &end, NULL); /* the access is repeated, and ends the program */
    if (!is_access)
        raise(number);
}

void ompc_leave_handlers(void)
{
    in_programs_handler = 0;
    blocked_by_program = handlers_run != 0 ? blocked_outside : blocked_by_program;
    handlers_run = 0;
}

/* What has waited comes now: before this returns. */
void ompc_let_signals_in(void)
{
    const int saved = errno;
    const unsigned long long waiting = ompc_put_off;
    sigset_t set;
    ompc_put_off = 0;
    sigemptyset(&set);
    for (int number = 1; number <= 64; number++)
        if ((waiting >> (number - 1) & 1) != 0)
            sigaddset(&set, number);
    ompc_libc_pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    errno = saved;
}

/* ---- while the runtime is at work ----------------------------------------------------------------------------------- */

_Static_assert(sizeof(sigset_t) <= sizeof((ompc_held_signals_t *)0)->before, "room for a mask");

void ompc_signals_hold(ompc_held_signals_t *held)
{
    ompc_in_runtime++;
    held->any = __atomic_load_n(&handles_any, __ATOMIC_ACQUIRE) && change_mask(SIG_BLOCK, &handled, (sigset_t *)held->before) == 0;
}

void ompc_signals_hold_all(ompc_held_signals_t *held)
{
    sigset_t all;
    sigfillset(&all);
    for (int i = 0; i < (int)(sizeof of_accesses / sizeof *of_accesses); i++)
        sigdelset(&all, of_accesses[i]);
    ompc_in_runtime++;
    held->any = change_mask(SIG_BLOCK, &all, (sigset_t *)held->before) == 0;
}

void ompc_signals_release(const ompc_held_signals_t *held)
{
    ompc_in_runtime--;
    if (held->any)
        change_mask(SIG_SETMASK, (const sigset_t *)held->before, NULL);
}

int ompc_is_called_back;

int ompc_others_may_write(void)
{
    return __atomic_load_n(&handles_any, __ATOMIC_ACQUIRE) || __atomic_load_n(&ompc_is_called_back, __ATOMIC_ACQUIRE);
}

/* ---- handlers ------------------------------------------------------------------------------------------------------- */

static int is_function(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static int can_wait(int number)
{
    int can = 1;
    for (int i = 0; i < (int)(sizeof of_accesses / sizeof *of_accesses); i++)
        can = can && number != of_accesses[i];
    return can;
}

/* A handler on a stack of its own: too small for what a fault in it does, and one for SIGSEGV wants to see the stack run out. */
static void avoid_small_stacks(void)
{
    uses_small_stacks = 1;
    ompc_guards_end("sigaction with SA_ONSTACK");
}

/* There are no guards any more: SIGSEGV is as the program wants it. */
static void leave_faults_alone(void)
{
    ompc_is_programs_alone = 1;
    if (faults_are_blocked())
        ompc_set_faults(SIG_BLOCK);
    give_handler_back();
    if (ompc_has_pending)
        raise(SIGSEGV);
    ompc_has_pending = 0;
}

/* The program fetches signals: where SIGSEGV is one of them, the runtime has nothing to do with it from now on. */
void ompc_fetches(const char *function, const sigset_t *set)
{
    if (ompc_is_programs_alone || set == NULL || sigismember(set, SIGSEGV) != 1)
        return;
    ompc_guards_end(function);
    leave_faults_alone();
}

static int for_faults(const struct sigaction *action, struct sigaction *before)
{
    const struct sigaction old = programs_action;
    if (action != NULL)
        programs_action = *action;
    if (before != NULL)
        *before = old;
    return 0;
}

/* Of the program, for signals that can wait: the system calls `on_signal` in their place. That reads this wherever a signal is
   handled; who changes it makes `version` odd meanwhile, with signals blocked. */
static struct {
    volatile unsigned version;
    struct sigaction of[NSIG];
    lock_t lock;
} handlers;

static void set_handler_of(int number, const struct sigaction *action)
{
    __atomic_fetch_add(&handlers.version, 1, __ATOMIC_SEQ_CST);
    handlers.of[number] = *action;
    __atomic_fetch_add(&handlers.version, 1, __ATOMIC_SEQ_CST);
}

static struct sigaction handler_of(int number)
{
    struct sigaction action;
    unsigned version;
    do {
        version = __atomic_load_n(&handlers.version, __ATOMIC_ACQUIRE);
        action = handlers.of[number];
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } while (version % 2 != 0 || version != __atomic_load_n(&handlers.version, __ATOMIC_RELAXED));
    return action;
}

/* Blocks a signal until its thread has left malloc, and sends it to that thread again. 0: the system has no room for it. */
static int put_off_signal(int number, siginfo_t *info, ucontext_t *interrupted)
{
    sigset_t one, before;
    sigemptyset(&one);
    sigaddset(&one, number);
    ompc_libc_pthread_sigmask(SIG_BLOCK, &one, &before);
    const long process = ompc_system_call()(SYS_getpid), thread = ompc_system_call()(SYS_gettid);
    if (ompc_system_call()(SYS_rt_tgsigqueueinfo, process, thread, number, info) != 0) {
        ompc_libc_pthread_sigmask(SIG_SETMASK, &before, NULL);
        return 0;
    }
    sigaddset(&interrupted->uc_sigmask, number);
    ompc_put_off |= 1ULL << (number - 1);
    return 1;
}

/* A handler without SA_SIGINFO is given the further arguments, too: so does the system. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    const int saved = errno, waits = ompc_critical != 0 && put_off_signal(number, info, context);
    errno = saved;
    if (waits)
        return;
    const struct sigaction program = handler_of(number);
    if ((program.sa_flags & SA_RESETHAND) != 0) {
        struct sigaction usual;
        memset(&usual, 0, sizeof usual);
        __sigaction(number, &usual, NULL);
    }
    program.sa_sigaction(number, info, context);
}

enum { replaced_flags = SA_SIGINFO | (int)SA_RESETHAND };

/* With signals blocked. 0, or an error's number. */
static int exchange_handler(int number, const struct sigaction *action, struct sigaction *before)
{
    struct sigaction changed;
    const struct sigaction old = handlers.of[number];
    const int blocked = sigismember(&blocks_faults, number) == 1;
    if (action != NULL) {
        changed = *action;
        sigdelset(&changed.sa_mask, SIGSEGV);
    }
    if (action != NULL && is_function(action) && can_wait(number)) {
        set_handler_of(number, action);
        changed.sa_sigaction = on_signal;
        changed.sa_flags = (action->sa_flags & ~replaced_flags) | SA_SIGINFO;
    }
    if (__sigaction(number, action != NULL ? &changed : NULL, before) != 0)
        return errno;
    if (action != NULL && sigismember(&action->sa_mask, SIGSEGV) == 1)
        sigaddset(&blocks_faults, number);
    else if (action != NULL)
        sigdelset(&blocks_faults, number);
    if (before->sa_sigaction == on_signal) {
        before->sa_sigaction = old.sa_sigaction;
        before->sa_flags = (before->sa_flags & ~replaced_flags) | (old.sa_flags & replaced_flags);
    }
    if (blocked)
        sigaddset(&before->sa_mask, SIGSEGV);
    return 0;
}

static int for_others(int number, const struct sigaction *action, struct sigaction *before)
{
    if (number <= 0 || number >= NSIG)
        return __sigaction(number, action, before);
    struct sigaction given, old;
    sigset_t all, mask;
    if (action != NULL)
        given = *action; /* it may lie in a guarded page */
    if (action != NULL && is_function(action) && can_wait(number)) {
        sigaddset(&handled, number);
        __atomic_store_n(&handles_any, 1, __ATOMIC_RELEASE);
    }
    sigfillset(&all);
    ompc_libc_pthread_sigmask(SIG_BLOCK, without_faults(&all, &all), &mask);
    const int locked = lock(&handlers.lock);
    const int error = exchange_handler(number, action != NULL ? &given : NULL, &old);
    unlock(&handlers.lock, locked);
    ompc_libc_pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (error != 0)
        errno = error;
    else if (before != NULL)
        *before = old;
    return error == 0 ? 0 : -1;
}

/* Does a library install it to say where a program has crashed: UCX, the network library below MPI's, or LLVM, which MPI's hwloc finds
   where there is an OpenCL for processors? They touch nothing of the program's. */
static int is_crash_report(const struct sigaction *action)
{
    Dl_info place;
    if (!is_function(action) || dladdr((void *)action->sa_sigaction, &place) == 0 || place.dli_fname == NULL)
        return 0;
    const char *const slash = strrchr(place.dli_fname, '/'), *const name = slash == NULL ? place.dli_fname : slash + 1;
    return strncmp(name, "libucs.", 7) == 0 || strncmp(name, "libLLVM", 7) == 0;
}

static int change_handler(int number, const struct sigaction *action, struct sigaction *before)
{
    const int on_own_stack = action != NULL && (action->sa_flags & SA_ONSTACK) != 0 && !is_crash_report(action);
    if (on_own_stack && is_function(action))
        avoid_small_stacks();
    if (number == SIGSEGV && on_own_stack)
        leave_faults_alone(); /* ours would not be called when the stack has run out */
    return number == SIGSEGV && handler_is_ours ? for_faults(action, before) : for_others(number, action, before);
}

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return change_handler(number, action, before);
}

static void (*set_handler(int number, void (*handler)(int), int flags))(int)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    if ((flags & SA_NODEFER) == 0)
        sigaddset(&action.sa_mask, number);
    return change_handler(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

EXPORTED void (*signal(int number, void (*handler)(int)))(int)
{
    return set_handler(number, handler, SA_RESTART);
}

EXPORTED void (*bsd_signal(int number, void (*handler)(int)))(int)
{
    return set_handler(number, handler, SA_RESTART);
}

EXPORTED void (*ssignal(int number, void (*handler)(int)))(int)
{
    return set_handler(number, handler, SA_RESTART);
}

/* As System V had it: also what `signal` is under -std=c99. */
EXPORTED void (*__sysv_signal(int number, void (*handler)(int)))(int)
{
    return set_handler(number, handler, SA_RESETHAND | SA_NODEFER);
}

EXPORTED void (*sysv_signal(int number, void (*handler)(int)))(int)
{
    return set_handler(number, handler, SA_RESETHAND | SA_NODEFER);
}

EXPORTED void (*sigset(int number, void (*handler)(int)))(int)
{
    if (handler == SIG_HOLD)
        return change_one(SIG_BLOCK, number) == 0 ? SIG_DFL : SIG_ERR;
    void (*const before)(int) = set_handler(number, handler, 0);
    change_one(SIG_UNBLOCK, number);
    return before;
}

EXPORTED int sigignore(int number)
{
    return set_handler(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

/* ---- the end by a signal: a failed assertion of libc's comes here, too ---------------------------------------------------- */

EXPORTED __attribute__((noreturn)) void abort(void)
{
    static __typeof__(abort) *next;
    if (next == NULL)
        next = (__typeof__(abort) *)dlsym(RTLD_NEXT, "abort");
    ompc_bring_home_for_core();
    next();
    __builtin_unreachable();
}

EXPORTED extern void __assert_fail(const char *what, const char *file, unsigned line, const char *function) __attribute__((noreturn));
void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    static __typeof__(__assert_fail) *next;
    if (next == NULL)
        next = (__typeof__(__assert_fail) *)next_function("__assert_fail");
    ompc_bring_home_for_core();
    next(what, file, line, function);
    __builtin_unreachable();
}

int ompc_system_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return __sigaction(number, action, before);
}

#else
int ompc_system_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return sigaction(number, action, before);
}

void ompc_signals_hold(ompc_held_signals_t *held)
{
    held->any = 0;
}

void ompc_signals_hold_all(ompc_held_signals_t *held)
{
    held->any = 0;
}

void ompc_signals_release(const ompc_held_signals_t *held)
{
    (void)held;
}

/* Nobody sees handlers being installed: the system is asked. A library's arrays are borrowed for the call. */
int ompc_others_may_write(void)
{
    int any = 0;
#ifndef OMPC_LIBRARY
    for (int number = 1; number < NSIG && !any; number++) {
        struct sigaction now;
        any = sigaction(number, NULL, &now) == 0 && ((now.sa_flags & SA_SIGINFO) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN));
    }
#endif
    return any;
}
#endif

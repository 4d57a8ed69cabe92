/* ompc_guards.h: faults of guarded pages, and what the program itself does about SIGSEGV (private to ompc_heap.c).

   The device side takes page access away from host memory of which the device has newer bytes (ompc_resident.h). The first
   touch comes here. The program's own handler of SIGSEGV stays in charge of every other fault: sigaction and signal are
   replaced in the executable, so that ours stays installed in front of it. */

#ifndef OMPC_GUARDS_H
#define OMPC_GUARDS_H

#include "ompc_host.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern int __mprotect(void *base, size_t bytes, int protection);
extern int __clock_gettime(clockid_t clock, struct timespec *now);
extern int __sigaction(int number, const struct sigaction *action, struct sigaction *before);

/* The function that this one stands in front of. */
#define NEXT(name, ...)                                          \
    static __typeof__(name) *next;                               \
    if (next == NULL)                                            \
        next = (__typeof__(name) *)next_function(#name);         \
    return next(__VA_ARGS__)

static void *next_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort(); /* libc has it, or nothing would have called it */
    return found;
}

static ompc_guard_hooks_t guard_hooks;
static int guards_on;
static int memory_file = -1;              /* /proc/self/mem: writes whatever the protection is */
static struct sigaction programs_action; /* for SIGSEGV */

/* The hull of everything that is guarded: most callers need to know no more. */
static volatile uintptr_t guarded_low = UINTPTR_MAX, guarded_high = 0;

void ompc_guards_may_be(const void *base, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)base;
    guarded_low = begin < guarded_low ? begin : guarded_low;
    guarded_high = begin + bytes > guarded_high ? begin + bytes : guarded_high;
}

static int guards_reach(uintptr_t begin, size_t bytes)
{
    return guards_on && bytes != 0 && begin < guarded_high && begin + bytes > guarded_low;
}

/* Code that ompc does not see, or the kernel, is about to read or write there. */
static void touched(uintptr_t base, size_t bytes, int writes)
{
    if (guards_reach(base, bytes)) {
        const int saved = errno;
        guard_hooks.touch((const void *)base, bytes, writes);
        errno = saved;
    }
}

/* Memory that stays in use where nothing is seen. */
static void exempted(const volatile void *base, size_t bytes)
{
    if (base == NULL || bytes == 0)
        return;
    void *block;
    size_t size;
    if (guards_reach((uintptr_t)base, bytes))
        guard_hooks.touch(base, bytes, exempt_from_guards);
    if (ompc_block_find(base, &block, &size))
        large_flags((uintptr_t)block, UNGUARDED);
}

static int access_was_a_write(const void *context)
{
#if defined __x86_64__ && defined __linux__
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    return (void)context, 0; /* a second fault will tell */
#endif
}

/* A fault: of a guarded page, or the program's own. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    const int saved = errno;
    const int mended = guards_reach((uintptr_t)info->si_addr, 1) && guard_hooks.fault(info->si_addr, access_was_a_write(context));
    errno = saved;
    if (mended)
        return;
    const struct sigaction program = programs_action;
    sigset_t mask;
    sigorset(&mask, &((const ucontext_t *)context)->uc_sigmask, &program.sa_mask);
    sigdelset(&mask, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if ((program.sa_flags & SA_RESETHAND) != 0)
        programs_action.sa_handler = SIG_DFL;
    if ((program.sa_flags & SA_SIGINFO) != 0) {
        program.sa_sigaction(number, info, context);
    } else if (program.sa_handler != SIG_DFL && program.sa_handler != SIG_IGN) {
        program.sa_handler(number);
    } else {
        __sigaction(number, &program, NULL); /* the access is repeated, and ends the program */
    }
}

static int install_handler(void)
{
    struct sigaction ours;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER; /* a fault in the program's handler is one too */
    sigfillset(&ours.sa_mask);
    sigdelset(&ours.sa_mask, SIGSEGV);
    return __sigaction(SIGSEGV, &ours, &programs_action) == 0;
}

int ompc_write_through(void *host, const void *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = pwrite(memory_file, (const char *)from + done, bytes - done, (off_t)((uintptr_t)host + done));
        if (n <= 0)
            return 0;
        done += (size_t)n;
    }
    return 1;
}

/* Can a page without access be written to? Not on every system. */
static int write_through_works(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *place = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return 0;
    memory_file = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    const char text = 'x';
    const int works = memory_file >= 0 && __mprotect((void *)place, page, PROT_NONE) == 0 &&
                      ompc_write_through((void *)place, &text, 1) && __mprotect((void *)place, page, PROT_READ) == 0 && *place == text;
    munmap((void *)place, page);
    return works;
}

int ompc_guards_start(const ompc_guard_hooks_t *hooks)
{
    guard_hooks = *hooks;
    if (!guards_on && write_through_works() && install_handler())
        __atomic_store_n(&guards_on, 1, __ATOMIC_RELEASE);
    return guards_on;
}

/* A forked child: /proc/self/mem is its parent's. */
static void reopen_memory_file(void)
{
    if (memory_file >= 0) {
        close(memory_file);
        memory_file = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    }
}

int ompc_system_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return __sigaction(number, action, before);
}

/* SIGSEGV is never blocked: a fault would end the program. */
static sigset_t without_faults(const sigset_t *set)
{
    sigset_t others = *set;
    sigdelset(&others, SIGSEGV);
    return others;
}

EXPORTED int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    const sigset_t others = without_faults(set != NULL ? set : &(sigset_t){{0}});
    NEXT(sigprocmask, how, set == NULL || how == SIG_UNBLOCK ? set : &others, before);
}

EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    const sigset_t others = without_faults(set != NULL ? set : &(sigset_t){{0}});
    NEXT(pthread_sigmask, how, set == NULL || how == SIG_UNBLOCK ? set : &others, before);
}

EXPORTED int sigsuspend(const sigset_t *set)
{
    const sigset_t others = without_faults(set);
    NEXT(sigsuspend, &others);
}

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (number != SIGSEGV || !guards_on) {
        struct sigaction others;
        if (action != NULL) {
            others = *action;
            others.sa_mask = without_faults(&action->sa_mask);
        }
        return __sigaction(number, action != NULL ? &others : NULL, before);
    }
    if (before != NULL)
        *before = programs_action;
    if (action != NULL)
        programs_action = *action;
    if (action != NULL && (action->sa_flags & SA_ONSTACK) != 0)
        guard_hooks.stop(); /* it wants to see the stack run out, on a stack too small for ours */
    return 0;
}

EXPORTED void (*signal(int number, void (*handler)(int)))(int)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

#endif

/* ompc_guards.h: faults of guarded pages, and what the program itself does about SIGSEGV (private to ompc_heap.c).

   The device side takes page access away from host memory of which the device has newer bytes (ompc_resident.h). The first
   touch comes here. The program's own handler of SIGSEGV stays in charge of every other fault; ompc_signals.h keeps ours
   installed in front of it. */

#ifndef OMPC_GUARDS_H
#define OMPC_GUARDS_H

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_host.h"
#include "ompc_interposition.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern int __mprotect(void *base, size_t bytes, int protection);
extern int __clock_gettime(clockid_t clock, struct timespec *now);
extern int __sigaction(int number, const struct sigaction *action, struct sigaction *before);

static ompc_guard_hooks_t guard_hooks;
__attribute__((visibility("hidden"))) int ompc_guards_are_on; /* seen from assembly too (ompc_passes.h) */
#define guards_on ompc_guards_are_on
static int libc_frees; /* a library is loaded that finds libc's free in front of ours: all new blocks are libc's */
static const char *guards_ended_by; /* the function that the program has called with which there can be none */
static struct sigaction programs_action; /* for SIGSEGV */
static int uses_small_stacks;            /* the program has handlers on stacks of their own */
static __thread int in_programs_handler; /* for SIGSEGV, which is blocked there unless it says otherwise */

/* The bounding section of everything that is guarded: most callers need to know no more. */
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

static void tell_device(uintptr_t base, size_t bytes, int writes)
{
    const int saved = errno;
    ompc_held_signals_t held;
    ompc_signals_hold(&held);
    guard_hooks.touch((const void *)base, bytes, writes);
    ompc_signals_release(&held);
    errno = saved;
}

/* Code that ompc does not see, or the kernel, is about to read or write there. */
static void footprint(uintptr_t base, size_t bytes, int writes)
{
    if (guards_reach(base, bytes))
        tell_device(base, bytes, writes);
}

/* Memory that stays in use where nothing is seen. */
static void exempted(const volatile void *base, size_t bytes)
{
    if (base == NULL || bytes == 0)
        return;
    void *block;
    size_t size;
    if (guards_reach((uintptr_t)base, bytes))
        tell_device((uintptr_t)base, bytes, exempt_from_guards);
    if (ompc_block_find(base, &block, &size))
        block_flags((uintptr_t)block, UNGUARDED);
}

/* The program calls a function that page guards do not go with. */
static void guards_end(const char *function)
{
    if (guards_ended_by != NULL)
        return;
    guards_ended_by = function;
    if (guards_on)
        guard_hooks.end(function);
}

static int access_was_a_write(const void *context)
{
#if defined __x86_64__ && defined __linux__
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    return (void)context, 0; /* a second fault will tell */
#endif
}

/* As pthread_sigmask, but that SIGSEGV stays unblocked; and has the program blocked it? (ompc_signals.h) */
OMPC_OWN int ompc_change_mask(int how, const sigset_t *set, sigset_t *before);
OMPC_OWN int ompc_faults_are_blocked(void);
OMPC_OWN void ompc_deliver_pending(void);
OMPC_OWN void ompc_leave_signals_behind(void);

static int handler_is_ours;       /* of SIGSEGV */
static int has_pending;           /* SIGSEGV was sent while the program had it blocked */
static __thread int handlers_run; /* of the program's, for SIGSEGV, and whether it was blocked outside */
static __thread int blocked_outside;

/* As the system would: with its mask, once, and not inside itself. */
static void call_programs_handler(int number, siginfo_t *info, void *context)
{
    const struct sigaction program = programs_action;
    const int inside = in_programs_handler;
    blocked_outside = handlers_run++ == 0 ? ompc_faults_are_blocked() : blocked_outside;
    sigset_t mask = ((const ucontext_t *)context)->uc_sigmask, before;
    sigorset(&mask, &mask, &program.sa_mask);
    if ((program.sa_flags & SA_RESETHAND) != 0)
        programs_action.sa_handler = SIG_DFL;
    ompc_change_mask(SIG_SETMASK, &mask, &before);
    in_programs_handler = (program.sa_flags & SA_NODEFER) == 0;
    if ((program.sa_flags & SA_SIGINFO) != 0)
        program.sa_sigaction(number, info, context);
    else
        program.sa_handler(number);
    in_programs_handler = inside;
    handlers_run--;
    ompc_change_mask(SIG_SETMASK, &before, NULL);
    ompc_deliver_pending();
}

/* The program is about to end by a signal: whoever looks at its memory then is to find there what it has computed. */
static void bring_home_for_core(void)
{
    struct rlimit limit = {0, 0};
    if (guards_on && !in_runtime && guarded_low < guarded_high && system_call()(SYS_prlimit64, 0, RLIMIT_CORE, NULL, &limit) == 0 &&
        limit.rlim_cur != 0)
        tell_device(guarded_low, guarded_high - guarded_low, 0);
}

void ompc_on_fault(int number, siginfo_t *info, void *context) __attribute__((used, visibility("hidden")));
void ompc_on_fault(int number, siginfo_t *info, void *context)
{
    const int saved = errno, is_access = info->si_code > 0; /* else somebody has sent it */
    const int mended = is_access && guards_reach((uintptr_t)info->si_addr, 1) &&
                       guard_hooks.fault(info->si_addr, access_was_a_write(context));
    errno = saved;
    if (!mended && !is_access && (ompc_faults_are_blocked() || in_programs_handler))
        has_pending = 1;
    if (mended || (!is_access && (has_pending || programs_action.sa_handler == SIG_IGN)))
        return;
    if (!ompc_faults_are_blocked() && programs_action.sa_handler != SIG_DFL && programs_action.sa_handler != SIG_IGN && !in_programs_handler) {
        call_programs_handler(number, info, context);
        return;
    }
    bring_home_for_core();
    struct sigaction end;
    memset(&end, 0, sizeof end);
    end.sa_handler = SIG_DFL;
    __sigaction(number, &end, NULL); /* the access is repeated, and ends the program */
    if (!is_access)
        raise(number);
}

/* The handler that the system calls. Who walks frame pointers (AddressSanitizer, at each allocation) ends here: behind it the
   register may have any value, that of a pointer into a guarded array too, and then the walk would fault in the middle of this. */
#if defined __x86_64__ || defined __aarch64__
#ifdef __x86_64__
#define CALL_WITHOUT_FRAME                      \
    "    endbr64\n"                             \
    "    pushq %rbp\n"                          \
    "    .cfi_adjust_cfa_offset 8\n"            \
    "    .cfi_rel_offset %rbp, 0\n"             \
    "    xorl %ebp, %ebp\n"                     \
    "    call ompc_on_fault\n"                  \
    "    popq %rbp\n"                           \
    "    .cfi_adjust_cfa_offset -8\n"           \
    "    .cfi_restore %rbp\n"                   \
    "    ret\n"
#else
#define CALL_WITHOUT_FRAME                      \
    "    hint #34\n"                            \
    "    stp x29, x30, [sp, -16]!\n"            \
    "    .cfi_adjust_cfa_offset 16\n"           \
    "    .cfi_rel_offset x29, 0\n"              \
    "    .cfi_rel_offset x30, 8\n"              \
    "    mov x29, xzr\n"                        \
    "    bl ompc_on_fault\n"                    \
    "    ldp x29, x30, [sp], 16\n"              \
    "    .cfi_adjust_cfa_offset -16\n"          \
    "    .cfi_restore x29\n"                    \
    "    .cfi_restore x30\n"                    \
    "    ret\n"
#endif
void ompc_fault_entry(int number, siginfo_t *info, void *context) __attribute__((visibility("hidden")));
__asm__(".pushsection .text\n"
        ".hidden ompc_fault_entry\n"
        ".type ompc_fault_entry, %function\n"
        ".balign 16\n"
        "ompc_fault_entry:\n"
        "    .cfi_startproc\n"
        CALL_WITHOUT_FRAME
        "    .cfi_endproc\n"
        ".size ompc_fault_entry, .-ompc_fault_entry\n"
        ".popsection");
#else
#define ompc_fault_entry ompc_on_fault
#endif

static const int of_accesses[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}; /* cannot wait */

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

/* ---- /proc/self/mem, which reads and writes whatever the protection of a page is ------------------------------------ */

enum { above_the_programs_files = 700 }; /* programs count their files, and close those that they do not know */

static struct {
    int file;
    dev_t device;
    ino_t inode;
} memory = {-1, 0, 0};

/* Is it still that file? The program may have closed it, and have another one of this number. */
static int memory_is_open(void)
{
    struct stat now;
    return memory.file >= 0 && system_call()(SYS_fstat, memory.file, &now) == 0 && now.st_dev == memory.device &&
           now.st_ino == memory.inode;
}

static int open_memory(void)
{
    struct stat opened;
    const int low = (int)system_call()(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC, 0);
    if (low < 0)
        return 0;
    const int high = (int)system_call()(SYS_fcntl, low, F_DUPFD_CLOEXEC, above_the_programs_files);
    memory.file = high < 0 ? low : high;
    if (high >= 0)
        system_call()(SYS_close, low);
    if (system_call()(SYS_fstat, memory.file, &opened) != 0)
        return 0;
    memory.device = opened.st_dev;
    memory.inode = opened.st_ino;
    return 1;
}

/* While the process has one thread: when the table of files grows later, Linux waits until all processors have left the old
   one, which takes 5 to 40 milliseconds. */
__attribute__((constructor(101))) static void make_room_for_memory_file(void)
{
    if (open_memory())
        system_call()(SYS_close, memory.file);
    memory.file = -1;
}

int ompc_write_through(void *host, const void *from, size_t bytes)
{
    if (!memory_is_open() && !open_memory())
        return 0;
    for (size_t done = 0; done < bytes;) {
        const long n = system_call()(SYS_pwrite64, memory.file, (const char *)from + done, bytes - done, (uintptr_t)host + done);
        if (n <= 0)
            return 0;
        done += (size_t)n;
    }
    return 1;
}

int ompc_read_through(void *to, const void *host, size_t bytes)
{
    if (!memory_is_open() && !open_memory())
        return 0;
    for (size_t done = 0; done < bytes;) {
        const long n = system_call()(SYS_pread64, memory.file, (char *)to + done, bytes - done, (uintptr_t)host + done);
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
    volatile char *place = system_map(NULL, page, PROT_READ | PROT_WRITE, 0);
    if (place == MAP_FAILED)
        return 0;
    const char text = 'x';
    const int works = __mprotect((void *)place, page, PROT_NONE) == 0 && ompc_write_through((void *)place, &text, 1) &&
                      __mprotect((void *)place, page, PROT_READ) == 0 && *place == text;
    __munmap((void *)place, page);
    return works;
}

static int write_through = -1; /* not tried yet */

int ompc_guards_prepare(void)
{
    if (write_through < 0)
        write_through = write_through_works();
    return write_through;
}

/* Do other libraries, and libc's callers in the program, find these functions first? Not where this is part of a library
   that was loaded behind libc. */
static int calls_come_here(void)
{
    extern const char own_preadv2[] __asm__("ompc_own_preadv2") __attribute__((visibility("hidden")));
    return dlsym(RTLD_DEFAULT, "preadv2") == (const void *)own_preadv2;
}

const char *ompc_guards_refused(void)
{
    if (guards_ended_by == NULL && !calls_come_here())
        return "";
    return guards_ended_by;
}

int ompc_guards_start(const ompc_guard_hooks_t *hooks)
{
    guard_hooks = *hooks;
    if (guards_ended_by != NULL || !calls_come_here())
        return 0;
    if (!guards_on && ompc_guards_prepare() && !uses_small_stacks && take_handler())
        __atomic_store_n(&guards_on, 1, __ATOMIC_RELEASE);
    return guards_on;
}

int ompc_system_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return __sigaction(number, action, before);
}

/* A forked child: the file is its parent's memory. */
static void reopen_memory_file(void)
{
    if (memory_is_open()) {
        system_call()(SYS_close, memory.file);
        open_memory();
    }
    memory.file = memory_is_open() ? memory.file : -1;
}

#endif

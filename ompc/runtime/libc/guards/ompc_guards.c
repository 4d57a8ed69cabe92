/* ompc_guards.c: faults of guarded pages.

   The device side takes page access away from host memory of which the device has newer bytes (ompc_resident.h). The first
   touch comes here. The program's own handler of SIGSEGV stays in charge of every other fault; ompc_signals.c keeps ours
   installed in front of it. */

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_guards.h"
#include "ompc_host.h"
#include "ompc_interposition.h"
#include "ompc_large_blocks.h"
#include "ompc_lock.h"
#include "ompc_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
ompc_guard_hooks_t ompc_guard_hooks;
__attribute__((used)) int ompc_guards_are_on;
int ompc_libc_frees;
static const char *guards_ended_by; /* the function that the program has called with which there can be none */
volatile uintptr_t ompc_guarded_low = UINTPTR_MAX, ompc_guarded_high = 0;

void ompc_guards_may_be(const void *base, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)base;
    ompc_guarded_low = begin < ompc_guarded_low ? begin : ompc_guarded_low;
    ompc_guarded_high = begin + bytes > ompc_guarded_high ? begin + bytes : ompc_guarded_high;
}

void ompc_tell_device(uintptr_t base, size_t bytes, int writes)
{
    const int saved = errno;
    ompc_held_signals_t held;
    ompc_signals_hold(&held);
    ompc_guard_hooks.touch((const void *)base, bytes, writes);
    ompc_signals_release(&held);
    errno = saved;
}

/* Memory that stays in use where nothing is seen. */
void ompc_exempted(const volatile void *base, size_t bytes)
{
    if (base == NULL || bytes == 0)
        return;
    void *block;
    size_t size;
    if (guards_reach((uintptr_t)base, bytes))
        ompc_tell_device((uintptr_t)base, bytes, exempt_from_guards);
    if (ompc_block_find(base, &block, &size))
        ompc_block_flags((uintptr_t)block, UNGUARDED);
}

/* The program calls a function that page guards do not go with. */
void ompc_guards_end(const char *function)
{
    if (guards_ended_by != NULL)
        return;
    guards_ended_by = function;
    if (ompc_guards_are_on)
        ompc_guard_hooks.end(function);
}

/* 1, 0, or -1: the context does not say. OMPC_FAULTS_SAY_NOTHING: for tests, on any machine. */
static int access_was_a_write(const void *context)
{
#if defined OMPC_FAULTS_SAY_NOTHING
    return (void)context, -1;
#elif defined __x86_64__
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    /* Records, the last of which is empty; one has the register in which AArch64 says why there is an exception (ESR_ELx). */
    enum { SYNDROME = 0x45535201, DATA_ABORT = 0x24, WRITES = 1 << 6 };
    const unsigned char *record = ((const ucontext_t *)context)->uc_mcontext.__reserved, *const end = record + 4096;
    struct { uint32_t magic, size; } head;
    for (uint64_t syndrome; record + sizeof head + sizeof syndrome <= end; record += head.size) {
        memcpy(&head, record, sizeof head);
        if (head.magic == SYNDROME) {
            memcpy(&syndrome, record + sizeof head, sizeof syndrome);
            return syndrome >> 26 == DATA_ABORT ? (syndrome & WRITES) != 0 : -1;
        }
        if (head.size < sizeof head)
            break;
    }
    return -1; /* emulators of processors */
#endif
}

/* The program is about to end by a signal: whoever looks at its memory then is to find there what it has computed. */
void ompc_bring_home_for_core(void)
{
    struct rlimit limit = {0, 0};
    if (ompc_guards_are_on && !ompc_in_runtime && ompc_guarded_low < ompc_guarded_high &&
        ompc_system_call()(SYS_prlimit64, 0, RLIMIT_CORE, NULL, &limit) == 0 && limit.rlim_cur != 0)
        ompc_tell_device(ompc_guarded_low, ompc_guarded_high - ompc_guarded_low, 0);
}

void ompc_on_fault(int number, siginfo_t *info, void *context) __attribute__((used, visibility("hidden")));
void ompc_on_fault(int number, siginfo_t *info, void *context)
{
    const int saved = errno, is_access = info->si_code > 0; /* else somebody has sent it */
    const int mended = is_access && guards_reach((uintptr_t)info->si_addr, 1) &&
                       ompc_guard_hooks.fault(info->si_addr, access_was_a_write(context));
    errno = saved;
    if (!mended)
        ompc_unguarded_fault(number, info, context);
}

/* The handler that the system calls. Who walks frame pointers (AddressSanitizer, at each allocation) ends here: behind it the
   register may have any value, that of a pointer into a guarded array too, and then the walk would fault in the middle of this. */
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
__asm__(".pushsection .text\n"
        ".globl ompc_fault_entry\n.hidden ompc_fault_entry\n"
        ".type ompc_fault_entry, %function\n"
        ".balign 16\n"
        "ompc_fault_entry:\n"
        "    .cfi_startproc\n"
        CALL_WITHOUT_FRAME
        "    .cfi_endproc\n"
        ".size ompc_fault_entry, .-ompc_fault_entry\n"
        ".popsection");

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
    return memory.file >= 0 && ompc_system_call()(SYS_fstat, memory.file, &now) == 0 && now.st_dev == memory.device &&
           now.st_ino == memory.inode;
}

static int open_memory(void)
{
    struct stat opened;
    const int low = (int)ompc_system_call()(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC, 0);
    if (low < 0)
        return 0;
    const int high = (int)ompc_system_call()(SYS_fcntl, low, F_DUPFD_CLOEXEC, above_the_programs_files);
    memory.file = high < 0 ? low : high;
    if (high >= 0)
        ompc_system_call()(SYS_close, low);
    if (ompc_system_call()(SYS_fstat, memory.file, &opened) != 0)
        return 0;
    memory.device = opened.st_dev;
    memory.inode = opened.st_ino;
    return 1;
}

/* While the process has one thread: when the table of files grows later, Linux waits until all processors have left the old
   one, which takes 5 to 40 milliseconds. */
void ompc_make_room_for_memory_file(void)
{
    if (open_memory())
        ompc_system_call()(SYS_close, memory.file);
    memory.file = -1;
}

int ompc_write_through(void *host, const void *from, size_t bytes)
{
    if (!memory_is_open() && !open_memory())
        return 0;
    for (size_t done = 0; done < bytes;) {
        const long n = ompc_system_call()(SYS_pwrite64, memory.file, (const char *)from + done, bytes - done, (uintptr_t)host + done);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return 0;
        done += n > 0 ? (size_t)n : 0;
    }
    return 1;
}

int ompc_read_through(void *to, const void *host, size_t bytes)
{
    if (!memory_is_open() && !open_memory())
        return 0;
    for (size_t done = 0; done < bytes;) {
        const long n = ompc_system_call()(SYS_pread64, memory.file, (char *)to + done, bytes - done, (uintptr_t)host + done);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return 0;
        done += n > 0 ? (size_t)n : 0;
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
    ompc_guard_hooks = *hooks;
    if (guards_ended_by != NULL || !calls_come_here())
        return 0;
    if (!ompc_guards_are_on && ompc_guards_prepare() && ompc_take_faults())
        __atomic_store_n(&ompc_guards_are_on, 1, __ATOMIC_RELEASE);
    return ompc_guards_are_on;
}

/* A forked child: the file is its parent's memory. */
void ompc_reopen_memory_file(void)
{
    if (memory_is_open()) {
        ompc_system_call()(SYS_close, memory.file);
        open_memory();
    }
    memory.file = memory_is_open() ? memory.file : -1;
}

int ompc_protect(void *pages, size_t bytes, int protection)
{
    return __mprotect(pages, bytes, protection);
}

#else

void ompc_guards_may_be(const void *base, size_t bytes)
{
    (void)base, (void)bytes;
}

int ompc_guards_prepare(void)
{
    return 0;
}

int ompc_guards_start(const ompc_guard_hooks_t *hooks)
{
    return (void)hooks, 0;
}

const char *ompc_guards_refused(void)
{
    return NULL;
}

int ompc_protect(void *pages, size_t bytes, int protection)
{
    return mprotect(pages, bytes, protection);
}

int ompc_write_through(void *host, const void *from, size_t bytes)
{
    return memcpy(host, from, bytes) != NULL;
}

int ompc_read_through(void *to, const void *host, size_t bytes)
{
    return memcpy(to, host, bytes) != NULL;
}
#endif

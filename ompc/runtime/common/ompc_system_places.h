/* ompc_system_places.h: more functions of libc with which the kernel reads and writes the program's memory: texts, and
   structures in which it answers (private to ompc_heap.c). See ompc_system_calls.h. */

#ifndef OMPC_SYSTEM_PLACES_H
#define OMPC_SYSTEM_PLACES_H

#include "ompc_mappings.h"
#include "ompc_system_calls.h"

#include <dirent.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/wait.h>

/* Numbers, so that compilers do not take the call for a read of what is not there yet. */
#define told(place, bytes) touched((uintptr_t)(place), bytes, 1)
#define asked(place, bytes) touched((uintptr_t)(place), bytes, 0)

/* Whatever an address that may be one leads to. */
static void anything(long word)
{
    void *base;
    size_t bytes;
    if (guards_reach((uintptr_t)word, 1) && ompc_block_find((const void *)word, &base, &bytes))
        told(base, bytes);
}

static void touched_messages(struct mmsghdr *messages, size_t count, int writes)
{
    told(messages, count * sizeof *messages);
    for (size_t i = 0; guards_on && i < count; i++)
        touched_message(&messages[i].msg_hdr, writes);
}

static void texts(char *const *list)
{
    for (; guards_on && list != NULL && *list != NULL; list++)
        touched_text(*list);
}

#define BEFORE(type, name, parameters, arguments, ...)          \
    EXPORTED type name parameters                               \
    {                                                           \
        static __typeof__(name) *next;                          \
        __VA_ARGS__;                                            \
        if (next == NULL)                                       \
            next = (__typeof__(name) *)next_function(#name);    \
        return next arguments;                                  \
    }

/* ---- names of files -------------------------------------------------------------------------------------------------- */

#define MODE(last)                            \
    va_list passed;                           \
    va_start(passed, last);                   \
    const mode_t mode = va_arg(passed, mode_t); \
    va_end(passed);                           \
    touched_text(path)

BEFORE(int, open, (const char *path, int flags, ...), (path, flags, mode), MODE(flags))
BEFORE(int, open64, (const char *path, int flags, ...), (path, flags, mode), MODE(flags))
BEFORE(int, openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), MODE(flags))
BEFORE(int, creat, (const char *path, mode_t mode), (path, mode), touched_text(path))
BEFORE(FILE *, fopen, (const char *restrict path, const char *restrict mode), (path, mode), touched_text(path))
BEFORE(FILE *, fopen64, (const char *restrict path, const char *restrict mode), (path, mode), touched_text(path))
BEFORE(FILE *, freopen, (const char *restrict path, const char *restrict mode, FILE *restrict file), (path, mode, file),
       if (path != NULL) touched_text(path))
BEFORE(DIR *, opendir, (const char *path), (path), touched_text(path))
BEFORE(int, access, (const char *path, int mode), (path, mode), touched_text(path))
BEFORE(int, chdir, (const char *path), (path), touched_text(path))
BEFORE(int, mkdir, (const char *path, mode_t mode), (path, mode), touched_text(path))
BEFORE(int, rmdir, (const char *path), (path), touched_text(path))
BEFORE(int, unlink, (const char *path), (path), touched_text(path))
BEFORE(int, remove, (const char *path), (path), touched_text(path))
BEFORE(int, rename, (const char *from, const char *to), (from, to), touched_text(from), touched_text(to))
BEFORE(int, link, (const char *from, const char *to), (from, to), touched_text(from), touched_text(to))
BEFORE(int, symlink, (const char *from, const char *to), (from, to), touched_text(from), touched_text(to))
BEFORE(int, chmod, (const char *path, mode_t mode), (path, mode), touched_text(path))
BEFORE(int, truncate, (const char *path, off_t bytes), (path, bytes), touched_text(path))
BEFORE(int, mkstemp, (char *path), (path), touched_text(path))
BEFORE(char *, realpath, (const char *restrict path, char *restrict to), (path, to), touched_text(path), told(to, to != NULL ? 4096 : 0))
BEFORE(char *, getcwd, (char *to, size_t bytes), (to, bytes), told(to, bytes))
BEFORE(ssize_t, readlink, (const char *restrict path, char *restrict to, size_t bytes), (path, to, bytes), touched_text(path),
       told(to, bytes))
BEFORE(ssize_t, readlinkat, (int folder, const char *restrict path, char *restrict to, size_t bytes), (folder, path, to, bytes),
       touched_text(path), told(to, bytes))
BEFORE(int, openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), MODE(flags))
BEFORE(int, creat64, (const char *path, mode_t mode), (path, mode), touched_text(path))
BEFORE(int, faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags), touched_text(path))
BEFORE(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), touched_text(path))
BEFORE(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), touched_text(path))
BEFORE(int, renameat, (int from_folder, const char *from, int to_folder, const char *to), (from_folder, from, to_folder, to),
       touched_text(from), touched_text(to))
BEFORE(int, linkat, (int from_folder, const char *from, int to_folder, const char *to, int flags),
       (from_folder, from, to_folder, to, flags), touched_text(from), touched_text(to))
BEFORE(int, symlinkat, (const char *from, int folder, const char *to), (from, folder, to), touched_text(from), touched_text(to))
BEFORE(int, mkfifo, (const char *path, mode_t mode), (path, mode), touched_text(path))
BEFORE(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group), touched_text(path))
BEFORE(int, truncate64, (const char *path, off64_t bytes), (path, bytes), touched_text(path))
BEFORE(int, mkostemp, (char *path, int flags), (path, flags), touched_text(path))
BEFORE(char *, mkdtemp, (char *path), (path), touched_text(path))
BEFORE(int, utimes, (const char *path, const struct timeval times[2]), (path, times), touched_text(path),
       asked(times, 2 * sizeof *times))
BEFORE(int, utimensat, (int folder, const char *path, const struct timespec times[2], int flags), (folder, path, times, flags),
       touched_text(path), asked(times, 2 * sizeof *times))
BEFORE(int, statfs, (const char *path, struct statfs *to), (path, to), touched_text(path), told(to, sizeof *to))
BEFORE(int, fstatfs, (int file, struct statfs *to), (file, to), told(to, sizeof *to))
#if __GLIBC_PREREQ(2, 28)
BEFORE(int, statx, (int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict to),
       (folder, path, flags, mask, to), touched_text(path), told(to, sizeof *to))
BEFORE(int, renameat2, (int from_folder, const char *from, int to_folder, const char *to, unsigned flags),
       (from_folder, from, to_folder, to, flags), touched_text(from), touched_text(to))
#endif
#if __GLIBC_PREREQ(2, 33)
BEFORE(int, fstatat, (int folder, const char *restrict path, struct stat *restrict to, int flags), (folder, path, to, flags),
       touched_text(path), told(to, sizeof *to))
BEFORE(int, fstatat64, (int folder, const char *restrict path, struct stat64 *restrict to, int flags), (folder, path, to, flags),
       touched_text(path), told(to, sizeof *to))
BEFORE(int, stat, (const char *restrict path, struct stat *restrict to), (path, to), touched_text(path), told(to, sizeof *to))
BEFORE(int, lstat, (const char *restrict path, struct stat *restrict to), (path, to), touched_text(path), told(to, sizeof *to))
BEFORE(int, fstat, (int file, struct stat *to), (file, to), told(to, sizeof *to))
BEFORE(int, stat64, (const char *restrict path, struct stat64 *restrict to), (path, to), touched_text(path), told(to, sizeof *to))
BEFORE(int, lstat64, (const char *restrict path, struct stat64 *restrict to), (path, to), touched_text(path), told(to, sizeof *to))
BEFORE(int, fstat64, (int file, struct stat64 *to), (file, to), told(to, sizeof *to))
#endif

/* ---- other programs --------------------------------------------------------------------------------------------------- */

BEFORE(int, execv, (const char *path, char *const words[]), (path, words), touched_text(path), texts(words))
BEFORE(int, execvp, (const char *path, char *const words[]), (path, words), touched_text(path), texts(words))
BEFORE(int, execve, (const char *path, char *const words[], char *const environment[]), (path, words, environment), touched_text(path),
       texts(words), texts(environment))
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

BEFORE(int, posix_spawn,
       (pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
        const posix_spawnattr_t *restrict attributes, char *const words[restrict], char *const environment[restrict]),
       (child, path, actions, attributes, words, environment), touched_text(path), texts(words), texts(environment))
BEFORE(int, posix_spawnp,
       (pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
        const posix_spawnattr_t *restrict attributes, char *const words[restrict], char *const environment[restrict]),
       (child, path, actions, attributes, words, environment), touched_text(path), texts(words), texts(environment))
BEFORE(int, system, (const char *command), (command), if (command != NULL) touched_text(command))
BEFORE(FILE *, popen, (const char *command, const char *mode), (command, mode), touched_text(command))
BEFORE(pid_t, wait, (int *status), (status), told(status, sizeof *status))
BEFORE(pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage), told(status, sizeof *status),
       told(usage, sizeof *usage))
BEFORE(pid_t, wait4, (pid_t child, int *status, int options, struct rusage *usage), (child, status, options, usage),
       told(status, sizeof *status), told(usage, sizeof *usage))
BEFORE(int, waitid, (idtype_t what, id_t id, siginfo_t *to, int options), (what, id, to, options), told(to, sizeof *to))
BEFORE(pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options), told(status, sizeof *status))

/* The child has its parent's memory until it is another program, so nothing may be on the device then. vfork returns twice:
   it must not be called, but jumped to. */
#if defined __x86_64__
extern void *ompc_before_vfork(void) __attribute__((visibility("hidden")));
void *ompc_before_vfork(void)
{
    if (guards_on)
        told((const void *)guarded_low, guarded_high - guarded_low);
    return next_function("vfork");
}
__asm__(".pushsection .text\n"
        ".weak vfork\n"
        ".type vfork, @function\n"
        "vfork:\n"
        "    subq $8, %rsp\n"
        "    call ompc_before_vfork\n"
        "    addq $8, %rsp\n"
        "    jmpq *%rax\n"
        ".size vfork, .-vfork\n"
        ".popsection");
#else
EXPORTED pid_t vfork(void)
{
    return fork();
}
#endif

/* ---- answers ------------------------------------------------------------------------------------------------------------ */

BEFORE(int, pipe, (int ends[2]), (ends), told(ends, 2 * sizeof *ends))
BEFORE(int, pipe2, (int ends[2], int flags), (ends, flags), told(ends, 2 * sizeof *ends))
BEFORE(int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends), told(ends, 2 * sizeof *ends))
BEFORE(int, poll, (struct pollfd * files, nfds_t count, int timeout), (files, count, timeout), told(files, count * sizeof *files))
BEFORE(int, select,
       (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others, struct timeval *restrict timeout),
       (count, reads, writes, others, timeout), told(reads, sizeof *reads), told(writes, sizeof *writes), told(others, sizeof *others),
       told(timeout, sizeof *timeout))
BEFORE(int, epoll_wait, (int file, struct epoll_event *events, int most, int timeout), (file, events, most, timeout),
       told(events, most > 0 ? (size_t)most * sizeof *events : 0))
BEFORE(int, epoll_ctl, (int set, int what, int file, struct epoll_event *event), (set, what, file, event), asked(event, sizeof *event))
BEFORE(int, uname, (struct utsname * to), (to), told(to, sizeof *to))
BEFORE(int, getrusage, (__rusage_who_t who, struct rusage *to), (who, to), told(to, sizeof *to), CLOCK_IS_READ)
BEFORE(clock_t, times, (struct tms * to), (to), told(to, sizeof *to), CLOCK_IS_READ)
BEFORE(time_t, time, (time_t * to), (to), told(to, sizeof *to), CLOCK_IS_READ)
BEFORE(int, timespec_get, (struct timespec * to, int base), (to, base), told(to, sizeof *to), CLOCK_IS_READ)
BEFORE(int, nanosleep, (const struct timespec *duration, struct timespec *left), (duration, left), asked(duration, sizeof *duration),
       told(left, sizeof *left))
BEFORE(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *duration, struct timespec *left),
       (clock, flags, duration, left), asked(duration, sizeof *duration), told(left, sizeof *left))
BEFORE(int, setitimer, (__itimer_which_t which, const struct itimerval *restrict value, struct itimerval *restrict before),
       (which, value, before), asked(value, sizeof *value), told(before, sizeof *before))
BEFORE(int, getitimer, (__itimer_which_t which, struct itimerval *to), (which, to), told(to, sizeof *to))
BEFORE(int, bind, (int socket, const struct sockaddr *name, socklen_t bytes), (socket, name, bytes), asked(name, bytes))
BEFORE(int, connect, (int socket, const struct sockaddr *name, socklen_t bytes), (socket, name, bytes), asked(name, bytes))
BEFORE(int, accept, (int socket, struct sockaddr *restrict name, socklen_t *restrict bytes), (socket, name, bytes),
       told(bytes, sizeof *bytes), told(name, name != NULL ? *bytes : 0))
BEFORE(int, accept4, (int socket, struct sockaddr *restrict name, socklen_t *restrict bytes, int flags), (socket, name, bytes, flags),
       told(bytes, sizeof *bytes), told(name, name != NULL ? *bytes : 0))
BEFORE(int, getsockname, (int socket, struct sockaddr *restrict name, socklen_t *restrict bytes), (socket, name, bytes),
       told(bytes, sizeof *bytes), told(name, *bytes))
BEFORE(int, getpeername, (int socket, struct sockaddr *restrict name, socklen_t *restrict bytes), (socket, name, bytes),
       told(bytes, sizeof *bytes), told(name, *bytes))
BEFORE(int, getsockopt, (int socket, int level, int option, void *restrict to, socklen_t *restrict bytes),
       (socket, level, option, to, bytes), told(bytes, sizeof *bytes), told(to, *bytes))
BEFORE(int, setsockopt, (int socket, int level, int option, const void *from, socklen_t bytes), (socket, level, option, from, bytes),
       asked(from, bytes))
BEFORE(ssize_t, preadv64, (int file, const struct iovec *vector, int count, off64_t at), (file, vector, count, at),
       touched_vector(vector, count, 1))
BEFORE(ssize_t, pwritev64, (int file, const struct iovec *vector, int count, off64_t at), (file, vector, count, at),
       touched_vector(vector, count, 0))
BEFORE(ssize_t, sendfile, (int to, int from, off_t *at, size_t bytes), (to, from, at, bytes), told(at, sizeof *at))
BEFORE(ssize_t, sendfile64, (int to, int from, off64_t *at, size_t bytes), (to, from, at, bytes), told(at, sizeof *at))
BEFORE(ssize_t, copy_file_range, (int from, off64_t *from_at, int to, off64_t *to_at, size_t bytes, unsigned flags),
       (from, from_at, to, to_at, bytes, flags), told(from_at, sizeof *from_at), told(to_at, sizeof *to_at))
BEFORE(int, recvmmsg, (int socket, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout),
       (socket, messages, count, flags, timeout), touched_messages(messages, count, 1), told(timeout, sizeof *timeout))
BEFORE(int, sendmmsg, (int socket, struct mmsghdr *messages, unsigned count, int flags), (socket, messages, count, flags),
       touched_messages(messages, count, 0))
BEFORE(int, sched_getaffinity, (pid_t process, size_t bytes, cpu_set_t *to), (process, bytes, to), told(to, bytes))
BEFORE(int, sched_setaffinity, (pid_t process, size_t bytes, const cpu_set_t *from), (process, bytes, from), asked(from, bytes))
BEFORE(int, sysinfo, (struct sysinfo *to), (to), told(to, sizeof *to))
BEFORE(int, getgroups, (int count, gid_t *to), (count, to), told(to, count > 0 ? (size_t)count * sizeof *to : 0))
BEFORE(int, timerfd_settime, (int file, int flags, const struct itimerspec *value, struct itimerspec *before),
       (file, flags, value, before), asked(value, sizeof *value), told(before, sizeof *before))

/* ioctl and syscall: any word may be an address. */
BEFORE(int, ioctl, (int file, unsigned long request, ...), (file, request, word), va_list passed; va_start(passed, request);
       const long word = va_arg(passed, long); va_end(passed); anything(word))

/* Reads six words whether they were passed or not: behind those in registers is the caller's stack, whatever is there. */
EXPORTED __attribute__((no_sanitize_address)) long syscall(long number, ...)
{
    long a[6];
    va_list passed;
    va_start(passed, number);
    for (int i = 0; i < 6; i++) {
        a[i] = va_arg(passed, long);
        anything(a[i]);
    }
    va_end(passed);
    if (number == SYS_munmap || number == SYS_mremap || (number == SYS_mmap && (a[3] & MAP_FIXED) != 0))
        forget_mapped((uintptr_t)a[0], page_end((size_t)a[1]));
    NEXT(syscall, number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#endif

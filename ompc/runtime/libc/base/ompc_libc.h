/* ompc_libc.h: functions of libc as libc has them, for the runtime itself.

   The runtime stands in front of many functions of libc (ompc_host.c): there its own call would wait for the launch that it
   is a part of, or come back to where it began. And a C program may have functions of these names that do something else. So
   the runtime calls none of them by its name: each that it uses has an entry here, and is found behind the program.

       ompc_libc_write(file, text, bytes)

   A test goes through the object files of the runtime, and through what they need of a libstdc++ that is linked statically
   (tests/runtime/test_runtime_symbols.py). */

#ifndef OMPC_LIBC_H
#define OMPC_LIBC_H

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* F(result, name, parameters, arguments) */
#define OMPC_LIBC_FUNCTIONS(F)                                                                                              \
    F(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode))                                           \
    F(int, access, (const char *path, int mode), (path, mode))                                                              \
    F(int, close, (int file), (file))                                                                                       \
    F(DIR *, opendir, (const char *path), (path))                                                                           \
    F(int, memfd_create, (const char *name, unsigned flags), (name, flags))                                                 \
    F(int, getsockopt, (int file, int level, int name, void *to, socklen_t *bytes), (file, level, name, to, bytes))         \
    F(ssize_t, write, (int file, const void *from, size_t bytes), (file, from, bytes))                                      \
    F(char *, getcwd, (char *to, size_t bytes), (to, bytes))                                                                \
    F(int, stat, (const char *path, struct stat *to), (path, to))                                                           \
    F(ssize_t, readlink, (const char *path, char *to, size_t bytes), (path, to, bytes))                                     \
    F(int, mkdir, (const char *path, mode_t mode), (path, mode))                                                            \
    F(int, rename, (const char *before, const char *after), (before, after))                                                \
    F(int, unlink, (const char *path), (path))                                                                              \
    F(int, uname, (struct utsname *to), (to))                                                                               \
    F(FILE *, fopen, (const char *path, const char *mode), (path, mode))                                                    \
    F(int, fclose, (FILE *file), (file))                                                                                    \
    F(char *, fgets, (char *to, int bytes, FILE *file), (to, bytes, file))                                                  \
    F(int, vfprintf, (FILE *file, const char *format, va_list arguments), (file, format, arguments))                        \
    F(void *, mmap, (void *where, size_t bytes, int protection, int how, int file, off_t at), (where, bytes, protection, how, file, at)) \
    F(int, munmap, (void *base, size_t bytes), (base, bytes))                                                               \
    F(int, mprotect, (void *base, size_t bytes, int protection), (base, bytes, protection))                                 \
    F(int, madvise, (void *base, size_t bytes, int advice), (base, bytes, advice))                                          \
    F(int, mincore, (void *base, size_t bytes, unsigned char *present), (base, bytes, present))                             \
    F(int, clock_gettime, (clockid_t clock, struct timespec *now), (clock, now))                                            \
    F(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))                                   \
    F(pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options))                                    \
    F(int, sigaltstack, (const stack_t *stack, stack_t *before), (stack, before))                                           \
    F(int, getrlimit, (__rlimit_resource_t which, struct rlimit *to), (which, to))                                          \
    F(int, getrusage, (__rusage_who_t who, struct rusage *to), (who, to))                                                   \
    F(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t *to), (thread, to))                                        \
    F(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *before), (how, set, before))

/* A shared library and its program have a runtime each. Both ask what is behind themselves: hidden, since the library would
   else call the program's, behind which it is itself. */
#define OMPC_OWN __attribute__((visibility("hidden")))
#define OMPC_LIBC_DECLARES(type, name, parameters, arguments) OMPC_OWN type ompc_libc_##name parameters;
OMPC_LIBC_FUNCTIONS(OMPC_LIBC_DECLARES)
#undef OMPC_LIBC_DECLARES

/* Ends the process, and calls nothing. */
OMPC_OWN void ompc_libc_end(int status) __attribute__((noreturn));
OMPC_OWN void ompc_libc_abort(void) __attribute__((noreturn));

#ifdef __cplusplus
}

namespace ompc {

[[gnu::format(printf, 2, 3)]] inline void write_text(FILE *file, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    static_cast<void>(ompc_libc_vfprintf(file, format, values));
    va_end(values);
}

} // namespace ompc
#endif

#endif

/* ompc_system_calls.c: functions of libc that hand the program's memory to the kernel.

   A system call does not fault on guarded pages: it fails (EFAULT). So these functions are replaced in the executable, for
   the program and the shared libraries that it loads, and synchronise their memory first. Functions that read the clock
   wait for the kernels that are under way, so that programs that time themselves tell the truth. */

#include "ompc_replaces.h"

#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_passes.h"
#include "ompc_system_calls.h"

#include <err.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
extern int __clock_gettime(clockid_t clock, struct timespec *now);

void ompc_touched_message(const struct msghdr *message, int writes)
{
    if (!guards_are_on())
        return;
    footprint((uintptr_t)message->msg_name, message->msg_namelen, writes);
    ompc_touched_vector(message->msg_iov, message->msg_iovlen, writes);
    footprint((uintptr_t)message->msg_control, message->msg_controllen, writes);
}

BEFORE(ssize_t, read, (int file, void *to, size_t bytes), (file, to, bytes), footprint((uintptr_t)to, bytes, 1))
BEFORE(ssize_t, pread, (int file, void *to, size_t bytes, off_t at),
       (file, to, bytes, at), footprint((uintptr_t)to, bytes, 1))
BEFORE(ssize_t, pread64, (int file, void *to, size_t bytes, off64_t at),
       (file, to, bytes, at), footprint((uintptr_t)to, bytes, 1))
BEFORE(ssize_t, readv, (int file, const struct iovec *vector, int count),
       (file, vector, count), ompc_touched_vector(vector, (size_t)(count > 0 ? count : 0), 1))
BEFORE(ssize_t, preadv, (int file, const struct iovec *vector, int count, off_t at),
       (file, vector, count, at), ompc_touched_vector(vector, (size_t)(count > 0 ? count : 0), 1))
BEFORE(ssize_t, write, (int file, const void *from, size_t bytes),
       (file, from, bytes), footprint((uintptr_t)from, bytes, 0))
BEFORE(ssize_t, pwrite, (int file, const void *from, size_t bytes, off_t at),
       (file, from, bytes, at), footprint((uintptr_t)from, bytes, 0))
BEFORE(ssize_t, pwrite64, (int file, const void *from, size_t bytes, off64_t at),
       (file, from, bytes, at), footprint((uintptr_t)from, bytes, 0))
BEFORE(ssize_t, writev, (int file, const struct iovec *vector, int count),
       (file, vector, count), ompc_touched_vector(vector, (size_t)(count > 0 ? count : 0), 0))
BEFORE(ssize_t, pwritev, (int file, const struct iovec *vector, int count, off_t at),
       (file, vector, count, at), ompc_touched_vector(vector, (size_t)(count > 0 ? count : 0), 0))
BEFORE(ssize_t, recv, (int socket, void *to, size_t bytes, int flags),
       (socket, to, bytes, flags), footprint((uintptr_t)to, bytes, 1))
BEFORE(ssize_t, recvmsg, (int socket, struct msghdr *message, int flags),
       (socket, message, flags), ompc_touched_message(message, 1))
BEFORE(ssize_t, send, (int socket, const void *from, size_t bytes, int flags),
       (socket, from, bytes, flags), footprint((uintptr_t)from, bytes, 0))
BEFORE(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags),
       (socket, message, flags), ompc_touched_message(message, 0))
BEFORE(ssize_t, getrandom, (void *to, size_t bytes, unsigned flags),
       (to, bytes, flags), footprint((uintptr_t)to, bytes, 1))
BEFORE(size_t, fread, (void *to, size_t bytes, size_t count, FILE *file),
       (to, bytes, count, file), footprint((uintptr_t)to, bytes * count, 1))

EXPORTED size_t(fread_unlocked)(void *to, size_t bytes, size_t count, FILE *file)
{
    footprint((uintptr_t)to, bytes * count, 1);
    NEXT(fread_unlocked, to, bytes, count, file);
}

BEFORE(size_t, fwrite, (const void *from, size_t bytes, size_t count, FILE *file),
       (from, bytes, count, file), footprint((uintptr_t)from, bytes * count, 0))

EXPORTED size_t(fwrite_unlocked)(const void *from, size_t bytes, size_t count, FILE *file)
{
    footprint((uintptr_t)from, bytes * count, 0);
    NEXT(fwrite_unlocked, from, bytes, count, file);
}

BEFORE(int, fputs, (const char *text, FILE *file), (text, file), ompc_touched_text(text))
BEFORE(int, puts, (const char *text), (text), ompc_touched_text(text))

/* ---- texts that are printed: long ones go to the kernel from where they are ----------------------------------------- */

static void touched_by_format(const char *format, va_list passed)
{
    enum { MOST = 64 };
    int kinds[MOST];
    if (!guards_are_on() || strchr(format, 's') == NULL)
        return;
    const size_t count = parse_printf_format(format, MOST, kinds);
    va_list arguments;
    va_copy(arguments, passed);
    for (size_t i = 0; i < count && i < MOST; i++) {
        const int kind = kinds[i] & ~PA_FLAG_MASK;
        if ((kinds[i] & PA_FLAG_PTR) != 0 || kind == PA_POINTER || kind == PA_WSTRING)
            (void)va_arg(arguments, void *);
        else if (kind == PA_STRING)
            ompc_touched_text(va_arg(arguments, const char *));
        else if (kind == PA_DOUBLE && (kinds[i] & PA_FLAG_LONG_DOUBLE) != 0)
            (void)va_arg(arguments, long double);
        else if (kind == PA_DOUBLE || kind == PA_FLOAT)
            (void)va_arg(arguments, double);
        else if ((kinds[i] & (PA_FLAG_LONG | PA_FLAG_LONG_LONG)) != 0)
            (void)va_arg(arguments, long long);
        else
            (void)va_arg(arguments, int);
    }
    va_end(arguments);
}

BEFORE(int, vfprintf, (FILE *file, const char *format, va_list arguments),
       (file, format, arguments), touched_by_format(format, arguments))

EXPORTED int vprintf(const char *format, va_list arguments)
{
    return vfprintf(stdout, format, arguments);
}

#define PRINTS(file, format)                            \
    va_list arguments;                                  \
    va_start(arguments, format);                        \
    const int count = vfprintf(file, format, arguments); \
    va_end(arguments);                                  \
    return count

BEFORE(int, vdprintf, (int file, const char *format, va_list arguments),
       (file, format, arguments), touched_by_format(format, arguments))
BEFORE(int, _IO_vfprintf, (FILE *file, const char *format, va_list arguments),
       (file, format, arguments), touched_by_format(format, arguments))
BEFORE(int, __vdprintf_chk, (int file, int flag, const char *format, va_list arguments),
       (file, flag, format, arguments), touched_by_format(format, arguments))
BEFORE(int, __vprintf_chk, (int flag, const char *format, va_list arguments),
       (flag, format, arguments), touched_by_format(format, arguments))

#define WARNS(name, parameters, arguments_of_next)         \
    EXPORTED void name parameters                          \
    {                                                      \
        static __typeof__(name) *next;                     \
        if (format != NULL)                                \
            touched_by_format(format, arguments);          \
        if (next == NULL)                                  \
            next = (__typeof__(name) *)next_function(#name); \
        next arguments_of_next;                            \
        ENDS_##name;                                       \
    }
#define ENDS_vwarn (void)0
#define ENDS_vwarnx (void)0
#define ENDS_verr __builtin_unreachable()
#define ENDS_verrx __builtin_unreachable()
WARNS(vwarn, (const char *format, va_list arguments), (format, arguments))
WARNS(vwarnx, (const char *format, va_list arguments), (format, arguments))
WARNS(verr, (int status, const char *format, va_list arguments), (status, format, arguments))
WARNS(verrx, (int status, const char *format, va_list arguments), (status, format, arguments))

EXPORTED int fprintf(FILE *file, const char *format, ...)
{
    PRINTS(file, format);
}

EXPORTED int printf(const char *format, ...)
{
    PRINTS(stdout, format);
}

/* ---- what -D_FORTIFY_SOURCE makes of some of them ------------------------------------------------------------------ */

BEFORE(size_t, __fread_chk, (void *to, size_t room, size_t bytes, size_t count, FILE *file),
       (to, room, bytes, count, file), footprint((uintptr_t)to, bytes * count, 1))
BEFORE(ssize_t, __read_chk, (int file, void *to, size_t bytes, size_t room),
       (file, to, bytes, room), footprint((uintptr_t)to, bytes, 1))
BEFORE(ssize_t, __recv_chk, (int socket, void *to, size_t bytes, size_t room, int flags),
       (socket, to, bytes, room, flags), footprint((uintptr_t)to, bytes, 1))
BEFORE(int, __vfprintf_chk, (FILE *file, int flag, const char *format, va_list arguments),
       (file, flag, format, arguments), touched_by_format(format, arguments))

#define PRINTS_CHECKED(file, format)                                \
    va_list arguments;                                              \
    va_start(arguments, format);                                    \
    const int count = __vfprintf_chk(file, flag, format, arguments); \
    va_end(arguments);                                              \
    return count

EXPORTED int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    PRINTS_CHECKED(file, format);
}

EXPORTED int __printf_chk(int flag, const char *format, ...)
{
    PRINTS_CHECKED(stdout, format);
}

/* ---- memory that stays in use after the call: never guarded again ---------------------------------------------------- */

BEFORE(int, setvbuf, (FILE *file, char *buffer, int mode, size_t bytes),
       (file, buffer, mode, bytes), ompc_exempted(buffer, bytes))

EXPORTED void setbuf(FILE *file, char *buffer)
{
    setvbuf(file, buffer, buffer == NULL ? _IONBF : _IOFBF, BUFSIZ);
}

/* ---- clocks ------------------------------------------------------------------------------------------------------- */

EXPORTED double omp_get_wtime(void);
double omp_get_wtime(void)
{
    CLOCK_IS_READ;
    struct timespec now;
    __clock_gettime(CLOCK_MONOTONIC, &now); /* as libgomp does */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *now)
{
    CLOCK_IS_READ;
    return __clock_gettime(clock, now);
}

BEFORE(int, gettimeofday, (struct timeval *restrict now, void *restrict zone), (now, zone), CLOCK_IS_READ)
BEFORE(clock_t, clock, (void), (), CLOCK_IS_READ)
#endif

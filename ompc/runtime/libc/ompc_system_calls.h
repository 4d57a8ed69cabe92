/* ompc_system_calls.h: functions of libc that hand the program's memory to the kernel (private to ompc_heap.c).

   A system call does not fault on guarded pages: it fails (EFAULT). So these functions are replaced in the executable, for
   the program and the shared libraries that it loads, and synchronise their memory first. Functions that read the clock
   wait for the kernels that are under way, so that programs that time themselves tell the truth. */

#ifndef OMPC_SYSTEM_CALLS_H
#define OMPC_SYSTEM_CALLS_H

#include "ompc_replaces.h"

#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_passes.h"

#include <aio.h>
#include <err.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

static void touched_message(const struct msghdr *message, int writes)
{
    if (!guards_on)
        return;
    footprint((uintptr_t)message->msg_name, message->msg_namelen, writes);
    touched_vector(message->msg_iov, message->msg_iovlen, writes);
    footprint((uintptr_t)message->msg_control, message->msg_controllen, writes);
}

EXPORTED ssize_t read(int file, void *to, size_t bytes)
{
    footprint((uintptr_t)to, bytes, 1);
    NEXT(read, file, to, bytes);
}

EXPORTED ssize_t pread(int file, void *to, size_t bytes, off_t at)
{
    footprint((uintptr_t)to, bytes, 1);
    NEXT(pread, file, to, bytes, at);
}

EXPORTED ssize_t pread64(int file, void *to, size_t bytes, off64_t at)
{
    footprint((uintptr_t)to, bytes, 1);
    NEXT(pread64, file, to, bytes, at);
}

EXPORTED ssize_t readv(int file, const struct iovec *vector, int count)
{
    touched_vector(vector, (size_t)(count > 0 ? count : 0), 1);
    NEXT(readv, file, vector, count);
}

EXPORTED ssize_t preadv(int file, const struct iovec *vector, int count, off_t at)
{
    touched_vector(vector, (size_t)(count > 0 ? count : 0), 1);
    NEXT(preadv, file, vector, count, at);
}

EXPORTED ssize_t write(int file, const void *from, size_t bytes)
{
    footprint((uintptr_t)from, bytes, 0);
    NEXT(write, file, from, bytes);
}

EXPORTED ssize_t pwrite(int file, const void *from, size_t bytes, off_t at)
{
    footprint((uintptr_t)from, bytes, 0);
    NEXT(pwrite, file, from, bytes, at);
}

EXPORTED ssize_t pwrite64(int file, const void *from, size_t bytes, off64_t at)
{
    footprint((uintptr_t)from, bytes, 0);
    NEXT(pwrite64, file, from, bytes, at);
}

EXPORTED ssize_t writev(int file, const struct iovec *vector, int count)
{
    touched_vector(vector, (size_t)(count > 0 ? count : 0), 0);
    NEXT(writev, file, vector, count);
}

EXPORTED ssize_t pwritev(int file, const struct iovec *vector, int count, off_t at)
{
    touched_vector(vector, (size_t)(count > 0 ? count : 0), 0);
    NEXT(pwritev, file, vector, count, at);
}

EXPORTED ssize_t recv(int socket, void *to, size_t bytes, int flags)
{
    footprint((uintptr_t)to, bytes, 1);
    NEXT(recv, socket, to, bytes, flags);
}

EXPORTED ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    touched_message(message, 1);
    NEXT(recvmsg, socket, message, flags);
}

EXPORTED ssize_t send(int socket, const void *from, size_t bytes, int flags)
{
    footprint((uintptr_t)from, bytes, 0);
    NEXT(send, socket, from, bytes, flags);
}

EXPORTED ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
    touched_message(message, 0);
    NEXT(sendmsg, socket, message, flags);
}

EXPORTED ssize_t getrandom(void *to, size_t bytes, unsigned flags)
{
    footprint((uintptr_t)to, bytes, 1);
    NEXT(getrandom, to, bytes, flags);
}

EXPORTED size_t fread(void *to, size_t bytes, size_t count, FILE *file)
{
    footprint((uintptr_t)to, bytes * count, 1);
    NEXT(fread, to, bytes, count, file);
}

EXPORTED size_t(fread_unlocked)(void *to, size_t bytes, size_t count, FILE *file)
{
    footprint((uintptr_t)to, bytes * count, 1);
    NEXT(fread_unlocked, to, bytes, count, file);
}

EXPORTED size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file)
{
    footprint((uintptr_t)from, bytes * count, 0);
    NEXT(fwrite, from, bytes, count, file);
}

EXPORTED size_t(fwrite_unlocked)(const void *from, size_t bytes, size_t count, FILE *file)
{
    footprint((uintptr_t)from, bytes * count, 0);
    NEXT(fwrite_unlocked, from, bytes, count, file);
}

EXPORTED int fputs(const char *text, FILE *file)
{
    touched_text(text);
    NEXT(fputs, text, file);
}

EXPORTED int puts(const char *text)
{
    touched_text(text);
    NEXT(puts, text);
}

/* ---- texts that are printed: long ones go to the kernel from where they are ----------------------------------------- */

static void touched_by_format(const char *format, va_list passed)
{
    enum { MOST = 64 };
    int kinds[MOST];
    if (!guards_on || strchr(format, 's') == NULL)
        return;
    const size_t count = parse_printf_format(format, MOST, kinds);
    va_list arguments;
    va_copy(arguments, passed);
    for (size_t i = 0; i < count && i < MOST; i++) {
        const int kind = kinds[i] & ~PA_FLAG_MASK;
        if ((kinds[i] & PA_FLAG_PTR) != 0 || kind == PA_POINTER || kind == PA_WSTRING)
            (void)va_arg(arguments, void *);
        else if (kind == PA_STRING)
            touched_text(va_arg(arguments, const char *));
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

EXPORTED int vfprintf(FILE *file, const char *format, va_list arguments)
{
    touched_by_format(format, arguments);
    NEXT(vfprintf, file, format, arguments);
}

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

#define PRINTS_TEXTS(name, parameters, arguments_of_next)  \
    EXPORTED extern int name parameters;                   \
    int name parameters                                    \
    {                                                      \
        static __typeof__(name) *next;                     \
        touched_by_format(format, arguments);              \
        if (next == NULL)                                  \
            next = (__typeof__(name) *)next_function(#name); \
        return next arguments_of_next;                     \
    }
PRINTS_TEXTS(vdprintf, (int file, const char *format, va_list arguments), (file, format, arguments))
PRINTS_TEXTS(_IO_vfprintf, (FILE * file, const char *format, va_list arguments), (file, format, arguments))
PRINTS_TEXTS(__vdprintf_chk, (int file, int flag, const char *format, va_list arguments), (file, flag, format, arguments))
PRINTS_TEXTS(__vprintf_chk, (int flag, const char *format, va_list arguments), (flag, format, arguments))

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

EXPORTED extern size_t __fread_chk(void *to, size_t room, size_t bytes, size_t count, FILE *file);
EXPORTED extern ssize_t __read_chk(int file, void *to, size_t bytes, size_t room);
EXPORTED extern ssize_t __recv_chk(int socket, void *to, size_t bytes, size_t room, int flags);
EXPORTED extern int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments);
EXPORTED extern int __fprintf_chk(FILE *file, int flag, const char *format, ...);
EXPORTED extern int __printf_chk(int flag, const char *format, ...);

size_t __fread_chk(void *to, size_t room, size_t bytes, size_t count, FILE *file)
{
    footprint((uintptr_t)to, bytes * count, 1);
    NEXT(__fread_chk, to, room, bytes, count, file);
}

ssize_t __read_chk(int file, void *to, size_t bytes, size_t room)
{
    footprint((uintptr_t)to, bytes, 1);
    NEXT(__read_chk, file, to, bytes, room);
}

ssize_t __recv_chk(int socket, void *to, size_t bytes, size_t room, int flags)
{
    footprint((uintptr_t)to, bytes, 1);
    NEXT(__recv_chk, socket, to, bytes, room, flags);
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments)
{
    touched_by_format(format, arguments);
    NEXT(__vfprintf_chk, file, flag, format, arguments);
}

#define PRINTS_CHECKED(file, format)                                \
    va_list arguments;                                              \
    va_start(arguments, format);                                    \
    const int count = __vfprintf_chk(file, flag, format, arguments); \
    va_end(arguments);                                              \
    return count

int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    PRINTS_CHECKED(file, format);
}

int __printf_chk(int flag, const char *format, ...)
{
    PRINTS_CHECKED(stdout, format);
}

/* ---- memory that stays in use after the call: never guarded again ---------------------------------------------------- */

EXPORTED int setvbuf(FILE *file, char *buffer, int mode, size_t bytes)
{
    exempted(buffer, bytes);
    NEXT(setvbuf, file, buffer, mode, bytes);
}

EXPORTED void setbuf(FILE *file, char *buffer)
{
    setvbuf(file, buffer, buffer == NULL ? _IONBF : _IOFBF, BUFSIZ);
}

/* ---- clocks ------------------------------------------------------------------------------------------------------- */

/* For the program alone: CUDA, and what it calls on a thread of the program, must not wait for itself. */
static void clock_is_read(const void *caller)
{
    if (guards_on && is_programs_own(caller))
        guard_hooks.wait();
}
#define CLOCK_IS_READ clock_is_read(__builtin_return_address(0))

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

EXPORTED int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    CLOCK_IS_READ;
    NEXT(gettimeofday, now, zone);
}

EXPORTED clock_t clock(void)
{
    CLOCK_IS_READ;
    NEXT(clock, );
}

#endif

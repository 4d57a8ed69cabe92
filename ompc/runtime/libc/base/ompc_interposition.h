/* ompc_interposition.h: interposition: functions that stand in front of those of libc (private to the units of C).

   They are weak: a program may have functions of these names itself, and then they are its own. */

#ifndef OMPC_INTERPOSITION_H
#define OMPC_INTERPOSITION_H

#include "ompc_replaces.h"

#include "ompc_libc.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORTED __attribute__((weak, visibility("default")))

static inline void *next_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        __builtin_trap(); /* libc has it, or nothing would have called it */
    return found;
}

extern const char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));

/* `operator new`, which is in the executable where libstdc++ is linked statically. */
extern const char _Znwm[] __attribute__((weak));

static inline int is_new(const char *caller)
{
    enum { ITS_BYTES = 256 }; /* or less; what follows is libstdc++'s too */
    return _Znwm != NULL && caller >= _Znwm && caller - _Znwm < ITS_BYTES;
}

/* Is it the program's own code that calls, and no shared library? */
static inline int is_program(const void *caller)
{
    return (const char *)caller >= __executable_start && (const char *)caller < etext && !is_new((const char *)caller);
}

/* While the runtime is at work on this thread: what it calls may be linked with the program, CUDA's runtime above all. */
extern OMPC_OWN __thread int ompc_in_runtime;

/* Is it the program that calls, and not CUDA's runtime? */
static inline int is_programs_own(const void *caller)
{
    return is_program(caller) && !ompc_in_runtime;
}

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden"), weak));

/* Is this runtime the executable's, and no shared library's? */
static inline int is_in_executable(void)
{
    const ElfW(Ehdr) *const header = &__ehdr_start;
    return header != NULL && getauxval(AT_PHDR) == (unsigned long)header + header->e_phoff;
}

/* What the system offers, whoever stands in front of it. */
OMPC_OWN __typeof__(syscall) *ompc_system_call(void);

/* The end of a function: what the one of libc returns. */
#define NEXT(name, ...)                                          \
    static __typeof__(name) *next;                               \
    if (next == NULL)                                            \
        next = (__typeof__(name) *)next_function(#name);         \
    return next(__VA_ARGS__)

/* A function that does something first. */
#define BEFORE(type, name, parameters, arguments, ...)          \
    EXPORTED type name parameters                               \
    {                                                           \
        static __typeof__(name) *next;                          \
        __VA_ARGS__;                                            \
        if (next == NULL)                                       \
            next = (__typeof__(name) *)next_function(#name);    \
        return next arguments;                                  \
    }

#endif

/* ompc_next.h: functions that stand in front of those of libc (private to ompc_heap.c).

   They are weak: a program may have functions of these names itself, and then they are its own. */

#ifndef OMPC_NEXT_H
#define OMPC_NEXT_H

#include <dlfcn.h>
#include <stdlib.h>

#define EXPORTED __attribute__((weak, visibility("default")))

static inline void *next_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort(); /* libc has it, or nothing would have called it */
    return found;
}

extern const char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));

/* Is it the program's own code that calls, and no shared library? */
static inline int is_program(const void *caller)
{
    return (const char *)caller >= __executable_start && (const char *)caller < etext;
}

/* The end of a function: what the one of libc returns. */
#define NEXT(name, ...)                                          \
    static __typeof__(name) *next;                               \
    if (next == NULL)                                            \
        next = (__typeof__(name) *)next_function(#name);         \
    return next(__VA_ARGS__)

#endif

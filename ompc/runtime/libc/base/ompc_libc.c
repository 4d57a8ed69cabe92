/* ompc_libc.c: functions of libc as libc has them, behind those that stand in front of them. */

#include "ompc_replaces.h"

#include "ompc_interposition.h"
#include "ompc_libc.h"

__typeof__(syscall) *ompc_system_call(void)
{
#ifdef OMPC_REPLACES_SYSTEM_CALLS
    static __typeof__(syscall) *next;
    if (next == NULL)
        next = (__typeof__(syscall) *)next_function("syscall");
    return next;
#else
    return syscall;
#endif
}

#ifdef OMPC_REPLACES_SYSTEM_CALLS
#define OF_LIBC(type, name, parameters, arguments)       \
    type ompc_libc_##name parameters                     \
    {                                                    \
        static __typeof__(name) *next;                   \
        if (next == NULL)                                \
            next = (__typeof__(name) *)next_function(#name); \
        return next arguments;                           \
    }
#else
#define OF_LIBC(type, name, parameters, arguments) \
    type ompc_libc_##name parameters               \
    {                                              \
        return name arguments;                     \
    }
#endif
OMPC_LIBC_FUNCTIONS(OF_LIBC)

void ompc_libc_abort(void)
{
    raise(SIGABRT);
    ompc_libc_end(128 + SIGABRT);
}

void ompc_libc_end(int status)
{
    for (;;)
        ompc_system_call()(SYS_exit_group, status);
}

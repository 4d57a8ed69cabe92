/* ompc_jumps.c: functions of libc that leave frames without their cleanups, and those that are given stacks.

   Which frames stay cannot be told, so all automatic arrays are copied back and are forgotten (ompc_automatic_arrays.c). */

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_signals.h"

#include <pthread.h>
#include <stdarg.h>
#include <ucontext.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
static void copy_back(uintptr_t base, size_t bytes)
{
    if (guards_are_on())
        ompc_tell_device(base, bytes, exempt_from_guards);
}

static void forget_automatic_arrays(void)
{
    ompc_forget_automatic_arrays(copy_back);
}

BEFORE(int, setcontext, (const ucontext_t *to), (to), forget_automatic_arrays())

EXPORTED __attribute__((noreturn)) void pthread_exit(void *result)
{
    static __typeof__(pthread_exit) *next;
    forget_automatic_arrays();
    if (next == NULL)
        next = (__typeof__(pthread_exit) *)next_function("pthread_exit");
    next(result);
    __builtin_unreachable();
}

#define JUMPS(name)                                                   \
    EXPORTED __attribute__((noreturn)) void name(struct __jmp_buf_tag place[1], int value) \
    {                                                                 \
        static __typeof__(name) *next;                                \
        ompc_leave_handlers();                                        \
        forget_automatic_arrays();                                    \
        if (next == NULL)                                             \
            next = (__typeof__(name) *)next_function(#name);          \
        next(place, value);                                           \
        __builtin_unreachable();                                      \
    }
extern void __longjmp_chk(struct __jmp_buf_tag place[1], int value) __attribute__((noreturn));
JUMPS(longjmp)
JUMPS(_longjmp)
JUMPS(siglongjmp)
JUMPS(__longjmp_chk)

/* ---- stacks: the fault's handler runs on the one that it finds, so that cannot be guarded ------------------------------- */

EXPORTED int sigaltstack(const stack_t *stack, stack_t *before)
{
    if (stack != NULL && (stack->ss_flags & SS_DISABLE) == 0)
        ompc_exempted(stack->ss_sp, stack->ss_size);
    NEXT(sigaltstack, stack, before);
}

BEFORE(int, pthread_attr_setstack, (pthread_attr_t *attributes, void *base, size_t bytes),
       (attributes, base, bytes), ompc_exempted(base, bytes))

EXPORTED void makecontext(ucontext_t *context, void (*function)(void), int count, ...)
{
    enum { MOST = 16 };
    static __typeof__(makecontext) *next;
    if (next == NULL)
        next = (__typeof__(makecontext) *)next_function("makecontext");
    ompc_exempted(context->uc_stack.ss_sp, context->uc_stack.ss_size);
    long a[MOST] = {0};
    va_list passed;
    va_start(passed, count);
    for (int i = 0; i < count && i < MOST; i++)
        a[i] = va_arg(passed, long);
    va_end(passed);
    next(context, function, count < MOST ? count : MOST, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
         a[12], a[13], a[14], a[15]);
}
#endif

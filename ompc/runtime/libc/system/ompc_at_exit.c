/* ompc_at_exit.c: at exit: whether code of the program runs after the device has gone.

   CUDA goes in a handler of the end of the program. What was given to atexit earlier runs later, and so do destructors: for
   them the data must be copied back before. Where there are none, nobody can look, and it need not. */

#include "ompc_replaces.h"

#include "ompc_at_exit.h"
#include "ompc_host.h"
#include "ompc_interposition.h"

#include <stdlib.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
extern void *const __dso_handle __attribute__((visibility("hidden")));

int ompc_main_is_near;               /* the constructors of the program have run */
static int handlers_of_program; /* registered since then */
static __thread volatile int registers_own; /* atexit is declared not to call back */

extern void (*const __fini_array_start[])(void) __attribute__((visibility("hidden"), weak));
extern void (*const __fini_array_end[])(void) __attribute__((visibility("hidden"), weak));

/* What a library does at the end that another thread is still starting, as that of CUDA: first that is waited for. */
static void (*volatile before_end_of_libraries)(void);
static struct end_of_library {
    void (*handler)(void *);
    void *argument;
} ends_of_libraries[16];
static int ends_known;

void ompc_before_end_of_libraries(void (*callback)(void))
{
    before_end_of_libraries = callback;
}

static void wait_and_end(void *of_library)
{
    const struct end_of_library *const end = of_library;
    before_end_of_libraries();
    end->handler(end->argument);
}

EXPORTED int __cxa_atexit(void (*handler)(void *), void *argument, void *owner);
EXPORTED int __cxa_atexit(void (*handler)(void *), void *argument, void *owner)
{
    const int by_atexit = argument == NULL; /* else it is of an object in C++: the runtime's */
    handlers_of_program += ompc_main_is_near && !registers_own && by_atexit && owner == &__dso_handle;
    if (before_end_of_libraries != NULL && owner != &__dso_handle) {
        const int number = __atomic_fetch_add(&ends_known, 1, __ATOMIC_RELAXED);
        if (number < (int)(sizeof ends_of_libraries / sizeof *ends_of_libraries)) {
            ends_of_libraries[number] = (struct end_of_library){handler, argument};
            NEXT(__cxa_atexit, wait_and_end, &ends_of_libraries[number], owner);
        }
    }
    NEXT(__cxa_atexit, handler, argument, owner);
}

BEFORE(int, on_exit, (void (*handler)(int, void *), void *argument), (handler, argument), handlers_of_program++)

static void (*before_main)(void);

void ompc_before_main(void (*callback)(void))
{
    if (is_in_executable())
        before_main = callback;
}

void ompc_at_exit(void (*handler)(void))
{
    registers_own = 1;
    atexit(handler);
    registers_own = 0;
}

/* Linked last, so that the program's own constructors, and CUDA's, come before. */
__attribute__((constructor)) static void constructors_have_run(void)
{
    ompc_main_is_near = 1;
    if (before_main != NULL)
        before_main();
}

/* Two are always there: the compiler's, and release_global_arrays; a third where CUDA's runtime is in the program. */
static int has_destructors(const void *of_device_runtime)
{
    if (!is_in_executable())
        return 1; /* this is a shared library: what the program has is not known */
    return __fini_array_end - __fini_array_start > (is_program(of_device_runtime) ? 3 : 2);
}

int ompc_runs_on_after_exit(const void *of_device_runtime)
{
    return handlers_of_program != 0 || has_destructors(of_device_runtime);
}

#else
void ompc_before_main(void (*callback)(void))
{
    (void)callback;
}

void ompc_before_end_of_libraries(void (*callback)(void))
{
    (void)callback;
}

void ompc_at_exit(void (*handler)(void))
{
    atexit(handler);
}

int ompc_runs_on_after_exit(const void *of_device_runtime)
{
    (void)of_device_runtime;
    return 1;
}
#endif

/* ---- _exit -------------------------------------------------------------------------------------------------------- */

static void (*on_immediate_exit)(void);

void ompc_on_immediate_exit(void (*callback)(void))
{
    on_immediate_exit = callback;
}

#ifdef __linux__
static void immediate_exit(int status)
{
    if (on_immediate_exit != NULL)
        on_immediate_exit(); /* and stays: a child of vfork ends in its parent's memory */
    ompc_libc_end(status);
}

EXPORTED __attribute__((noreturn)) void _exit(int status)
{
    immediate_exit(status);
    __builtin_unreachable();
}

EXPORTED __attribute__((noreturn)) void _Exit(int status)
{
    immediate_exit(status);
    __builtin_unreachable();
}
#endif

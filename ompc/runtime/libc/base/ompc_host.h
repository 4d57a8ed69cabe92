/* ompc_host.h: what the host side of a translated program needs.

   Plain C (C90 upwards) and C++, and no system header: the user's own text, with its feature macros, follows.
   The functions are in the units of C (ompc_*.c). */

#ifndef OMPC_HOST_H
#define OMPC_HOST_H

#include "ompc_own_pages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* OMPC_OFFLOAD(launcher(...)) stands above a worksharing loop. A launcher returns 1 when the device has done the loop,
   and 0, with the host's data untouched, when the loop below must run on the host.

   The whole of an array is copied back after a launch that writes a part of it, so a second host thread (pthreads; not
   OpenMP, whose active regions are refused) must not write other elements of that array during the launch.

   Behind the host's loop the runtime is told, which wants to know how long it took, and may compare the results with those
   of the device. */
#if defined __cplusplus || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L)
#define OMPC_OFFLOAD(call) \
    for (int ompc_on_host = ompc_host_turn(!(call)); ompc_on_host; ompc_on_host = ompc_host_done(ompc_on_host))
#else
#define OMPC_OFFLOAD(call) if ((call) || ompc_host_skips()) {} else
#endif

/* OMPC_COPIED(x, launcher(..., &ompc_x)): the launcher gets the address of a copy of `x`, which has none (`register`), or is
   to have none: the compiler keeps in a register what no other function can write. */
#define OMPC_COPIED(x, call) \
    __extension__({ __typeof__(x) ompc_##x = x; int ompc_done = call; x = ompc_##x; ompc_done; })
#define OMPC_READ_FROM_COPY(x, call) __extension__({ __typeof__(x) ompc_##x = x; int ompc_done = call; ompc_done; })

/* In front of a parallel region that the file has in two forms, as it is and with OMPC_OFFLOAD: 1 where it is certain that none of
   its loops is going to be launched. `loops`: how many of them a thread comes to; 0: nobody knows. */
#define OMPC_ALL_STAY(loops) ompc_all_stay(loops)
int ompc_all_stay(int loops);

int ompc_host_turn(int stays); /* 0: the host need not run the loop */
int ompc_host_skips(void);     /* behind a launcher that returned 0; 1: the host is not to run the loop either */
int ompc_host_done(int turn);  /* 0 */
void ompc_on_host_turn(int (*callback)(void));
void ompc_on_host_skips(int (*callback)(void));
void ompc_on_host_done(void (*callback)(int turn));

/* In front of the first of several loops that one launcher does; `done`: its answer, which is returned. Each of the `others`
   asks once, in front of its own launcher, whether it has been done; nothing of the program runs before they have
   (ompc_launch.cc). */
int ompc_fuses(int others, int done);
int ompc_fused(void);

/* In front of the launch of a loop that asks for thread numbers: how many threads share it. Those of the team that comes to it;
   those of a region that asks for so many, or for none (0): 0 where there may be fewer than it asks for; and those of each team
   of a league, which a clause may limit (0: none does). */
int ompc_threads_here(void);
int ompc_threads_of(int asked);
/* Into how many parts each of so many threads' iterations are divided, where each part has so many counters. */
int ompc_parts_of(unsigned long iterations, int threads, int counters);
int ompc_threads_of_teams(int asked, int limit);

/* Waits for the tasks that the calling task has created: 1. In front of the launch of a target construct with `depend`. */
int ompc_tasks_done(void);

/* Above a target region that the host runs: what the device has changed is copied back, and the host's copies count. */
#define OMPC_TARGET_ON_HOST if (ompc_target_host()) {} else
int ompc_target_host(void); /* 0 */

/* The same with `nowait`: it may run at any time from now on. `loops`: 1 when it may launch. */
#define OMPC_TARGET_DEFERRED(loops) if (ompc_target_deferred(loops)) {} else
int ompc_target_deferred(int loops); /* 0 */

/* At the end of a file: no launch of the program leaves mapped data on the device, since this file cannot ask for it. */
#define OMPC_KEEP_NOTHING                                                                     \
    __attribute__((__constructor__)) static void ompc_keep_nothing_of_this_file(void)         \
    {                                                                                         \
        ompc_target_keep_nothing();                                                           \
    }
void ompc_target_keep_nothing(void);
int ompc_target_home(void); /* 1; what the device has changed is copied back, and stays right there too */

/* Mapped data as {first byte, bytes}; a line above the construct of the same name. No data of a range of no bytes.

       OMPC_TARGET_DATA({a, sizeof a}, {p + (0), (n) * sizeof *(p)})   the whole construct is the body of a loop
       OMPC_TARGET_ENTER(...)  OMPC_TARGET_EXIT(from|release|delete, ...)  OMPC_TARGET_UPDATE(to, ...)   statements */
#define OMPC_TARGET_DATA(...)                                                                                       \
    for (int ompc_in_data = ompc_target_begin(OMPC_MAPPED(__VA_ARGS__)); ompc_in_data; ompc_in_data = ompc_target_end())
#define OMPC_TARGET_ENTER(...) ompc_target_enter(OMPC_MAPPED(__VA_ARGS__));
#define OMPC_TARGET_EXIT(kind, ...) ompc_target_exit(OMPC_MAPPED(__VA_ARGS__), ompc_##kind);
#define OMPC_TARGET_UPDATE(to, ...) ompc_target_update(OMPC_MAPPED(__VA_ARGS__), to);
#define OMPC_MAPPED(...)                                                                                            \
    (const struct ompc_global[]){__VA_ARGS__}, sizeof((const struct ompc_global[]){__VA_ARGS__}) / sizeof(struct ompc_global)
struct ompc_global {
    const volatile void *base;
    __SIZE_TYPE__ bytes;
};
int ompc_target_begin(const struct ompc_global *ranges, __SIZE_TYPE__ count); /* 1 */
int ompc_target_end(void);                                                    /* 0 */
void ompc_target_enter(const struct ompc_global *ranges, __SIZE_TYPE__ count);
enum ompc_exit { ompc_from, ompc_release, ompc_delete };
void ompc_target_exit(const struct ompc_global *ranges, __SIZE_TYPE__ count, enum ompc_exit kind);
void ompc_target_update(const struct ompc_global *ranges, __SIZE_TYPE__ count, int to);

/* Page-locked host arrays. Out of memory ends the program with a message; plain memory serves where there is no device.

       double (*a)[200] OMPC_RELEASED = ompc_malloc_host(sizeof(double[200][200]));   released when `a` goes out of scope
       b = ompc_malloc_host_global(sizeof(double[1000]));                             zero-filled, released after atexit handlers */
#define OMPC_RELEASED __attribute__((__cleanup__(ompc_release_host)))
void *ompc_malloc_host(__SIZE_TYPE__ bytes);
void *ompc_malloc_host_global(__SIZE_TYPE__ bytes);
void ompc_release_host(void *variable); /* address of the pointer variable */

/* In the place of malloc and calloc, for a heap block that goes to the device: page-locked where that can be had, else
   what malloc and calloc give. free and realloc take such blocks; realloc gives page-locked memory again. */
void *ompc_malloc_host_block(__SIZE_TYPE__ bytes);
void *ompc_calloc_host_block(__SIZE_TYPE__ count, __SIZE_TYPE__ bytes);

/* At the end of a source file: makes its file-scope arrays known, so that an address inside one finds all of it. */
void ompc_register_globals(const struct ompc_global *globals, __SIZE_TYPE__ count);
#define OMPC_GLOBALS(...)                                                                     \
    __attribute__((__constructor__)) static void ompc_register_globals_of_this_file(void)     \
    {                                                                                         \
        static const struct ompc_global ompc_globals[] = {__VA_ARGS__};                       \
        ompc_register_globals(ompc_globals, sizeof ompc_globals / sizeof *ompc_globals);      \
    }

/* Behind the declaration of a static array in a function; it is a declaration too, which the linker collects. And at the
   end of such a file: makes all of them known before main. */
#define OMPC_STATIC_ARRAY(array)                                                              \
    static const struct ompc_global ompc_static_##array                                       \
        __attribute__((__used__, __section__("ompc_statics"))) = {&array, sizeof array}
#define OMPC_STATIC_ARRAYS()                                                                  \
    extern const struct ompc_global ompc_first_static[] __asm__("__start_ompc_statics")       \
        __attribute__((__visibility__("hidden")));                                            \
    extern const struct ompc_global ompc_end_of_statics[] __asm__("__stop_ompc_statics")      \
        __attribute__((__visibility__("hidden")));                                            \
    __attribute__((__constructor__)) static void ompc_register_statics_of_this_program(void)  \
    {                                                                                         \
        ompc_register_globals(ompc_first_static,                                              \
                              (__SIZE_TYPE__)(ompc_end_of_statics - ompc_first_static));      \
    }

/* Behind the declaration of an automatic array; it is a declaration too. The array is known until control leaves the scope.
   Only on the initial thread's stack (and of less than 64 KB if there is room for more); within an active parallel region it stays unknown. */
#define OMPC_AUTOMATIC_ARRAY(array)                                                                                     \
    __UINTPTR_TYPE__ ompc_automatic_##array __attribute__((__unused__, __cleanup__(ompc_automatic_leave))) =            \
        ompc_automatic_enter((__UINTPTR_TYPE__)&(array), sizeof(array), (__UINTPTR_TYPE__)&ompc_automatic_##array)
__UINTPTR_TYPE__ ompc_automatic_enter(__UINTPTR_TYPE__ base, __SIZE_TYPE__ bytes, __UINTPTR_TYPE__ guard);
void ompc_automatic_leave(const __UINTPTR_TYPE__ *guard);

/* The block table: heap blocks (each malloc, realloc, free of the program is seen), what it maps, page-locked arrays and
   globals, by address. Thread-safe, usable before constructors run. A block's size is the size that was asked for. */
enum { ompc_block_read_only = 2 }; /* mapped so */
int ompc_block_find(const volatile void *address, void **base, __SIZE_TYPE__ *bytes); /* 1 or this: found, 0: unknown */
void ompc_block_add(const volatile void *base, __SIZE_TYPE__ bytes);                  /* replaces one of the same base */
void ompc_block_lend(const volatile void *base, __SIZE_TYPE__ bytes); /* memory of others for a while: neither guarded nor page-locked */
void ompc_block_remove(const volatile void *base);

/* While it is set, the runtime allocates in memory of its own, before main: what it frees in the program's heap, the program would
   get with its first blocks, and those that read them before they write to them find zeros with gcc. */
void ompc_malloc_apart(int is_apart);

int ompc_malloc_is_the_programs(void); /* Then only automatic arrays are found, and nothing is guarded. */

/* A watched block (of ompc_block_watch_minimum bytes or more) is announced to the callback before it is freed, moved or
   removed. The callback may itself allocate and free. ompc_block_watch returns 0 when there is no such block. */
#define ompc_block_watch_minimum 4096
int ompc_block_watch(const volatile void *base);
void ompc_block_on_release(void (*callback)(void *base, __SIZE_TYPE__ bytes));

/* The pages to lock for the block that holds an address: of a global the whole ones that are its own, of a heap block all
   in which it lies. There must be a whole page of its own. 0: no such block, or locked memory. */
typedef struct {
    void *base, *pages;
    __SIZE_TYPE__ bytes; /* of the pages */
} ompc_block_pages_t;
int ompc_block_pages(const volatile void *address, ompc_block_pages_t *found);

/* Page guards, for ompc_resident.h. A block is guardable when whole pages of it, or round it, are its own: these, and the
   block. 0: there are none. `watched`: who asks is told when it goes (an automatic array, which ompc_block_watch refuses).
   `read_only`: mapped so. */
typedef struct {
    void *base, *pages;
    __SIZE_TYPE__ bytes, page_bytes;
    int watched, read_only;
} ompc_guardable_t;
int ompc_block_guardable(const volatile void *address, ompc_guardable_t *found);

/* What the guards call. fault: 1 when the access can be repeated; access: 1 for a write, 0 for a read, -1: unknown. touch: code that cannot fault is about to access; also
   before a block is moved. wait: the program reads a clock. stop: no pages may be guarded from now on. end: neither, since the
   program calls a function that cannot work with them. */
typedef struct {
    int (*fault)(void *address, int access);
    void (*touch)(const volatile void *base, __SIZE_TYPE__ bytes, int writes); /* or exempt_from_guards */
    void (*wait)(void);
    void (*stop)(void);
    void (*end)(const char *function);
} ompc_guard_hooks_t;
enum { exempt_from_guards = 2 }; /* the block is not guarded any more */
int ompc_guards_prepare(void); /* 1: pages could be guarded; takes some ten microseconds the first time */
int ompc_guards_start(const ompc_guard_hooks_t *hooks); /* 1: pages can be guarded */
const char *ompc_guards_refused(void); /* the function of the program for which they cannot; "": libc's callers are not seen; or NULL */
void ompc_guards_may_be(const void *base, __SIZE_TYPE__ bytes); /* faults elsewhere are not asked about */
int ompc_protect(void *pages, __SIZE_TYPE__ bytes, int protection);      /* mprotect of the system */
/* Whatever the protection of the host's pages. 0: it failed, errno says why. */
int ompc_write_through(void *host, const void *from, __SIZE_TYPE__ bytes);
int ompc_read_through(void *to, const void *host, __SIZE_TYPE__ bytes);
/* Handlers of the program wait while the runtime is at work: they may touch guarded pages. */
typedef struct {
    unsigned long before[16];
    int any;
} ompc_held_signals_t;
void ompc_signals_hold(ompc_held_signals_t *held);
void ompc_signals_hold_all(ompc_held_signals_t *held); /* also those for which it has no handlers yet */
void ompc_signals_release(const ompc_held_signals_t *held);
/* May code of the program run beside a launch, on another thread? 1: it has handlers of signals, which come there when the
   launching thread lets them wait, or is called back by threads of libc (timers). */
int ompc_others_may_write(void);
/* atexit, for the runtime's own handlers. And: does code of the program run behind a handler that is registered now? An
   address in the device's runtime tells whether that, and a destructor of it, is linked with the program. */
void ompc_at_exit(void (*handler)(void));
int ompc_runs_on_after_exit(const void *of_device_runtime);
/* Called before what libraries register from now on for the program's end. */
void ompc_before_end_of_libraries(void (*callback)(void));

/* pthread_atfork, also for functions that make a copy of the process without that (_Fork, clone). NULL: nothing. */
void ompc_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void));

/* Blocks of 512 bytes to a megabyte that the program's own code allocates from now on lie side by side in larger
   blocks that can be guarded: rows of matrices. Before main, where the program has loops that follow pointers in memory. */
void ompc_keep_rows_apart(void);
void *ompc_slab_of(const volatile void *address); /* where that larger block begins; NULL: in none */

/* Calls back once, when the constructors of the program have run. Not where that is not known, or has been. */
void ompc_before_main(void (*callback)(void));

struct sigaction;
int ompc_system_sigaction(int number, const struct sigaction *action, struct sigaction *before);

/* Installed by the device side: page-locked allocation (NULL: none to be had) and its release. */
void ompc_host_allocator(void *(*allocate)(__SIZE_TYPE__ bytes), void (*release)(void *base));

/* Called by _exit and _Exit, which skip atexit handlers. */
void ompc_on_immediate_exit(void (*callback)(void));

#ifdef __cplusplus
}
#endif

#endif

/* ompc_lock.h: locks and memory for the block table itself (private to the units of C).

   Spin locks: held for some nanoseconds, usable before constructors. Across fork the forking thread holds all of them. No
   handler of the program runs on a thread that holds one (ompc_critical.h). */

#ifndef OMPC_LOCK_H
#define OMPC_LOCK_H

#include "ompc_replaces.h"

#include "ompc_critical.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>

typedef struct {
    volatile int taken;
} lock_t;

extern OMPC_OWN volatile int ompc_forking;
extern OMPC_OWN pthread_t ompc_forking_thread;

/* True when the caller now holds the lock; false when it is the forking thread, which holds it already. */
static inline int lock(lock_t *l)
{
    critical_begin();
    for (unsigned spins = 0; __atomic_exchange_n(&l->taken, 1, __ATOMIC_ACQUIRE); spins++) {
        if (ompc_forking && pthread_equal(ompc_forking_thread, pthread_self()))
            return 0;
        if (spins > 100)
            sched_yield();
    }
    return 1;
}

static inline void unlock(lock_t *l, int locked)
{
    if (locked)
        __atomic_store_n(&l->taken, 0, __ATOMIC_RELEASE);
    critical_end();
}

/* Those of the system, where ours stand in front of them (ompc_mappings.c). */
#ifdef OMPC_REPLACES_SYSTEM_CALLS
extern void *__mmap(void *where, size_t bytes, int protection, int how, int file, off_t at);
extern int __munmap(void *base, size_t bytes);
#else
#define __mmap mmap
#define __munmap munmap
#endif

static inline void *system_map(void *where, size_t bytes, int protection, int more)
{
    return __mmap(where, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);
}

/* Memory for the table's own nodes: never given back to the system, zero-filled. NULL when there is none. `more`: MAP_POPULATE
   where all of it will be used soon, which takes less time than a fault for each page. */
static inline void *system_memory_with(size_t bytes, int more)
{
    const int saved = errno;
    void *p = system_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_NORESERVE | more);
    errno = saved;
    return p == MAP_FAILED ? NULL : p;
}
static inline void *system_memory(size_t bytes)
{
    return system_memory_with(bytes, 0);
}

#endif

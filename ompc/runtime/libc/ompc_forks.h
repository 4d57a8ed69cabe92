/* ompc_forks.h: no other thread may be inside the table of blocks when a child's copy is made (private to ompc_heap.c). */

#ifndef OMPC_FORKS_H
#define OMPC_FORKS_H

#include "ompc_replaces.h"

#include "ompc_automatic_arrays.h"
#include "ompc_blocks.h"
#ifdef OMPC_REPLACES_SYSTEM_CALLS
#include "ompc_guards.h"
#endif

#include <pthread.h>

static struct {
    void (*before)(void), (*after)(void), (*in_child)(void);
} at_fork[32];
static int at_fork_count;

void ompc_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void))
{
    const int i = __atomic_fetch_add(&at_fork_count, 1, __ATOMIC_ACQ_REL);
    if (i >= (int)(sizeof at_fork / sizeof *at_fork))
        ompc_libc_abort();
    at_fork[i].after = after;
    at_fork[i].in_child = in_child;
    __atomic_store_n(&at_fork[i].before, before, __ATOMIC_RELEASE);
}

static void before_fork(void)
{
    for (int i = at_fork_count; i-- > 0;)
        if (at_fork[i].before != NULL)
            at_fork[i].before();
    for (int i = 0; i < SHARDS; i++)
        lock(&shards[i].lock);
    lock(&large.lock);
    lock_places();
    forking_thread = pthread_self();
    __atomic_store_n(&forking, 1, __ATOMIC_RELEASE);
}

static void free_table(void)
{
    __atomic_store_n(&forking, 0, __ATOMIC_RELEASE);
    unlock_places();
    unlock(&large.lock, 1);
    for (int i = 0; i < SHARDS; i++)
        unlock(&shards[i].lock, 1);
}

static void after_fork(void)
{
    free_table();
    for (int i = 0; i < at_fork_count; i++)
        if (at_fork[i].after != NULL)
            at_fork[i].after();
}

static void after_fork_in_child(void)
{
    free_table();
#ifdef OMPC_REPLACES_SYSTEM_CALLS
    reopen_memory_file();
#endif
    for (int i = 0; i < at_fork_count; i++)
        if (at_fork[i].in_child != NULL)
            at_fork[i].in_child();
}

/* Early: the program's own handlers may touch what is on the device, and come before these. */
__attribute__((constructor(101))) static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

#endif

/* ompc_forks.c: no other thread may be inside the table of blocks when a child's copy is made. */

#include "ompc_replaces.h"

#include "ompc_blocks.h"
#include "ompc_forks.h"
#include "ompc_guards.h"
#include "ompc_host.h"
#include "ompc_lock.h"
#include "ompc_page_blocks.h"
#include "ompc_rows.h"

volatile int ompc_forking;
pthread_t ompc_forking_thread;

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

void ompc_before_fork(void)
{
    for (int i = at_fork_count; i-- > 0;)
        if (at_fork[i].before != NULL)
            at_fork[i].before();
    for (int i = 0; i < SHARDS; i++)
        lock(&ompc_shards[i].lock);
    lock(&ompc_large_lock);
    lock(&ompc_rows_lock);
    lock(&ompc_kept_lock);
    ompc_forking_thread = pthread_self();
    __atomic_store_n(&ompc_forking, 1, __ATOMIC_RELEASE);
}

static void free_table(void)
{
    __atomic_store_n(&ompc_forking, 0, __ATOMIC_RELEASE);
    unlock(&ompc_kept_lock, 1);
    unlock(&ompc_rows_lock, 1);
    unlock(&ompc_large_lock, 1);
    for (int i = 0; i < SHARDS; i++)
        unlock(&ompc_shards[i].lock, 1);
}

void ompc_after_fork(void)
{
    free_table();
    for (int i = 0; i < at_fork_count; i++)
        if (at_fork[i].after != NULL)
            at_fork[i].after();
}

void ompc_after_fork_in_child(void)
{
    free_table();
#ifdef OMPC_REPLACES_SYSTEM_CALLS
    ompc_reopen_memory_file();
#endif
    for (int i = 0; i < at_fork_count; i++)
        if (at_fork[i].in_child != NULL)
            at_fork[i].in_child();
}

/* Early: the program's own handlers may touch what is on the device, and come before these. */
void ompc_watch_forks(void)
{
    pthread_atfork(ompc_before_fork, ompc_after_fork, ompc_after_fork_in_child);
}

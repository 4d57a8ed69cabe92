/* ompc_host.h (host): a translated program without its device. The lines that ompc has added do nothing, so that the loops below
   them are compiled as `gcc -fopenmp` compiles them, and neither launchers nor the runtime are needed. `make host` builds so. */

#ifndef OMPC_HOST_H
#define OMPC_HOST_H

#include "ompc_own_pages.h"

#define OMPC_OFFLOAD(call)
#define OMPC_TARGET_ON_HOST
#define OMPC_TARGET_DEFERRED(loops)
#define OMPC_TARGET_DATA(...)
#define OMPC_TARGET_ENTER(...)
#define OMPC_TARGET_EXIT(kind, ...)
#define OMPC_TARGET_UPDATE(to, ...)

/* With a semicolon behind them, where a declaration may stand. */
#define OMPC_STATIC_ARRAY(array) extern char ompc_nothing[]
#define OMPC_AUTOMATIC_ARRAY(array) extern char ompc_nothing[]

/* At the end of a file. */
#define OMPC_KEEP_NOTHING
#define OMPC_GLOBALS(...)
#define OMPC_STATIC_ARRAYS()

/* In the places of declarations and allocations, at --opt thesis. */
#define OMPC_RELEASED __attribute__((__cleanup__(ompc_release_host)))
#define ompc_malloc_host(bytes) __builtin_malloc(bytes)
#define ompc_malloc_host_global(bytes) __builtin_calloc(1, bytes)
#define ompc_malloc_host_block(bytes) __builtin_malloc(bytes)
#define ompc_calloc_host_block(count, bytes) __builtin_calloc(count, bytes)
static __inline__ __attribute__((__unused__)) void ompc_release_host(void *variable)
{
    __builtin_free(*(void **)variable);
}

#endif

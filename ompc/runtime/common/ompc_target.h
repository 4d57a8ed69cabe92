// ompc_target.h: what the lines above target constructs call, whichever file they stand in.

#ifndef OMPC_TARGET_CONSTRUCTS_H
#define OMPC_TARGET_CONSTRUCTS_H

#include "ompc_host.h"

extern "C" void GOMP_taskwait(void) __attribute__((weak)); // in gcc's and LLVM's OpenMP runtimes

extern "C" __attribute__((weak, used)) int ompc_tasks_done(void)
{
    if (GOMP_taskwait != nullptr)
        GOMP_taskwait();
    return 1;
}

#endif

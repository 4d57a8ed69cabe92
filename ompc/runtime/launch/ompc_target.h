// ompc_target.h: which launches of target constructs are none of this thread's own.

#ifndef OMPC_TARGET_CONSTRUCTS_H
#define OMPC_TARGET_CONSTRUCTS_H

#include <atomic>

extern "C" int omp_in_parallel(void) __attribute__((weak)); // absent when the program is linked without OpenMP

namespace ompc {

// Has this thread begun a target region of the host's in an active parallel region? The region itself cannot tell: its
// thread is an initial one.
inline bool &target_in_parallel()
{
    static thread_local bool is_so = false;
    return is_so;
}

// Has any thread, ever? Which thread launches for a team that a target region has made is not known.
inline std::atomic<bool> &any_target_in_parallel()
{
    static std::atomic<bool> is_so{false};
    return is_so;
}

inline bool in_parallel()
{
    return omp_in_parallel != nullptr && omp_in_parallel() != 0;
}

// Has one begun there whose thread is not known either, since `nowait` defers it, and which launches?
inline std::atomic<bool> &any_deferred_in_parallel()
{
    static std::atomic<bool> is_so{false};
    return is_so;
}

} // namespace ompc

#endif

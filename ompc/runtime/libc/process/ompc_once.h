// ompc_once.h: what is said once in a process, by whichever of its runtimes comes first.
//
// A library that is loaded by dlopen has a runtime of its own, which is new each time that it is loaded. What remains is a page
// at a fixed address that nobody asks for otherwise: who cannot have it comes later. Children of fork inherit it.

#ifndef OMPC_ONCE_H
#define OMPC_ONCE_H

#include "ompc_libc.h"

#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace ompc {

// Where the system cannot tell (before Linux 4.17, or with fewer bits of addresses), everybody is the first.
inline bool is_first_of_process()
{
    constexpr std::uintptr_t chosen = 0x4f4d50430000; // "OMPC"
    constexpr std::size_t bytes = 4096;
    void *const wanted = reinterpret_cast<void *>(chosen);
    constexpr int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *const found = ompc_libc_mmap(wanted, bytes, PROT_NONE, how, -1, 0);
    if (found == MAP_FAILED)
        return errno != EEXIST;
    if (found != wanted)
        ompc_libc_munmap(found, bytes);
    return true;
}

} // namespace ompc

#endif

// ompc_locked_memory.h: how much host memory a program may page-lock.
//
// Pages that are locked cannot be given to anyone else, and what CUDA locks does not count against the system's limit on
// locked memory (RLIMIT_MEMLOCK), so nothing else would stop a program that locks all there is. At most half of the memory
// that the process can have is locked: the machine's, or that of its control group. Environment: OMPC_LOCKED_MEMORY=bytes.

#ifndef OMPC_LOCKED_MEMORY_H
#define OMPC_LOCKED_MEMORY_H

#include "ompc_environment.h"
#include "ompc_libc.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <unistd.h>

namespace ompc {

class LockedMemory {
public:
    explicit LockedMemory(std::size_t most) : left_(most) {}

    // False: so many bytes more are too many.
    bool take(std::size_t bytes)
    {
        if (bytes > left_)
            return false;
        left_ -= bytes;
        return true;
    }
    void give_back(std::size_t bytes) { left_ += bytes; }

    // What allocate(bytes) gives, which may be null; taken until release(base).
    template <class Allocate>
    void *allocate(std::size_t bytes, Allocate allocate)
    {
        if (!take(bytes))
            return nullptr;
        void *const base = allocate(bytes);
        if (base == nullptr)
            give_back(bytes);
        else
            blocks_[base] = bytes;
        return base;
    }
    void release(void *base)
    {
        const auto block = blocks_.find(base);
        if (block == blocks_.end())
            return;
        give_back(block->second);
        blocks_.erase(block);
    }

private:
    std::size_t left_;
    std::map<void *, std::size_t> blocks_;
};

// The first number in a file; `otherwise` where there is none ("max" is no number).
inline unsigned long long number_in(const char *path, unsigned long long otherwise)
{
    unsigned long long number = otherwise;
    if (std::FILE *const file = ompc_libc_fopen(path, "r")) {
        char line[64];
        if (ompc_libc_fgets(line, sizeof line, file) != nullptr && *line >= '0' && *line <= '9')
            number = std::strtoull(line, nullptr, 10);
        ompc_libc_fclose(file);
    }
    return number;
}

inline std::size_t most_locked_memory()
{
    const unsigned long long asked = number_of("OMPC_LOCKED_MEMORY", ~0ull);
    if (asked != ~0ull)
        return asked;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    unsigned long long memory = std::numeric_limits<std::size_t>::max();
    if (pages > 0 && page > 0)
        memory = static_cast<unsigned long long>(pages) * static_cast<unsigned long long>(page);
    memory = std::min(memory, number_in("/sys/fs/cgroup/memory.max", memory));                    // version 2
    memory = std::min(memory, number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", memory)); // version 1
    return memory / 2;
}

// The callers see to it that one thread at a time is here.
inline LockedMemory &locked_memory()
{
    static LockedMemory *const of_the_process = new LockedMemory(most_locked_memory());
    return *of_the_process;
}

} // namespace ompc

#endif

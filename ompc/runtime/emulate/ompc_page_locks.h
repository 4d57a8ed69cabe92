// ompc_page_locks.h (emulate): page-locked host memory as CUDA has it.
//
// What CUDA refuses is refused here: pages that are locked already, pages never locked. What CUDA does not say the outcome
// of stops the program: a copy of memory that is page-locked in part.

#ifndef OMPC_PAGE_LOCKS_H
#define OMPC_PAGE_LOCKS_H

#include "ompc_injection.h"
#include "ompc_ranges.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sys/mman.h>

namespace ompc {
namespace emulate {

class PageLocks {
public:
    bool lock(void *pages, std::size_t bytes)
    {
        const Address begin = reinterpret_cast<Address>(pages);
        if (is_locked_in(begin, begin + bytes) || injected("lock"))
            return false;
        spans_[begin] = begin + bytes;
        return true;
    }

    void unlock(void *pages)
    {
        const auto span = spans_.find(reinterpret_cast<Address>(pages));
        if (span == spans_.end())
            stop("memory is unlocked that was not locked");
        spans_.erase(span);
    }

    // Memory of its own pages: given to free, it would stop the program, as memory from cudaMallocHost does.
    void *allocate(std::size_t bytes)
    {
        if (injected("lock"))
            return nullptr;
        void *const pages = ompc_libc_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages == MAP_FAILED)
            return nullptr;
        allocated_[pages] = bytes;
        return pages;
    }

    void release(void *pages)
    {
        const auto block = allocated_.find(pages);
        if (block == allocated_.end())
            stop("page-locked memory is released that was not allocated");
        ompc_libc_munmap(block->first, block->second);
        allocated_.erase(block);
    }

    // In place, or allocated so?
    bool is_locked(const void *host) const
    {
        const Address at = reinterpret_cast<Address>(host);
        const auto after = allocated_.upper_bound(const_cast<void *>(host));
        return is_locked_in(at, at + 1) ||
               (after != allocated_.begin() && at - reinterpret_cast<Address>(std::prev(after)->first) < std::prev(after)->second);
    }

    void check_copy(const void *host, std::size_t bytes) const
    {
        const Address begin = reinterpret_cast<Address>(host), end = begin + bytes;
        if (!is_locked_in(begin, end))
            return;
        const auto after = spans_.upper_bound(begin);
        if (after == spans_.begin() || std::prev(after)->second < end)
            stop("a copy of memory that is page-locked in part");
    }

private:
    bool is_locked_in(Address begin, Address end) const
    {
        const auto behind = spans_.lower_bound(end);
        return behind != spans_.begin() && std::prev(behind)->second > begin;
    }

    [[noreturn]] static void stop(const char *what)
    {
        write_text(stderr, "ompc: error in the runtime: %s\n", what);
        ompc_libc_abort();
    }

    std::map<Address, Address> spans_; // first byte, end
    std::map<void *, std::size_t> allocated_;
};

} // namespace emulate
} // namespace ompc

#endif

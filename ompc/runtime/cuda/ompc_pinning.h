// ompc_pinning.h: page-locked host memory, allocated as such or locked in place.

#ifndef OMPC_PINNING_H
#define OMPC_PINNING_H

#include "ompc_host.h"
#include "ompc_region.h"

#include <map>
#include <mutex>

namespace ompc {

// Blocks that were page-locked in place, and those that could not be. A heap block leaves when it is freed.
class Pinning {
public:
    void pin(void *base, std::size_t bytes)
    {
        if (tried_.count(base) != 0 || ompc_block_watch(base) == 0)
            return;
        const bool pinned = cudaHostRegister(base, bytes, cudaHostRegisterDefault) == cudaSuccess;
        static_cast<void>(cudaGetLastError()); // where it cannot be locked, it stays pageable
        tried_[base] = pinned;
    }

    void forget(void *base)
    {
        const auto entry = tried_.find(base);
        if (entry == tried_.end())
            return;
        if (entry->second)
            static_cast<void>(cudaHostUnregister(base)); // may fail only while the process ends
        tried_.erase(entry);
    }

private:
    std::map<void *, bool> tried_;
};

} // namespace ompc

#endif

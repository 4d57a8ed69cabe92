// ompc_own_memory.h (emulate): what the device's runtime allocates for itself, and uses in each call.
//
// CUDA's runtime is linked with the program, so that it has its memory from the program's malloc. It takes some of it when a
// thread calls it first, and uses that in each call, also in those that bring guarded pages home: it must not lie in any
// (ompc_malloc.c). Here likewise, with blocks of sizes that rows have (ompc_rows.c).

#ifndef OMPC_OWN_MEMORY_H
#define OMPC_OWN_MEMORY_H

#include <cstddef>
#include <cstdlib>

namespace ompc {
namespace emulate {

class OwnMemory {
public:
    void use()
    {
        std::size_t bytes = 512;
        for (unsigned *&block : blocks_) {
            block = block == nullptr ? static_cast<unsigned *>(std::calloc(1, bytes)) : block;
            if (block != nullptr)
                ++*block;
            bytes += bytes / 8;
        }
    }

private:
    unsigned *blocks_[24] = {}; // up to 7,000 bytes
};

} // namespace emulate
} // namespace ompc

#endif

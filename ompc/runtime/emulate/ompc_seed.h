// ompc_seed.h: what permutes the order of blocks and lanes, and the placement of memory.

#ifndef OMPC_SEED_H
#define OMPC_SEED_H

#include "ompc_environment.h"

namespace ompc {
namespace emulate {

constexpr int poison_byte = 0xCB; // fills memory that a kernel has no right to read yet

inline unsigned long long seed()
{
    static const unsigned long long value = number_of("OMPC_SEED", 1);
    return value;
}

} // namespace emulate
} // namespace ompc

#endif

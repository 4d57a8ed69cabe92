// ompc_pending_reductions.h: reductions of a launch that the host completes, with the results of the kernel.

#ifndef OMPC_PENDING_REDUCTIONS_H
#define OMPC_PENDING_REDUCTIONS_H

#include "ompc_layout.h"
#include "ompc_operators.h"

#include <cstddef>
#include <cstring>

namespace ompc {

struct PendingReduction {
    void *host;
    unsigned count;
    std::size_t bytes, at; // of the variable; of its results among all, in bytes
    void (*combine)(void *host, const void *result, unsigned count);
    const char *name;
    LayoutOf layout; // of the variable's elements
};

template <class Op, class T>
inline void combine_results(void *host, const void *from, unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        T original, result;
        std::memcpy(&original, static_cast<const T *>(host) + k, sizeof original);
        std::memcpy(&result, static_cast<const T *>(from) + k, sizeof result);
        original = Op::apply(original, result);
        std::memcpy(static_cast<T *>(host) + k, &original, sizeof original);
    }
}

template <class T>
inline void set_latest(void *host, const void *from, unsigned)
{
    Assigned<T> result;
    std::memcpy(&result, from, sizeof result);
    if (result.iteration != 0)
        std::memcpy(host, &result.value, sizeof result.value);
}

// Results, and the partial ones of each block, start at multiples of 16 bytes.
constexpr std::size_t in_slots(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

} // namespace ompc

#endif

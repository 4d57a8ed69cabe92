// ompc_histogram_memory.h: where a block has its accumulators of an array (ompc_histograms.h).

#ifndef OMPC_HISTOGRAM_MEMORY_H
#define OMPC_HISTOGRAM_MEMORY_H

#include <type_traits>

namespace ompc {

// The copies of one array: 1 << log2 of each of its `elements`, or of none, from byte `at` of the block's memory on.
// `before`: how many elements there are in front of the one that the kernel's pointer points to.
struct AccumulatorMemory {
    unsigned elements, log2, at;
    long long before;
};

// Narrow integers are accumulated in a wider one, which is the same modulo 2^n, and has atomic operations.
template <class T>
using Accumulated = std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(int), int, T>;

} // namespace ompc

#endif

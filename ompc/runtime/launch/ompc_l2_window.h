// ompc_l2_window.h: L2 persistence: an array that a kernel reads anywhere stays in the L2 cache while others stream through.
//
//     for (k = row[i]; k < row[i + 1]; k++)
//         sum += value[k] * x[column[k]];        x, 8 MB, is read some 100 times; value and column, 1 GB, once
//
// What streams through the cache would evict lines of x before they are read again. A launch may say of one piece of memory that its
// lines are kept: an access policy window, whose lines persist in a part of the cache that is set aside for such.
//
//     candidate   only read, and by the launcher's declaration (ompc::block()) nobody knows which elements: data says that
//     it pays     the array fits into that part; the other arrays of the launch are several times as large as the cache, and
//                 as the array, so that each element is read more than once for as many bytes as evict it. An array that is small
//                 against the cache is there anyway, since it is read so often.
//
// Of several the largest. OMPC_L2=0: none.
//
// Source: CUDA C++ Programming Guide, "Device Memory L2 Access Management" (L2 set-aside cache for persisting accesses).
// In: the limits of the device, what a launch uses.   Out: Window.   Not here: the launch -- the target's ompc_device.h.

#ifndef OMPC_L2_WINDOW_H
#define OMPC_L2_WINDOW_H

#include "ompc_environment.h"
#include "ompc_ranges.h"
#include "ompc_shape.h"

#include <cstddef>
#include <vector>

namespace ompc {

constexpr std::size_t window_cache_parts = 32; // the least is such a part of the cache
constexpr std::size_t window_streams = 4;      // the others are at least so many times as large as the array
constexpr std::size_t window_caches = 2;       // and as the cache

inline bool wants_windows()
{
    static const bool wanted = text_of("OMPC_L2") != "0";
    return wanted;
}

// What the kernel of a launch is best given as its window; an empty one: nothing.
inline Window window_of(const DeviceLimits &limits, const std::vector<Range> &ranges, const std::vector<Group> &groups)
{
    Window found;
    if (limits.cache_kept == 0)
        return found;
    std::size_t all = 0;
    for (const Group &group : groups)
        all += group.bytes();
    for (const Range &range : ranges) {
        if (!range.block || range.written() || range.empty() || range.group == no_group)
            continue;
        const Group &group = groups[range.group];
        const std::size_t bytes = range.end - range.begin, others = all - group.bytes();
        const bool fits = bytes <= limits.cache_kept && bytes >= limits.cache / window_cache_parts;
        const bool pays = others >= window_caches * limits.cache && others / window_streams >= bytes;
        if (fits && pays && group.out_bytes() == 0 && bytes > found.bytes)
            found = {group.device + (range.begin - group.begin), bytes};
    }
    return found;
}

} // namespace ompc

#endif

// ompc_running_sums.h: loops inside an iteration whose entries add to an integer and see what it is then, divided by the threads of a
// group (plan/groups/running_sums.py).
//
// The group takes a tile of entries at a time, one for each thread, and finds what all before an entry have added: by shuffles among
// the lanes of a warp, then through shared memory among warps. Sums wrap, as the device's do.

#ifndef OMPC_RUNNING_SUMS_H
#define OMPC_RUNNING_SUMS_H

#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_lanes.h"
#include "ompc_thread_group.h"

#include <type_traits>

namespace ompc {

// `added(entry)` of each entry, which is computed from what no entry changes; then `body(entry, sum)` with the sum of `whole` and of
// what all entries before have added. In the end, `whole` of the group's first thread, which knows the entries, has all of it. The
// other groups of a block stay in the loop as long as one of them has entries.
template <class K, class T, class Added, class Body>
__device__ __forceinline__ void with_running_sum(ThreadGroup group, Entries<K> entries, std::common_type_t<K> stride, T &whole,
                                                 const Added &added, const Body &body)
{
    using Count = typename Entries<K>::Count;
    using Wraps = std::make_unsigned_t<T>;
    Wraps sum = static_cast<Wraps>(whole);
    group.broadcast(entries.first, entries.count, sum);
    const Count first = static_cast<Count>(entries.first), step = static_cast<Count>(stride);
    Count at = group.rank(), left = entries.count;
    OMPC_NO_UNROLL
    while (group.any_together(left != 0)) {
        const bool has = group.rank() < left;
        const K entry = static_cast<K>(first + at * step);
        Wraps own = has ? static_cast<Wraps>(added(entry)) : 0, all = 0;
        const Wraps before = sum + group.sum_before(own, all);
        if (has)
            body(entry, static_cast<T>(before));
        sum += all;
        at += group.size();
        left -= left < group.size() ? left : group.size();
    }
    if (group.rank() == 0)
        whole = static_cast<T>(sum);
}

} // namespace ompc

#endif

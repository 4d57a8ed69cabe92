// ompc_collected_entries.h: what the entries of a loop add that a block shares, collected in shared memory (ompc_collected_adds.h).
//
//     const ompc::CollectedAdds<int, ompc::lines_of_entries<int>> sums(ompc::are_many(group, k_entries));
//     ompc::adding<8>(group, k_entries, 1, sums, [&](int k, ompc::Addition<int> &sum) { ompc::atomic_add(&count[key[k]], 1, sum); });
//     sums.write_back();                                          in front of the barrier behind the loop

#ifndef OMPC_COLLECTED_ENTRIES_H
#define OMPC_COLLECTED_ENTRIES_H

#include "ompc_collected_adds.h"
#include "ompc_cuda.h"
#include "ompc_lanes.h"
#include "ompc_thread_group.h"
#include "ompc_unroll.h"

#include <type_traits>

namespace ompc {

// Of 8,192 words with their owners: 40 KB, so that a multiprocessor has room for several blocks.
template <class T>
constexpr unsigned lines_of_entries = sizeof(T) > 4 ? 512 : 1024;

// Is a block the group, with so many entries of the loops of a nest that they are worth a table? Asked by all threads of the block,
// of which one knows the entries. The emulator shows the table anyway.
template <class... K>
__device__ inline bool are_many(ThreadGroup group, const Entries<K> &...entries)
{
#ifdef __CUDACC__
    constexpr unsigned long long least = 1 << 13;
#else
    constexpr unsigned long long least = 1;
#endif
    return blockDim.x == group.size() && __syncthreads_or((1ull * ... * entries.count) >= least);
}

// body(k, addition) for all entries of a loop, each of which adds once at most. What `together` entries of a thread read is under way
// before one adds.
template <unsigned together, class K, class Sums, class Body>
__device__ __forceinline__ void adding(ThreadGroup group, Entries<K> entries, std::common_type_t<K> stride, const Sums &sums,
                                       const Body &body)
{
    using Count = typename Entries<K>::Count;
    group.broadcast(entries.first, entries.count);
    Share<Count> share = group.share(static_cast<Count>(entries.first), entries.count, static_cast<Count>(stride));
    OMPC_NO_UNROLL
    for (; share.count >= together; share.count -= together, share.at += together * share.step) {
        typename Sums::Addition of[together];
        OMPC_UNROLL
        for (unsigned n = 0; n < together; n++)
            body(static_cast<K>(share.at + n * share.step), of[n]);
        OMPC_UNROLL
        for (unsigned n = 0; n < together; n++)
            sums.add(of[n]);
    }
    OMPC_NO_UNROLL
    for (; share.count != 0; share.count--, share.at += share.step) {
        typename Sums::Addition one;
        body(static_cast<K>(share.at), one);
        sums.add(one);
    }
}

} // namespace ompc

#endif

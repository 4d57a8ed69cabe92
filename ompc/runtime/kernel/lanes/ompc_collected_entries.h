// ompc_collected_entries.h: what the entries of a loop add that a block shares, collected in shared memory (ompc_collected_adds.h).
//
//     const ompc::CollectedAdds<int, ompc::lines_of_entries<int>> sums(ompc::are_many(group, k_entries));
//     ompc::by_stretches<4>(group, k_entries, 1, [&](int k) { ompc::atomic_add(&count[key[k]], 1, sums); });
//     sums.write_back();                                          in front of the barrier behind the loop

#ifndef OMPC_COLLECTED_ENTRIES_H
#define OMPC_COLLECTED_ENTRIES_H

#include "ompc_collected_adds.h"
#include "ompc_cuda.h"
#include "ompc_lanes.h"
#include "ompc_thread_group.h"

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

} // namespace ompc

#endif

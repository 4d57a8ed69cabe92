// ompc_nests.h: loops that stand in each other, and whose iterations the threads of a group divide as those of one loop.
//
//     for (i = 0; i < li; i++)                  256 threads: 1 of 256 iterations each where li is 256 and lk is 1, and also
//         for (k = 0; k < lk; k++)              where it is the other way round. Neighbours have neighbouring j, which they
//             for (j = 0; j < 32; j++)          find with one division for each loop, and from then on by counting on.
//
// Source: Polychronopoulos, "Loop coalescing: a compiler transformation for parallel machines" (ICPP 1987).

#ifndef OMPC_NESTS_H
#define OMPC_NESTS_H

#include "ompc_cuda.h"
#include "ompc_lanes.h"
#include "ompc_nest_counts.h"
#include "ompc_thread_group.h"
#include "ompc_unroll.h"

#include <type_traits>

namespace ompc {

// One loop of a nest: what the group's first thread knows of it, and the step from one entry to the next.
template <class K>
struct NestLoop {
    Entries<K> entries;
    K stride;
};

template <class K>
__device__ __forceinline__ NestLoop<K> nest_loop(const Entries<K> &entries, std::common_type_t<K> stride)
{
    return {entries, stride};
}

// The numbers of a nest's loops. NVRTC has no <utility>.
template <unsigned... loop>
struct LoopNumbers {
};
template <unsigned loops, unsigned... loop>
struct NumbersBelow : NumbersBelow<loops - 1, loops - 1, loop...> {
};
template <unsigned... loop>
struct NumbersBelow<0, loop...> {
    using type = LoopNumbers<loop...>;
};

// Where a thread is in a nest: a number for each loop, the last one the fastest.
template <class Count, unsigned loops>
struct NestPlace {
    Count at[loops];

    // The `number`-th place of a nest, none of whose loops is empty.
    __device__ __forceinline__ NestPlace(unsigned number, const Count (&counts)[loops]) : at()
    {
        OMPC_UNROLL
        for (unsigned loop = loops - 1; loop != 0; loop--) {
            const unsigned rest = counts[loop] > number ? 0 : number / static_cast<unsigned>(counts[loop]);
            at[loop] = number - rest * static_cast<unsigned>(counts[loop]);
            number = rest;
        }
        at[0] = number;
    }

    // So many places further.
    __device__ __forceinline__ void move(const NestPlace &by, const Count (&counts)[loops])
    {
        Count carry = 0;
        OMPC_UNROLL
        for (unsigned loop = loops - 1; loop != 0; loop--) {
            const Count left = counts[loop] - by.at[loop] - carry; // from where on it begins again
            const bool begins = at[loop] >= left;
            at[loop] = begins ? at[loop] - left : at[loop] + (counts[loop] - left);
            carry = begins;
        }
        at[0] += by.at[0] + carry;
    }
};

template <class K>
__device__ __forceinline__ K nest_value(const NestLoop<K> &loop, typename Entries<K>::Count number)
{
    using Count = typename Entries<K>::Count;
    return static_cast<K>(static_cast<Count>(loop.entries.first) + number * static_cast<Count>(loop.stride));
}

// `body` for the entries `first`, `first` + 2^step_log2, and so on.
template <class Body, class... K, unsigned... loop>
__device__ __forceinline__ void in_nest(unsigned first, unsigned step_log2, unsigned long long all, const Body &body,
                                        LoopNumbers<loop...>, const NestLoop<K> &...loops)
{
    using Count = std::conditional_t<(... && (sizeof(K) <= 4)), unsigned, unsigned long long>;
    constexpr unsigned depth = sizeof...(K);
    const Count counts[depth] = {static_cast<Count>(loops.entries.count)...};
    NestPlace<Count, depth> place(first, counts);
    const NestPlace<Count, depth> by(1u << step_log2, counts);
    OMPC_NO_UNROLL
    for (unsigned long long left = (all - first - 1) >> step_log2;; left--, place.move(by, counts)) {
        body(nest_value(loops, static_cast<typename Entries<K>::Count>(place.at[loop]))...);
        if (left == 0)
            break;
    }
}

// `body(i, k, j)` for all entries of the nest, outermost loop first.
template <class Body, class... K>
__device__ __forceinline__ void by_nest(ThreadGroup group, const Body &body, NestLoop<K>... loops)
{
    (group.broadcast(loops.entries.first, loops.entries.count), ...);
    const unsigned long long all = (1ull * ... * loops.entries.count);
    if (group.rank() < all)
        in_nest(group.rank(), group.size_log2(), all, body, typename NumbersBelow<sizeof...(K)>::type(), loops...);
}

// The same where `apart(counts)` says that entries are independent of each other; else one thread does all, in their order.
template <class Apart, class Body, class... K>
__device__ __forceinline__ void by_nest_where(ThreadGroup group, const Apart &apart, const Body &body, NestLoop<K>... loops)
{
    (group.broadcast(loops.entries.first, loops.entries.count), ...);
    const unsigned long long all = (1ull * ... * loops.entries.count);
    const bool shares = apart(NestCounts<sizeof...(K)>{{static_cast<unsigned long long>(loops.entries.count)...}});
    if (group.rank() < (shares || all == 0 ? all : 1))
        in_nest(group.rank(), shares ? group.size_log2() : 0, all, body, typename NumbersBelow<sizeof...(K)>::type(), loops...);
}

} // namespace ompc

#endif

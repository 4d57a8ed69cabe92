// ompc_joint_updates.h: what lanes of a warp add to one element, added to it at once.
//
// Where data says which elements of a large array are added to, many lanes may have the same one: counts of words, of which
// some are frequent. Then one update waits for the other, 13 times as long where every second one is to the same element.
// The lanes that are together there add up their values by shuffles, and the lowest of them updates the element.
//
// Where lanes never meet, looking costs more than it gains. So a thread looks at every 32nd update of its own, and once some
// have met at the next ones too.

#ifndef OMPC_JOINT_UPDATES_H
#define OMPC_JOINT_UPDATES_H

#include "ompc_atomic.h"
#include "ompc_cuda.h"

#include <type_traits>

namespace ompc {

// Values of whole words, added in their own type: in another order, which atomic updates have not got anyway.
template <class T, class V>
constexpr bool can_be_joint = sizeof(T) >= 4 && adds_in_own_type<T, V>;

// Of a thread and an array.
class JointUpdates {
public:
    // *p += v
    template <class T>
    __device__ __forceinline__ void add(T *p, T v)
    {
#ifdef __CUDACC__
        if (looks_ != 0 || seen_++ % look_at == 0)
            return add_together(p, v);
#endif
        atomic_add(p, v);
    }

private:
    static constexpr unsigned look_at = 32, next_ones = 8;

    unsigned seen_ = 0, looks_ = 0; // at so many updates from now on

#ifdef __CUDACC__
    // By all lanes that are here together.
    template <class T>
    __device__ __forceinline__ void add_together(T *p, T v)
    {
        const unsigned here = __activemask(), same = __match_any_sync(here, reinterpret_cast<unsigned long long>(p));
        unsigned lane;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        const unsigned below = same & ((1u << lane) - 1);
        if (__any_sync(here, below != 0))
            looks_ = next_ones;
        else if (looks_ != 0)
            looks_--;
        if constexpr (std::is_integral_v<T>) {
            if (__all_sync(here, v == 1)) { // they count
                if (below == 0)
                    atomic_add(p, static_cast<T>(__popc(same)));
                return;
            }
        }
        // In each turn those that are left add the value of the next one; then every second one is done.
        unsigned above = same & (~1u << lane), place = static_cast<unsigned>(__popc(below));
        while (__any_sync(here, above != 0)) {
            const unsigned next = above == 0 ? lane : static_cast<unsigned>(__ffs(static_cast<int>(above))) - 1;
            const T other = __shfl_sync(here, v, static_cast<int>(next));
            if (above != 0)
                v += other;
            above &= ~__ballot_sync(here, place % 2 != 0);
            place /= 2;
        }
        if (below == 0)
            atomic_add(p, v);
    }
#endif
};

} // namespace ompc

#endif

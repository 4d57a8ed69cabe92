// ompc_batches.h: batched division: iterations in batches with a speculative fast path, so that quotients and roots overlap.
//
// IEEE 754 asks for the number nearest to the quotient or root, which takes a few instructions for normal-range operands and a
// branch to a longer way for others. Where every operation has that branch, a thread does one after the other. `Fast`
// (ompc_fast_division.h) has the few instructions, and notes that an operand was outside of the normal range. Of a batch with an
// operand outside of the normal range nothing is kept; it is done again, one iteration after the other, by `Exact`. Both give the
// same bits.

#ifndef OMPC_BATCHES_H
#define OMPC_BATCHES_H

#include "ompc_cuda.h"
#include "ompc_fast_division.h"
#include "ompc_trips.h"
#include "ompc_unroll.h"

#include <cfloat>
#include <cmath>
#include <type_traits>

namespace ompc {

// Operands that are proved in the normal range need no watching: normal_range_divide(a, b) and the like are of no arithmetic. A
// loop that has no others goes in batches all the same, so that its iterations overlap.

// As the program says it.
struct Exact {
    template <class T>
    __device__ T divide(T a, T b) const
    {
        return a / b;
    }
    template <class T>
    __device__ T reciprocal(T b) const
    {
        return T(1) / b;
    }
    __device__ float sqrt(float x) const { return ::sqrtf(x); }
    __device__ double sqrt(double x) const { return ::sqrt(x); }
    template <class T>
    __device__ T rsqrt(T x) const
    {
        return ompc::rsqrt(x);
    }
};

// Where what is wrong about 1 / sqrt(x) shows in the variables that a group hands on.
class FastByResults : public Fast {
public:
    template <class T>
    __device__ __forceinline__ T rsqrt(T x) const
    {
        return normal_range_rsqrt(x);
    }
};

enum Watching { each_operation, by_results, nothing };

template <class T>
__device__ bool may_be_right(T)
{
    return true; // an integer
}
__device__ inline bool may_be_right(float result) { return fabsf(result) <= FLT_MAX; }
__device__ inline bool may_be_right(double result) { return fabs(result) <= DBL_MAX; }

// Runs `iterations(arithmetic, variables...)` with the fast path's arithmetic; false where nothing has been kept. The variables
// go by value, and come back at the end.
template <Watching watching, class Iterations, class... Carried>
__device__ __forceinline__ bool quickly(const Iterations &iterations, Carried &...carried)
{
    if constexpr (watching == nothing) {
        Exact unused;
        iterations(unused, carried...);
        return true;
    }
    const auto tried = [&](auto... own) {
        std::conditional_t<watching == by_results, FastByResults, Fast> arithmetic;
        iterations(arithmetic, own...);
        bool right = !arithmetic.unusual();
        if constexpr (watching == by_results)
            right &= (... & may_be_right(own));
        if (right)
            ((carried = own), ...);
        return right;
    };
    return tried(carried...);
}

template <class K, class Count, class Body, class... Carried>
__device__ __forceinline__ void exactly(Count at, unsigned count, Count step, const Body &body, Carried &...carried)
{
    const Exact exact;
    OMPC_NO_UNROLL
    for (unsigned n = 0; n < count; n++)
        body(exact, static_cast<K>(at + n * step), carried...);
}

// What a thread has of a loop: so many iterations from the value `at` of its variable on, each `step` further, modulo 2^n. All
// threads with a share of the loop have `least` of them or more.
template <class Count>
struct Share {
    Count at, count, step, least;
};

// One batch: `body(k, carried...)`, or `body(arithmetic, k, carried...)` by the fast path if that is right.
template <unsigned size, Watching watching, class K, class Count, class Body, class... Carried>
__device__ __forceinline__ void one_batch(Count at, Count step, const Body &body, Carried &...carried)
{
    if constexpr (std::is_invocable_v<const Body &, K, Carried &...>) {
        OMPC_UNROLL
        for (unsigned n = 0; n < size; n++)
            body(static_cast<K>(at + n * step), carried...);
    } else {
        const auto batch = [&](auto &arithmetic, auto &...own) {
            OMPC_UNROLL
            for (unsigned n = 0; n < size; n++)
                body(arithmetic, static_cast<K>(at + n * step), own...);
        };
        if (!quickly<watching>(batch, carried...))
            exactly<K>(at, size, step, body, carried...);
    }
}

// A thread's iterations, in their order. The reads of `size` of them are under way before one is waited for. What remains behind the
// last whole batch is one more, of fewer iterations; behind large ones, some small ones before. `alike`: all threads have as many
// batches. While some have one more, the others of their warp wait, and do what they have behind it: that costs more than reads that
// are not under way together, where iterations are long.
template <unsigned size, Watching watching, class K, bool alike = false, class Count, class Body, class... Carried>
__device__ __forceinline__ void in_share(Share<Count> share, const Body &body, Carried &...carried)
{
    constexpr bool plain = std::is_invocable_v<const Body &, K, Carried &...>;
    Count &at = share.at, &left = share.count;
    const Count step = share.step, behind = alike ? left - share.least / size * size : left % size;
    OMPC_NO_UNROLL
    for (; left != behind; left -= size, at += size * step)
        one_batch<size, watching, K>(at, step, body, carried...);
    if constexpr (plain) {
        OMPC_NO_UNROLL
        for (; left != 0; left--, at += step)
            body(static_cast<K>(at), carried...);
    } else {
        if constexpr (size >= 32)
            for (; left >= size / 8; left -= size / 8, at += size / 8 * step)
                one_batch<size / 8, watching, K>(at, step, body, carried...);
        const auto rest = [&](auto &arithmetic, auto &...own) {
            OMPC_NO_UNROLL
            for (unsigned n = 0; n < left; n++)
                body(arithmetic, static_cast<K>(at + n * step), own...);
        };
        if (left != 0 && !quickly<watching>(rest, carried...))
            exactly<K>(at, static_cast<unsigned>(left), step, body, carried...);
    }
}

// One loop of a thread alone: `trips` values of k, from `first` on.
template <unsigned size, class K, Watching watching = each_operation, class Body, class... Carried>
__device__ __forceinline__ void in_batches(K first, Trips trips, std::common_type_t<K> stride, const Body &body,
                                          Carried &...carried)
{
    using Count = std::conditional_t<(sizeof(K) > 4), unsigned long long, unsigned>; // at least as wide as K
    const Count count = static_cast<Count>(trips);
    const Share<Count> all{static_cast<Count>(first), count, static_cast<Count>(stride), count};
    in_share<size, watching, K>(all, body, carried...);
}

} // namespace ompc

#endif

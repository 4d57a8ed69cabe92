// ompc_unroll_and_jam.h: unroll-and-jam: threads that compute several neighbouring iterations together
// (plan/groups/unroll_and_jam.py).
//
// Where a loop inside an iteration reads the same for all iterations, a thread that has two of them reads it once for both,
// and the operations of one fill the time in which those of the other are waited for. What differs between them, the thread
// has for `Each` of them. The operations of a point are those of its iteration, in their order.
//
//     for (size_t slot = ...; group.any(slot, ompc::groups_of(points, trips)); ...) {
//         const ompc::JammedIterations<points> mine(group, slot, trips);
//         ompc::Each<float, points> sum;
//         ...
//         for (int point = 0; point < points; point++)
//             if (mine.own(point))
//                 y[mine.iteration(point)] = sum[point];
//
// Behind the last iteration a thread repeats it, and stores nothing of that. OMPC_TILES=8, 4 or 2 asks for threads of several
// points, OMPC_TILES=0 for none.

#ifndef OMPC_UNROLL_AND_JAM_H
#define OMPC_UNROLL_AND_JAM_H

#include "ompc_cuda.h"
#include "ompc_partials.h"
#include "ompc_sharing.h"
#include "ompc_thread_group.h"
#include "ompc_unroll.h"

#include <cstddef>

namespace ompc {

// A variable of each of the iterations.
template <class T, int points>
struct Each {
    T of[points];

    __device__ __forceinline__ explicit Each(T first = T())
    {
        OMPC_UNROLL
        for (int point = 0; point < points; point++)
            of[point] = first;
    }
    __device__ __forceinline__ T &operator[](int point) { return of[point]; }
    __device__ __forceinline__ const T &operator[](int point) const { return of[point]; }
};

template <class T, int points>
struct NumberOf<Each<T, points>> {
    using type = T;
};

template <class T, int points, class F>
__device__ __forceinline__ Each<T, points> for_numbers(Each<T, points> values, const F &f)
{
    OMPC_UNROLL
    for (int point = 0; point < points; point++)
        values[point] = f(values[point]);
    return values;
}

template <class T, int points>
__device__ __forceinline__ bool may_be_right(const Each<T, points> &results)
{
    bool right = true;
    OMPC_UNROLL
    for (int point = 0; point < points; point++)
        right &= may_be_right(results[point]);
    return right;
}

// The iterations that the lanes of the slot work at.
template <int points>
class JammedIterations {
public:
    __device__ JammedIterations(ThreadGroup group, std::size_t slot, std::size_t trips)
        : first_(group.iteration(slot) * points), trips_(trips), own_(group.own(slot, groups_of(points, trips)))
    {
    }

    // Are they the lane's own? Else it only helps.
    __device__ bool own() const { return own_; }
    __device__ bool own(int point) const { return own_ && number(point) < trips_; }
    __device__ std::size_t iteration(int point) const { return number(point) < trips_ ? number(point) : trips_ - 1; }

    // Gives what the last iteration has to those that repeat it.
    template <class... T>
    __device__ __forceinline__ void repeat(Each<T, points> &...values) const
    {
        OMPC_UNROLL
        for (int point = 1; point < points; point++)
            if (number(point) >= trips_)
                ((values[point] = values[point - 1]), ...);
    }

private:
    std::size_t first_, trips_;
    bool own_;

    __device__ std::size_t number(int point) const { return first_ + static_cast<std::size_t>(point); }
};

} // namespace ompc

#endif

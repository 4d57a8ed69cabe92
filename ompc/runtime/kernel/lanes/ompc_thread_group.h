// ompc_thread_group.h: the threads that share an iteration, in the words of cooperative groups: some lanes of a warp, a warp,
// several warps of which each has other entries, or a block.
//
// One thread, of rank 0, has the iteration as its own. What it knows, it broadcasts; each has its share of a loop's entries; what
// they find is reduced in one order for each shape of a group: a tree of shuffles combines what the lanes of a warp have, neighbours
// last, and what several warps have is combined in their order. OMPC_LANES=N asks for groups of so many threads.

#ifndef OMPC_THREAD_GROUP_H
#define OMPC_THREAD_GROUP_H

#include "ompc_batches.h"
#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_sharing.h"

#include <cstddef>
#include <cstring>

namespace ompc {

// What a block has in shared memory where groups are of several warps, with so many lanes of a warp in different ones: values that
// a thread gives the others at once, or parts of what is combined, each of up to 8 bytes.
constexpr unsigned most_values = 10;

template <unsigned groups>
__device__ inline unsigned long long *group_memory()
{
    constexpr unsigned parts = groups == 1 ? 1u << row_warps_log2 : most_sharing_threads;
    OMPC_SHARED unsigned long long memory[most_values * groups < parts ? parts : most_values * groups];
    return memory;
}

// The lanes of each warp that something holds for.
__device__ inline unsigned *votes_of_warps()
{
    OMPC_SHARED unsigned votes[1u << row_warps_log2];
    return votes;
}

// f(number) for a number, and for each of several (ompc_unroll_and_jam.h).
template <class T, class F>
__device__ __forceinline__ T for_numbers(T value, const F &f)
{
    return f(value);
}

struct ThreadGroup {
    unsigned lanes_log2, warps_log2;

    OMPC_ANYWHERE constexpr ThreadGroup(unsigned lanes_log2_, unsigned warps_log2_) : lanes_log2(lanes_log2_), warps_log2(warps_log2_) {}
    OMPC_ANYWHERE ThreadGroup(const GroupShape &shape) : ThreadGroup(shape.lanes_log2, shape.warps_log2) {}
    // A block that has one row; and any other one, of 1 << n threads.
    OMPC_ANYWHERE static constexpr ThreadGroup block_of_row() { return {Warp::log2, row_warps_log2}; }
    __device__ static ThreadGroup block() { return {Warp::log2, 31u - __clz(static_cast<int>(blockDim.x)) - Warp::log2}; }

    // ---- which iterations are the group's

    // Has the block one, of so many? Whole blocks stay in the loop together.
    __device__ bool any(std::size_t slot, std::size_t trips) const { return iteration(slot - threadIdx.x) < trips; }
    __device__ std::size_t iteration(std::size_t slot) const
    {
        if (warps_log2 == 0)
            return slot >> lanes_log2;
        return (slot >> (Warp::log2 + warps_log2) << (Warp::log2 - lanes_log2)) + (slot % Warp::size >> lanes_log2);
    }
    // Is it the calling thread's own? Else the thread only helps.
    __device__ bool own(std::size_t slot, std::size_t trips) const { return rank() == 0 && iteration(slot) < trips; }

    // ---- what its threads do together

    __device__ unsigned size_log2() const { return lanes_log2 + warps_log2; }
    __device__ unsigned size() const { return 1u << size_log2(); }
    __device__ unsigned rank() const { return (warps_log2 == 0 ? 0 : threadIdx.x / Warp::size << lanes_log2) | lane(); }
    // What any of them has stored before is there for all others behind it.
    __device__ void sync() const
    {
        if (warps_log2 == 0)
            __syncwarp();
        else
            __syncthreads();
    }

    // Is it so in any thread of those that come to shared loops together: of the warp, or of the block? Else nobody executes
    // what a condition keeps the others out of, as a loop whose bounds only the condition makes sensible.
    template <bool by_block = false>
    __device__ bool any_together(bool own) const
    {
        return (by_block || warps_log2 != 0 ? __syncthreads_or(own) : __any_sync(all_lanes, own)) != 0;
    }
    // The same of a block, unless there is a warp alone, whose lanes go on each for itself.
    __device__ bool any_of_block(bool own) const { return warps_log2 == 0 ? own : __syncthreads_or(own) != 0; }

    // Gives all threads the values of the first one.
    template <class... T>
    __device__ __forceinline__ void broadcast(T &...values) const
    {
        broadcast_from(threadIdx.x % Warp::size >> lanes_log2 << lanes_log2, values...);
    }
    // Those of another one, by its number in the block.
    template <class... T>
    __device__ __forceinline__ void broadcast_from(unsigned thread, T &...values) const
    {
        if (lanes_log2 != 0)
            ((values = of_lane(values, thread % Warp::size)), ...);
        if (warps_log2 == 0)
            return;
        if constexpr ((0 + ... + places<T>) <= most_values)
            through_memory(thread / Warp::size, values...);
        else
            (through_memory(thread / Warp::size, values), ...);
    }

    // The values of all threads combined, for each of them.
    template <class Op, class T>
    __device__ __forceinline__ T reduce(T values) const
    {
        return for_numbers(values, [&](auto value) {
            for (unsigned delta = lanes() / 2; delta != 0; delta /= 2)
                value = Op::apply(value, of_lane(value, threadIdx.x % Warp::size ^ delta));
            return warps_log2 == 0 ? value : reduce_warps<Op>(value);
        });
    }

    // What all threads before the calling one have together, and what all have.
    template <class T>
    __device__ __forceinline__ T sum_before(T value, T &all) const
    {
        T until = value;
        for (unsigned delta = 1; delta < lanes(); delta *= 2) {
            const T below = of_lane(until, (threadIdx.x - delta) % Warp::size);
            until += lane() >= delta ? below : T(0);
        }
        all = of_lane(until, threadIdx.x % Warp::size | (lanes() - 1));
        return warps_log2 == 0 ? until - value : sum_of_warps_before(all) + (until - value);
    }

    // Every so many-th of the entries.
    template <class Count>
    __device__ Share<Count> share(Count first, Count entries, Count step) const
    {
        const unsigned part = rank();
        const Count own = part >= entries ? 0 : ((entries - part - 1) >> size_log2()) + 1;
        return {first + part * step, own, step << size_log2(), entries >> size_log2()};
    }

    // f(thread) of each one for which `wanted` holds, one after the other, in a warp or block.
    template <class F>
    __device__ __forceinline__ void for_each(bool wanted, const F &f) const
    {
        unsigned *const votes = votes_of_warps();
        const unsigned own = threadIdx.x / Warp::size, of_warp = __ballot_sync(all_lanes, wanted);
        if (warps_log2 != 0) {
            votes[own] = of_warp;
            __syncthreads();
        }
        OMPC_NO_UNROLL
        for (unsigned warp = warps_log2 == 0 ? own : 0; warp < (warps_log2 == 0 ? own + 1 : 1u << warps_log2); warp++)
            OMPC_NO_UNROLL
            for (unsigned lanes = warps_log2 == 0 ? of_warp : votes[warp]; lanes != 0; lanes &= lanes - 1)
                f(warp * Warp::size + static_cast<unsigned>(__ffs(static_cast<int>(lanes)) - 1));
    }

private:
    // How many of a lane's places in shared memory a value takes.
    template <class T>
    static constexpr unsigned places = (sizeof(T) + 7) / 8;

    __device__ unsigned lanes() const { return 1u << lanes_log2; }
    __device__ unsigned lane() const { return threadIdx.x & (lanes() - 1); }

    // Whole warps need little, and a kernel that has no others has no more.
    __device__ unsigned long long *memory() const { return lanes_log2 == Warp::log2 ? group_memory<1>() : group_memory<Warp::size>(); }

    // From the lanes of a warp to the same lanes of the others.
    template <class... T>
    __device__ __forceinline__ void through_memory(unsigned from_warp, T &...values) const
    {
        static_assert(((places<T> <= most_values) && ...), "values of up to 80 bytes");
        const unsigned groups = lanes_log2 == Warp::log2 ? 1 : Warp::size, group = threadIdx.x % Warp::size >> lanes_log2;
        unsigned at = 0;
        const auto next = [&](unsigned taken, unsigned bytes) {
            unsigned char *const of_value = reinterpret_cast<unsigned char *>(memory() + at * groups);
            at += taken;
            return of_value + group * bytes;
        };
        if (threadIdx.x / Warp::size == from_warp && lane() == 0)
            (std::memcpy(next(places<T>, sizeof(T)), &values, sizeof(T)), ...);
        __syncthreads();
        at = 0;
        (std::memcpy(&values, next(places<T>, sizeof(T)), sizeof(T)), ...);
        __syncthreads();
    }

    // `all`: of the lanes in one warp, then of all of them.
    template <class T>
    __device__ __forceinline__ T sum_of_warps_before(T &all) const
    {
        static_assert(sizeof(T) <= sizeof(unsigned long long), "numbers");
        T *const parts = reinterpret_cast<T *>(memory()) + (threadIdx.x % Warp::size >> lanes_log2);
        const unsigned pitch = Warp::size >> lanes_log2, own = threadIdx.x / Warp::size;
        if (lane() == 0)
            parts[own * pitch] = all;
        __syncthreads();
        T before = 0;
        all = 0;
        for (unsigned warp = 0; warp < 1u << warps_log2; warp++) {
            before += warp < own ? parts[warp * pitch] : T(0);
            all += parts[warp * pitch];
        }
        __syncthreads();
        return before;
    }

    template <class Op, class T>
    __device__ __forceinline__ T reduce_warps(T value) const
    {
        static_assert(sizeof(T) <= sizeof(unsigned long long), "numbers");
        T *const parts = reinterpret_cast<T *>(memory()) + (threadIdx.x % Warp::size >> lanes_log2);
        const unsigned pitch = Warp::size >> lanes_log2;
        if (lane() == 0)
            parts[threadIdx.x / Warp::size * pitch] = value;
        __syncthreads();
        value = parts[0];
        for (unsigned warp = 1; warp < 1u << warps_log2; warp++)
            value = Op::apply(value, parts[warp * pitch]);
        __syncthreads();
        return value;
    }
};

} // namespace ompc

#endif

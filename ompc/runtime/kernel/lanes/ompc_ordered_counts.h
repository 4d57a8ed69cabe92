// ompc_ordered_counts.h: loops inside an iteration whose entries count and see what their counter was before, divided by the threads
// of a group (plan/groups/ordered_counts.py).
//
// A warp takes 32 entries at a time, in their order. Lanes whose entries have one counter find each other: each of them gets the
// counter and as many steps as there are of them below it, and the first one adds all. So every entry gets what the sequential loop
// gives it; counters wrap, as the device's integers do.
//
// A block that has counters in one row takes a tile of entries, of which each warp has a stretch: it counts from 0 on, in shared
// memory of its own, where what all warps before it have counted is added then.

#ifndef OMPC_ORDERED_COUNTS_H
#define OMPC_ORDERED_COUNTS_H

#include "ompc_atomic.h"
#include "ompc_batches.h"
#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_lanes.h"
#include "ompc_thread_group.h"

#include <type_traits>

namespace ompc {

// What an entry adds, and what it sees: the counter before, or `after` that. `seen`: does anything become of it? `one_by_one`: one
// thread does all entries, in their order.
template <class T>
struct Counts {
    T step;
    bool after, seen, one_by_one;

    __device__ T behind(T counter, int times) const
    {
        using Wraps = std::conditional_t<(sizeof(T) > 4), unsigned long long, unsigned>;
        return static_cast<T>(static_cast<Wraps>(counter) + static_cast<Wraps>(times) * static_cast<Wraps>(step));
    }
    __device__ T sees(T counter, int before) const { return behind(counter, before + (after ? 1 : 0)); }
};

__device__ inline unsigned lanes_below()
{
    return (1u << threadIdx.x % Warp::size) - 1;
}

// All entries by the group's first thread.
template <class T, class K, class Count, class Where, class Body>
__device__ __forceinline__ void counted_one_by_one(Count at, Count count, Count step, const Counts<T> &counts, const Where &where,
                                                   const Body &body)
{
    OMPC_NO_UNROLL
    for (; count != 0; count--, at += step) {
        T *const counter = where(static_cast<K>(at));
        const T was = counter == nullptr ? T() : *counter;
        if (counter != nullptr)
            *counter = counts.behind(was, 1);
        body(static_cast<K>(at), counts.sees(was, 0));
    }
}

// Counters where they are; the warps of a group take turns.
template <class T, class K, class Count, class Where, class Body>
__device__ __forceinline__ void counted_in_place(ThreadGroup group, Count at, Count left, Count step, const Counts<T> &counts,
                                                 const Where &where, const Body &body)
{
    const unsigned lanes = 1u << group.lanes_log2, first = threadIdx.x % Warp::size & ~(lanes - 1);
    const unsigned of_group = (all_lanes >> (Warp::size - lanes)) << first;
    at += group.rank() * step;
    OMPC_NO_UNROLL
    while (group.any_together(left != 0)) {
        const bool has = group.rank() < left;
        T *const counter = has ? where(static_cast<K>(at)) : nullptr;
        const unsigned same = __match_any_sync(all_lanes, reinterpret_cast<unsigned long long>(counter)) & of_group;
        const unsigned before = same & lanes_below();
        T was = T();
        OMPC_NO_UNROLL
        for (unsigned warp = 0; warp < 1u << group.warps_log2; warp++) {
            if (group.warps_log2 == 0 || threadIdx.x / Warp::size == warp) {
                if (counter != nullptr)
                    was = *counter;
                __syncwarp();
                if (counter != nullptr && before == 0)
                    *counter = counts.behind(was, __popc(same));
            }
            group.sync();
        }
        if (has)
            body(static_cast<K>(at), counts.sees(was, __popc(before)));
        at += static_cast<Count>(group.size()) * step;
        left -= left < group.size() ? left : static_cast<Count>(group.size());
    }
}

// What a block has of a row in shared memory: the counters, what they were at first, and what each of its warps has counted of a
// tile.
template <class T, unsigned length>
struct RowMemory {
    static constexpr unsigned words = (length + 1) / 2, of_lane = 16; // entries of a lane in a tile
    T row[length], begun[length];
    unsigned of_warps[1u << most_warps_log2][words]; // of two counters in each word

    __device__ unsigned short *counted(unsigned warp) { return reinterpret_cast<unsigned short *>(of_warps[warp]); }
};

// One for all loops of a kernel that have such rows.
template <class T, unsigned length>
__device__ inline RowMemory<T, length> &row_memory()
{
    OMPC_SHARED RowMemory<T, length> memory;
    return memory;
}

// A thread's entries, of whose counters nobody sees what they are: those of several entries are found, and what that reads is under
// way, before one of them counts.
template <class T, unsigned length, class K, class Count, class Where, class Body>
__device__ __forceinline__ void counted_unseen(Share<Count> share, T step, T *row, const Where &where, const Body &body)
{
    constexpr unsigned ahead = 8;
    RowMemory<T, length> &memory = row_memory<T, length>();
    const auto count = [&](T *counter) {
        const unsigned long long place = static_cast<unsigned long long>(counter - row);
        if (place < length) // apart from those elsewhere, so that the compiler knows which memory it is
            atomic_add(&memory.row[place], step);
        else if (counter != nullptr)
            atomic_add(counter, step);
    };
    OMPC_NO_UNROLL
    for (; share.count >= ahead; share.count -= ahead, share.at += ahead * share.step) {
        T *counters[ahead];
        OMPC_UNROLL
        for (unsigned n = 0; n < ahead; n++)
            counters[n] = where(static_cast<K>(share.at + n * share.step));
        OMPC_UNROLL
        for (unsigned n = 0; n < ahead; n++)
            count(counters[n]);
        OMPC_UNROLL
        for (unsigned n = 0; n < ahead; n++)
            body(static_cast<K>(share.at + n * share.step), T());
    }
    OMPC_NO_UNROLL
    for (; share.count != 0; share.count--, share.at += share.step) {
        count(where(static_cast<K>(share.at)));
        body(static_cast<K>(share.at), T());
    }
}

// Counters of one row of so many, by all threads of a block. Returns how many entries are left, from `first` on: those from the tile
// on in which one has a counter elsewhere. Other blocks may have other counters of the row: what this one has not changed, it leaves.
template <unsigned length, class T, class K, class Count, class Where, class Body>
__device__ __forceinline__ Count counted_in_row(ThreadGroup group, Count &first, Count left, Count step, const Counts<T> &counts, T *row,
                                                const Where &where, const Body &body)
{
    using Memory = RowMemory<T, length>;
    constexpr unsigned of_lane = Memory::of_lane, of_warp = of_lane * Warp::size, none = 0xffff;
    static_assert(length < none && (of_warp << most_warps_log2) <= none, "a place and a count are a word");
    Memory &memory = row_memory<T, length>();
    const unsigned warp = threadIdx.x / Warp::size, lane = threadIdx.x % Warp::size, warps = 1u << group.warps_log2;
    unsigned short *const own = memory.counted(warp);
    for (unsigned k = group.rank(); k < length; k += group.size())
        memory.row[k] = memory.begun[k] = row[k];
    for (unsigned k = lane; k < Memory::words; k += Warp::size)
        memory.of_warps[warp][k] = 0;
    group.sync();
    if (!counts.seen) {
        counted_unseen<T, length, K>(group.share(first, left, step), counts.step, row, where, body);
        left = 0;
    }
    const unsigned of_tile = of_warp << group.warps_log2, begin = warp * of_warp + lane;
    OMPC_NO_UNROLL
    for (; left != 0; left -= left < of_tile ? left : of_tile, first += of_tile * step) {
        unsigned places[of_lane]; // and what the warp has counted there before the entry
        bool elsewhere = false;
        OMPC_UNROLL
        for (unsigned n = 0; n < of_lane; n++) {
            const Count at = begin + n * Warp::size;
            const T *const counter = at < left ? where(static_cast<K>(first + at * step)) : nullptr;
            const unsigned long long place = static_cast<unsigned long long>(counter - row);
            elsewhere |= counter != nullptr && place >= length;
            places[n] = counter == nullptr ? none : static_cast<unsigned>(place);
        }
        if (group.any_together(elsewhere))
            break;
        OMPC_UNROLL
        for (unsigned n = 0; n < of_lane; n++) {
            const unsigned place = places[n], same = __match_any_sync(all_lanes, place), before = same & lanes_below();
            const unsigned was = place == none ? 0u : own[place];
            __syncwarp();
            if (place != none && before == 0)
                own[place] = static_cast<unsigned short>(was + static_cast<unsigned>(__popc(same)));
            __syncwarp();
            places[n] |= (was + static_cast<unsigned>(__popc(before))) << 16;
        }
        group.sync();
        // The row gets all of the tile; of each warp there is left what it and those behind it have counted.
        for (unsigned k = group.rank(); k < Memory::words; k += group.size()) {
            unsigned all = 0;
            for (unsigned other = warps; other-- != 0;)
                all = memory.of_warps[other][k] += all;
            memory.row[2 * k] = counts.behind(memory.row[2 * k], static_cast<int>(all & none));
            if (2 * k + 1 < length)
                memory.row[2 * k + 1] = counts.behind(memory.row[2 * k + 1], static_cast<int>(all >> 16));
        }
        group.sync();
        OMPC_UNROLL
        for (unsigned n = 0; n < of_lane; n++) {
            const Count at = begin + n * Warp::size;
            const unsigned place = places[n] & none;
            const int behind = place == none ? 0 : own[place] - static_cast<int>(places[n] >> 16);
            if (at < left)
                body(static_cast<K>(first + at * step), counts.sees(place == none ? T() : memory.row[place], -behind));
        }
        __syncwarp();
        for (unsigned k = lane; k < Memory::words; k += Warp::size)
            memory.of_warps[warp][k] = 0;
        __syncwarp();
    }
    group.sync();
    for (unsigned k = group.rank(); k < length; k += group.size())
        if (memory.row[k] != memory.begun[k])
            row[k] = memory.row[k];
    group.sync();
    return left;
}

// One loop of an iteration over its `entries`, which the group's first thread knows, each `stride` further. `where(entry)` is the
// counter of the entry, or null, and is computed from what no entry changes; `body(entry, count)` has what the entry sees of it.
// `row`: of `length` counters, in which all are; 0: there is none. The other groups of a block stay in the loop as long as one of
// them has entries.
template <unsigned length, class T, class K, class Where, class Body>
__device__ __forceinline__ void with_ordered_counts(ThreadGroup group, Entries<K> entries, std::common_type_t<K> stride,
                                                    Counts<T> counts, T *row, const Where &where, const Body &body)
{
    using Count = typename Entries<K>::Count;
    group.broadcast(entries.first, entries.count, counts.one_by_one);
    Count first = static_cast<Count>(entries.first), count = entries.count;
    const Count step = static_cast<Count>(stride);
    if (counts.one_by_one) {
        if (group.rank() == 0)
            counted_one_by_one<T, K>(first, count, step, counts, where, body);
        count = 0;
    }
    if constexpr (length != 0) {
        // It pays where there are more entries than counters. A block that is the group decides that for all of its threads.
        if (blockDim.x == group.size() && count > length)
            count = counted_in_row<length, T, K>(group, first, count, step, counts, row, where, body);
    }
    counted_in_place<T, K>(group, first, count, step, counts, where, body);
}

} // namespace ompc

#endif

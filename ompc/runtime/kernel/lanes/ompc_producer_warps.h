// ompc_producer_warps.h: producer and consumer warps: loops of equal lengths, in which the warps of a block help the first one.
//
// Where there are too few iterations to fill the device, or neighbouring iterations read rows that lie far apart, a block
// has 32 iterations, one for each lane of its first warp. All its warps compute terms: neighbouring lanes those of
// neighbouring entries of one row (`along`), or of neighbouring iterations (`across`), whichever read neighbouring
// elements. The terms of some entries of all rows are a tile in shared memory; while one is filled, the first warp combines
// the one before, each lane its own row, in order. So its result has the bits of the sequential loop.
//
// OMPC_LANES=1 asks for no producer warps, another number for some wherever a loop can have them.

#ifndef OMPC_PRODUCER_WARPS_H
#define OMPC_PRODUCER_WARPS_H

#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_lanes.h"
#include "ompc_sharing.h"
#include "ompc_thread_group.h"
#include "ompc_unroll.h"

#include <cstring>

namespace ompc {

// How many entries of each row a tile has.
template <class T>
OMPC_ANYWHERE constexpr unsigned tile_entries()
{
    return sizeof(T) <= 4 ? 128 : sizeof(T) <= 8 ? 64 : 32;
}

constexpr unsigned helping_warps = 1u << most_warps_log2;

// What a block has in shared memory: two tiles; what producer warps need to know of each row.
struct alignas(16) ProducerMemory {
    static constexpr unsigned most_own = 64;
    unsigned char tiles[2][Warp::size * 33 * 16];
    unsigned char own[Warp::size][most_own];
};

__device__ inline ProducerMemory &producer_memory()
{
    OMPC_SHARED ProducerMemory memory;
    return memory;
}

// One tile of terms: filled by all warps, combined by the first.
template <class T, Side side>
struct TermTile {
    static constexpr unsigned entries = tile_entries<T>(), pitch = side == Side::along ? entries + 1 : Warp::size;
    static_assert(sizeof(T) * Warp::size * (entries + 1) <= sizeof(ProducerMemory::tiles[0]), "terms of up to 16 bytes");
    T *terms;

    // `term_of(row, entry)` for each entry and row; a lane's reads are all under way before one is waited for.
    template <class TermOf>
    __device__ __forceinline__ void fill(const TermOf &term_of) const
    {
        constexpr unsigned of_lane = entries / helping_warps;
        const unsigned lane = threadIdx.x % Warp::size, warp = threadIdx.x / Warp::size;
        T found[of_lane] = {};
        OMPC_UNROLL
        for (unsigned n = 0; n < of_lane; n++)
            term_of(row(n, warp, lane), entry(n, warp, lane), found[n]);
        OMPC_UNROLL
        for (unsigned n = 0; n < of_lane; n++)
            terms[place(row(n, warp, lane), entry(n, warp, lane))] = found[n];
    }

    template <class Combine>
    __device__ __forceinline__ void combine(unsigned count, const Combine &combine_term) const
    {
        const T *const from = terms + place(threadIdx.x, 0);
        constexpr unsigned step = side == Side::along ? 1 : pitch, batch = 16;
        unsigned n = 0;
        for (; n + batch <= count; n += batch) {
            OMPC_UNROLL
            for (unsigned m = 0; m < batch; m++)
                combine_term(from[(n + m) * step]);
        }
        for (; n < count; n++)
            combine_term(from[n * step]);
    }

private:
    static constexpr unsigned strips = entries / Warp::size, rows_of_warp = Warp::size / helping_warps;

    static __device__ unsigned row(unsigned n, unsigned warp, unsigned lane)
    {
        return side == Side::along ? warp * rows_of_warp + n / strips : lane;
    }
    static __device__ unsigned entry(unsigned n, unsigned warp, unsigned lane)
    {
        return side == Side::along ? n % strips * Warp::size + lane : n * helping_warps + warp;
    }
    static __device__ unsigned place(unsigned row, unsigned entry)
    {
        return side == Side::along ? row * pitch + entry : entry * pitch + row;
    }
};

// One loop of the calling thread over its `entries`, of which all threads that have any have as many; see in_turns
// (ompc_lanes.h). With producer warps, all threads of the block come here.
template <class T, Side side, class K, class Compute, class Combine, class... Own>
__device__ __forceinline__ void with_help(ThreadGroup group, const Entries<K> &entries, std::common_type_t<K> stride,
                                          const Compute &compute, const Combine &combine, const Own &...own)
{
    using Count = typename Entries<K>::Count;
    const Count step = static_cast<Count>(stride);
    if (group.warps_log2 == 0) { // without help
        const auto in_order = [&](K k) {
            T term{};
            compute(k, term, own...);
            combine(term);
        };
        return in_share<4, nothing, K>(Share<Count>{static_cast<Count>(entries.first), entries.count, step, entries.count}, in_order);
    }
    const auto values = [own...](const auto &use) { use(own...); };
    using Values = std::remove_const_t<decltype(values)>;
    static_assert(sizeof(Values) <= ProducerMemory::most_own && std::is_trivially_copyable_v<Values>, "few values of a row");
    ProducerMemory &memory = producer_memory();
    const bool first_warp = threadIdx.x < Warp::size;
    if (first_warp)
        std::memcpy(memory.own[threadIdx.x], &values, sizeof(Values));
    unsigned rows = __ballot_sync(all_lanes, entries.count != 0); // a bit for each that there is
    const unsigned a_row = rows == 0 ? 0 : static_cast<unsigned>(__ffs(static_cast<int>(rows)) - 1);
    Count count = of_lane(entries.count, a_row), first = of_lane(static_cast<Count>(entries.first), a_row);
    group.broadcast(rows, count, first);
    const unsigned some_row = rows == 0 ? 0 : static_cast<unsigned>(__ffs(static_cast<int>(rows)) - 1);
    constexpr unsigned depth = TermTile<T, side>::entries;
    for (Count done = 0, filled = 0; done < count; done = filled) {
        // Past the end, and of rows that there are not, stand other terms again, so that nothing depends on a condition.
        const auto fill = [&](Count base) {
            const TermTile<T, side> tile{reinterpret_cast<T *>(memory.tiles[base / depth % 2])};
            tile.fill([&](unsigned row, unsigned entry, T &term) {
                const Count at = base + entry < count ? base + entry : count - 1;
                const unsigned source = (rows >> row & 1) != 0 ? row : some_row;
                (*reinterpret_cast<const Values *>(memory.own[source]))(
                    [&](const auto &...of_row) { compute(static_cast<K>(first + at * step), term, of_row...); });
            });
        };
        if (done == 0) {
            fill(0);
            __syncthreads();
        }
        filled = count - done > depth ? done + depth : count;
        if (filled < count)
            fill(filled);
        if (first_warp && entries.count != 0) {
            const TermTile<T, side> tile{reinterpret_cast<T *>(memory.tiles[done / depth % 2])};
            tile.combine(static_cast<unsigned>(filled - done), combine);
        }
        __syncthreads();
    }
}

} // namespace ompc

#endif

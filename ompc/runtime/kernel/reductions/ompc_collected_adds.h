// ompc_collected_adds.h: integers that a block adds at places that data chooses, collected in shared memory.
//
//     const ompc::BlockStretch stretch(0, trips);                      at the top of the kernel, by all threads
//     const ompc::CollectedAdds<int> sums(stretch.pays());
//     for (size_t t = stretch.first(); t < stretch.end; t += blockDim.x)
//         ompc::atomic_add(&row[thread][key[t]], 1, sums);        row[thread][key[t]] += 1
//     sums.write_back();                                          at its end, by all threads
//
// or, where an iteration adds once at most, so that several wait together for what they read,
//
//     stretch.each<4>(sums, [&](size_t t, ompc::Addition<int> &sum) { ompc::atomic_add(&row[thread][key[t]], 1, sum); });
//
// As BlockAccumulators (ompc_histograms.h) these save additions in global memory, where updates of few elements wait for each other.
// Those have all elements of an array, and need to know where it is and how long; these have lines of neighbouring elements, of
// whichever arrays, in a table by their addresses: the first addition to a line takes the line's only place, if nobody has it, for as
// long as the block is at work. What finds its place taken is added in global memory at once. So the result is right whatever the
// addresses are; that the table is of any use is up to them. A thread whose additions mostly find their places taken stops looking.
//
// The iterations of a block are neighbours, so that elements that go with the place of an iteration are few.

#ifndef OMPC_COLLECTED_ADDS_H
#define OMPC_COLLECTED_ADDS_H

#include "ompc_atomic.h"
#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_unroll.h"

#include <cstddef>
#include <type_traits>

namespace ompc {

// The iterations along x of a block: those from `begin` to `trips` in as many stretches as there are blocks.
class BlockStretch {
public:
    std::size_t end;

    __device__ BlockStretch(std::size_t begin, std::size_t trips)
    {
        const std::size_t left = trips > begin ? trips - begin : 0, in_turn = static_cast<std::size_t>(gridDim.x) * blockDim.x;
        turns_ = left / in_turn + (left % in_turn != 0);
        begin_ = begin + blockIdx.x * (turns_ * blockDim.x);
        const std::size_t own = turns_ * blockDim.x;
        end = begin_ >= trips ? begin_ : trips - begin_ < own ? trips : begin_ + own;
    }
    // Of the calling thread; the next ones are a block's width further each.
    __device__ std::size_t first() const { return begin_ + threadIdx.x; }
    // iteration(t, addition) for all of the calling thread. What `together` of them read is under way before one adds.
    template <unsigned together, class Sums, class Iteration>
    __device__ __forceinline__ void each(const Sums &sums, const Iteration &iteration) const
    {
        std::size_t t = first();
        OMPC_NO_UNROLL
        for (; t < end && end - t > (together - 1) * blockDim.x; t += together * blockDim.x) {
            typename Sums::Addition of[together];
            OMPC_UNROLL
            for (unsigned n = 0; n < together; n++)
                iteration(t + n * blockDim.x, of[n]);
            OMPC_UNROLL
            for (unsigned n = 0; n < together; n++)
                sums.add(of[n]);
        }
        OMPC_NO_UNROLL
        for (; t < end; t += blockDim.x) {
            typename Sums::Addition one;
            iteration(t, one);
            sums.add(one);
        }
    }
    // Has each thread enough to do that a table is worth its room? The emulator shows it anyway.
    __device__ bool pays() const { return turns_ >= least_turns; }

private:
#ifdef __CUDACC__
    static constexpr unsigned least_turns = 8;
#else
    static constexpr unsigned least_turns = 1;
#endif
    std::size_t begin_, turns_;
};

// Sums are modulo 2^n; those of narrow integers in words.
template <class T>
using CollectedSum = std::conditional_t<(sizeof(T) > 4), unsigned long long, unsigned>;

// What an iteration adds, or nothing.
template <class T>
struct Addition {
    T *to = nullptr;
    CollectedSum<T> value = 0;
};

// `owners`: the number of the line that has the place; 0: none, as there is no line at address 0.
template <class T, unsigned lines>
struct CollectedLines {
    static constexpr unsigned in_line = 8, elements = lines * in_line;
    unsigned long long owners[lines];
    CollectedSum<T> sums[elements];
};

// One for all loops of a kernel that add to such integers.
template <class T, unsigned lines>
__device__ inline CollectedLines<T, lines> &collected_lines()
{
    OMPC_SHARED CollectedLines<T, lines> memory;
    return memory;
}

// Of 4,096 words with their owners: 20 KB, so that a multiprocessor has room for as many blocks as it has threads for.
template <class T>
constexpr unsigned lines_of_block = sizeof(T) > 4 ? 256 : 512;

// What a block adds to integers of type T.
template <class T, unsigned lines = lines_of_block<T>>
class CollectedAdds {
    using Lines = CollectedLines<T, lines>;
    static constexpr unsigned in_line = Lines::in_line;
    static_assert((lines & (lines - 1)) == 0, "neighbouring lines have different places");

public:
    using Addition = ompc::Addition<T>;

    // By all threads of a block. `pays`: is there enough to do? The same for all of them; else there is no table.
    __device__ explicit CollectedAdds(bool pays) : exists_(pays), credit_(pays ? most_credit : -1)
    {
        if (!pays)
            return;
        Lines &table = collected_lines<T, lines>();
        for (unsigned place = block_rank(); place < lines; place += block_size())
            table.owners[place] = 0;
        for (unsigned place = block_rank(); place < Lines::elements; place += block_size())
            table.sums[place] = 0;
        __syncthreads();
    }

    // *p += v
    __device__ __forceinline__ void add(T *p, CollectedSum<T> v) const
    {
        if (credit_ < 0 || !is_collected(p, v))
            atomic_add(p, static_cast<T>(v));
    }

    __device__ __forceinline__ void add(const Addition &one) const
    {
        if (one.to != nullptr)
            add(one.to, one.value);
    }

    // By all threads, behind all additions: they are in global memory when the kernel has ended, or at the block's next barrier.
    __device__ void write_back() const
    {
        if (!exists_)
            return;
        __syncthreads();
        const Lines &table = collected_lines<T, lines>();
        for (unsigned place = block_rank(); place < Lines::elements; place += block_size()) {
            const CollectedSum<T> sum = table.sums[place];
            if (sum != 0) // a place that nobody has, or nothing has come
                atomic_add(reinterpret_cast<T *>((table.owners[place / in_line] * in_line + place % in_line) * sizeof(T)), static_cast<T>(sum));
        }
    }

private:
    static constexpr int most_credit = 16;

    __device__ __forceinline__ bool is_collected(T *p, CollectedSum<T> v) const
    {
        Lines &table = collected_lines<T, lines>();
        const unsigned long long element = reinterpret_cast<unsigned long long>(p) / sizeof(T), line = element / in_line;
        const unsigned place = static_cast<unsigned>(line) % lines;
        unsigned long long owner = atomic_read(&table.owners[place]);
        if (owner == 0) {
            owner = atomicCAS(&table.owners[place], 0ull, line);
            owner = owner == 0 ? line : owner;
        }
        if (owner != line) {
            credit_--;
            return false;
        }
        atomicAdd(&table.sums[place * in_line + static_cast<unsigned>(element) % in_line], v);
        credit_ = credit_ < most_credit ? credit_ + 1 : most_credit;
        return true;
    }

    bool exists_;
    mutable int credit_; // how many more additions may find their places taken than not before the thread stops looking
};

// The operations of ompc_atomic.h that add, where nobody sees what they give. Other integers are added modulo 2^n.
template <class T, class V, unsigned lines>
__device__ __forceinline__ void atomic_add(T *p, V v, const CollectedAdds<T, lines> &sums)
{
    static_assert(std::is_integral_v<T> && std::is_integral_v<V>, "integers");
    sums.add(p, static_cast<CollectedSum<T>>(v));
}

template <class T, class V, unsigned lines>
__device__ __forceinline__ void atomic_sub(T *p, V v, const CollectedAdds<T, lines> &sums)
{
    static_assert(std::is_integral_v<T> && std::is_integral_v<V>, "integers");
    sums.add(p, CollectedSum<T>(0) - static_cast<CollectedSum<T>>(v));
}

// The same, to be done later.
template <class T, class V>
__device__ __forceinline__ void atomic_add(T *p, V v, Addition<T> &one)
{
    static_assert(std::is_integral_v<T> && std::is_integral_v<V>, "integers");
    one = {p, static_cast<CollectedSum<T>>(v)};
}

template <class T, class V>
__device__ __forceinline__ void atomic_sub(T *p, V v, Addition<T> &one)
{
    static_assert(std::is_integral_v<T> && std::is_integral_v<V>, "integers");
    one = {p, CollectedSum<T>(0) - static_cast<CollectedSum<T>>(v)};
}

} // namespace ompc

#endif

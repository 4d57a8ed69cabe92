// ompc_histograms.h: privatised histograms: accumulators in shared memory, of arrays that a kernel only accumulates into.
//
//     const ompc::BlockAccumulators<ompc::Sum, int, copies> count_copies(count, count_room);   at the top of the kernel, by all
// threads
//     ompc::atomic_add(&count[k], 1, count_copies);                                      count[k] += 1
//     count_copies.combine();                                                            at its end, by all threads
//
// Where many threads update few elements, they wait for each other in global memory: 400 times as long. Shared memory is
// quick at it, and where there is room for several copies, neighbouring lanes have different ones, and do not even meet
// in its banks: copy c of element k stands at place k * copies + c. Every block then adds to the array once for each element.
//
// How many copies there are is decided at the launch, from the array's size and the number of iterations; of which there is
// room for none, or too little to do, is updated in place. OMPC_COPIES=0 makes no copies, OMPC_COPIES=1, 2, ... 32 at most
// so many, also where there is little to do. The kernel is a template: without copies it does not ask for them.

#ifndef OMPC_HISTOGRAMS_H
#define OMPC_HISTOGRAMS_H

#include "ompc_atomic.h"
#include "ompc_histogram_memory.h"
#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_joint_updates.h"
#include "ompc_operators.h"
#include "ompc_unroll.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ompc {

// The memory that all threads of a block share, of as many bytes as Shape::shared says; aligned for any number.
__device__ inline unsigned char *block_memory()
{
#ifdef __CUDACC__
    extern __shared__ __align__(16) unsigned char ompc_block_memory[];
    return ompc_block_memory;
#else
    return emulate::the_grid.block_memory();
#endif
}

// The operation of ompc_atomic.h that combines a value with *p as the operator does.
#define OMPC_ACCUMULATE(Op, operation)                   \
    template <class T>                                   \
    __device__ inline void accumulate(Op, T *p, T value) \
    {                                                    \
        operation(p, value);                             \
    }
OMPC_ACCUMULATE(Sum, atomic_add)
OMPC_ACCUMULATE(Product, atomic_mul)
OMPC_ACCUMULATE(Min, atomic_min)
OMPC_ACCUMULATE(Max, atomic_max)
OMPC_ACCUMULATE(BitAnd, atomic_and)
OMPC_ACCUMULATE(BitOr, atomic_or)
OMPC_ACCUMULATE(BitXor, atomic_xor)
#undef OMPC_ACCUMULATE

// What a block has of one array. `copies`: this launch has copies; `others`: perhaps of other arrays alone.
template <class Op, class T, bool copies, bool others = false>
class BlockAccumulators {
public:
    using Held = Accumulated<T>;

    // Of the array with an element at `array`.
    template <class Pointer>
    __device__ BlockAccumulators(Pointer array, const AccumulatorMemory &room) : array_(reinterpret_cast<T *>(array)), room_(room)
    {
        if (!exist())
            return;
        own_ = room_.at + ((static_cast<unsigned>(room_.before) << room_.log2) + (block_rank() & last())) * static_cast<unsigned>(sizeof(Held));
        for (unsigned place = block_rank(); place < room_.elements << room_.log2; place += block_size())
            first()[place] = neutral<Op, Held>();
        __syncthreads();
    }

    // Has the block copies of *p? It has all elements, or none. The emulator looks whether that is true.
    __device__ bool have(const T *p) const
    {
#ifndef __CUDACC__
        if (exist() && static_cast<unsigned long long>(p - array_ + room_.before) >= room_.elements)
            emulate::the_grid.abandon("an element is accumulated into that is not among the block's copies");
#endif
        static_cast<void>(p);
        return exist();
    }

    // The calling thread's copy of *p.
    __device__ Held *of(const T *p) const
    {
        const unsigned element = static_cast<unsigned>(p - array_), bytes = static_cast<unsigned>(sizeof(Held)) << room_.log2;
        return reinterpret_cast<Held *>(block_memory() + (own_ + element * bytes)); // modulo 2^32, in front of *array_ too
    }

    // *p += v where there are no copies.
    template <class V>
    __device__ void add_alone(T *p, V v) const
    {
        if constexpr (!can_be_joint<T, V>)
            atomic_add(p, v);
        else if constexpr (std::is_floating_point_v<T>)
            joint_.add(p, static_cast<T>(v));
        else
            joint_.add(reinterpret_cast<Bits<T> *>(p), static_cast<Bits<T>>(v)); // modulo 2^n
    }

    // Adds the block's copies to the array.
    __device__ void combine() const
    {
        if (!exist())
            return;
        __syncthreads();
        for (unsigned element = block_rank(); element < room_.elements; element += block_size()) {
            Held value = neutral<Op, Held>();
            for (unsigned copy = 0; copy <= last(); copy++) // each lane begins with another one, in another bank
                value = Op::apply(value, first()[(element << room_.log2) + (copy + element & last())]);
            if (!same_bits(value, neutral<Op, Held>())) // or nothing has come
                accumulate(Op(), array_ - room_.before + element, static_cast<T>(value));
        }
    }

private:
    __device__ bool exist() const { return copies && (!others || room_.elements != 0); }

    __device__ Held *first() const { return reinterpret_cast<Held *>(block_memory() + room_.at); }
    __device__ unsigned last() const { return (1u << room_.log2) - 1; }

    T *array_;
    AccumulatorMemory room_;
    unsigned own_ = 0; // where the calling thread's copy of *array_ is, in bytes
    mutable JointUpdates joint_;
};

// The operations of ompc_atomic.h whose order leaves no trace, on the calling thread's copy of *p if there is one.
#define OMPC_ACCUMULATOR_OPERATION(name)                                              \
    template <class Op, class T, class V, bool copies, bool others>                                 \
    __device__ inline void name(T *p, V v, const BlockAccumulators<Op, T, copies, others> &of_block)      \
    {                                                                                               \
        if (of_block.have(p))                                                                       \
            name(of_block.of(p), v);                                                                \
        else                                                                                        \
            name(p, v);                                                                             \
    }
OMPC_ACCUMULATOR_OPERATION(atomic_sub)
OMPC_ACCUMULATOR_OPERATION(atomic_mul)
OMPC_ACCUMULATOR_OPERATION(atomic_min)
OMPC_ACCUMULATOR_OPERATION(atomic_max)
OMPC_ACCUMULATOR_OPERATION(atomic_and)
OMPC_ACCUMULATOR_OPERATION(atomic_or)
OMPC_ACCUMULATOR_OPERATION(atomic_xor)
#undef OMPC_ACCUMULATOR_OPERATION

template <class Op, class T, class V, bool copies, bool others>
__device__ inline void atomic_add(T *p, V v, const BlockAccumulators<Op, T, copies, others> &of_block)
{
    if (of_block.have(p))
        atomic_add(of_block.of(p), v);
    else
        of_block.add_alone(p, v);
}

// What neighbouring iterations read of an array, from the element of the first one on. Narrow elements stay in the words in
// which they have come until they are used.
template <class T, int many>
struct Coarsening {
    static constexpr int together = many * sizeof(T) <= 16 ? many : 16 / static_cast<int>(sizeof(T)); // 16 bytes at most
    static constexpr bool narrow = sizeof(T) < sizeof(unsigned) && std::is_integral_v<T>;
    using Word = std::conditional_t<narrow, unsigned, T>;
    static constexpr int in_word = sizeof(Word) / sizeof(T), words = together / in_word;
    struct alignas(together * sizeof(T)) Vector {
        Word of[words];
    };
    Vector vectors[many / together];

    __device__ static bool is_aligned(const T *from) { return reinterpret_cast<std::uintptr_t>(from) % sizeof(Vector) == 0; }
    __device__ __forceinline__ Coarsening(const T *from, bool aligned)
    {
        OMPC_UNROLL
        for (int v = 0; v < many / together; v++)
            if (aligned)
                copy(vectors[v], from + v * together);
            else
                for (int n = 0; n < words; n++)
                    vectors[v].of[n] = word(from + (v * words + n) * in_word);
    }
    __device__ __forceinline__ T operator[](int n) const
    {
        const Word found = vectors[n / together].of[n % together / in_word];
        if constexpr (narrow)
            return static_cast<T>(found >> n % in_word * bits & ((1u << bits) - 1));
        else
            return found;
    }

private:
    static constexpr int bits = 8 * sizeof(T);

    __device__ __forceinline__ static void copy(Vector &to, const T *from)
    {
#ifdef __CUDACC__
        to = *reinterpret_cast<const Vector *>(from); // one instruction, of the read-only path
#else
        std::memcpy(&to, from, sizeof to);
#endif
    }
    __device__ static Word word(const T *from)
    {
        if constexpr (narrow) {
            Word all = 0;
            for (int n = 0; n < in_word; n++)
                all |= (static_cast<unsigned>(from[n]) & ((1u << bits) - 1)) << n * bits;
            return all;
        } else {
            return *from;
        }
    }
};

template <int many, class Iteration, class... Near>
__device__ __forceinline__ void each_of(const Iteration &iteration, const Near &...near)
{
    OMPC_UNROLL
    for (int n = 0; n < many; n++)
        iteration(n, near[n]...);
}

// iteration(n, elements...) for so many neighbours, of which there are as many as `left`; `from` are the first one's elements.
// Those of all neighbours are read before the first one's turn.
template <int many, class Iteration, class... T>
__device__ __forceinline__ void each(std::size_t left, const Iteration &iteration, const T *...from)
{
    if constexpr (many > 1) {
        if (left >= many) {
            if ((Coarsening<T, many>::is_aligned(from) && ...))
                each_of<many>(iteration, Coarsening<T, many>(from, true)...);
            else
                each_of<many>(iteration, Coarsening<T, many>(from, false)...);
            return;
        }
    }
    for (std::size_t n = 0; n < many && n < left; n++)
        iteration(static_cast<int>(n), from[n]...);
}

} // namespace ompc

#endif

// ompc_copies.h: arrays into which a kernel does nothing but accumulate, of which each block has copies in shared memory.
//
//     const ompc::BlockCopies<ompc::Sum, int, copies> count_copies(count, count_room);   at the top of the kernel, by all threads
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

#ifndef OMPC_COPIES_H
#define OMPC_COPIES_H

#include "ompc_atomic.h"
#include "ompc_joint_updates.h"
#include "ompc_operators.h"
#include "ompc_ranges.h"
#include "ompc_shape.h"
#include "ompc_tiles.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace ompc {

// The copies of one array: 1 << log2 of each of its `elements`, or of none, from byte `at` of the block's memory on.
// `before`: how many elements there are in front of the one that the kernel's pointer points to.
struct CopiesRoom {
    unsigned elements, log2, at;
    long long before;
};

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

// Narrow integers are accumulated in a wider one, which is the same modulo 2^n, and has indivisible operations.
template <class T>
using Accumulated = std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(int), int, T>;

// ------------------------------------------------------------------------------- in kernels

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
class BlockCopies {
public:
    using Held = Accumulated<T>;

    // Of the array with an element at `array`.
    template <class Pointer>
    __device__ BlockCopies(Pointer array, const CopiesRoom &room) : array_(reinterpret_cast<T *>(array)), room_(room)
    {
        if (!exist())
            return;
        own_ = room_.at + ((static_cast<unsigned>(room_.before) << room_.log2) + (rank() & last())) * static_cast<unsigned>(sizeof(Held));
        for (unsigned place = rank(); place < room_.elements << room_.log2; place += threads())
            first()[place] = neutral();
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
        for (unsigned element = rank(); element < room_.elements; element += threads()) {
            Held value = neutral();
            for (unsigned copy = 0; copy <= last(); copy++) // each lane begins with another one, in another bank
                value = Op::apply(value, first()[(element << room_.log2) + (copy + element & last())]);
            if (!same_bits(value, neutral())) // or nothing has come
                accumulate(Op(), array_ - room_.before + element, static_cast<T>(value));
        }
    }

private:
    __device__ bool exist() const { return copies && (!others || room_.elements != 0); }

    // Of floating sums -0, to which x is added without a trace, whatever the sign of x.
    __device__ static Held neutral()
    {
        if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Sum>)
            return static_cast<Held>(-0.0);
        else
            return Op::template identity<Held>();
    }
    __device__ Held *first() const { return reinterpret_cast<Held *>(block_memory() + room_.at); }
    __device__ unsigned last() const { return (1u << room_.log2) - 1; }
    __device__ static unsigned rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    __device__ static unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }

    T *array_;
    CopiesRoom room_;
    unsigned own_ = 0; // where the calling thread's copy of *array_ is, in bytes
    mutable JointUpdates joint_;
};

// The operations of ompc_atomic.h whose order leaves no trace, on the calling thread's copy of *p if there is one.
#define OMPC_COPIES_OPERATION(name)                                              \
    template <class Op, class T, class V, bool copies, bool others>                                 \
    __device__ inline void name(T *p, V v, const BlockCopies<Op, T, copies, others> &of_block)      \
    {                                                                                               \
        if (of_block.have(p))                                                                       \
            name(of_block.of(p), v);                                                                \
        else                                                                                        \
            name(p, v);                                                                             \
    }
OMPC_COPIES_OPERATION(atomic_sub)
OMPC_COPIES_OPERATION(atomic_mul)
OMPC_COPIES_OPERATION(atomic_min)
OMPC_COPIES_OPERATION(atomic_max)
OMPC_COPIES_OPERATION(atomic_and)
OMPC_COPIES_OPERATION(atomic_or)
OMPC_COPIES_OPERATION(atomic_xor)
#undef OMPC_COPIES_OPERATION

template <class Op, class T, class V, bool copies, bool others>
__device__ inline void atomic_add(T *p, V v, const BlockCopies<Op, T, copies, others> &of_block)
{
    if (of_block.have(p))
        atomic_add(of_block.of(p), v);
    else
        of_block.add_alone(p, v);
}

// What neighbouring iterations read of an array, from the element of the first one on. Narrow elements stay in the words in
// which they have come until they are used.
template <class T, int many>
struct Neighbours {
    static constexpr int together = many * sizeof(T) <= 16 ? many : 16 / static_cast<int>(sizeof(T)); // 16 bytes at most
    static constexpr bool narrow = sizeof(T) < sizeof(unsigned) && std::is_integral_v<T>;
    using Word = std::conditional_t<narrow, unsigned, T>;
    static constexpr int in_word = sizeof(Word) / sizeof(T), words = together / in_word;
    struct alignas(together * sizeof(T)) Vector {
        Word of[words];
    };
    Vector vectors[many / together];

    __device__ static bool is_aligned(const T *from) { return reinterpret_cast<std::uintptr_t>(from) % sizeof(Vector) == 0; }
    __device__ __forceinline__ Neighbours(const T *from, bool aligned)
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
    if (many == 1 || left < many) {
        for (std::size_t n = 0; n < many && n < left; n++)
            iteration(static_cast<int>(n), from[n]...);
    } else if ((Neighbours<T, many>::is_aligned(from) && ...)) {
        each_of<many>(iteration, Neighbours<T, many>(from, true)...);
    } else {
        each_of<many>(iteration, Neighbours<T, many>(from, false)...);
    }
}

// ----------------------------------------------------------------------------- in launchers

// The most copies, and what a block may need of shared memory for other things.
constexpr unsigned most_copies = 32, other_shared = 3072;

// The arrays of one launch of which blocks have copies.
class CopiesOfLaunch {
public:
    // The range of that index, of elements of so many bytes; `copied` bytes for a copy of one. `most`: no elements from that
    // one on are meant; negative: nobody has said.
    struct Array {
        std::size_t index, bytes, copied;
        long long most;
        CopiesRoom room;

        std::size_t size() const { return (room.elements * copied + 7) / 8 * 8; }
    };

    std::size_t add(std::size_t index, std::size_t bytes, std::size_t copied, long long most)
    {
        arrays_.push_back({index, bytes, copied, most, {0, 0, 0, 0}});
        return arrays_.size() - 1;
    }
    const Array &array(std::size_t index) const { return arrays_[index]; }
    bool empty() const { return arrays_.empty(); }

    // What to ask for a launch of so many iterations, if there are copies. `most`: at most so many; negative: nobody has said.
    Asked choose(const DeviceLimits &device, const std::vector<Range> &ranges, Trips iterations, Asked asked, int most)
    {
        const unsigned threads = asked.threads != 0 ? asked.threads : std::min(asked.with_copies, device.threads_per_multiprocessor);
        std::size_t elements = 0;
        for (Array &array : arrays_) {
            const Range &range = ranges[array.index];
            array.room.before = static_cast<long long>((range.pointer - range.begin) / array.bytes);
            const std::size_t found = elements_of(array, range);
            const bool pays = most < 0 ? found <= iterations / device.multiprocessors / least_updates : most > 0;
            array.room.elements = pays && found <= device.shared ? static_cast<unsigned>(found) : 0;
            elements += array.room.elements;
        }
        unsigned each = std::max(1u, device.threads_per_multiprocessor / std::max(threads, warp_threads)); // blocks of a multiprocessor
        while (each > 1 && size() > room(device, each))
            each /= 2;
        for (auto array = arrays_.rbegin(); array != arrays_.rend() && size() > room(device, each); ++array)
            array->room.elements = 0;
        place(room(device, each), most < 0 ? most_copies : std::min(static_cast<unsigned>(most), most_copies));
        if (bytes_ == 0)
            return asked;
        asked.threads = threads;
        const Trips worth = std::max<Trips>(device.multiprocessors, iterations / (least_updates * elements));
        const auto blocks = static_cast<unsigned>(std::min<Trips>(worth, static_cast<Trips>(device.multiprocessors) * each));
        asked.blocks = asked.blocks == 0 ? blocks : std::min(asked.blocks, blocks);
        return asked;
    }

    // Of a block's memory.
    unsigned bytes() const { return bytes_; }

private:
    static constexpr Trips least_updates = 2; // of each element by a block, for its copies to pay

    // None where the range begins with a part of an element.
    static std::size_t elements_of(const Array &array, const Range &range)
    {
        const bool whole = range.pointer >= range.begin && (range.pointer - range.begin) % array.bytes == 0;
        const std::size_t all = whole ? (range.end - range.begin) / array.bytes : 0;
        return array.most < 0 ? all : std::min(all, static_cast<std::size_t>(array.room.before + array.most));
    }

    static std::size_t room(const DeviceLimits &device, unsigned blocks)
    {
        const std::size_t share = device.shared / blocks;
        return share < other_shared ? 0 : share - other_shared;
    }

    // Of one copy of everything.
    std::size_t size() const
    {
        std::size_t bytes = 0;
        for (const Array &array : arrays_)
            bytes += array.size();
        return bytes;
    }

    // As many copies as there is room for.
    void place(std::size_t room, unsigned most)
    {
        unsigned log2 = 0;
        while (2u << log2 <= most && size() << (log2 + 1) <= room)
            log2++;
        bytes_ = 0;
        for (Array &array : arrays_) {
            array.room.log2 = log2;
            array.room.at = bytes_;
            bytes_ += static_cast<unsigned>(array.size() << log2);
        }
    }

    std::vector<Array> arrays_;
    unsigned bytes_ = 0;
};

} // namespace ompc

// Launches the kernel with copies where there are any.
#define OMPC_LAUNCH_COPIES(launch, shape, kernel, ...)                      \
    ((shape).shared != 0 ? (launch).run((shape), kernel<true>, __VA_ARGS__) \
                         : (launch).run((shape), kernel<false>, __VA_ARGS__))

#endif

// ompc_argmin_argmax.h: argmin and argmax reductions: the best value of all iterations with the variables that go along.
//
// Each thread keeps the best of its own iterations. A block chooses among its threads, its winner enters the reduction, and
// the block that finishes last writes the winner of all. Of equal values the lowest number of iteration wins when the
// relation is strict, else the highest: the result does not depend on the order in which blocks run. Where the program says
// what decides between equal ones, the key has two parts.

#ifndef OMPC_ARGMIN_ARGMAX_H
#define OMPC_ARGMIN_ARGMAX_H

#include "ompc_atomic.h"
#include "ompc_cuda.h"
#include "ompc_exchange.h"
#include "ompc_reduce.h"

namespace ompc {

template <class... T>
struct Pack {
};

template <class First, class... Others>
struct Pack<First, Others...> {
    First first;
    Pack<Others...> others;
};

__device__ inline Pack<> pack()
{
    return {};
}

template <class First, class... Others>
__device__ inline Pack<First, Others...> pack(First first, Others... others)
{
    return {first, pack(others...)};
}

__device__ inline void store(const Pack<> &, const Pack<> &)
{
}

template <class First, class... Others>
__device__ inline void store(const Pack<First *, Others *...> &to, const Pack<First, Others...> &from)
{
    *to.first = from.first;
    store(to.others, from.others);
}

// A key, and what decides between equal ones.
template <class First, class Then>
struct KeyPair {
    First first;
    Then then;
};

template <class First, class Then>
__device__ inline KeyPair<First, Then> key_pair(First first, Then then)
{
    return {first, then};
}

// The relation of such pairs: First's, which is strict, and where it holds in neither direction, Then's.
template <class First, class Then>
struct Lexicographic {
    static_assert(First::strict, "else Then would never be asked");
    static constexpr bool strict = Then::strict;
    template <class T>
    __device__ static constexpr bool holds(const T &a, const T &b)
    {
        if (First::holds(a.first, b.first) || First::holds(b.first, a.first))
            return First::holds(a.first, b.first);
        return Then::holds(a.then, b.then);
    }
};

// All zero between launches. `winner` is one more than the number of its iteration; 0: there is none.
template <class Key, class... Objects>
struct ArgReduction {
    unsigned taken, finished;
    unsigned long long winner;
    Key key;
    Pack<Objects...> objects;
};

// A key, and `won` as in ArgReduction.
template <class Key>
struct Candidate {
    Key key;
    unsigned long long won;
};

template <class Key, class Shuffle>
__device__ __forceinline__ Candidate<Key> exchanged(const Candidate<Key> &candidate, const Shuffle &shuffle)
{
    return {exchanged(candidate.key, shuffle), exchanged(candidate.won, shuffle)};
}

// The better one of two.
template <class Relation>
struct Best {
    template <class Key>
    __device__ static bool is_better(const Candidate<Key> &a, const Candidate<Key> &b)
    {
        if (a.won == 0 || b.won == 0)
            return a.won != 0;
        if (Relation::holds(a.key, b.key) != Relation::holds(b.key, a.key))
            return Relation::holds(a.key, b.key);
        return Relation::strict ? a.won < b.won : a.won > b.won;
    }
    template <class Key>
    __device__ static Candidate<Key> apply(const Candidate<Key> &a, const Candidate<Key> &b)
    {
        return is_better(b, a) ? b : a;
    }
};

// Every thread of the grid calls this with its own best entry, and its own objects; `cells` are the user's.
template <class Relation, class Key, class... Objects>
__device__ inline void settle(ArgReduction<Key, Objects...> &arg_reduction, unsigned long long won, Key key,
                              const Pack<Objects *...> &cells, const Pack<Objects...> &objects)
{
    OMPC_SHARED unsigned long long best_of_block;
    const unsigned rank = block_rank(), blocks = gridDim.x * gridDim.y * gridDim.z;
    const Candidate<Key> best = reduce_block<Best<Relation>>(Candidate<Key>{key, won}, rank, block_size());
    if (rank == 0)
        best_of_block = best.won;
    __syncthreads();
    if (won != 0 && won == best_of_block) { // one thread of the block at most
        while (atomicCAS(&arg_reduction.taken, 0u, 1u) != 0u) {
        }
        __threadfence();
        const Candidate<Key> so_far{read_fresh(&arg_reduction.key), atomic_read(&arg_reduction.winner)};
        if (Best<Relation>::is_better({key, won}, so_far)) {
            arg_reduction.key = key;
            arg_reduction.winner = won;
            arg_reduction.objects = objects;
        }
        __threadfence();
        atomicExch(&arg_reduction.taken, 0u);
    }
    __syncthreads();
    if (rank != 0)
        return;
    __threadfence(); // the entry is seen before the count
    if (atomicAdd(&arg_reduction.finished, 1u) != blocks - 1)
        return;
    __threadfence();
    if (atomic_read(&arg_reduction.winner) != 0)
        store(cells, arg_reduction.objects);
    arg_reduction.winner = 0;
    arg_reduction.finished = 0;
}

} // namespace ompc

#endif

// ompc_argmin_argmax.h: argmin and argmax reductions: the best value of all iterations with the variables that go along.
//
// Each thread keeps the best of its own iterations. A block chooses among its threads, its winner enters the reduction, and
// the block that finishes last writes the winner of all. Of equal values the lowest number of iteration wins when the
// relation is strict, else the highest: the result does not depend on the order in which blocks run.

#ifndef OMPC_ARGMIN_ARGMAX_H
#define OMPC_ARGMIN_ARGMAX_H

#include "ompc_atomic.h"
#include "ompc_cuda.h"
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

// All zero between launches. `winner` is one more than the number of its iteration; 0: there is none.
template <class Key, class... Objects>
struct ArgReduction {
    unsigned taken, finished;
    unsigned long long winner;
    Key key;
    Pack<Objects...> objects;
};

// Is the entry a better than b? An entry is the key and `won` as in ArgReduction.
template <class Relation, class Key>
__device__ inline bool is_better(Key a, unsigned long long a_won, Key b, unsigned long long b_won)
{
    if (a_won == 0 || b_won == 0)
        return a_won != 0;
    if (holds<Relation>(a, b) != holds<Relation>(b, a))
        return holds<Relation>(a, b);
    return Relation::strict ? a_won < b_won : a_won > b_won;
}

// Leaves the better entry of the warp's first `lanes` lanes in lane 0.
template <class Relation, class Key>
__device__ inline void best_of_warp(Key &key, unsigned long long &won, unsigned lane, unsigned lanes)
{
    const unsigned mask = lanes >= Warp::size ? 0xffffffffu : (1u << lanes) - 1;
    for (unsigned delta = Warp::size / 2; delta > 0; delta /= 2) {
        const Key other_key = shuffle_down(mask, key, delta);
        const auto other_won = static_cast<unsigned long long>(shuffle_down(mask, static_cast<long long>(won), delta));
        if (lane + delta < lanes && is_better<Relation>(other_key, other_won, key, won)) {
            key = other_key;
            won = other_won;
        }
    }
}

// `won` of the block's best entry, for all of its threads.
template <class Relation, class Key>
__device__ inline unsigned long long best_of_block(Key key, unsigned long long won, unsigned rank, unsigned threads)
{
    OMPC_SHARED Key keys[1024 / Warp::size];
    OMPC_SHARED unsigned long long wins[1024 / Warp::size];
    const unsigned warp = rank / Warp::size, lane = rank % Warp::size, warps = (threads - 1) / Warp::size + 1;
    best_of_warp<Relation>(key, won, lane, warp + 1 < warps ? Warp::size : threads - warp * Warp::size);
    __syncthreads(); // an earlier argmin/argmax reduction may still be reading
    if (lane == 0) {
        keys[warp] = key;
        wins[warp] = won;
    }
    __syncthreads();
    if (warp == 0 && lane < warps) {
        key = keys[lane];
        won = wins[lane];
        best_of_warp<Relation>(key, won, lane, warps);
        if (lane == 0)
            wins[0] = won;
    }
    __syncthreads();
    return wins[0];
}

// Every thread of the grid calls this with its own best entry, and its own objects; `cells` are the user's.
template <class Relation, class Key, class... Objects>
__device__ inline void settle(ArgReduction<Key, Objects...> &arg_reduction, unsigned long long won, Key key,
                              const Pack<Objects *...> &cells, const Pack<Objects...> &objects)
{
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z, blocks = gridDim.x * gridDim.y * gridDim.z;
    const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned long long best = best_of_block<Relation>(key, won, rank, threads);
    if (won != 0 && won == best) { // one thread of the block at most
        while (atomicCAS(&arg_reduction.taken, 0u, 1u) != 0u) {
        }
        __threadfence();
        if (is_better<Relation>(key, won, atomic_read(&arg_reduction.key), atomic_read(&arg_reduction.winner))) {
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

// ompc_schedule.h: which thread of the host's team an iteration belongs to, where a loop asks for that.
//
// As gcc and LLVM share iterations out (OpenMP 5.2, 11.5.3): schedule(static) makes a block for each thread, the first ones one
// longer where they cannot be equal; schedule(static, chunk) deals chunks out in turn.

#ifndef OMPC_SCHEDULE_H
#define OMPC_SCHEDULE_H

#include "ompc_cuda.h"

namespace ompc {

// In numbers of type N.
template <class N>
__device__ inline int thread_of_block_in(N iteration, N iterations, N threads)
{
    const N least = iterations / threads, longer = iterations % threads, in_longer = longer * (least + 1);
    const bool is_in_longer = iteration < in_longer; // always, where there are no others
    const N place = is_in_longer ? iteration : iteration - in_longer, thread = place / (is_in_longer ? least + 1 : least);
    return static_cast<int>(is_in_longer ? thread : longer + thread);
}

// `iteration` of `iterations`, counted from 0. Quotients of words have no branch, as those of longer numbers have.
__device__ inline int thread_of_block(unsigned long iteration, unsigned long iterations, int threads)
{
    if (iterations <= 0xffffffffu)
        return thread_of_block_in<unsigned>(static_cast<unsigned>(iteration), static_cast<unsigned>(iterations), static_cast<unsigned>(threads));
    return thread_of_block_in<unsigned long>(iteration, iterations, static_cast<unsigned long>(threads));
}

__device__ inline int thread_in_turn(unsigned long iteration, unsigned long chunk, int threads)
{
    return static_cast<int>(iteration / chunk % threads);
}

// The block of each thread has `parts`, as equal as can be; part 0 has all of it where a thread's iterations are not divided.
// Where the iterations of a part begin, and end; parts are counted through all threads.
__device__ inline unsigned long part_begins(unsigned long part, unsigned long iterations, int threads, int parts, int undivided)
{
    const unsigned long thread = part / parts, place = part % parts;
    const unsigned long least = iterations / threads, longer = iterations % threads;
    const unsigned long first = thread * least + (thread < longer ? thread : longer), length = least + (thread < longer);
    if (undivided)
        return place == 0 ? first : first + length;
    const unsigned long over = length % parts;
    return first + place * (length / parts) + (place < over ? place : over);
}

__device__ inline unsigned long part_ends(unsigned long part, unsigned long iterations, int threads, int parts, int undivided)
{
    const unsigned long thread = part / parts, least = iterations / threads, longer = iterations % threads;
    const unsigned long end = (thread + 1) * least + (thread + 1 < longer ? thread + 1 : longer);
    return undivided || part % parts + 1 == static_cast<unsigned long>(parts) ? end : part_begins(part + 1, iterations, threads, parts, 0);
}

// Teams share iterations out among each other as threads do; what follows is about the share of one, of which its threads have parts.
// Where `iteration` of `iterations` lies in the block of its team, and how long that is.
__device__ inline unsigned long place_in_block(unsigned long iteration, unsigned long iterations, int teams)
{
    const unsigned long least = iterations / teams, longer = iterations % teams;
    const unsigned long in_longer = longer * (least + 1);
    return iteration < in_longer ? iteration % (least + 1) : (iteration - in_longer) % least;
}

__device__ inline unsigned long length_of_block(unsigned long iteration, unsigned long iterations, int teams)
{
    const unsigned long least = iterations / teams, longer = iterations % teams;
    return iteration < longer * (least + 1) ? least + 1 : least;
}

// How long the chunk of `iteration` is: the last one may be shorter.
__device__ inline unsigned long length_of_chunk(unsigned long iteration, unsigned long iterations, unsigned long chunk)
{
    const unsigned long left = iterations - iteration / chunk * chunk;
    return left < chunk ? left : chunk;
}

} // namespace ompc

#endif

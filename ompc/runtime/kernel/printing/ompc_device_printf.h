// ompc_device_printf.h: device printf: what the iterations of a kernel tell the host.
//
// What they print is noted in device memory; after the launch the host prints it, in the order of the iterations.
//
// An iteration that comes to the end of the program (exit, abort, a failed assert) calls leave(): its thread ends, and the
// launch is given up. Barriers do not wait for threads that have ended, and shuffles not for lanes that have; but what those
// exchange is then nothing to count on, so that a block of which a thread has left combines no results.

#ifndef OMPC_DEVICE_PRINTF_H
#define OMPC_DEVICE_PRINTF_H

#include "ompc_cuda.h"
#include "ompc_printf_buffer.h"

#include <cstring>

namespace ompc {

// Ends the thread, and with it the launch: nothing that the device has done counts. The host then runs the loop.
[[noreturn]] __device__ inline void leave(Messages &messages, unsigned why = ends_program)
{
    atomicOr(&messages.left, why);
    __threadfence();
    end_thread();
}

// The number of the iteration that the calling thread does: a place for each thread of the block.
__device__ inline unsigned long long &iteration()
{
    OMPC_SHARED unsigned long long of_thread[1024];
    return of_thread[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)];
}

template <class T>
__device__ inline unsigned long long as_word(T value)
{
    unsigned long long word = 0;
    ::memcpy(&word, &value, sizeof value);
    return word;
}

// Notes a print. Where there is no room for it, the host must run the loop.
template <class... T>
__device__ inline void print(Messages &messages, unsigned site, T... values)
{
    constexpr unsigned long long count = sizeof...(T);
    const unsigned long long at = atomicAdd(&messages.used, 2 + count);
    if (at + 2 + count > messages.room)
        leave(messages, prints_too_much);
    const unsigned long long note[] = {iteration(), site | count << 32, as_word(values)...};
    for (unsigned i = 0; i < 2 + count; i++)
        messages.words[at + i] = note[i];
}

// For all threads of a block that are still there, at the end of a kernel: has any of the block left?
__device__ inline bool has_left(const Messages &messages)
{
    __syncthreads(); // from here on, none will
    return __syncthreads_or(*const_cast<const volatile unsigned *>(&messages.left) != 0) != 0;
}

} // namespace ompc

#endif

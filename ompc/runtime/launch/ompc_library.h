// ompc_library.h: what a process that has loaded a library tells the runtime of a call. Read by C and by C++; Python has it as
// ctypes do (ompc/python/calls.py).

#ifndef OMPC_LIBRARY_H
#define OMPC_LIBRARY_H

#include <stddef.h>

// Memory that a call gets. `host` may be null for memory of the `device`: then it is set to the addresses that the function is
// to be given. `kept`: only loops on the device touch it. `written`: the function may write there.
struct ompc_borrowed_buffer {
    void *host;
    size_t bytes;
    void *device;
    int kept, written;
    int is_block; // the runtime's: so many bytes at `host` are a block because of this borrowed buffer
    int is_bounded; // the runtime's: loops may not leave it
};

// `streams`: those of the callers that use memory of the device; launches come behind what they have been given, and they behind
// the launches. `waits`: the host waits for the launches, because somebody uses such memory of whose stream nothing is known.
struct ompc_library_call {
    struct ompc_borrowed_buffer *buffers;
    size_t count;
    void *const *streams;
    size_t stream_count;
    int waits;
};

#endif

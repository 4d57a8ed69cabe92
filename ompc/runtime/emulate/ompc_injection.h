// ompc_injection.h: faults of the device on demand, for tests.
//
//     OMPC_FAULTS=alloc:3,lock:1+,kernel:2
//
//     alloc     device memory is exhausted            lock    host memory cannot be page-locked
//     kernel    CUDA reports an error of the kernel    start   there is no memory to start a kernel in
//     fork      what connects to the device forks (ompc_connecting.h)
//     slow      a kernel takes 50 milliseconds longer
//     export    no memory for other processes         import  that of another process cannot be opened
//
// The third allocation fails, each attempt to page-lock, and the second launch of a kernel. And of the runtime, to show that
// each is needed: a wait that is left out, of a stream (ompc_stream_ids.h) for another one or of the host for copies in.
//
//     wait_kernels, wait_in, wait_home, wait_part (of another device for the first one), wait_host

#ifndef OMPC_INJECTION_H
#define OMPC_INJECTION_H

#include "ompc_libc.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ompc {
namespace emulate {

class Injection {
public:
    Injection()
    {
        const char *at = std::getenv("OMPC_FAULTS");
        while (at != nullptr && *at != '\0')
            at = entry(at);
    }

    // Is there one to come?
    bool any(const char *kind) { return kind_of(kind, std::strlen(kind))->from != 0; }

    // One more event of this kind: does it fail?
    bool hits(const char *kind)
    {
        Kind *const found = kind_of(kind, std::strlen(kind));
        const unsigned long number = ++found->seen;
        return found->from != 0 && (number == found->from || (found->further && number > found->from));
    }

private:
    struct Kind {
        const char *name;
        unsigned long from = 0, seen = 0; // from: the first that fails; 0: none
        bool further = false;
    };

    Kind *kind_of(const char *name, std::size_t length)
    {
        for (Kind &kind : kinds_)
            if (std::strlen(kind.name) == length && std::strncmp(kind.name, name, length) == 0)
                return &kind;
        return nullptr;
    }

    // Reads "kind:number" or "kind:number+": where the next one begins.
    const char *entry(const char *text)
    {
        const char *const colon = std::strchr(text, ':');
        Kind *const kind = colon == nullptr ? nullptr : kind_of(text, static_cast<std::size_t>(colon - text));
        char *end = nullptr;
        const unsigned long number = kind == nullptr ? 0 : std::strtoul(colon + 1, &end, 10);
        const bool further = number != 0 && *end == '+';
        if (number == 0 || (end[further] != ',' && end[further] != '\0')) {
            write_text(stderr, "ompc: OMPC_FAULTS is not understood: %s\n", text);
            ompc_libc_abort();
        }
        kind->from = number;
        kind->further = further;
        return end[further] == ',' ? end + further + 1 : end + further;
    }

    Kind kinds_[14] = {{"end"},  {"alloc"},        {"lock"},    {"kernel"},    {"start"},     {"fork"},
                       {"slow"}, {"wait_kernels"}, {"wait_in"}, {"wait_home"}, {"wait_host"}, {"wait_part"},
                       {"export"}, {"import"}};
};

inline Injection &injections()
{
    static Injection *const all = new Injection;
    return *all;
}

inline bool injected(const char *kind)
{
    return injections().hits(kind);
}

} // namespace emulate
} // namespace ompc

#endif

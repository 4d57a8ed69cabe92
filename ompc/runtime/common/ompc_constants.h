// ompc_constants.h: what the device's __constant__ arrays hold.
//
// A __constant__ array stands for an array of the host's, which host code may change between launches, in any way. So the
// runtime keeps what it has copied, compares it with the host's array before each launch (64 KB at most: microseconds), and
// copies again only what has changed. An array that a kernel has written counts as changed too: its bytes are compared once
// they are home. `openmpc` launches copy each time, as OpenMPC's output does.
//
// A copy reads the runtime's own bytes, not the user's: those may change while it is on its way. The stream keeps the order
// of copies and kernels, so that a kernel that still runs sees the array as it was when it was launched.

#ifndef OMPC_CONSTANTS_H
#define OMPC_CONSTANTS_H

#include "ompc_device.h"
#include "ompc_ranges.h"
#include "ompc_region.h"

#include <cstddef>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace ompc {

// A __constant__ array of a launch, and the host's.
struct Constant {
    const void *symbol;
    Range host;
};

// All functions are called with the ledger's lock held.
class Constants {
public:
    // Makes the device's array equal to the `bytes` bytes at `host`; how many bytes were copied for that.
    std::size_t refresh(const void *symbol, const void *host, std::size_t bytes, Mode mode)
    {
        if (mode == openmpc) {
            held_.erase(symbol);
            device().copy_constant(symbol, host, bytes);
            return bytes;
        }
        std::vector<char> &held = held_[symbol];
        if (held.size() == bytes && std::memcmp(held.data(), host, bytes) == 0)
            return 0;
        device().wait_for_constants(); // an earlier copy may still be reading what is held
        held.assign(static_cast<const char *>(host), static_cast<const char *>(host) + bytes);
        device().copy_constant(symbol, held.data(), bytes);
        return bytes;
    }

private:
    std::unordered_map<const void *, std::vector<char>> held_; // by symbol: the bytes that the device has
};

inline Constants &constants()
{
    static Constants *const the_constants = new Constants; // never destroyed: launches may follow static destruction
    return *the_constants;
}

} // namespace ompc

#endif

// ompc_constants.h: what the device's __constant__ arrays hold.
//
// A __constant__ array stands for an array of the host's, which host code may change between launches, in any way. So the
// runtime keeps what it has copied, compares it with the host's array before each launch (64 KB at most: microseconds), and
// copies again only what has changed. An array that a kernel has written, and that stays on the device, is copied there: it
// need not be copied back for that. `openmpc` launches copy each time, as OpenMPC's output does.
//
// A copy reads the runtime's own bytes, not the user's: those may change while it is on its way. It goes to the kernels' stream,
// which keeps the order, so that a kernel that still runs sees the array as it was when it was launched.

#ifndef OMPC_CONSTANTS_H
#define OMPC_CONSTANTS_H

#include "ompc_device.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_resident.h"
#include "ompc_timeline.h"

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
    // Makes the device's array equal to the host's, for a launch of `region`.
    void refresh(const Constant &constant, Region &region, Mode mode)
    {
        const char *const host = reinterpret_cast<const char *>(constant.host.begin);
        const std::size_t bytes = constant.host.end - constant.host.begin;
        if (mode == openmpc) {
            held_.erase(constant.symbol);
            copy(constant, host, bytes, region);
            return;
        }
        if (const char *const newest = residents().newest(constant.host.name, constant.host.begin, constant.host.end, region)) {
            held_.erase(constant.symbol);
            device().copy_constant_within(constant.symbol, newest, bytes);
            return;
        }
        std::vector<char> &held = held_[constant.symbol];
        if (held.size() == bytes && std::memcmp(held.data(), host, bytes) == 0) {
            avoid(region, constant.host.name, bytes, Avoided::unchanged);
            return;
        }
        device().wait_for_constants(); // an earlier copy may still be reading what is held
        held.assign(host, host + bytes);
        copy(constant, held.data(), bytes, region);
    }

private:
    static void copy(const Constant &constant, const char *from, std::size_t bytes, Region &region)
    {
        const DeviceSpan span(Work::h2d, region, constant.host.name, bytes, device().stream(StreamId::kernels));
        device().copy_constant(constant.symbol, from, bytes);
    }

    std::unordered_map<const void *, std::vector<char>> held_; // by symbol: the host's bytes that the device has
};

inline Constants &constants()
{
    static Constants *const the_constants = new Constants; // never destroyed: launches may follow static destruction
    return *the_constants;
}

} // namespace ompc

#endif

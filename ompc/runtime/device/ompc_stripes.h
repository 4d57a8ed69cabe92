// ompc_stripes.h: an array over several devices: one range of addresses, of which each device has a stripe.
//
//     device 0 | a[0 .. n/2) |
//     device 1               | a[n/2 .. n) |
//
// Each element exists once, so there is nothing to keep coherent: a device that needs one of another's reads it there, about
// eight times as slowly as its own. Stripes are equal, whole multiples of what the devices can map, and the last may be shorter.

#ifndef OMPC_STRIPES_H
#define OMPC_STRIPES_H

#include <cstddef>

namespace ompc {

// The bytes of each stripe, where so many devices have one each; 0: it is too little, and stays on the first device.
inline std::size_t stripe_bytes(std::size_t bytes, unsigned devices, std::size_t granule)
{
    if (devices < 2 || granule == 0 || bytes / granule < devices)
        return 0;
    const std::size_t granules = (bytes + granule - 1) / granule;
    return (granules + devices - 1) / devices * granule;
}

} // namespace ompc

#endif

// ompc_absence.h: a machine without a usable device is told of once, also where each loop would have stayed on the host anyway.
//
//     ompc: no loop runs on the GPU: there is no CUDA device [OMPC450]
//
// A loop that is too small for the device must not wait for the driver. Where the system has none of the files by which a
// driver is reached, or the environment hides all devices, there is certainly no device.

#ifndef OMPC_ABSENCE_H
#define OMPC_ABSENCE_H

#include "ompc_failure.h"
#include "ompc_ledger.h"
#include "ompc_libc.h"
#include "ompc_log.h"

#include <cstdlib>
#include <unistd.h>

namespace ompc {

// With the ledger's lock held. What it was for a loop, OMPC_LOG=1 says.
inline void tell_absence(Region &region, const char *why)
{
    region.tally.on_host(no_device.bit);
    must_not_stay(region, no_device.code, why);
    const bool is_news = *ledger().no_device == '\0';
    ledger().no_device = why;
    if (is_news)
        tell(nullptr, "no loop runs on the GPU: %s [OMPC450]", why);
    if (logs(log_refusals))
        note_host(region, no_device.bit, why);
}

// Is there certainly no device of NVIDIA's? A string that stays, or nullptr.
inline const char *certain_absence()
{
    static const char *const found = []() -> const char * {
        const char *const visible = std::getenv("CUDA_VISIBLE_DEVICES");
        if (visible != nullptr && (*visible == '\0' || (visible[0] == '-' && visible[1] == '1' && visible[2] == '\0')))
            return "CUDA_VISIBLE_DEVICES hides all devices";
        // of a driver's control device, of WSL, of Tegra
        for (const char *const file : {"/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/nvhost-ctrl-gpu", "/dev/nvgpu", "/dev/nvmap"})
            if (ompc_libc_access(file, F_OK) == 0)
                return nullptr;
        return "there is no CUDA device";
    }();
    return found;
}

} // namespace ompc

#endif

// ompc_debugger.h: does somebody look into the process who sees memory without touching it?
//
// A debugger (ptrace) reads pages whatever their protection: it would see the host's old values of what is on the device,
// and stop at each fault of a guarded page.

#ifndef OMPC_DEBUGGER_H
#define OMPC_DEBUGGER_H

#include "ompc_libc.h"

#include <cstdlib>
#include <cstring>

namespace ompc {

inline bool is_under_debugger()
{
    constexpr char key[] = "TracerPid:";
    constexpr std::size_t length = sizeof key - 1;
    FILE *const status = ompc_libc_fopen("/proc/self/status", "r");
    if (status == nullptr)
        return false;
    char line[256];
    long tracer = 0;
    while (tracer == 0 && ompc_libc_fgets(line, sizeof line, status) != nullptr)
        if (std::strncmp(line, key, length) == 0)
            tracer = std::strtol(line + length, nullptr, 10);
    ompc_libc_fclose(status);
    return tracer != 0;
}

} // namespace ompc

#endif

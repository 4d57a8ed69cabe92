// ompc_failure.h: the end of a program whose kernel went wrong.

#ifndef OMPC_FAILURE_H
#define OMPC_FAILURE_H

#include "ompc_log.h"
#include "ompc_region.h"

#include <cstdlib>
#include <string>

namespace ompc {

// True after a kernel failed, while the program's atexit handlers run: no launch is made any more.
inline bool &has_failed()
{
    static bool failed = false;
    return failed;
}

// Ends the program: a kernel went wrong, and what it left behind is not to be used.
[[noreturn]] inline void fail(const Region &region, const std::string &what, const char *code)
{
    tell(&region, "%s: %s [%s]", region.directive, what.c_str(), code);
    has_failed() = true;
    std::exit(70);
}

// OMP_TARGET_OFFLOAD=mandatory: the program ends instead of a loop that was translated for the device running on the host.
// Not where a kernel has failed: the program is ending.
inline void must_not_stay(const Region &region, const char *code, const char *why, const char *a = "", const char *b = "")
{
    if (!settings().mandatory || has_failed())
        return;
    tell(&region, "the device is mandatory, and this loop cannot run there: %s%s%s (%s) [OMPC475]", a, why, b, code);
    has_failed() = true;
    std::exit(1);
}

} // namespace ompc

#endif

// ompc_failure.h: the end of a program whose kernel went wrong.

#ifndef OMPC_FAILURE_H
#define OMPC_FAILURE_H

#include "ompc_log.h"
#include "ompc_region.h"

#include <string>

namespace ompc {

// True after a kernel failed, while the program's atexit handlers run: no launch is made any more.
inline bool &has_failed()
{
    static bool failed = false;
    return failed;
}

// Ends the program: a kernel went wrong, and what it left behind is not to be used.
[[noreturn]] void fail(const Region &region, const std::string &what, const char *code);

// OMP_TARGET_OFFLOAD=mandatory: the program ends instead of a loop that was translated for the device running on the host.
// Not where a kernel has failed: the program is ending.
void must_not_stay(const Region &region, const char *code, const char *why, const char *a = "", const char *b = "");

} // namespace ompc

#endif

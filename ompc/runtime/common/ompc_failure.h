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

} // namespace ompc

#endif

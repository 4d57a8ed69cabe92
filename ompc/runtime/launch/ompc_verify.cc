// ompc_verify.cc: what host code calls in front of a loop and behind it, and what is said at the end (ompc_verify.h).

#include "ompc_verify.h"

#include "ompc_start.h"

namespace ompc {

static int take_turn()
{
    const int turn = std::exchange(turn_of_thread(), 0);
    return turn == left_out ? 0 : turn != 0 ? turn : 1;
}

#ifdef OMPC_LIBRARY
// The same for compilers that cannot tell when the loop is done (before C99).
static int is_left_out()
{
    return std::exchange(turn_of_thread(), 0) == left_out;
}
#endif

static void host_is_done(int turn)
{
    HostTimer::stop();
    if (turn > 1)
        verification().finish(turn);
}

// The status of a program in which something differed; what has loaded a library goes on.
constexpr int differing_status = 71;

static void end_verification()
{
#ifdef OMPC_LIBRARY
    verification().sum_up();
#else
    if (verification().sum_up())
        std::exit(differing_status); // glibc goes on with the handlers that are left
#endif
}
static void end_verification_at_once()
{
    verification().sum_up();
}

void start_verification()
{
    ompc_on_host_done(host_is_done);
#ifdef OMPC_LIBRARY
    ompc_on_host_turn(take_turn);
    ompc_on_host_skips(is_left_out);
#endif
    if (!settings().verify)
        return;
    if (settings().verify_tolerance < 0 && !text_of("OMPC_VERIFY_TOLERANCE").empty())
        tell(nullptr, "OMPC_VERIFY_TOLERANCE=%s is not understood: it is a number, as 1e-6", text_of("OMPC_VERIFY_TOLERANCE").c_str());
    ledger(); // is this process's
    verification();
    ompc_on_host_turn(take_turn);
    ompc_at_exit(end_verification);
    at_quick_exit(end_verification_at_once);
}

} // namespace ompc

// ompc_spelling.cc: tells, before main, of settings that mean nothing (ompc_settings.h).
//
//     OMPC_OFFLOAD=foo     is not understood, and not followed: it is always, never, profit or mandatory
//     OMPC_SLICE=10G       is not understood, and not followed: it is a number
//     OMPC_WAIT=maybe      is taken for 1: it is 0 or 1
//     OMPC_REGIONS=no_12   at the end, where no loop of that name was reached (ompc_selection.h)
//
// Not here: OMPC_VERIFY_TOLERANCE (ompc_verify.cc), and what is told where it is read: OMPC_TUNE,
// OMPC_CALIBRATION, OMPC_FAULTS.

#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_selection.h"
#include "ompc_settings.h"
#include "ompc_start.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <string>
#include <unistd.h>

namespace ompc {

// Before main: a value that means nothing, or a file that cannot be written, is told once.
void explain_log()
{
    const std::string &asked = settings().log_asked, &file = settings().log_file;
    if (settings().log == 0 && !asked.empty() && asked != "0")
        tell(nullptr, "OMPC_LOG=%s is not understood, and nothing is logged: it is a number from 1 to 5, or 0", asked.c_str());
    if (settings().log == 0 || file.empty())
        return;
    const int opened = open_log();
    if (opened < 0)
        tell(nullptr, "cannot write the log %s: %s [OMPC456]", file.c_str(), std::strerror(errno));
    else
        ompc_libc_close(opened);
}

static bool is_one_of(const std::string &text, std::initializer_list<const char *> words)
{
    for (const char *const word : words)
        if (text == word)
            return true;
    return false;
}

static bool is_list_of_checks(const std::string &text)
{
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        if (!is_one_of(text.substr(at, end - at), {"memory", "coherence", "overwrites"}))
            return false;
        at = end + 1;
    }
    return true;
}

void explain_settings()
{
    const auto explain = [](const char *variable, const std::string &text, bool is_known, const char *then, const char *wanted) {
        if (!text.empty() && !is_known)
            tell(nullptr, "%s=%s is %s: it is %s", variable, text.c_str(), then, wanted);
    };
    const char *const ignored = "not understood, and not followed";
    const std::string offload = text_of("OMPC_OFFLOAD"), check = text_of("OMPC_CHECK"), guard = text_of("OMPC_GUARD");
    explain("OMPC_OFFLOAD", offload, is_one_of(offload, {"always", "never", "profit", "mandatory"}), ignored,
            "always, never, profit or mandatory");
    explain("OMP_TARGET_OFFLOAD", text_of("OMP_TARGET_OFFLOAD"), is_one_of(settings().target_offload, {"mandatory", "disabled", "default"}),
            ignored, "mandatory, disabled or default");
    explain("OMPC_CHECK", check, is_list_of_checks(check), ignored, "a list of memory, coherence, overwrites");
    const std::string peers = text_of("OMPC_PEERS");
    explain("OMPC_PEERS", peers, is_one_of(peers, {"0", "1"}), ignored, "0 or 1");
    explain("OMPC_GUARD", guard, is_one_of(guard, {"0", "1"}), ignored, "0 or 1");
    const std::string &devices = settings().devices;
    explain("OMPC_DEVICES", devices, devices.empty() || is_list_of_devices(devices), ignored, "all, auto, a number of devices, or a list such as 0,2");
    explain("OMPC_FUSION", text_of("OMPC_FUSION"), is_one_of(text_of("OMPC_FUSION"), {"0", "1"}), ignored, "0 or 1");
    for (const char *const variable : {"OMPC_DISABLE", "OMPC_WAIT", "OMPC_VERIFY", "OMPC_NVTX", "OMPC_SUMMARY"})
        explain(variable, text_of(variable), is_one_of(text_of(variable), {"0", "1"}), "taken for 1", "0 or 1");
    for (const char *const variable : {"OMPC_SLICE", "OMPC_LOCKED_MEMORY", "OMPC_PRINT_MEMORY", "OMPC_DEVICE_MEMORY", "OMPC_COPIES",
                                       "OMPC_LANES", "OMPC_SEED", "OMPC_EMULATE_ORDER", "OMPC_EMULATE_DEVICES", "OMPC_EMULATE_DIVIDES"})
        explain(variable, text_of(variable), number_of(variable, 0) == number_of(variable, 1), ignored, "a number");
    explain("OMPC_TILES", text_of("OMPC_TILES"), number_of("OMPC_TILES", 0) == number_of("OMPC_TILES", 1), "taken for 0", "a number");
    if (settings().regions.empty() || settings().disabled)
        return;
    selection(); // tells what it does not understand
    static const pid_t asked_by = getpid(); // a child of fork may reach other loops
    ompc_at_exit([] {
        const Locked guard(ledger().lock);
        if (asked_by == getpid())
            selection().tell_unknown();
    });
}

} // namespace ompc

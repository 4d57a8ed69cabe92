// ompc_summary.cc: OMPC_SUMMARY=1: when the program ends, a line on standard error: which loops were on the device, and why not.
//
//     ompc: in all: 3 of 5 loops on the device, launched 1204 times; on the host 41 times: 40 faster there, 1 OMPC452
//
// Where messages of MPI went from one device to another, it says how many (ompc_peers.h).
//
// A loop is one that was translated for the device and reached; those that stay on the host by their text are none, `ompc
// explain` has them. It is on the device if it was launched at least once; `on the host` counts every other time, by cause.

#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_region.h"
#include "ompc_start.h"

#include <cstdlib>
#include <map>
#include <string>

namespace ompc {

static std::string causes_of_host(const unsigned long long (&times)[Tally::causes])
{
    static const char *const names[Tally::causes] = {
        "OMPC450", "OMPC451", "OMPC452", "OMPC453", "OMPC454", "OMPC351", "OMPC467", "OMPC457", "OMPC458",
        "OMPC450", "OMPC468", "faster there", "launches are off", "", "not in OMPC_REGIONS", "", "OMPC474", "OMPC470",
    };
    std::string text;
    for (unsigned i = 0; i < Tally::causes; i++)
        if (times[i] != 0)
            text += (text.empty() ? ": " : ", ") + std::to_string(times[i]) + " " + names[i];
    return text;
}

// Of one of the region's loops, in the program.
static std::string name_of(const Region &region, const char *id)
{
    return std::string(id) + "@" + region.file;
}

static std::string messages_of_devices()
{
    const Ledger::Messages &sent = ledger().to_peers, &received = ledger().from_peers;
    if (sent.count + received.count == 0)
        return "";
    return "; from device to device: sent " + std::to_string(sent.count) + " messages of " + std::to_string(sent.bytes) + " bytes, received " +
           std::to_string(received.count) + " of " + std::to_string(received.bytes);
}

static void tell_summary()
{
    static bool is_told = false;
    if (ledger().owner != getpid() || is_told)
        return;
    const Locked guard(ledger().lock);
    is_told = true;
    std::map<std::string, bool> loops; // and which were launched, alone or with others
    unsigned long long on_device = 0, launched = 0, on_host = 0, times[Tally::causes] = {};
    for (const Region *region = ledger().first; region != nullptr; region = region->next) {
        const unsigned long long here = region->tally.launched.load();
        for (unsigned i = 0; here != 0 && i < region->joint; i++)
            loops[name_of(*region, region->loops[i].id)] = true;
        if (region->joint == 0)
            loops[name_of(*region, region->id)] |= here != 0;
        launched += here;
        for (unsigned i = 0; i < Tally::causes; i++) {
            times[i] += region->tally.host[i].load();
            on_host += region->tally.host[i].load();
        }
    }
    for (const auto &loop : loops)
        on_device += loop.second ? 1 : 0;
    if (loops.empty())
        tell(nullptr, "in all: no loop that is for the device was reached");
    else
        tell(nullptr, "in all: %llu of %llu loop%s on the device, launched %llu time%s; on the host %llu time%s%s%s", on_device,
             static_cast<unsigned long long>(loops.size()), loops.size() == 1 ? "" : "s", launched, launched == 1 ? "" : "s", on_host, on_host == 1 ? "" : "s", causes_of_host(times).c_str(),
             messages_of_devices().c_str());
}

void tell_summary_at_exit()
{
    if (!settings().summary)
        return;
    ledger(); // is this process's
    ompc_at_exit(tell_summary);
    at_quick_exit(tell_summary);
    ompc_on_immediate_exit(tell_summary);
}

} // namespace ompc

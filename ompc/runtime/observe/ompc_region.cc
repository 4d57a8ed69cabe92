// ompc_region.cc: regions come to the ledger, are refused, and fail.

#include "ompc_region.h"

#include "ompc_failure.h"
#include "ompc_ledger.h"
#include "ompc_log.h"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace ompc {

// Of loops without a pragma the launcher says why they are launched.
static bool is(const char *directive, const char *words)
{
    return std::strcmp(directive, words) == 0;
}

Region::Region(const char *id_, const char *file_, int line_, const char *directive_, const bool *loaded_)
    : id(id_), file(file_), line(line_), directive(directive_), loaded(loaded_),
      has_pragma(!is(directive_, "no pragma") && !is(directive_, "divided among threads")), costs(is(directive_, "no pragma"))
{
    const Locked guard(ledger().lock);
    *ledger().last = this;
    ledger().last = &next;
}

Region::Region(const char *id_, const char *file_, int line_, const char *directive_, std::initializer_list<LoopName> loops_, const bool *loaded_)
    : Region(id_, file_, line_, directive_, loaded_)
{
    for (const LoopName &loop : loops_)
        if (joint < most_loops)
            loops[joint++] = loop;
}

void learn_from_loops(Region &joint)
{
    if (std::exchange(joint.learned, RegionCosts::host_measurements()) == RegionCosts::host_measurements())
        return;
    double seconds = 0, operations = 0;
    for (unsigned k = 0; k < joint.joint; k++) {
        LoopName &loop = joint.loops[k];
        for (Region *region = ledger().first; region != nullptr && loop.region == nullptr; region = region->next)
            if (region->joint == 0 && std::strcmp(region->id, loop.id) == 0 && std::strcmp(region->file, joint.file) == 0)
                loop.region = region;
        if (loop.region == nullptr || !loop.region->costs.is_measured() || loop.region->costs.last() <= 0)
            return;
        const double last = loop.region->costs.last();
        seconds += last * loop.region->costs.measured(last);
        operations += last;
    }
    payoff().host_takes(joint.costs, seconds / operations, operations);
}

// Counts a refusal and says, once per region and cause, why the region runs on the host (`a`, `why` and `b` joined).
void report_refusal(Region &region, const Cause &cause, const char *why, const char *a, const char *b)
{
    region.counters.refused++;
    region.tally.on_host(cause.bit);
    must_not_stay(region, cause.code, why, a, b);
    if (!region.has_pragma && !logs(log_refusals))
        return;
    if ((region.said.fetch_or(cause.bit) & cause.bit) == 0)
        tell(&region, "runs on the host: %s%s%s [%s]", a, why, b, cause.code);
    else if (logs(log_launches))
        note(&region, "runs on the host again: %s%s%s [%s]", a, why, b, cause.code);
}

void fail(const Region &region, const std::string &what, const char *code)
{
    tell(&region, "%s: %s [%s]", region.directive, what.c_str(), code);
    has_failed() = true;
    std::exit(70);
}

void must_not_stay(const Region &region, const char *code, const char *why, const char *a, const char *b)
{
    if (!settings().mandatory || has_failed() || !region.has_pragma)
        return;
    tell(&region, "the device is mandatory, and this loop cannot run there: %s%s%s (%s) [OMPC475]", a, why, b, code);
    has_failed() = true;
    std::exit(1);
}

} // namespace ompc

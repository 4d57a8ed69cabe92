// ompc_region.h: offloaded regions, and what is said about them.

#ifndef OMPC_REGION_H
#define OMPC_REGION_H

#include "ompc_host.h"
#include "ompc_ledger.h"
#include "ompc_profit.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

// In object files that `ompc cc` made: what they are, for the command that links them, and a name that is defined only
// where ompc's runtime is linked with them, so that another linker's complaint says what to do.
#ifdef OMPC_OBJECT
#define OMPC_TEXT_OF(x) #x
#define OMPC_TEXT(x) OMPC_TEXT_OF(x)
extern "C" const char ompc_missing__link_with_ompc_cc[];
static const char ompc_object_mark[] __attribute__((used, section("ompc_object"))) = "ompc-object:" OMPC_TEXT(OMPC_OBJECT);
static const char *const ompc_needs_runtime __attribute__((used)) = ompc_missing__link_with_ompc_cc;
#endif

namespace ompc {

// Why a launch is refused, with its code.
struct Cause {
    unsigned bit; // in Region::said
    const char *code;
};
constexpr Cause no_device{1, "OMPC450"}, nested{2, "OMPC451"}, unknown_extent{4, "OMPC452"}, overlap{8, "OMPC453"},
    out_of_memory{16, "OMPC454"}, not_neutral{32, "OMPC351"}, changing_pointers{64, "OMPC467"}, too_early{512, "OMPC450"},
    too_many_prints{1024, "OMPC468"};

namespace { // of each file of device code

// False until the constructors of this file have run, one of which registers its kernels. A program's own may come before.
bool file_is_loaded = false;
[[maybe_unused]] const struct Loading {
    Loading() { file_is_loaded = true; }
} loading;

} // namespace

// An offloaded region of the program: static data of its launcher. The strings must outlive the program's last launch.
struct Region {
    const char *id, *file;
    int line;
    const char *directive;
    Counters counters;
    Region *next = nullptr;
    const bool *loaded; // file_is_loaded of the launcher's file
    std::atomic<unsigned> said{0}; // causes that have been reported
    bool prints_too_much = false;
    Balance balance; // is it worth it?
    int size_class = 0; // of the launch under way
    std::optional<Choices> wished; // by the environment, for launches of the class `wished_for`
    int wished_for = 0;
    std::atomic<int> arrived{0}, meeting{0}, round{0}; // ompc_team.h: the threads of a team that have come to the loop

    Region(const char *id, const char *file, int line, const char *directive, const bool *loaded = &file_is_loaded);
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;
};

inline Region::Region(const char *id_, const char *file_, int line_, const char *directive_, const bool *loaded_)
    : id(id_), file(file_), line(line_), directive(directive_), loaded(loaded_)
{
    const Locked guard(ledger().lock);
    *ledger().last = this;
    ledger().last = &next;
}

// Counts a refusal and says, once per region and cause, why the region runs on the host (`a`, `why` and `b` joined).
inline void report_refusal(Region &region, const Cause &cause, const char *why, const char *a = "", const char *b = "")
{
    region.counters.refused++;
    if ((region.said.fetch_or(cause.bit) & cause.bit) != 0)
        return;
    std::fprintf(stderr, "ompc: %s:%d: runs on the host: %s%s%s [%s]\n", region.file, region.line, a, why, b, cause.code);
}

// True after a kernel failed, while the program's atexit handlers run: no launch is made any more.
inline bool &has_failed()
{
    static bool failed = false;
    return failed;
}

// Ends the program: a kernel went wrong, and what it left behind is not to be used.
[[noreturn]] inline void fail(const Region &region, const std::string &what, const char *code)
{
    std::fprintf(stderr, "ompc: %s:%d: %s: %s [%s]\n", region.file, region.line, region.directive, what.c_str(), code);
    has_failed() = true;
    std::exit(70);
}

} // namespace ompc

#endif

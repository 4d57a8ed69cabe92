// ompc_region.h: offloaded regions, what is counted for each, and what is said about them.
//
// Environment: OMPC_DISABLE=1 (every region runs on the host), OMPC_LOG=1 (a line per launch on standard error),
// OMPC_PROFILE=FILE (a ledger of all regions, written when the program ends), OMPC_PRINT_MEMORY=bytes (for what the
// iterations of one launch print).

#ifndef OMPC_REGION_H
#define OMPC_REGION_H

#include "ompc_host.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>
#include <string>
#include <unistd.h>

// In object files that `ompc cc` made: what they are, for the command that links them, and a name that is defined only
// where ompc's runtime is linked with them, so that another linker's complaint says what to do.
#ifdef OMPC_OBJECT
#define OMPC_TEXT_OF(x) #x
#define OMPC_TEXT(x) OMPC_TEXT_OF(x)
extern "C" const char ompc_missing__link_with_ompc_cc[];
static const char ompc_object_mark[] __attribute__((used, section("ompc_object"))) = "ompc-object:" OMPC_TEXT(OMPC_OBJECT);
static const char *const ompc_needs_runtime __attribute__((used)) = ompc_missing__link_with_ompc_cc;
#endif

// Defined where `ompc cc` has linked object files that create threads of their own.
extern "C" const char ompc_program_creates_threads[] __attribute__((weak));

namespace ompc {

inline bool is_set(const char *variable)
{
    const char *const value = std::getenv(variable);
    return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

// What the environment asks for; read once.
struct Settings {
    bool disabled = is_set("OMPC_DISABLE") || ompc_program_creates_threads != nullptr;
    bool log = is_set("OMPC_LOG");
    std::size_t print_bytes = std::getenv("OMPC_PRINT_MEMORY") == nullptr ? std::size_t{64} << 20
                                                                       : std::strtoull(std::getenv("OMPC_PRINT_MEMORY"), nullptr, 0);
    std::string profile = std::getenv("OMPC_PROFILE") == nullptr ? "" : std::getenv("OMPC_PROFILE");
};

inline const Settings &settings()
{
    static const Settings *const read_once = new Settings; // never destroyed: launches may follow static destruction
    return *read_once;
}

inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Sums over the launches of a region; times in seconds.
struct Counters {
    unsigned long long launches = 0, h2d_bytes = 0, d2h_bytes = 0;
    std::atomic<unsigned long long> refused{0}; // by several threads at once when the region is nested
    double wall_seconds = 0, h2d_seconds = 0, kernel_seconds = 0, d2h_seconds = 0;
};

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
    std::atomic<int> arrived{0}, meeting{0}, round{0}; // ompc_team.h: the threads of a team that have come to the loop

    Region(const char *id, const char *file, int line, const char *directive, const bool *loaded = &file_is_loaded);
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;
};

// All regions that have been reached, and the totals of the process.
struct Ledger {
    std::recursive_mutex lock;
    Region *first = nullptr, **last = &first;
    const char *target = OMPC_TARGET, *device = ""; // device: once it has been started
    double init_seconds = 0, host_alloc_seconds = 0;
    pid_t owner = getpid();
    bool written = false;
};

inline Ledger &ledger();
inline void write_ledger();

// A child of fork finds the lock free: no other thread is in a launch when its copy is made.
inline void before_fork()
{
    ledger().lock.lock();
}
inline void after_fork()
{
    ledger().lock.unlock();
}
inline void after_fork_in_child()
{
    new (&ledger().lock) std::recursive_mutex; // its owner was a thread of the parent
}

inline Ledger &ledger()
{
    static Ledger *const the_ledger = [] {
        auto *const fresh = new Ledger;
        pthread_atfork(before_fork, after_fork, after_fork_in_child);
        if (!settings().profile.empty()) {
            std::atexit(write_ledger);
            at_quick_exit(write_ledger);
            ompc_on_immediate_exit(write_ledger);
        }
        return fresh;
    }();
    return *the_ledger;
}

inline Region::Region(const char *id_, const char *file_, int line_, const char *directive_, const bool *loaded_)
    : id(id_), file(file_), line(line_), directive(directive_), loaded(loaded_)
{
    const std::lock_guard<std::recursive_mutex> guard(ledger().lock);
    *ledger().last = this;
    ledger().last = &next;
}

inline std::string json_string(const char *text)
{
    std::string out = "\"";
    for (; *text != '\0'; text++) {
        const unsigned char c = static_cast<unsigned char>(*text);
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", c);
        if (c < 0x20)
            out += escape;
        else
            out += (c == '"' || c == '\\') ? std::string("\\") + *text : std::string(1, *text);
    }
    return out + "\"";
}

inline void write_region(std::FILE *file, const Region &region)
{
    const Counters &c = region.counters;
    std::fprintf(file, "\n  {\"id\": %s, \"file\": %s, \"line\": %d, \"directive\": %s,", json_string(region.id).c_str(),
                 json_string(region.file).c_str(), region.line, json_string(region.directive).c_str());
    std::fprintf(file, " \"launches\": %llu, \"refused\": %llu, \"wall_seconds\": %.9g,", c.launches, c.refused.load(),
                 c.wall_seconds);
    std::fprintf(file, " \"h2d_seconds\": %.9g, \"h2d_bytes\": %llu, \"kernel_seconds\": %.9g,", c.h2d_seconds, c.h2d_bytes,
                 c.kernel_seconds);
    std::fprintf(file, " \"d2h_seconds\": %.9g, \"d2h_bytes\": %llu}", c.d2h_seconds, c.d2h_bytes);
}

// Writes the file that OMPC_PROFILE names, once; a forked child writes none.
inline void write_ledger()
{
    Ledger &book = ledger();
    if (book.written || book.owner != getpid())
        return;
    book.written = true;
    std::FILE *const file = std::fopen(settings().profile.c_str(), "w");
    if (file == nullptr) {
        std::fprintf(stderr, "ompc: cannot write the profile %s: %s [OMPC456]\n", settings().profile.c_str(), std::strerror(errno));
        return;
    }
    std::fprintf(file, "{\"schema\": 1, \"target\": %s, \"device\": %s,", json_string(book.target).c_str(),
                 json_string(book.device).c_str());
    std::fprintf(file, " \"init_seconds\": %.9g, \"host_alloc_seconds\": %.9g,\n \"regions\": [", book.init_seconds,
                 book.host_alloc_seconds);
    for (const Region *region = book.first; region != nullptr; region = region->next) {
        write_region(file, *region);
        std::fputs(region->next == nullptr ? "" : ",", file);
    }
    std::fputs("]}\n", file);
    std::fclose(file);
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

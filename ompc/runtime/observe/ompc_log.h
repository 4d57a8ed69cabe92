// ompc_log.h: what the runtime says: always (tell), or where OMPC_LOG asks for it (note).
//
//     1  warnings, and which region stayed on the host at run time and why      4  each transfer, registration and page fault
//     2  each region's first launch, with its shape                             5  everything: memory, streams, events, waits
//     3  each launch, with bytes and times
//
// A line each, `ompc: file.c:41: ...`, on standard error or at the end of OMPC_LOG_FILE. What is told is on standard error
// anyway, and in the file too. Nothing here allocates memory or takes the ledger's lock: a line may be due in the middle of a
// page fault.
//
//     if (logs(log_transfers))
//         note(&region, "%s: %zu bytes to the device", array, bytes);

#ifndef OMPC_LOG_H
#define OMPC_LOG_H

#include "ompc_region.h"
#include "ompc_settings.h"

#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace ompc {

constexpr int log_refusals = 1, log_regions = 2, log_launches = 3, log_transfers = 4, log_everything = 5;

inline bool logs(int level)
{
    return __builtin_expect(settings().log >= level, 0) != 0;
}

int open_log();

// The file is opened for each line: programs that close all files, or change their directory, write no line elsewhere.
class LogLine {
public:
    explicit LogLine(const Region *region)
    {
        add("ompc: ");
        if (region != nullptr && region->line != 0)
            add("%s:%d: ", region->file, region->line);
    }

    [[gnu::format(printf, 2, 3)]] void add(const char *format, ...);
    void add_list(const char *format, va_list values);
    void write(bool always); // `always`: also on standard error

private:
    static constexpr std::size_t most = 2048;

    bool in_file() const;
    void put(int file) const;

    char text_[most];
    std::size_t used_ = 0;
};

// Says something of a region, or of none, whatever is asked for; and where logs() has said that it is.
[[gnu::format(printf, 2, 3)]] void tell(const Region *region, const char *format, ...);
[[gnu::format(printf, 2, 3)]] void note(const Region *region, const char *format, ...);
void note_locked(const void *pages, std::size_t bytes, bool is_locked);

// The host runs a region, for a reason that is no refusal; where OMPC_LOG asks for refusals. `bit`: in Region::said.
const char *why_not_used();
void note_host(Region &region, unsigned bit, const char *why);

// Seconds as people read them.
struct Duration {
    char text[24];

    explicit Duration(double seconds)
    {
        if (seconds < 1e-3)
            std::snprintf(text, sizeof text, "%.1f us", seconds * 1e6);
        else
            std::snprintf(text, sizeof text, "%.3g %s", seconds < 1 ? seconds * 1e3 : seconds, seconds < 1 ? "ms" : "s");
    }
};

} // namespace ompc

#endif

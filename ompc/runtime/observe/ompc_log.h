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

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ompc {

constexpr int log_refusals = 1, log_regions = 2, log_launches = 3, log_transfers = 4, log_everything = 5;

inline bool logs(int level)
{
    return __builtin_expect(settings().log >= level, 0) != 0;
}

inline int open_log()
{
    return ompc_libc_open(settings().log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

// The file is opened for each line: programs that close all files, or change their directory, write no line elsewhere.
class LogLine {
public:
    explicit LogLine(const Region *region)
    {
        add("ompc: ");
        if (region != nullptr && region->line != 0)
            add("%s:%d: ", region->file, region->line);
    }

    [[gnu::format(printf, 2, 3)]] void add(const char *format, ...)
    {
        va_list values;
        va_start(values, format);
        add_list(format, values);
        va_end(values);
    }
    void add_list(const char *format, va_list values)
    {
        const int written = std::vsnprintf(text_ + used_, most - used_, format, values);
        used_ = written < 0 ? used_ : std::min(used_ + static_cast<std::size_t>(written), most - 1);
    }

    // `always`: also on standard error.
    void write(bool always)
    {
        for (std::size_t i = 0; i < used_; i++)
            text_[i] = is_command(text_[i]) ? '?' : text_[i];
        text_[used_] = '\n';
        const int saved = errno;
        const bool is_in_file = settings().log > 0 && !settings().log_file.empty() && in_file();
        if (always || !is_in_file)
            put(STDERR_FILENO);
        errno = saved;
    }

private:
    static constexpr std::size_t most = 2048;

    // Names and values of variables may have what terminals obey.
    static bool is_command(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; }

    bool in_file() const
    {
        const int file = open_log();
        if (file < 0)
            return false;
        put(file);
        ompc_libc_close(file);
        return true;
    }

    void put(int file) const
    {
        for (std::size_t done = 0; done <= used_;) {
            const ssize_t written = ompc_libc_write(file, text_ + done, used_ + 1 - done);
            if (written < 0 && errno != EINTR)
                return;
            done += written < 0 ? 0 : static_cast<std::size_t>(written);
        }
    }

    char text_[most];
    std::size_t used_ = 0;
};

// Says something of a region, or of none, whatever is asked for; and where logs() has said that it is.
[[gnu::format(printf, 2, 3)]] inline void tell(const Region *region, const char *format, ...)
{
    LogLine line(region);
    va_list values;
    va_start(values, format);
    line.add_list(format, values);
    va_end(values);
    line.write(true);
}
[[gnu::format(printf, 2, 3)]] inline void note(const Region *region, const char *format, ...)
{
    LogLine line(region);
    va_list values;
    va_start(values, format);
    line.add_list(format, values);
    va_end(values);
    line.write(false);
}

inline void note_locked(const void *pages, std::size_t bytes, bool is_locked)
{
    if (logs(log_transfers))
        note(nullptr, "%zu bytes at %p are %s", bytes, pages, is_locked ? "page-locked" : "not page-locked: the system refuses");
}

// The host runs a region, for a reason that is no refusal; where OMPC_LOG asks for refusals. `bit`: in Region::said.
inline const char *why_not_used()
{
    if (settings().target_offload == "disabled")
        return "OMP_TARGET_OFFLOAD says so";
    return ompc_program_creates_threads != nullptr ? "the program creates threads of its own" : "OMPC_OFFLOAD or OMPC_DISABLE says so";
}
inline void note_host(Region &region, unsigned bit, const char *why)
{
    if ((region.said.fetch_or(bit) & bit) == 0)
        note(&region, "runs on the host: %s", why);
    else if (logs(log_launches))
        note(&region, "runs on the host again: %s", why);
}

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

// Before main: a value that means nothing, or a file that cannot be written, is told once.
inline bool explain_log()
{
    const std::string &asked = settings().log_asked, &file = settings().log_file;
    if (settings().log == 0 && !asked.empty() && asked != "0")
        tell(nullptr, "OMPC_LOG=%s is not understood, and nothing is logged: it is a number from 1 to 5, or 0", asked.c_str());
    if (settings().log == 0 || file.empty())
        return true;
    const int opened = open_log();
    if (opened < 0)
        tell(nullptr, "cannot write the log %s: %s [OMPC456]", file.c_str(), std::strerror(errno));
    else
        ompc_libc_close(opened);
    return true;
}
inline const bool log_is_explained = explain_log();

} // namespace ompc

#endif

// ompc_log.cc: lines of the log are made, and written (ompc_log.h).

#include "ompc_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ompc {

int open_log()
{
    return ompc_libc_open(settings().log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

// Names and values of variables may have what terminals obey.
static bool is_command(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; }

bool LogLine::in_file() const
{
    const int file = open_log();
    if (file < 0)
        return false;
    put(file);
    ompc_libc_close(file);
    return true;
}

void LogLine::put(int file) const
{
    for (std::size_t done = 0; done <= used_;) {
        const ssize_t written = ompc_libc_write(file, text_ + done, used_ + 1 - done);
        if (written < 0 && errno != EINTR)
            return;
        done += written < 0 ? 0 : static_cast<std::size_t>(written);
    }
}

void LogLine::add(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_list(format, values);
    va_end(values);
}

void LogLine::add_list(const char *format, va_list values)
{
    const int written = std::vsnprintf(text_ + used_, most - used_, format, values);
    used_ = written < 0 ? used_ : std::min(used_ + static_cast<std::size_t>(written), most - 1);
}

void LogLine::write(bool always)
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

void tell(const Region *region, const char *format, ...)
{
    LogLine line(region);
    va_list values;
    va_start(values, format);
    line.add_list(format, values);
    va_end(values);
    line.write(true);
}

void note(const Region *region, const char *format, ...)
{
    LogLine line(region);
    va_list values;
    va_start(values, format);
    line.add_list(format, values);
    va_end(values);
    line.write(false);
}

void note_locked(const void *pages, std::size_t bytes, bool is_locked)
{
    if (logs(log_transfers))
        note(nullptr, "%zu bytes at %p are %s", bytes, pages, is_locked ? "page-locked" : "not page-locked: the system refuses");
}

const char *why_not_used()
{
    if (settings().target_offload == "disabled")
        return "OMP_TARGET_OFFLOAD says so";
    return ompc_program_creates_threads != nullptr ? "the program creates threads of its own" : "OMPC_OFFLOAD or OMPC_DISABLE says so";
}

void note_host(Region &region, unsigned bit, const char *why)
{
    if ((region.said.fetch_or(bit) & bit) == 0)
        note(&region, "runs on the host: %s", why);
    else if (logs(log_launches))
        note(&region, "runs on the host again: %s", why);
}

} // namespace ompc

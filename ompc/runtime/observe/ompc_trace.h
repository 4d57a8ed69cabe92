// ompc_trace.h: what the program did when, as a file that Perfetto and chrome://tracing open (OMPC_TRACE=FILE).
//
// An array of events in Chrome's trace format: complete events ("X") in microseconds since the program began, on a track for
// each host thread and one for each kind of the device's work. They are written as they become known, so a program that is
// killed leaves a file without its last bracket, which the format allows. A child of fork writes nothing.

#ifndef OMPC_TRACE_H
#define OMPC_TRACE_H

#include "ompc_json.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_region.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace ompc {

class Trace {
public:
    Trace()
    {
        if (settings().trace.empty() || ledger().owner != getpid())
            return;
        file_ = ompc_libc_open(settings().trace.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file_ < 0) {
            tell(nullptr, "cannot write the trace %s: %s [OMPC456]", settings().trace.c_str(), std::strerror(errno));
            return;
        }
        buffer_.reset(new char[capacity]);
        put("[");
        name("process", host, 0, "host");
        name("process", device_side, 0, "device");
        for (const Work kind : {Work::kernel, Work::h2d, Work::d2h})
            name("thread", device_side, track(kind), kind == Work::kernel ? "kernels" : kind == Work::h2d ? "to the device" : "to the host");
    }

    void of_host(Work kind, const Region *region, const char *array, Waited why, double begin, double end)
    {
        if (buffer_ == nullptr)
            return;
        static int threads = 0;
        static thread_local int own = 0;
        if (own == 0) {
            own = ++threads;
            name("thread", host, own, own == 1 ? "main" : "another thread");
        }
        event(kind, region, array, host, own, begin, end);
        if (kind == Work::wait)
            put(", \"why\": \"", names_of_waits[static_cast<int>(why)], "\"");
        put("}}");
    }

    void of_device(Work kind, const Region &region, const char *array, unsigned long long bytes, double begin, double end)
    {
        if (buffer_ == nullptr)
            return;
        event(kind, &region, array, device_side, track(kind), begin, end);
        if (kind != Work::kernel)
            put(", \"bytes\": ", std::to_string(bytes).c_str());
        put("}}");
    }

    void close()
    {
        if (buffer_ == nullptr || ledger().owner != getpid())
            return;
        put("\n]\n");
        flush();
        static_cast<void>(ompc_libc_close(file_));
        buffer_.reset();
    }

private:
    static constexpr std::size_t capacity = 1 << 16;
    static constexpr int host = 1, device_side = 2;
    static int track(Work kind) { return 1 + static_cast<int>(kind); }

    // Up to the arguments that every event has.
    void event(Work kind, const Region *region, const char *array, int process, int thread, double begin, double end)
    {
        next();
        put("{\"ph\": \"X\", \"cat\": \"", names_of_work[static_cast<int>(kind)], "\", \"name\": \"");
        if (array != nullptr)
            escape_json(array, [&](const char *piece) { put(piece); });
        else if (region != nullptr && kind != Work::wait)
            place(*region);
        else
            put(kind == Work::init ? "start the device" : kind == Work::page_lock ? "page-lock memory" : "wait");
        const double from = nanoseconds(begin), duration = nanoseconds(end) - from; // what is inside another stays inside
        char numbers[128];
        std::snprintf(numbers, sizeof numbers, "\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, \"args\": {\"region\": \"", process,
                      thread, from * 1e-3, duration * 1e-3);
        put(numbers);
        if (region != nullptr)
            place(*region);
        put("\"");
    }

    static double nanoseconds(double at) { return std::round((at - program_begun()) * 1e9); }

    void place(const Region &region)
    {
        char line[16];
        std::snprintf(line, sizeof line, ":%d ", region.line);
        escape_json(region.file, [&](const char *piece) { put(piece); });
        put(line);
        escape_json(region.directive, [&](const char *piece) { put(piece); });
    }

    void name(const char *what, int process, int thread, const char *text)
    {
        char line[160];
        std::snprintf(line, sizeof line, "{\"ph\": \"M\", \"name\": \"%s_name\", \"pid\": %d, \"tid\": %d, \"args\": {\"name\": \"%s\"}}",
                      what, process, thread, text);
        next();
        put(line);
    }

    void next()
    {
        put(any_ ? ",\n" : "\n");
        any_ = true;
    }

    template <class... Texts>
    void put(const char *text, Texts... more)
    {
        const std::size_t length = std::strlen(text);
        if (used_ + length > capacity)
            flush();
        std::memcpy(buffer_.get() + used_, text, length);
        used_ += length;
        if constexpr (sizeof...(more) != 0)
            put(more...);
    }

    void flush()
    {
        for (std::size_t done = 0; done < used_ && ledger().owner == getpid();) {
            const ssize_t written = ompc_libc_write(file_, buffer_.get() + done, used_ - done);
            if (written < 0 && errno != EINTR)
                break; // a full disk: the file ends there
            done += written < 0 ? 0 : static_cast<std::size_t>(written);
        }
        used_ = 0;
    }

    int file_ = -1;
    std::unique_ptr<char[]> buffer_; // while the file is open
    std::size_t used_ = 0;
    bool any_ = false;
};

} // namespace ompc

#endif

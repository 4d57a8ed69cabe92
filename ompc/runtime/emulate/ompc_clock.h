// ompc_clock.h (emulate): when the emulated device comes past a place in a stream: the host's time then.

#ifndef OMPC_CLOCK_H
#define OMPC_CLOCK_H

#include "ompc_region.h"
#include "ompc_settings.h"
#include "ompc_streams.h"

#include <deque>
#include <vector>

namespace ompc {

class Clock {
public:
    using Stream = StreamId;
    struct Moment {
        double *time;
        Event event;
    };

    Moment mark(Stream stream, bool)
    {
        double *const time = take();
        streams().give(stream, [time] { *time = now(); });
        return {time, streams().record(stream)};
    }
    bool passed(const Moment &moment, bool wait)
    {
        if (wait)
            streams().finish(moment.event);
        return streams().passed(moment.event);
    }
    double seconds(const Moment &from, const Moment &to) const { return *to.time - *from.time; }
    double time(const Moment &moment) const { return *moment.time; }
    void forget(const Moment &moment) { free_.push_back(moment.time); }
    static void enter(const Region &, const char *) {}
    static void leave() {}

private:
    double *take()
    {
        if (free_.empty()) {
            times_.push_back(0);
            return &times_.back();
        }
        double *const time = free_.back();
        free_.pop_back();
        return time;
    }

    std::deque<double> times_;
    std::vector<double *> free_;
};

} // namespace ompc

#endif

// ompc_streams.h (emulate): streams and events with the meaning of CUDA's, which do what they are given as late as they may.
//
// What a stream is given is kept, and done when the host waits for it, so that a wait that is missing shows. What no event
// puts in order is done in an adverse order: when the host waits for one thing, others that could come first do, or do
// not, as OMPC_EMULATE_ORDER=n decides (0: nothing that the host does not wait for; unset: OMPC_SEED).
//
//     streams().give(StreamId::in, [=] { std::memcpy(to, from, bytes); });
//     const Event copied = streams().record(StreamId::in);
//     streams().wait(StreamId::kernels, copied);           // what the kernels' stream is given from now on comes behind it
//     streams().finish(copied);                       // the host waits

#ifndef OMPC_STREAMS_H
#define OMPC_STREAMS_H

#include "ompc_failure.h"
#include "ompc_injection.h"
#include "ompc_log_events.h"
#include "ompc_own_memory.h"
#include "ompc_region.h"
#include "ompc_seed.h"
#include "ompc_stream_ids.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <utility>

namespace ompc {

// A place in a stream: it is passed when so much of what the stream was given has been done.
struct Event {
    StreamId way = StreamId::kernels;
    unsigned long long at = 0;
};

// The callers see to it that one thread at a time is here.
class Streams {
public:
    void give(StreamId way, std::function<void()> work) { push(way, {std::move(work), {}}); }

    Event record(StreamId way) const { return {way, of(way).given}; }
    void record(Event &event, StreamId way) const
    {
        note_event(way);
        event = record(way);
    }

    void wait(StreamId way, Event event)
    {
        note_wait(way);
        static constexpr const char *faults[streams_of_first] = {"wait_kernels", "wait_in", "wait_home"};
        const char *const fault = way < StreamId::others ? faults[static_cast<int>(way)] : "wait_part";
        if (!emulate::injected(fault) && !passed(event))
            push(way, {nullptr, event});
    }

    bool passed(Event event) const { return of(event.way).done >= event.at; }

    // The host waits. After an error nothing is done any more.
    void finish(Event event)
    {
        while (!passed(event) && !has_failed())
            step(event);
    }
    void finish(StreamId way) { finish(record(way)); }
    void finish()
    {
        for (int way = used_ - 1; way >= 0; way--)
            finish(static_cast<StreamId>(way));
    }

    bool idle() const
    {
        return std::all_of(streams_, streams_ + used_, [](const Stream &stream) { return stream.work.empty(); });
    }

private:
    struct Work {
        std::function<void()> run; // none: it waits for the event
        Event event;
    };
    struct Stream {
        std::deque<Work> work = {};
        unsigned long long given = 0, done = 0;
    };
    static constexpr std::size_t most = 1024; // in a stream; then the host waits, as it does for CUDA

    const Stream &of(StreamId way) const { return streams_[static_cast<int>(way)]; }
    Stream &of(StreamId way) { return streams_[static_cast<int>(way)]; }

    void push(StreamId way, Work work)
    {
        own_memory_.use();
        Stream &stream = of(way);
        used_ = std::max(used_, static_cast<int>(way) + 1);
        if (stream.work.size() == most)
            finish({way, stream.given - most / 2});
        stream.work.push_back(std::move(work));
        stream.given++;
    }

    bool can_go_on(StreamId way) const
    {
        const Stream &stream = of(way);
        return !stream.work.empty() && (stream.work.front().run != nullptr || passed(stream.work.front().event));
    }

    // Does one piece of the work that the event needs, or one that may come before it.
    void step(Event event)
    {
        own_memory_.use();
        StreamId needed = event.way;
        while (!can_go_on(needed))
            needed = of(needed).work.front().event.way;
        for (int other = 0; other < used_; other++)
            if (static_cast<StreamId>(other) != needed && can_go_on(static_cast<StreamId>(other)) && chance())
                return go_on(static_cast<StreamId>(other));
        go_on(needed);
    }

    void go_on(StreamId way)
    {
        Stream &stream = of(way);
        const Work work = std::move(stream.work.front());
        stream.work.pop_front();
        if (work.run != nullptr)
            work.run();
        stream.done++;
    }

    // In one of two cases.
    bool chance()
    {
        if (order_ == 0)
            return false;
        order_ = order_ * 6364136223846793005u + 1442695040888963407u;
        return (order_ >> 63 & 1) != 0;
    }

    static unsigned long long asked_order()
    {
        return number_of("OMPC_EMULATE_ORDER", emulate::seed());
    }

    Stream streams_[streams_in_all];
    int used_ = streams_of_first; // those behind have never been given anything
    emulate::OwnMemory own_memory_;
    unsigned long long order_ = asked_order();
};

inline Streams &streams()
{
    static Streams *const of_the_device = new Streams; // never destroyed
    return *of_the_device;
}

} // namespace ompc

#endif

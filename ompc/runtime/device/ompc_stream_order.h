// ompc_stream_order.h: dependences between streams: what of the device's work waits for what.
//
// There are three streams (ompc_stream_ids.h), so that copies run beside kernels, and both directions beside each other:
//
//     a copy in      comes behind the last launch that uses the device memory which it changes
//     a kernel       comes behind all copies in that were given before it, and so does all else in its stream
//     a copy back    comes behind the last launch that wrote there; the host waits for it, and not for later launches
//     the host       may write to page-locked memory once the copy in that reads it is over
//
// Launches are numbered, and so are batches of copies in: those between two launches. To wait for one, an event is needed
// that was recorded behind it. One behind a launch costs as much as a third of the launch, so it is recorded where the
// launch is said to be waited for by name; else when it is asked for, which is later than necessary, and right.
//
// Needs class Streams, which the target's ompc_streams.h defines: record(StreamId), wait(stream, event), passed(event), finish(event).

#ifndef OMPC_STREAM_ORDER_H
#define OMPC_STREAM_ORDER_H

#include "ompc_streams.h"
#include "ompc_stream_ids.h"

#include <algorithm>

namespace ompc {

using SequenceNumber = unsigned long long; // the number of a launch, or of a batch of copies in; 0: none

// Events behind the turns of one stream. Of many the last ones are kept: a later one serves as well.
class Marks {
public:
    struct Mark {
        SequenceNumber number = 0;
        Event event{};
    };

    explicit Marks(StreamId way) : way_(way) {}

    // Records an event behind all that the stream was given, the last of which is `turn`.
    const Mark &add(SequenceNumber number)
    {
        Mark &mark = marks_[count_++ % most];
        mark.number = number;
        streams().record(mark.event, way_);
        return mark;
    }

    // The first one behind `turn`; nullptr: there is none.
    const Mark *behind(SequenceNumber number) const
    {
        for (unsigned long long i = count_ - std::min(count_, most); i < count_; i++)
            if (marks_[i % most].number >= number)
                return &marks_[i % most];
        return nullptr;
    }

private:
    static constexpr unsigned long long most = 32;

    StreamId way_;
    Mark marks_[most];
    unsigned long long count_ = 0;
};

// The callers see to it that one thread at a time is here.
class Order {
public:
    // The launch that is being prepared, or will be next; and the last one that the device was given.
    SequenceNumber next() const { return launches_ + 1; }
    SequenceNumber last() const { return launches_; }

    // The kernels of a launch have been given. `awaited`: something may have to wait for it, and not for later ones.
    void launched(bool awaited)
    {
        launches_++;
        if (awaited)
            kernels_.add(launches_);
    }

    // What a stream is given from now on comes behind a launch; behind all that is given, when it is the next.
    void after(StreamId way, SequenceNumber launch)
    {
        SequenceNumber &waited = waited_[static_cast<int>(way)];
        if (launch <= std::max(done_, waited))
            return;
        const Marks::Mark *const known = kernels_.behind(launch);
        const Marks::Mark &mark = known != nullptr ? *known : kernels_.add(launches_);
        streams().wait(way, mark.event);
        waited = mark.number;
    }

    // Copies in have been given: the batch that they are in.
    SequenceNumber copies_in()
    {
        open_ = true;
        return batches_ + 1;
    }

    // What the kernels' stream is given from now on comes behind all copies in.
    void join()
    {
        if (!open_)
            return;
        open_ = false;
        streams().wait(StreamId::kernels, in_.add(++batches_).event);
    }

    // May a batch still be reading the host's memory?
    bool is_reading(SequenceNumber batch) const { return batch > copied_; }
    SequenceNumber last_batch() const { return batches_ + open_; }

    // The host waits for a batch.
    void finish_copies_in(SequenceNumber batch)
    {
        if (!is_reading(batch))
            return;
        join();
        const Marks::Mark *const known = in_.behind(batch);
        const Marks::Mark &mark = known != nullptr ? *known : in_.add(batches_);
        streams().finish(mark.event);
        copied_ = mark.number;
    }

    // Does the host know that a launch is over? It looks; it waits for that.
    bool is_over(SequenceNumber launch) const { return launch <= done_; }
    bool has_passed(SequenceNumber launch)
    {
        const Marks::Mark *const known = is_over(launch) ? nullptr : kernels_.behind(launch);
        if (known != nullptr && streams().passed(known->event))
            done_ = known->number;
        return is_over(launch);
    }
    void finish_launch(SequenceNumber launch)
    {
        if (is_over(launch))
            return;
        const Marks::Mark *const known = kernels_.behind(launch);
        const Marks::Mark &mark = known != nullptr ? *known : kernels_.add(launches_);
        streams().finish(mark.event);
        done_ = mark.number;
    }

    // The host has waited for the copies back; for everything in the kernels' stream.
    void are_home() { done_ = std::max(done_, waited_[static_cast<int>(StreamId::home)]); }
    void is_done()
    {
        done_ = launches_;
        copied_ = batches_;
    }

private:
    Marks kernels_{StreamId::kernels}, in_{StreamId::in};
    SequenceNumber launches_ = 0, done_ = 0; // done: the host knows that these are over
    SequenceNumber batches_ = 0, copied_ = 0;
    bool open_ = false; // copies in have been given since the last batch
    SequenceNumber waited_[streams_in_all] = {};
};

} // namespace ompc

#endif

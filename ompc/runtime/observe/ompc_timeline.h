// ompc_timeline.h: what the program's time was spent on.
//
//     { const DeviceSpan span(Work::h2d, region, "u", bytes, stream); cudaMemcpyAsync(...); }    what the device is given
//     { const HostSpan span(Work::wait, &region, "u", Waited::fault); ... }                      what the host does
//     timeline().resolve(false);                                                                 when the host has waited
//     avoid(region, "u", bytes, Avoided::valid);                                                 what was not copied
//
// Both count in the ledger what they time, and cost one branch where nothing is profiled. The device's spans are moments
// in its stream (ompc_clock.h of the target), whose times are known once it has come past them; nothing waits for that.
//
// The program's time is divided among the kinds of work, so that the parts are the whole: at each moment the first kind of
// `Work` that is going on has it, and the program's own code where there is none. For that the beginnings and ends of spans
// are gone through in the order of time, as soon as nothing earlier can follow; no span is kept longer, however many
// there are. No memory is allocated after the first span, since data may come home while the program is anywhere.

#ifndef OMPC_TIMELINE_H
#define OMPC_TIMELINE_H

#include "ompc_clock.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_region.h"
#include "ompc_trace.h"

#include <algorithm>
#include <memory>

namespace ompc {

// The division of time among kinds of work.
class Partition {
public:
    bool is_full() const { return count_ == capacity; }

    // From `at` on there is one more (1) or one fewer (-1) of that kind.
    void change(double at, Work kind, int by) { changes_[count_++] = {std::max(at, settled_), kind, by}; }

    // The first half is gone through, whatever may follow: that is a little late then.
    void settle_half()
    {
        sort();
        settle(changes_[count_ / 2].at);
    }

    // Goes through what happened until then; nothing earlier may follow.
    void settle(double until)
    {
        sort();
        std::size_t done = 0;
        for (; done < count_ && changes_[done].at <= until; done++) {
            pass(changes_[done].at);
            going_on_[static_cast<int>(changes_[done].kind)] += changes_[done].by;
        }
        std::copy(changes_.get() + done, changes_.get() + count_, changes_.get());
        count_ -= done;
        pass(until);
    }

    double seconds(int kind) const { return seconds_[kind]; }
    double own() const { return own_; }

private:
    struct Change {
        double at;
        Work kind;
        int by;
    };
    static constexpr std::size_t capacity = 8192;

    void sort()
    {
        std::sort(changes_.get(), changes_.get() + count_, [](const Change &a, const Change &b) { return a.at < b.at; });
    }

    void pass(double until)
    {
        if (until <= settled_)
            return;
        const int *const first = std::find_if(going_on_, going_on_ + kinds_of_work, [](int n) { return n > 0; });
        (first == going_on_ + kinds_of_work ? own_ : seconds_[first - going_on_]) += until - settled_;
        settled_ = until;
    }

    std::unique_ptr<Change[]> changes_{new Change[capacity]};
    std::size_t count_ = 0;
    double settled_ = program_begun, seconds_[kinds_of_work] = {}, own_ = 0;
    int going_on_[kinds_of_work] = {};
};

class Timeline {
public:
    // The device's: what it is given between the two is of that kind. Returns the span for end().
    std::size_t begin(Work kind, Region &region, const char *array, unsigned long long bytes, Clock::Stream stream)
    {
        if (count_ != 0 && count_ % between_looks == 0)
            resolve(false);
        if (count_ == capacity)
            resolve_oldest(true);
        const std::size_t at = (first_ + count_) % capacity;
        spans_[at] = {kind, &region, array, bytes, now(), clock_.mark(stream, count_ == 0), {}, false, static_cast<unsigned char>(region.size_class)};
        count_++;
        return at;
    }
    void end(std::size_t at, Clock::Stream stream)
    {
        spans_[at].end = clock_.mark(stream, false);
        spans_[at].has_ended = true;
    }

    // The host's: a piece of work begins, and ends.
    void host_begins(Work kind, double at) { change(at, kind, 1); }
    void host_ends(Work kind, const Region *region, const char *array, Waited why, double begun, double at)
    {
        change(at, kind, -1);
        trace_.of_host(kind, region, array, why, begun, at);
    }

    // Times what the device has done by now; `all`: everything that it was given.
    void resolve(bool all)
    {
        while (resolve_oldest(all)) {
        }
        partition_.settle(horizon());
    }

    // The program's time until now.
    const Partition &divided()
    {
        resolve(true);
        partition_.settle(now()); // also where a kernel that failed has begun and not ended
        trace_.close();
        return partition_;
    }

private:
    struct Span {
        Work kind;
        Region *region;
        const char *array;
        unsigned long long bytes;
        double given; // when the host gave the work to the device
        Clock::Moment begin, end;
        bool has_ended;
        unsigned char size_class; // of the launch
    };
    static constexpr std::size_t capacity = 4096, between_looks = 512; // at what the device has done by now

    // What happens from now on is not earlier.
    double horizon() const { return count_ == 0 ? now() : spans_[first_].given; }

    // False: there is none that has ended, as far as is known without waiting.
    bool resolve_oldest(bool wait)
    {
        if (count_ == 0 || !spans_[first_].has_ended || !clock_.passed(spans_[first_].end, wait))
            return false;
        const Span span = spans_[first_];
        const double seconds = clock_.seconds(span.begin, span.end);
        const double begun = std::max(span.given, std::min(clock_.time(span.begin), now() - seconds)); // clocks differ a little
        clock_.forget(span.begin);
        clock_.forget(span.end);
        change(begun, span.kind, 1);
        change(begun + seconds, span.kind, -1);
        first_ = (first_ + 1) % capacity;
        count_--;
        count(span, seconds);
        trace_.of_device(span.kind, *span.region, span.array, span.bytes, begun, begun + seconds);
        return true;
    }

    static void count(const Span &span, double seconds)
    {
        Counters &counters = span.region->counters;
        if (span.kind == Work::kernel) {
            if (logs(log_launches))
                note(span.region, "%s: its kernel took %s", span.region->id, Duration(seconds).text);
            counters.kernel_seconds += seconds;
            counters.sizes[span.size_class].kernel_seconds += seconds;
        } else
            counters.of(span.array).copies(span.kind).seconds += seconds;
    }

    void change(double at, Work kind, int by)
    {
        if (partition_.is_full())
            partition_.settle(horizon());
        if (partition_.is_full())
            partition_.settle_half();
        partition_.change(at, kind, by);
    }

    Clock clock_;
    Partition partition_;
    Trace trace_;
    std::unique_ptr<Span[]> spans_{new Span[capacity]}; // a ring
    std::size_t first_ = 0, count_ = 0;
};

inline Timeline &timeline()
{
    static Timeline *const the_timeline = new Timeline; // never destroyed
    return *the_timeline;
}

// Whose a copy is: a region's, as that array.
struct Account {
    Region &region;
    const char *array;
};

// Work of the device for a region: a kernel, or a copy of an array, which it counts.
class DeviceSpan {
public:
    DeviceSpan(Work kind, Region &region, const char *array, unsigned long long bytes, Clock::Stream stream) : stream_(stream)
    {
        if (!settings().profiling)
            return;
        Clock::enter(region, array);
        if (kind != Work::kernel) {
            Copies &copies = region.counters.of(array).copies(kind);
            copies.copies++;
            copies.bytes += bytes;
            if (logs(log_transfers))
                note(&region, "%s: %llu bytes %s", array, bytes, kind == Work::h2d ? "to the device" : "home");
        }
        at_ = timeline().begin(kind, region, array, bytes, stream);
    }
    ~DeviceSpan()
    {
        if (!settings().profiling)
            return;
        timeline().end(at_, stream_);
        Clock::leave();
    }
    DeviceSpan(const DeviceSpan &) = delete;
    DeviceSpan &operator=(const DeviceSpan &) = delete;

private:
    Clock::Stream stream_;
    std::size_t at_ = 0;
};

// Work of the host's, for a region and one of its arrays where they are known; it counts waits, and the rest where it belongs.
class HostSpan {
public:
    explicit HostSpan(Work kind, Region *region = nullptr, const char *array = nullptr, Waited why = Waited::results)
        : kind_(kind), region_(region), array_(array), why_(why)
    {
        if (!settings().profiling)
            return;
        const Locked guard(ledger().lock);
        if (region != nullptr)
            Clock::enter(*region, array);
        init_before_ = ledger().init_seconds;
        begun_ = now();
        timeline().host_begins(kind, begun_);
    }
    ~HostSpan()
    {
        if (!settings().profiling)
            return;
        const Locked guard(ledger().lock);
        const double at = now();
        timeline().host_ends(kind_, region_, array_, why_, begun_, at);
        count(at - begun_);
        if (region_ != nullptr)
            Clock::leave();
    }
    HostSpan(const HostSpan &) = delete;
    HostSpan &operator=(const HostSpan &) = delete;

private:
    void count(double seconds) const
    {
        if (logs(log_everything) && (kind_ == Work::wait || kind_ == Work::page_lock))
            log(seconds);
        if (kind_ == Work::init)
            ledger().init_seconds += seconds;
        else if (kind_ == Work::page_lock)
            ledger().page_lock_seconds += seconds;
        else if (kind_ == Work::launch && region_ != nullptr)
            region_->counters.wall_seconds += seconds - (ledger().init_seconds - init_before_);
        else if (kind_ == Work::wait && region_ != nullptr)
            (array_ == nullptr ? region_->counters.own : region_->counters.of(array_)).waited(why_, seconds);
    }

    void log(double seconds) const
    {
        const char *const what = kind_ == Work::wait ? names_of_waits[static_cast<int>(why_)] : "page-locking";
        note(region_, "%s%sthe host waited %s: %s", array_ == nullptr ? "" : array_, array_ == nullptr ? "" : ": ", Duration(seconds).text, what);
    }

    Work kind_;
    Region *region_;
    const char *array_;
    Waited why_;
    double begun_ = 0, init_before_ = 0;
};

// Counts bytes of an array that a launch did not copy.
inline void avoid(Region &region, const char *array, unsigned long long bytes, Avoided why)
{
    if (!settings().profiling || bytes == 0)
        return;
    region.counters.of(array).avoided[static_cast<int>(why)] += bytes;
    if (logs(log_transfers))
        note(&region, "%s: %llu bytes are not copied%s: %s", array, bytes, why == Avoided::not_read ? " home" : "",
             names_of_reasons[static_cast<int>(why)]);
}

// Counts bytes as copied after all: those of an earlier launch that the host reads now. Their copy is a span of its own.
inline void avoid_no_more(Region &region, const char *array, unsigned long long bytes, Avoided why)
{
    if (!settings().profiling)
        return;
    unsigned long long &avoided = region.counters.of(array).avoided[static_cast<int>(why)];
    avoided -= std::min(avoided, bytes);
}

} // namespace ompc

#endif

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
// there are. No memory is allocated after the first span, since data may be copied back while the program is anywhere.

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
    double settled_ = program_begun(), seconds_[kinds_of_work] = {}, own_ = 0;
    int going_on_[kinds_of_work] = {};
};

class Timeline {
public:
    // The device's: what it is given between the two is of that kind. Returns the span for end().
    std::size_t begin(Work kind, Region &region, const char *array, unsigned long long bytes, Clock::Stream stream);
    void end(std::size_t at, Clock::Stream stream);

    // The host's: a piece of work begins, and ends.
    void host_begins(Work kind, double at) { change(at, kind, 1); }
    void host_ends(Work kind, const Region *region, const char *array, Waited why, double begun, double at)
    {
        change(at, kind, -1);
        trace_.of_host(kind, region, array, why, begun, at);
    }

    void resolve(bool all); // times what the device has done by now; `all`: everything that it was given
    const Partition &divided(); // the program's time until now

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

    bool resolve_oldest(bool wait); // false: there is none that has ended, as far as is known without waiting
    static void count(const Span &span, double seconds);
    void change(double at, Work kind, int by);

    Clock clock_;
    Partition partition_;
    Trace trace_;
    std::unique_ptr<Span[]> spans_{new Span[capacity]}; // a ring
    std::size_t first_ = 0, count_ = 0;
};

Timeline &timeline();

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
        if (settings().profiling)
            begin(kind, region, array, bytes);
    }
    ~DeviceSpan()
    {
        if (settings().profiling)
            end();
    }
    DeviceSpan(const DeviceSpan &) = delete;
    DeviceSpan &operator=(const DeviceSpan &) = delete;

private:
    void begin(Work kind, Region &region, const char *array, unsigned long long bytes);
    void end() const;

    Clock::Stream stream_;
    std::size_t at_ = 0;
};

// Work of the host's, for a region and one of its arrays where they are known; it counts waits, and the rest where it belongs.
class HostSpan {
public:
    explicit HostSpan(Work kind, Region *region = nullptr, const char *array = nullptr, Waited why = Waited::results)
        : kind_(kind), region_(region), array_(array), why_(why)
    {
        if (settings().profiling)
            begin();
    }
    ~HostSpan()
    {
        if (settings().profiling)
            end();
    }
    HostSpan(const HostSpan &) = delete;
    HostSpan &operator=(const HostSpan &) = delete;

private:
    void begin();
    void end() const;
    void count(double seconds) const;
    void log(double seconds) const;

    Work kind_;
    Region *region_;
    const char *array_;
    Waited why_;
    double begun_ = 0, init_before_ = 0;
};

// Counts bytes of an array that a launch did not copy.
void avoid(Region &region, const char *array, unsigned long long bytes, Avoided why);

// Counts bytes as copied after all: those of an earlier launch that the host reads now. Their copy is a span of its own.
void avoid_no_more(Region &region, const char *array, unsigned long long bytes, Avoided why);

// Of the bytes that are copied, so many have been copied the same way before.
void moved_again(const Account &account, Work way, unsigned long long bytes);

} // namespace ompc

#endif

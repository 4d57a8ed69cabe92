// ompc_timeline.cc: spans begin and end, and the device's are timed (ompc_timeline.h).

#include "ompc_timeline.h"

#include <algorithm>

namespace ompc {

std::size_t Timeline::begin(Work kind, Region &region, const char *array, unsigned long long bytes, Clock::Stream stream)
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

void Timeline::end(std::size_t at, Clock::Stream stream)
{
    spans_[at].end = clock_.mark(stream, false);
    spans_[at].has_ended = true;
}

void Timeline::resolve(bool all)
{
    while (resolve_oldest(all)) {
    }
    partition_.settle(horizon());
}

const Partition &Timeline::divided()
{
    resolve(true);
    partition_.settle(now()); // also where a kernel that failed has begun and not ended
    trace_.close();
    return partition_;
}

bool Timeline::resolve_oldest(bool wait)
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

void Timeline::count(const Span &span, double seconds)
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

void Timeline::change(double at, Work kind, int by)
{
    if (partition_.is_full())
        partition_.settle(horizon());
    if (partition_.is_full())
        partition_.settle_half();
    partition_.change(at, kind, by);
}

Timeline &timeline()
{
    static Timeline *const the_timeline = new Timeline; // never destroyed
    return *the_timeline;
}

void DeviceSpan::begin(Work kind, Region &region, const char *array, unsigned long long bytes)
{
    Clock::enter(region, array);
    if (kind != Work::kernel) {
        Copies &copies = region.counters.of(array).copies(kind);
        copies.copies++;
        copies.bytes += bytes;
        if (logs(log_transfers))
            note(&region, "%s: %llu bytes %s", array, bytes, kind == Work::h2d ? "to the device" : "home");
    }
    at_ = timeline().begin(kind, region, array, bytes, stream_);
}

void DeviceSpan::end() const
{
    timeline().end(at_, stream_);
    Clock::leave();
}

void HostSpan::begin()
{
    const Locked guard(ledger().lock);
    if (region_ != nullptr)
        Clock::enter(*region_, array_);
    init_before_ = ledger().init_seconds;
    begun_ = now();
    timeline().host_begins(kind_, begun_);
}

void HostSpan::end() const
{
    const Locked guard(ledger().lock);
    const double at = now();
    timeline().host_ends(kind_, region_, array_, why_, begun_, at);
    count(at - begun_);
    if (region_ != nullptr)
        Clock::leave();
}

void HostSpan::count(double seconds) const
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

void HostSpan::log(double seconds) const
{
    const char *const what = kind_ == Work::wait ? names_of_waits[static_cast<int>(why_)] : "page-locking";
    note(region_, "%s%sthe host waited %s: %s", array_ == nullptr ? "" : array_, array_ == nullptr ? "" : ": ", Duration(seconds).text, what);
}

void avoid(Region &region, const char *array, unsigned long long bytes, Avoided why)
{
    if (!settings().profiling || bytes == 0)
        return;
    region.counters.of(array).avoided[static_cast<int>(why)] += bytes;
    if (logs(log_transfers))
        note(&region, "%s: %llu bytes are not copied%s: %s", array, bytes, why == Avoided::not_read ? " home" : "",
             names_of_reasons[static_cast<int>(why)]);
}

void avoid_no_more(Region &region, const char *array, unsigned long long bytes, Avoided why)
{
    if (!settings().profiling)
        return;
    unsigned long long &avoided = region.counters.of(array).avoided[static_cast<int>(why)];
    avoided -= std::min(avoided, bytes);
}

void moved_again(const Account &account, Work way, unsigned long long bytes)
{
    if (settings().profiling)
        account.region.counters.of(account.array).copies(way).again += bytes;
}

} // namespace ompc

// The division of a program's time, with a device that runs behind the host. Run with OMPC_PROFILE set.

#include "ompc_timeline.h"

#include <cmath>
#include <cstdio>

using namespace ompc;

static int failures = 0;

static void expect(const char *what, double found, double wanted, double most = 1e-9)
{
    if (std::fabs(found - wanted) <= most)
        return;
    std::printf("%s: %.9g, not %.9g\n", what, found, wanted);
    failures++;
}

Region::Region(const char *id_, const char *file_, int line_, const char *directive_, const bool *loaded_)
    : id(id_), file(file_), line(line_), directive(directive_), loaded(loaded_)
{
    *ledger().last = this;
    ledger().last = &next;
}

static Region region("loop_1", "a.c", 1, "parallel for");

static double part(const Partition &parts, Work kind)
{
    return parts.seconds(static_cast<int>(kind));
}

// Copies under kernels and waits under copies do not count; what ends late counts when it is known.
static void test_overlaps()
{
    Partition parts;
    const double t = program_begun();
    parts.change(t + 1, Work::launch, 1);
    parts.change(t + 2, Work::wait, 1);
    parts.change(t + 7, Work::wait, -1);
    parts.change(t + 8, Work::launch, -1);
    parts.settle(t + 1.5);
    parts.change(t + 4, Work::kernel, -1);
    parts.change(t + 3, Work::kernel, 1);
    parts.change(t + 3.5, Work::h2d, 1);
    parts.change(t + 5, Work::h2d, -1);
    parts.settle(t + 10);
    expect("kernel", part(parts, Work::kernel), 1);
    expect("h2d", part(parts, Work::h2d), 1);
    expect("wait", part(parts, Work::wait), 3);
    expect("launch", part(parts, Work::launch), 2);
    expect("own", parts.own(), 3);
    parts.change(t + 9, Work::kernel, 1); // earlier than what was settled: it begins there
    parts.change(t + 11, Work::kernel, -1);
    parts.settle(t + 12);
    expect("late kernel", part(parts, Work::kernel), 2);
}

static void device_works(Work kind, double from, double to)
{
    device_time = from;
    const std::size_t at = timeline().begin(kind, region, kind == Work::kernel ? nullptr : "u", 8, {});
    device_time = to;
    timeline().end(at, {});
}

// More kernels than there are places, none of which the device has come past: the oldest are waited for.
static void test_many_spans()
{
    const Counters &counters = region.counters;
    const double each = 1e-7;
    for (int i = 0; i < 20000; i++) {
        timeline().host_begins(Work::launch, now());
        device_works(Work::kernel, i * 2 * each, (i * 2 + 1) * each);
        timeline().host_ends(Work::launch, &region, nullptr, Waited::results, now(), now());
    }
    expect("kernels before a wait", counters.kernel_seconds, (20000 - 4096) * each);
    passed_until = 19998 * each;
    timeline().resolve(false);
    expect("still those", counters.kernel_seconds, (20000 - 4096) * each);
    passed_until = (2 * 18000 + 1) * each;
    timeline().resolve(false);
    expect("kernels that are over", counters.kernel_seconds, 18001 * each, each / 2);
    timeline().resolve(true);
    expect("all kernels", counters.kernel_seconds, 20000 * each, each / 2);
}

// Spans inside each other, as when data is copied back while something else is copied; waits and what was avoided.
static void test_counting()
{
    {
        const DeviceSpan outer(Work::h2d, region, "u", 100, {});
        const DeviceSpan inner(Work::d2h, region, "v", 7, {});
    }
    {
        const HostSpan wait(Work::wait, &region, "v", Waited::fault);
        const HostSpan own(Work::wait, &region, nullptr, Waited::release);
    }
    avoid(region, "u", 50, Avoided::valid);
    avoid(region, "v", 50, Avoided::not_read);
    avoid_no_more(region, "v", 20, Avoided::not_read);
    timeline().resolve(true);
    const Traffic all = region.counters.all();
    expect("bytes in", static_cast<double>(all.in.bytes), 100);
    expect("bytes out", static_cast<double>(all.out.bytes), 7);
    expect("of v", static_cast<double>(region.counters.of("v").out.copies), 1);
    expect("valid", static_cast<double>(all.avoided[0]), 50);
    expect("not read", static_cast<double>(all.avoided[3]), 30);
    avoid_no_more(region, "v", 40, Avoided::not_read);
    expect("never below nothing", static_cast<double>(region.counters.of("v").avoided[3]), 0);
    expect("faults", static_cast<double>(all.waits[1].count), 1);
    expect("releases", static_cast<double>(all.waits[3].count), 1);
    expect("releases of no array", static_cast<double>(region.counters.own.waits[3].count), 1);
}

int main()
{
    test_overlaps();
    test_counting();
    test_many_spans();
    const Partition &parts = timeline().divided();
    double sum = parts.own();
    for (int kind = 0; kind < kinds_of_work; kind++)
        sum += parts.seconds(kind);
    expect("the whole", sum, now() - program_begun(), 1e-2);
    std::puts(failures == 0 ? "ok" : "failed");
    return failures != 0;
}

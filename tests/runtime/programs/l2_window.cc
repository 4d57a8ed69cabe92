// Guards: which array of a launch stays in the L2 cache.
#include "ompc_l2_window.h"

#include <cstdio>

using ompc::Access;
using ompc::DeviceLimits;
using ompc::Group;
using ompc::Range;
using ompc::Window;

namespace {

constexpr std::size_t mega = 1 << 20;
const DeviceLimits h100{132, 2048, 0, 0, 0, 50 * mega, 37 * mega};
int wrong;

struct Launch {
    std::vector<Range> ranges;
    std::vector<Group> groups;

    // An array, of which data says what is read, or which is gone through.
    Launch &with(std::size_t megabytes, bool anywhere, Access access = ompc::read)
    {
        const ompc::Address begin = 4096 + groups.size() * 100000 * mega, end = begin + megabytes * mega;
        Range range = ompc::make_range("a", reinterpret_cast<const void *>(begin), ompc::object(1), 1, access, ompc::pageable);
        range.end = end;
        range.block = anywhere;
        range.group = groups.size();
        ranges.push_back(range);
        Group group{};
        group.begin = begin, group.end = end;
        group.out_begin = begin, group.out_end = access == ompc::read ? begin : end;
        group.device = reinterpret_cast<char *>(begin);
        groups.push_back(group);
        return *this;
    }
};

void expect(const char *what, const Launch &launch, std::size_t megabytes, const DeviceLimits &limits = h100)
{
    const Window found = window_of(limits, launch.ranges, launch.groups);
    if (found.bytes == megabytes * mega)
        return;
    std::printf("%s: %zu MB, not %zu\n", what, found.bytes / mega, megabytes);
    wrong = 1;
}

} // namespace

int main()
{
    const auto sparse = [](std::size_t x) { return Launch().with(4, false).with(400, true).with(800, true).with(x, true).with(x, false, ompc::overwrite); };
    expect("x", sparse(8), 8);
    expect("as much as fits", sparse(37), 37);
    expect("more than fits", sparse(38), 0);
    expect("so little that it is there anyway", sparse(1), 0);
    expect("a device that keeps nothing", sparse(8), 0, DeviceLimits{132, 2048, 0});
    expect("it is known what is read", Launch().with(1000, true).with(8, false), 0);
    expect("it is written", Launch().with(1000, true).with(8, true, ompc::readwrite), 0);
    expect("little streams", Launch().with(90, true).with(8, true), 0);
    expect("each element is read once", Launch().with(100, false).with(30, true), 0);
    expect("the largest that fits", Launch().with(1000, false).with(4, true).with(16, true).with(60, true), 16);
    Launch beside = Launch().with(1000, true).with(8, true);
    beside.groups[1].out_end = beside.groups[1].end; // another name of it is written
    expect("it is written by another name", beside, 0);
    if (wrong == 0)
        std::puts("ok");
    return wrong;
}

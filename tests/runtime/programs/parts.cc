// How a launch and its arrays are divided among devices (ompc_parts.h): where parts end, and whether they are worth it.
#include "ompc_parts.h"
#include "ompc_stripes.h"

#include <cstdio>

using namespace ompc;

static int wrong;

static void expect(bool is_so, const char *what)
{
    if (!is_so)
        std::printf("%s\n", what);
    wrong |= !is_so;
}

// Arrays of rows of doubles, one behind the other, the first of which is written.
struct Program {
    static constexpr Trips rows = 3000, columns = 1000;
    static constexpr std::size_t bytes = rows * columns * 8;
    std::vector<Range> ranges;
    std::vector<Group> groups;
    PartsOfLaunch parts;

    explicit Program(std::size_t arrays)
    {
        for (std::size_t k = 0; k < arrays; k++) {
            const Address begin = (Address{1} << 40) + k * bytes;
            ranges.push_back(make_range("a", reinterpret_cast<void *>(begin), section(0, rows * columns - 1), 8, k == 0 ? ompc::readwrite : ompc::read, pageable));
            set_section(ranges.back(), section(0, rows * columns - 1), 8);
        }
        merge(ranges, groups);
        parts.spreads(rows);
    }
    // Rows, from `from` to `to` of the iteration's own.
    void row(std::size_t array, int from, int to)
    {
        parts.add(array, footprint<double>(from * static_cast<long long>(columns)).each(to - from + 1, columns).each(columns, 1), columns);
    }
    void column(std::size_t array) { parts.add(array, footprint<double>(0).each(columns, static_cast<long long>(rows)), 1); }

    PartsOfLaunch::Division best(bool striped, unsigned devices, double kernel = 0, bool weighs = false)
    {
        std::vector<Placed> places;
        for (const Group &group : groups)
            places.push_back({group.begin, striped ? stripe_bytes(bytes, devices, std::size_t{2} << 20) : 0});
        return parts.best(ranges, groups, places, {devices, kernel, weighs, false});
    }
};

int main()
{
    expect(stripe_bytes(4095, 2, 4096) == 0, "less than a granule for each");
    expect(stripe_bytes(8192, 2, 4096) == 4096, "a granule for each");
    expect(stripe_bytes(8193, 2, 4096) == 8192, "the last one is shorter");
    expect(stripe_bytes(1 << 20, 1, 4096) == 0, "one device");

    Program sweep(2);
    sweep.row(0, 0, 0);
    sweep.row(1, -1, 1);
    for (const unsigned devices : {2u, 3u, 4u}) {
        const PartsOfLaunch::Division division = sweep.best(true, devices);
        expect(division.parts == devices && division.end[devices - 1] == Program::rows, "a sweep is divided among all");
        for (unsigned part = 0; part + 1 < devices; part++) {
            const double border = static_cast<double>(stripe_bytes(Program::bytes, devices, std::size_t{2} << 20) * (part + 1)) / (8 * Program::columns);
            expect(division.end[part] <= border + 65 && division.end[part] + 65 >= border, "parts follow the stripes");
        }
    }
    expect(!sweep.best(false, 2).is_spread(), "not where all is on the first device");
    expect(sweep.best(true, 2).seconds < 0.6 * sweep.best(false, 2).seconds, "in stripes it takes half as long");
    expect(!sweep.best(true, 1).is_spread(), "one device has no parts");

    Program transposition(2);
    transposition.row(0, 0, 0);
    transposition.column(1);
    expect(transposition.best(true, 2).seconds > transposition.best(false, 2).seconds, "a transposition is not worth stripes");

    Program unknown(2);
    unknown.row(0, 0, 0);
    expect(!unknown.best(false, 2).is_spread(), "what is read anywhere is another device's");
    expect(unknown.best(false, 2, 1).is_spread(), "but not if the device computes for long");

    Program small(1);
    small.row(0, 0, 0);
    small.parts.spreads(1);
    expect(!small.best(true, 2).is_spread(), "one iteration");
    small.parts.spreads(3);
    expect(!small.best(true, 2, 0, true).is_spread(), "three rows are not worth a launch more");
    std::puts(wrong == 0 ? "ok" : "wrong");
    return wrong;
}

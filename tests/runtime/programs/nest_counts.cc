// Guards: nests whose entries are said to be at different places, beside all of their places.
#include "ompc_nest_counts.h"

#include <climits>
#include <cstdio>
#include <set>

static int wrong;
static unsigned long apart, meeting;

static void compare(unsigned long long k, unsigned long long j, unsigned long long i, long long plane, long long row, long long by)
{
    std::set<long long> places;
    for (unsigned long long a = 0; a < k; a++)
        for (unsigned long long b = 0; b < j; b++)
            for (unsigned long long c = 0; c < i; c++)
                places.insert(static_cast<long long>(a) * plane + static_cast<long long>(b) * row + static_cast<long long>(c) * by);
    const bool different = places.size() == k * j * i;
    const bool said = ompc::NestCounts<3>{{k, j, i}}.are_apart(plane, row, by);
    (different ? apart : meeting) += said == different;
    if (!said || different)
        return;
    std::printf("%llu %llu %llu by %lld %lld %lld: not apart\n", k, j, i, plane, row, by);
    wrong = 1;
}

static void expect(bool said, bool wanted, const char *what)
{
    if (said == wanted)
        return;
    std::printf("%s: %d\n", what, said);
    wrong = 1;
}

int main()
{
    for (unsigned long long k = 1; k < 5; k++)
        for (unsigned long long j = 1; j < 5; j++)
            for (unsigned long long i = 1; i < 5; i++)
                for (long long plane = -14; plane < 15; plane++)
                    for (long long row = -6; row < 7; row++)
                        for (const long long by : {-2, 1, 3})
                            compare(k, j, i, plane, row, by);
    using Two = ompc::NestCounts<2>;
    constexpr unsigned long long many = 1ull << 31;
    expect(Two{{8, 16}}.are_apart(16, 1), true, "a box that is full");
    expect(Two{{8, 16}}.are_apart(15, 1), false, "rows that overlap");
    expect(Two{{1, 16}}.are_apart(0, 1), true, "one row");
    expect(Two{{2, 16}}.are_apart(0, 1), false, "the same row");
    expect(Two{{0, 16}}.are_apart(0, 0), false, "no rows of one place");
    expect(Two{{many, 2}}.are_apart(2, 1), false, "too many");
    expect(Two{{2, many}}.are_apart(many - 1, 1), false, "too many in a row");
    expect(Two{{2, many - 1}}.are_apart(many - 1, 1), true, "as many as may be");
    expect(Two{{2, 2}}.are_apart(LLONG_MIN, 1), false, "too far");
    expect(Two{{ULLONG_MAX, ULLONG_MAX}}.are_apart(1ll << 40, 1ll << 33), false, "all too large");
    expect(Two{{ULLONG_MAX, 3}}.are_apart(1ll << 30, LLONG_MAX), false, "a product that wraps");
    expect(apart > 10000 && meeting > 10000, true, "enough of both");
    if (!wrong)
        std::puts("ok");
    return wrong;
}

// Guards: trip counts at the ends of the integer types, where bounds or differences overflow.
#include "ompc_trips.h"

#include <climits>
#include <cstdio>
#include <initializer_list>

template <class Wide, class T>
static unsigned long long count(T lower, T upper, Wide step, const char *relation)
{
    unsigned long long n = 0;
    const Wide to = upper;
    for (Wide v = lower;; v += relation[0] == '>' ? -step : step, n++)
        if (relation[0] == '<' ? (relation[1] == '=' ? v > to : v >= to) : (relation[1] == '=' ? v < to : v <= to))
            return n;
}

static int wrong;

static void expect(unsigned long long got, unsigned long long wanted, const char *what)
{
    if (got == wanted)
        return;
    std::printf("%s: %llu, not %llu\n", what, got, wanted);
    wrong = 1;
}

template <class T>
static void brute_force(const char *type)
{
    for (long lower = -130; lower <= 260; lower += 13)
        for (long upper = -130; upper <= 260; upper += 7)
            for (int step = 1; step < 200; step = step * 2 + 1)
                for (const char *relation : {"<", "<=", ">", ">="})
                    expect(ompc::trips(static_cast<T>(lower), static_cast<T>(upper), step, relation),
                           count<long, T>(static_cast<T>(lower), static_cast<T>(upper), step, relation), type);
}

int main()
{
    brute_force<signed char>("signed char");
    brute_force<unsigned char>("unsigned char");
    brute_force<short>("short");
    brute_force<int>("int");
    brute_force<long>("long");

    static_assert(ompc::trips_lt(0, 10, 3) == 4, "usable at compile time");
    expect(ompc::trips_lt(INT_MIN, INT_MAX, 1), 4294967295ull, "int <");
    expect(ompc::trips_le(INT_MIN, INT_MAX, 1), 4294967296ull, "int <=");
    expect(ompc::trips_le(INT_MAX, INT_MAX, 5), 1, "int <= once");
    expect(ompc::trips_ge(0u, 0u, 1), 1, "unsigned >= 0");
    expect(ompc::trips_lt(LLONG_MIN, LLONG_MAX, 1), ULLONG_MAX, "long long <");
    expect(ompc::trips_lt(0ull, ULLONG_MAX, 2), 1ull << 63, "unsigned long long <");
    expect(ompc::trips_le(LLONG_MAX - 1, LLONG_MAX, LLONG_MAX), 1, "a step past the end");
    expect(ompc::trips_gt(5, -5, 3), 4, ">");
    expect(ompc::trips_lt(-1, 1u, 1), 0, "-1 < 1u is false, as in C");
    expect(ompc::trips_lt(0, 3000000000ll, 1), 3000000000ull, "int < long long");
    expect(ompc::trips(3, 10, 1, "!="), 7, "!= up");
    expect(ompc::trips_ne(10, 3, -1), 7, "!= down");
    expect(ompc::trips_ne(3, 3, 1), 0, "!= none");
    std::puts(wrong ? "FAILED" : "ok");
    return wrong;
}

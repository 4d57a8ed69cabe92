// Guards: the section without gaps of an LMAD, and from where to where is what is touched, against the bytes of every
// turn.
#include "ompc_lmad.h"
#include "ompc_ranges.h"

#include <cstdio>
#include <set>

using ompc::must_write;

static int wrong;

static void expect(const ompc::Lmad &what, long long begin, long long end, const char *name)
{
    const ompc::ByteSection found = what.section();
    if ((found.begin == begin && found.end == end) || (begin == end && found.begin == found.end))
        return;
    std::printf("%s: %lld to %lld, not %lld to %lld\n", name, found.begin, found.end, begin, end);
    wrong = 1;
}

// Nothing in the section that is not written, and the bytes before and behind it are not, or a gap follows.
static void brute_force(int a, int apart_a, int b, int apart_b)
{
    std::set<long long> bytes;
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < 2; k++)
                bytes.insert(2 * (3 + i * apart_a + j * apart_b) + k);
    const ompc::ByteSection found = must_write<short>(3).each(a, apart_a).each(b, apart_b).section();
    for (long long at = found.begin; at < found.end; at++)
        if (bytes.count(at) == 0) {
            std::printf("%d by %d, %d by %d: byte %lld is not written\n", a, apart_a, b, apart_b, at);
            wrong = 1;
        }
    const bool none = a <= 0 || b <= 0;
    const long long behind = ompc::footprint<short>(3).each(a, apart_a).each(b, apart_b).end();
    if (behind != (none ? ompc::Lmad::nowhere : *bytes.rbegin() + 1)) {
        std::printf("%d by %d, %d by %d: ends at %lld\n", a, apart_a, b, apart_b, behind);
        wrong = 1;
    }
    const ompc::ByteSection bounding_section = ompc::footprint<short>(3).each(a, apart_a).each(b, apart_b).bounding_section();
    if (none ? bounding_section.begin < bounding_section.end : bounding_section.begin != *bytes.begin() || bounding_section.end != behind) {
        std::printf("%d by %d, %d by %d: %lld to %lld\n", a, apart_a, b, apart_b, bounding_section.begin, bounding_section.end);
        wrong = 1;
    }
    if (none ? found.begin < found.end : found.begin != *bytes.begin() || found.end - found.begin < 2) {
        std::printf("%d by %d, %d by %d: less than there is\n", a, apart_a, b, apart_b);
        wrong = 1;
    }
}

static void expect_pieces(const ompc::Lmad &all, long long begin, long long width, long long period, const char *what)
{
    const ompc::Lmad::Pieces found = all.pieces();
    if (found.begin != begin || found.width != width || found.period != period) {
        std::printf("%s: %lld, %lld bytes each %lld\n", what, found.begin, found.width, found.period);
        wrong = 1;
    }
}

// Whether the bytes of two ranges are apart, element by element, where the runtime says so.
static bool are_apart(long long first_a, long long first_b, long long count, long long wide, long long period)
{
    static char memory[1 << 12];
    const auto extent = [&] { return ompc::section<char>({ompc::footprint<char>(0, wide).each(count, period), ompc::footprint<char>(wide)}); };
    const ompc::Range a = ompc::make_range("a", memory + 1024 + first_a, extent(), 1, ompc::readwrite, ompc::pageable);
    const ompc::Range b = ompc::make_range("b", memory + 1024 + first_b, extent(), 1, ompc::readwrite, ompc::pageable);
    return ompc::has_pieces_apart(a, b);
}

static void brute_force_pieces(long long first_a, long long first_b, long long wide, long long period)
{
    bool meets = false;
    const auto touches = [&](long long at, long long first) {
        const long long from = at - first;
        return from == wide || (from >= 0 && from < 5 * period && from % period < wide);
    };
    for (long long at = -200; at < 200; at++)
        meets |= touches(at, first_a) && touches(at, first_b);
    if (are_apart(first_a, first_b, 5, wide, period) && meets) {
        std::printf("pieces of %lld bytes each %lld, from %lld and %lld on, meet\n", wide, period, first_a, first_b);
        wrong = 1;
    }
}

int main()
{
    const long long far = 1ll << 62;

    expect_pieces(must_write<double>(0).each(10, 21).each(20, 1), 0, 160, 168, "a gap");
    expect_pieces(must_write<double>(0).each(10, 20).each(20, 1), 0, 1600, 0, "no gap");
    expect_pieces(must_write<double>(3, 2).each(5, -4), -8 * 13, 16, 32, "backwards");
    expect_pieces(must_write<double>(2), 16, 8, 0, "one");
    for (long long first = -9; first < 10; first++)
        for (long long period = 1; period < 9; period++)
            for (long long wide = 1; wide < 9; wide++)
                brute_force_pieces(0, first, wide, period);
    if (!are_apart(0, 4, 5, 3, 8) || are_apart(0, 4, 5, 4, 8) || are_apart(0, 3, 5, 3, 8)) {
        std::puts("halves");
        wrong = 1;
    }

    expect(must_write<double>(0).each(10u, 20).each(20, 1), 0, 8 * 200, "rows");
    expect(must_write<double>(0).each(20, 1).each(10ull, 20), 0, 8 * 200, "columns");
    expect(must_write<double>(0).each(10, 21).each(20, 1), 0, 8 * 20, "a gap");
    expect(must_write<double>(0).each(10, 19).each(20, 1), 0, 8 * (9 * 19 + 20), "overlapping rows");
    expect(must_write<double>(199).each(10, -20).each(20, -1), 0, 8 * 200, "backwards");
    expect(must_write<double>(5).each(10, 2), 8 * 5, 8 * 6, "every second");
    expect(must_write<double>(5, 2).each(10, 2), 8 * 5, 8 * 25, "pairs");
    expect(must_write<double>(-3).each(7, 1), -24, 32, "before the pointer");
    expect(must_write<double>(0).each(10, 20).each(0, 1), 0, 0, "no turn");
    expect(must_write<double>(0).each(10, 0).each(-1, 0), 0, 0, "less than none");
    expect(must_write<double>(0).each(~0ull, 1), 0, 0, "more than there is");
    expect(must_write<double>(0).each(10, far).each(1, far), 0, 0, "too far");
    expect(must_write<double>(far).each(10, 1), 0, 0, "beyond everything");
    expect(must_write<double>(-far - far).each(10, -far - far), 0, 0, "beyond everything, backwards");
    expect(must_write<double>(0).each(1, far).each(4, 1), 0, 32, "one turn");
    for (const ompc::Lmad &unknown : {must_write<double>(0).each(~0ull, 1), must_write<double>(0).each(10, far), must_write<double>(far)})
        if (unknown.end() != ompc::Lmad::anywhere || unknown.bounding_section().begin >= unknown.bounding_section().end ||
            ompc::section<short>({must_write<double>(0), unknown}).kind != ompc::Extent::Block) {
            std::puts("an end that nobody knows");
            wrong = 1;
        }
    const ompc::Extent none = ompc::block<double>({must_write<double>(0).each(0, 1)});
    const ompc::Extent some = ompc::section<double>({must_write<float>(-3), must_write<double>(0).each(-2, 1), must_write<double>(4).each(3, -1)});
    if (none.lower <= none.upper || some.kind != ompc::Extent::Section || some.lower != -2 || some.upper != 4) {
        std::printf("%lld to %lld, %lld to %lld\n", none.lower, none.upper, some.lower, some.upper);
        wrong = 1;
    }
    for (int a = -1; a < 5; a++)
        for (int b = -1; b < 5; b++)
            for (int apart_a = -6; apart_a < 7; apart_a++)
                for (int apart_b = -6; apart_b < 7; apart_b++)
                    brute_force(a, apart_a, b, apart_b);
    std::puts(wrong ? "wrong" : "ok");
    return wrong;
}

// Guards: when page-locking pays, pages that are locked once only, and copies in pieces that are locked as a whole or not at
// all. The pages are never touched: locking is recorded.

#include "ompc_pinning.h"

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            std::printf("line %d: %s does not hold\n", __LINE__, #condition);     \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

using ompc::Address;
using Span = std::pair<Address, std::size_t>;
static constexpr std::size_t page = 4096;

static std::vector<Span> locked;
static bool refuse;
static int refusals;

static bool lock(void *pages, std::size_t bytes)
{
    if (refuse) {
        refusals++;
        return false;
    }
    const Address begin = reinterpret_cast<Address>(pages);
    CHECK(begin % page == 0 && bytes % page == 0 && bytes != 0);
    for (const Span &span : locked)
        CHECK(begin + bytes <= span.first || span.first + span.second <= begin);
    locked.emplace_back(begin, bytes);
    return true;
}

static void unlock(void *pages)
{
    for (std::size_t i = 0; i < locked.size(); i++)
        if (locked[i].first == reinterpret_cast<Address>(pages)) {
            locked.erase(locked.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
    CHECK(!"unlocked, but never locked");
}

// Costs that do not change when the built-in ones are measured anew.
static const ompc::MachineCosts &round_costs()
{
    static const ompc::MachineCosts costs = [] {
        ompc::MachineCosts round;
        round.pageable_in_bytes_per_second = 11e9;
        round.pageable_out_bytes_per_second = 15e9;
        round.locked_in_bytes_per_second = round.locked_out_bytes_per_second = 55e9;
        round.lock_call_seconds = 50e-6;
        round.lock_seconds_per_byte = 30e-12;
        return round;
    }();
    return costs;
}

static ompc::Pinning pinning(lock, unlock, round_costs);

static void forget(void *base, std::size_t)
{
    pinning.forget(base);
}

// The pieces of a copy of [begin, end): each in one span or outside all, together everything once.
static std::vector<std::size_t> pieces(const char *begin, std::size_t bytes)
{
    std::vector<std::size_t> sizes;
    std::size_t next = 0;
    pinning.in_pieces(begin, bytes, true, [&](std::size_t at, std::size_t size) {
        CHECK(at == next && size != 0);
        next = at + size;
        const Address from = reinterpret_cast<Address>(begin) + at;
        for (const Span &span : locked) {
            const bool apart = from + size <= span.first || span.first + span.second <= from;
            CHECK(apart || (span.first <= from && from + size <= span.first + span.second));
        }
        sizes.push_back(size);
    });
    CHECK(next == bytes);
    return sizes;
}

// After how many copies of a block it is page-locked.
static int copies_before_lock(std::size_t bytes)
{
    int copies = 1;
    while (!ompc::locking_pays(round_costs(), bytes, ompc::lost_to_pageable(round_costs(), static_cast<double>(bytes) * copies, 0)))
        copies++;
    return copies;
}

static void rule()
{
    CHECK(copies_before_lock(40000000) == 1 && copies_before_lock(1200000) == 1 && copies_before_lock(1100000) == 2);
    CHECK(copies_before_lock(320000) == 3);
    CHECK(copies_before_lock(4096) > 100 && copies_before_lock(24) > 25000);
}

// Big blocks are locked at once, whatever their addresses; neighbours share pages.
static char *block(char *at, std::size_t bytes)
{
    ompc_block_add(at, bytes);
    pinning.expect(at, 1u << 30, 0);
    pieces(at, bytes);
    return at;
}

static void heap_blocks(char *memory)
{
    char *const a = block(memory + 16, 3 * page);          // pages 0 .. 3
    CHECK(locked.size() == 1 && locked[0].second == 4 * page && pieces(a, 3 * page).size() == 1);
    char *const b = block(a + 3 * page + 32, 5 * page);    // begins in page 3
    CHECK(locked.size() == 2 && pieces(b, 5 * page) == (std::vector<std::size_t>{page - 48, 4 * page + 48}));
    CHECK(pieces(a, 9 * page).size() == 3); // over the end of both
    pinning.expect(a, 1u << 30, 0);
    CHECK(locked.size() == 2);
    ompc_block_remove(a);                                  // page 3 is pageable now, though b begins in it
    CHECK(locked.size() == 1 && pieces(b, 5 * page).size() == 2);
    block(memory + 16, 3 * page);                          // and comes again
    CHECK(locked.size() == 2);
    ompc_block_remove(b);
    ompc_block_remove(memory + 16);
    CHECK(locked.empty());
    block(memory + page + 64, 2 * page - 65);              // no whole page of its own
    block(memory + 5 * page, 64);
    CHECK(locked.empty());
    ompc_block_remove(memory + page + 64);
    ompc_block_remove(memory + 5 * page);
}

static void counts(char *memory)
{
    ompc_block_add(memory, 320000);
    pinning.expect(memory, 320000, 0);
    pinning.expect(memory + 1000, 320000, 0); // by any address inside
    CHECK(locked.empty());
    ompc_block_remove(memory);
    ompc_block_add(memory, 320000); // another block: counted from zero
    pinning.expect(memory, 320000, 0);
    pinning.expect(memory, 320000, 0);
    pieces(memory, 320000);
    CHECK(locked.empty());
    pinning.expect(memory, 320000, 0);
    pieces(memory, 320000);
    CHECK(locked.size() == 1);
    ompc_block_remove(memory);
    CHECK(locked.empty());
}

// Half of the machine's memory at most, or what the environment says; each byte is given back once.
static void limited(char *memory)
{
    CHECK(block(memory, 5000 * page) == memory && locked.size() == 1);
    block(memory + 5000 * page, 5001 * page); // 40 MB are too many
    CHECK(locked.size() == 1 && refusals == 0);
    ompc_block_remove(memory);
    block(memory + 11000 * page, 5001 * page);
    CHECK(locked.size() == 1);
    ompc_block_remove(memory + 5000 * page);
    ompc_block_remove(memory + 11000 * page);
    CHECK(locked.empty());
    void *const base = ompc::locked_memory().allocate(10000 * page, [](std::size_t) -> void * { return &refusals; });
    CHECK(base == &refusals && !ompc::locked_memory().take(page));
    ompc::locked_memory().release(base);
    ompc::locked_memory().release(base);
    CHECK(ompc::locked_memory().allocate(10000 * page, [](std::size_t) -> void * { return nullptr; }) == nullptr);
    CHECK(ompc::locked_memory().take(10000 * page) && !ompc::locked_memory().take(1));
    ompc::locked_memory().give_back(10000 * page);
}

// Copies home are as slow as pageable_out says; costs of another machine.
static void directions()
{
    const ompc::MachineCosts &here = round_costs();
    CHECK(ompc::lost_to_pageable(here, 1e9, 0) > ompc::lost_to_pageable(here, 0, 1e9));
    CHECK(ompc::lost_to_pageable(here, 1e9, 1e9) > ompc::lost_to_pageable(here, 1e9, 0));
    ompc::MachineCosts slow_lock;
    slow_lock.lock_call_seconds = 1;
    CHECK(!ompc::locking_pays(slow_lock, page, ompc::lost_to_pageable(slow_lock, 10e9, 0)));
    CHECK(ompc::locking_pays(slow_lock, page, ompc::lost_to_pageable(slow_lock, 20e9, 0)));
}

// What a launch has written is locked before it is copied home, if that is likely to pay: the host may never look.
static void written(char *memory)
{
    CHECK(ompc::lost_to_guards(round_costs(), 1e9) > ompc::lost_to_pageable(round_costs(), 0, 1e9));
    ompc_block_add(memory, 1000 * page);
    CHECK(!pinning.may_come_home(memory, 90 * page)); // 38 us of a copy that may be, and 173 to lock the block
    pinning.lock(memory, 90 * page);
    CHECK(locked.empty() && pinning.may_come_home(memory, 1000 * page) && locked.empty());
    pinning.lock(memory, 90 * page);
    CHECK(locked.size() == 1 && locked[0].second == 1000 * page && !pinning.may_come_home(memory, 1000 * page));
    ompc_block_remove(memory);
    CHECK(!pinning.may_come_home(memory, 1000 * page)); // no block any more
    pinning.lock(memory, 1000 * page);
    CHECK(locked.empty());
}

// In front of a fork nothing is locked; what is copied again is locked again at once.
static void forked(char *memory)
{
    block(memory, 10 * page);
    block(memory + 20 * page, 3 * page);
    CHECK(locked.size() == 2);
    pinning.unlock_all();
    CHECK(locked.empty() && pieces(memory, 10 * page).size() == 1);
    pinning.unlock_all();
    pinning.expect(memory, 100, 0);
    pieces(memory, 100);
    CHECK(locked.size() == 1);
    ompc_block_remove(memory + 20 * page);
    ompc_block_remove(memory);
    CHECK(locked.empty() && ompc::locked_memory().take(10000 * page));
    ompc::locked_memory().give_back(10000 * page);
}

static void refused(char *memory)
{
    refuse = true;
    block(memory, 10 * page);
    refuse = false;
    pinning.expect(memory, 1u << 30, 0); // asked once and for all
    pieces(memory, 10 * page);
    CHECK(refusals == 1 && locked.empty());
    ompc_block_remove(memory);
    block(memory, 10 * page);
    CHECK(locked.size() == 1);
    ompc_block_remove(memory);
    pinning.expect(memory, 1u << 30, 0); // no block any more
    CHECK(locked.empty());
}

// x, y and z share pages in a row, w lies apart: of each, the whole pages are locked that are its own; y has none.
static void globals(char *memory)
{
    const ompc_global arrays[] = {{memory + 100, 2 * page}, {memory + 9 * page, page}, {memory + 100 + 2 * page, 300},
                                  {memory + 400 + 2 * page, 4 * page}};
    ompc_register_globals(arrays, 4);
    for (const ompc_global &array : arrays)
        pinning.expect(const_cast<void *>(array.base), 1u << 30, 0);
    for (const ompc_global &array : arrays)
        pieces(static_cast<const char *>(const_cast<const void *>(array.base)), array.bytes);
    const Address first = reinterpret_cast<Address>(memory);
    CHECK(locked == (std::vector<Span>{{first + page, page}, {first + 9 * page, page}, {first + 3 * page, 3 * page}}));
    CHECK(pieces(memory + 400 + 2 * page, 4 * page) == (std::vector<std::size_t>{page - 400, 3 * page, 400}));
}

// Large blocks are locked in parts, each before something in it is copied; parts end at multiples of 2 MB.
static void parts(char *memory)
{
    const std::size_t part = std::size_t{32} << 20, large = std::size_t{2} << 20;
    char *const a = memory + 16;
    ompc_block_add(a, 4 * part);
    pinning.expect(a, 1u << 30, 0);
    CHECK(locked.empty() && pieces(a + part, 1000).size() == 1);
    CHECK(locked.size() == 1 && (locked[0].first + locked[0].second) % large == 0 && locked[0].second == part);
    pinning.in_pieces(a + 3 * part, 1000, false, [](std::size_t, std::size_t) {});
    CHECK(locked.size() == 1);
    CHECK(pieces(a + 3 * part, part).size() == 1); // another part is more than may be locked
    CHECK(locked.size() == 1);
    ompc_block_remove(a);
    CHECK(locked.empty());
    ompc_block_add(a, part + 5 * page);
    pinning.expect(a, 1u << 30, 0);
    CHECK(pieces(a, part + 5 * page).size() == 2 && locked.size() == 2 && locked[0].second == part && locked[1].second == 6 * page);
    CHECK(pieces(a + part - 32, 32).size() == 2); // across the border
    ompc_block_remove(a);
    CHECK(locked.empty() && ompc::locked_memory().take(10000 * page));
    ompc::locked_memory().give_back(10000 * page);
}

int main()
{
    char *const memory = reinterpret_cast<char *>(Address{1} << 40); // no one's: only addresses count
    ompc_block_on_release(forget);
    setenv("OMPC_LOCKED_MEMORY", "40960000", 1);
    rule();
    directions();
    limited(memory + 100000 * page);
    heap_blocks(memory);
    counts(memory);
    written(memory);
    forked(memory);
    refused(memory);
    parts(memory);
    globals(memory + 1000 * page);
    std::puts("ok");
    return 0;
}

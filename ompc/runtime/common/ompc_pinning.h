// ompc_pinning.h: which host memory is page-locked in place, and when (`auto`).
//
// Rent or buy: nobody knows how often a block will be copied, so it is copied pageable until those copies have lost as much
// time as page-locking it costs, and is page-locked then. That is never more than twice as slow as knowing beforehand. A
// block of 1.2 MB or more is locked at its first copy, one of 320 KB at its third, one of 24 bytes after 29,000.
//
// Whole pages are locked, and none twice. Spans of locked pages are disjoint:
//
//     globals      those that share pages are locked together, as one span
//     heap block   needs one whole page of its own; pages at its ends that it shares with a block locked before are left out
//
// A copy may therefore meet the border of a span: it is made in pieces, each in one span or outside all of them.

#ifndef OMPC_PINNING_H
#define OMPC_PINNING_H

#include "ompc_host.h"
#include "ompc_ranges.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace ompc {

// Measured on an H200 with its host: seconds that cudaHostRegister takes, for the call and per byte of touched memory, and
// bytes per second that copies move.
constexpr double lock_call_seconds = 50e-6, lock_seconds_per_byte = 30e-3 / 1e9;
constexpr double pageable_bytes_per_second = 11e9, page_locked_bytes_per_second = 55e9;

// Would the pageable copies of `moved` bytes so far have paid for page-locking `bytes` bytes?
constexpr bool locking_pays(std::size_t bytes, double moved)
{
    const double lost = moved * (1 / pageable_bytes_per_second - 1 / page_locked_bytes_per_second);
    return lost >= lock_call_seconds + static_cast<double>(bytes) * lock_seconds_per_byte;
}

// The blocks that launches have moved. The callers see to it that one thread at a time is here.
class Pinning {
public:
    using Lock = bool (*)(void *pages, std::size_t bytes); // false: these pages cannot be locked
    using Unlock = void (*)(void *pages);

    Pinning(Lock lock, Unlock unlock) : lock_(lock), unlock_(unlock) {}

    // A launch is about to move `bytes` bytes of the block that holds `host`.
    void expect(const void *host, std::size_t bytes)
    {
        ompc_block_pages_t found;
        if (ompc_block_pages(host, &found) == 0 || ompc_block_watch(found.base) == 0)
            return;
        Block &block = blocks_[found.base];
        block.moved += static_cast<double>(bytes);
        if (block.decided || !locking_pays(found.bytes, block.moved))
            return;
        block.decided = true; // what cannot be locked once stays pageable
        block.locked = lock_free_pages(reinterpret_cast<Address>(found.pages), found.bytes);
    }

    // The block at `base` is about to go.
    void forget(void *base)
    {
        const auto block = blocks_.find(base);
        if (block == blocks_.end())
            return;
        if (block->second.locked != 0) {
            unlock_(reinterpret_cast<void *>(block->second.locked));
            spans_.erase(block->second.locked);
        }
        blocks_.erase(block);
    }

    // Calls copy(offset, bytes) for the pieces of host memory of which each is locked as a whole or not at all.
    template <class Copy>
    void in_pieces(const void *host, std::size_t bytes, Copy copy) const
    {
        const Address begin = reinterpret_cast<Address>(host), end = begin + bytes;
        for (Address at = begin, next = begin; at < end; at = next) {
            const Address locked_to = span_end(at);
            next = std::min(end, locked_to != at ? locked_to : next_span(at, end));
            copy(at - begin, next - at);
        }
    }

private:
    struct Block {
        double moved = 0;
        bool decided = false;
        Address locked = 0; // its span; 0: none
    };

    // The end of the locked span that holds `at`; `at` itself when none does.
    Address span_end(Address at) const
    {
        auto after = spans_.upper_bound(at);
        return after == spans_.begin() ? at : std::max(at, (--after)->second);
    }

    // Where the first locked span behind `at` begins, `end` at the latest.
    Address next_span(Address at, Address end) const
    {
        const auto after = spans_.upper_bound(at);
        return after == spans_.end() ? end : std::min(end, after->first);
    }

    // Locks what no span has yet of these pages: where the new span begins, or 0.
    Address lock_free_pages(Address pages, std::size_t bytes)
    {
        const Address begin = span_end(pages), end = next_span(begin, pages + bytes);
        if (begin >= end || !lock_(reinterpret_cast<void *>(begin), end - begin))
            return 0;
        spans_[begin] = end;
        return begin;
    }

    Lock lock_;
    Unlock unlock_;
    std::map<void *, Block> blocks_;   // by base; of several globals together: the first one's
    std::map<Address, Address> spans_; // of locked pages: first byte, end
};

} // namespace ompc

#endif

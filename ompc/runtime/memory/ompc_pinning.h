// ompc_pinning.h: which host memory is page-locked in place, and when (`auto`).
//
// Rent or buy: nobody knows how often a block will be copied, so it is copied pageable until those copies have lost as much
// time as page-locking it costs, and is page-locked then. That is never more than twice as slow as knowing beforehand. With
// the costs of an H200, a block of 1.2 MB or more is locked at its first copy to the device, one of 320 KB at its third, one
// of 24 bytes after 29,000. No more is locked than ompc_locked_memory.h allows.
//
// Memory in which a program already has its data is never allocated anew: cudaMallocHost, which takes ten times as long, is
// for the runtime's own buffers, and for `thesis`.
//
// Whole pages are locked, and none twice. Spans of locked pages are disjoint:
//
//     globals      the whole pages that are their own
//     heap block   needs one whole page of its own; pages at its ends that it shares with a block locked before are left out
//
// A copy may therefore meet the border of a span: it is made in pieces, each in one span or outside all of them.
//
// To lock 200 MB takes longer than to copy them, and both can go on at once. So the pages of a block are locked in parts of
// 32 MB, each right before the first copy of something in it: while that copy is made, the next part is locked. What is
// never copied is never locked. Parts end at multiples of 2 MB, the size of large pages.

#ifndef OMPC_PINNING_H
#define OMPC_PINNING_H

#include "ompc_costs.h"
#include "ompc_host.h"
#include "ompc_locked_memory.h"
#include "ompc_ranges.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

namespace ompc {

// The blocks that launches have moved. The callers see to it that one thread at a time is here.
class Pinning {
public:
    using Lock = bool (*)(void *pages, std::size_t bytes); // false: these pages cannot be locked
    using Unlock = void (*)(void *pages);
    using Costs = const MachineCosts &(*)();

    Pinning(Lock lock, Unlock unlock, Costs costs) : lock_(lock), unlock_(unlock), costs_(costs) {}

    // A launch is about to move so many bytes of the block that holds `host` to the device, and home.
    void expect(const void *host, std::size_t in, std::size_t out)
    {
        lose(host, lost_to_pageable(costs_(), static_cast<double>(in), static_cast<double>(out)));
    }

    // A launch is about to write so many bytes of it, which the host may look at then, and may as well not. True: the block is
    // to be locked from now on.
    bool may_come_home(const void *host, std::size_t bytes)
    {
        return lose(host, lost_to_guards(costs_(), static_cast<double>(bytes)) / 2);
    }

    // Locks of a range what is to be locked, before there is a copy.
    void lock(const void *host, std::size_t bytes)
    {
        in_pieces(host, bytes, true, [](std::size_t, std::size_t) {});
    }

    // The block at `base` is about to go.
    void forget(void *base)
    {
        const auto block = blocks_.find(base);
        if (block == blocks_.end())
            return;
        forget_wanted(base);
        unlock(base);
        blocks_.erase(block);
    }

    // In front of fork, when no copy is under way: a page that parent and child share is copied when either writes to it, and
    // CUDA would go on with the one that the parent has no longer.
    void unlock_all()
    {
        for (auto &block : blocks_)
            if (unlock(block.first)) {
                forget_wanted(block.first);
                block.second.decided = false; // whatever is copied again is locked again
            }
    }

    // Calls copy(offset, bytes) for the pieces of host memory of which each is locked as a whole or not at all. Locks what is
    // to be locked before its piece is copied, if it may: that opens the pages to other threads for a moment.
    template <class Copy>
    void in_pieces(const void *host, std::size_t bytes, bool may_lock, Copy copy)
    {
        const Address begin = reinterpret_cast<Address>(host), end = begin + bytes;
        for (Address at = begin, next = begin; at < end; at = next) {
            if (may_lock && span_end(at) == at)
                lock_part(at);
            const Address locked_to = span_end(at);
            next = locked_to != at ? std::min(end, locked_to) : next_span(at, may_lock ? next_wanted(at, end) : end);
            copy(at - begin, next - at);
        }
    }

    bool is_locked(const void *host) const
    {
        const Address at = reinterpret_cast<Address>(host);
        return span_end(at) != at;
    }

private:
    struct Block {
        double lost = 0; // seconds, to copies that were not page-locked
        bool decided = false;
        Address pages = 0, pages_end = 0; // then: to be locked
    };
    struct Span { // of locked pages
        Address end;
        void *base; // of its block
    };
    struct Wanted { // pages that are to be locked
        Address end;
        void *base;
    };
    static constexpr std::size_t part_bytes = std::size_t{32} << 20, large_page = std::size_t{2} << 20;

    // Copies of the block that holds `host` take so many seconds longer than page-locked ones. True: that has decided it.
    bool lose(const void *host, double seconds)
    {
        ompc_block_pages_t found;
        if (ompc_block_pages(host, &found) == 0 || ompc_block_watch(found.base) == 0)
            return false;
        Block &block = blocks_[found.base];
        block.lost += seconds;
        if (block.decided || !locking_pays(costs_(), found.bytes, block.lost))
            return false;
        block.decided = true; // what cannot be locked once stays pageable
        block.pages = reinterpret_cast<Address>(found.pages);
        block.pages_end = block.pages + found.bytes;
        wanted_[block.pages] = {block.pages_end, found.base};
        return true;
    }

    // False: nothing of the block was locked.
    bool unlock(void *base)
    {
        const Block &block = blocks_.at(base);
        bool any = false;
        for (auto span = spans_.lower_bound(block.pages); span != spans_.end() && span->first < block.pages_end;) {
            if (span->second.base != base) {
                ++span;
                continue;
            }
            any = true;
            unlock_(reinterpret_cast<void *>(span->first));
            locked_memory().give_back(span->second.end - span->first);
            span = spans_.erase(span);
        }
        return any;
    }

    void forget_wanted(void *base)
    {
        const Block &block = blocks_.at(base);
        for (auto wanted = wanted_.lower_bound(block.pages); wanted != wanted_.end() && wanted->first < block.pages_end;)
            wanted = wanted->second.base == base ? wanted_.erase(wanted) : std::next(wanted);
    }

    // The end of the locked span that holds `at`; `at` itself when none does.
    Address span_end(Address at) const
    {
        auto after = spans_.upper_bound(at);
        return after == spans_.begin() ? at : std::max(at, (--after)->second.end);
    }

    // Where the first locked span behind `at` begins, `end` at the latest.
    Address next_span(Address at, Address end) const
    {
        const auto after = spans_.upper_bound(at);
        return after == spans_.end() ? end : std::min(end, after->first);
    }

    // Where the first pages behind `at` begin that are to be locked, `end` at the latest.
    Address next_wanted(Address at, Address end) const
    {
        const auto after = wanted_.upper_bound(at);
        return after == wanted_.end() ? end : std::min(end, after->first);
    }

    // Locks the part that holds `at`, if it is to be locked.
    void lock_part(Address at)
    {
        const auto after = wanted_.upper_bound(at);
        if (after == wanted_.begin() || std::prev(after)->second.end <= at)
            return;
        const Address first = std::prev(after)->first;
        const Wanted wanted = std::prev(after)->second;
        const Address grid = blocks_.at(wanted.base).pages / large_page * large_page, below = grid + (at - grid) / part_bytes * part_bytes;
        const Address begin = std::max(first, below), end = std::min(wanted.end, below + part_bytes);
        wanted_.erase(first);
        if (!lock_free_pages(begin, end, wanted.base))
            return forget_wanted(wanted.base);
        if (first < begin)
            wanted_[first] = {begin, wanted.base};
        if (end < wanted.end)
            wanted_[end] = {wanted.end, wanted.base};
    }

    // Locks what no span has yet of these pages. False: they cannot be locked.
    bool lock_free_pages(Address pages, Address pages_end, void *base)
    {
        const Address begin = span_end(pages), end = next_span(begin, pages_end);
        if (begin >= end || !locked_memory().take(end - begin))
            return false;
        if (!lock_(reinterpret_cast<void *>(begin), end - begin)) {
            locked_memory().give_back(end - begin);
            return false;
        }
        spans_[begin] = {end, base};
        return true;
    }

    Lock lock_;
    Unlock unlock_;
    Costs costs_;
    std::map<void *, Block> blocks_; // by base
    std::map<Address, Span> spans_;   // by first byte: disjoint
    std::map<Address, Wanted> wanted_; // by first byte; two blocks may have a page in common
};

} // namespace ompc

#endif

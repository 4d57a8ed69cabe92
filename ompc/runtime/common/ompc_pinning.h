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

#ifndef OMPC_PINNING_H
#define OMPC_PINNING_H

#include "ompc_costs.h"
#include "ompc_host.h"
#include "ompc_locked_memory.h"
#include "ompc_ranges.h"

#include <algorithm>
#include <cstddef>
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
        ompc_block_pages_t found;
        if (ompc_block_pages(host, &found) == 0 || ompc_block_watch(found.base) == 0)
            return;
        Block &block = blocks_[found.base];
        block.lost += lost_to_pageable(costs_(), static_cast<double>(in), static_cast<double>(out));
        if (block.decided || !locking_pays(costs_(), found.bytes, block.lost))
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
        if (block->second.locked != 0)
            unlock(block->second.locked);
        blocks_.erase(block);
    }

    // In front of fork, when no copy is under way: a page that parent and child share is copied when either writes to it, and
    // CUDA would go on with the one that the parent has no longer. Whatever is copied again is locked again.
    void unlock_all()
    {
        for (auto &block : blocks_)
            if (block.second.locked != 0) {
                unlock(block.second.locked);
                block.second.locked = 0;
                block.second.decided = false;
            }
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

    bool is_locked(const void *host) const
    {
        const Address at = reinterpret_cast<Address>(host);
        return span_end(at) != at;
    }

private:
    struct Block {
        double lost = 0; // seconds, to copies that were not page-locked
        bool decided = false;
        Address locked = 0; // its span; 0: none
    };

    void unlock(Address begin)
    {
        const auto span = spans_.find(begin);
        unlock_(reinterpret_cast<void *>(begin));
        locked_memory().give_back(span->second - begin);
        spans_.erase(span);
    }

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
        if (begin >= end || !locked_memory().take(end - begin))
            return 0;
        if (!lock_(reinterpret_cast<void *>(begin), end - begin)) {
            locked_memory().give_back(end - begin);
            return 0;
        }
        spans_[begin] = end;
        return begin;
    }

    Lock lock_;
    Unlock unlock_;
    Costs costs_;
    std::map<void *, Block> blocks_;   // by base
    std::map<Address, Address> spans_; // of locked pages: first byte, end
};

} // namespace ompc

#endif

// ompc_launch_cache.h: the launch cache: what the pointers of a region's last launches led to, for its next one.
//
// Following a table of a thousand rows takes a hundred microseconds: reading the pointers, finding each block, sorting. A
// program that steps through time launches with the same tables again and again. So a region remembers the groups of its
// last launches and the device's copies of the tables. They serve again while
//
//     the launcher declares the same arrays and links,
//     everything they lead to has stayed on the device (no resident block has come or gone),
//     and the tables hold the same bytes: their pages have been guarded all the time, and no launch has written to their block, or
//     they are compared. A table that another one leads to may be gone: those that lead there come first, and whether it is still
//     there is asked before it is read.
//
// Only launches that write nothing in their packed buffer (ompc_deep_copy.h) are remembered.

#ifndef OMPC_LAUNCH_CACHE_H
#define OMPC_LAUNCH_CACHE_H

#include "ompc_constants.h"
#include "ompc_deep_copy.h"
#include "ompc_ranges.h"
#include "ompc_resident.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace ompc {

class LaunchCache {
public:
    // Does it serve a launch with these declarations?
    bool serves(const std::vector<Range> &arrays, const std::vector<Linked> &declared, const std::vector<Constant> &constants)
    {
        return filled_ && generation_ == residents().generation() && same(arrays_, arrays, is_same_array) &&
               same(declared_, declared, is_same_link) && same(constants_, constants, is_same_constant) &&
               std::all_of(tables_.begin(), tables_.end(), [this](Table &table) { return is_unchanged(table); });
    }

    // The groups of that launch; each array learns its own.
    void give(std::vector<Range> &arrays, std::vector<Group> &groups) const
    {
        groups.assign(groups_.begin(), groups_.end());
        for (std::size_t i = 0; i < arrays.size(); i++)
            arrays[i].group = arrays_[i].group;
    }

    // Would following the pointers once more lead elsewhere? (OMPC_CHECK=coherence)
    bool differs(const std::vector<Slot> &slots) const
    {
        return !same(slots_, slots, [](const Slot &a, const Slot &b) { return a.at == b.at && a.value == b.value; });
    }

    // Takes what a launch has found, and its packed buffer, from its buffer and the memory on the device.
    void keep(const std::vector<Range> &ranges, const Links &links, const std::vector<Constant> &constants,
              const std::vector<Group> &groups, PackedBuffer &packed)
    {
        forget();
        arrays_.assign(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(links.arrays));
        declared_ = links.declared;
        constants_ = constants;
        slots_ = links.slots;
        groups_ = groups;
        tables_.clear();
        for (Group &group : groups_)
            group.resident = nullptr;
        for (const std::size_t i : in_order_of_links(ranges, links.arrays)) {
            const Group &group = groups_[i];
            const char *const host = reinterpret_cast<const char *>(group.begin);
            tables_.push_back({group.begin, {host, host + group.bytes()}});
            watch(tables_.back());
        }
        packed_ = packed.whole();
        packed.whole().device = nullptr;
        generation_ = residents().generation();
        filled_ = true;
    }

    // Can it be kept? All that is not in the packed buffer stays on the device, and nothing in the packed buffer is written.
    static bool can_keep(const std::vector<Group> &groups)
    {
        return std::all_of(groups.begin(), groups.end(), [](const Group &group) {
            return group.packed ? group.out_bytes() == 0 : group.resident != nullptr;
        });
    }

private:
    struct Table {
        Address begin;
        std::vector<char> known;
        const Resident *guard = nullptr; // the block in whose pages it lies, all of them guarded...
        unsigned long long writes = 0;   // ...when the host had written so often in that block,
        SequenceNumber last_write = 0;   // and this launch had been the last one to write there

        Address end() const { return begin + known.size(); }
    };

    // The packed groups: what the launcher declares first, and what leads to others before them.
    std::vector<std::size_t> in_order_of_links(const std::vector<Range> &ranges, std::size_t arrays)
    {
        std::vector<std::pair<std::size_t, std::size_t>> found; // the first and the last root, by group
        found.resize(groups_.size(), {no_array, 0});
        for (const Range &range : ranges)
            if (range.group != no_group)
                found[range.group] = {std::min(found[range.group].first, range.root), std::max(found[range.group].second, range.root)};
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < groups_.size(); i++)
            if (groups_[i].packed)
                order.push_back(i);
        const auto is_declared = [&](std::size_t i) { return found[i].second < arrays; };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return is_declared(a) != is_declared(b) ? is_declared(a) : found[a].first < found[b].first;
        });
        declared_tables_ = static_cast<std::size_t>(std::count_if(order.begin(), order.end(), is_declared));
        return order;
    }

    // Is there still memory of the program's in which the table lies? What is in a block that stays on the device is.
    static bool exists(const Table &table)
    {
        for (Address at = table.begin; at < table.end();) {
            void *base = nullptr;
            std::size_t bytes = 0;
            if (ompc_block_find(reinterpret_cast<const void *>(at), &base, &bytes) == 0)
                return on_stack(at, table.end());
            at = reinterpret_cast<Address>(base) + bytes;
        }
        return true;
    }

    static void watch(Table &table)
    {
        table.guard = residents().guard_of(table.begin, table.end());
        table.writes = table.guard == nullptr ? 0 : table.guard->host_writes.count();
        table.last_write = table.guard == nullptr ? 0 : table.guard->last_write;
    }

    bool is_unchanged(Table &table) const
    {
        const Resident *const guard = table.guard;
        if (guard == nullptr || guard->last_write != table.last_write || guard->host_writes.any_since(table.writes, table.begin, table.end())) {
            const bool is_declared = static_cast<std::size_t>(&table - tables_.data()) < declared_tables_;
            if (!is_declared && guard == nullptr && !exists(table))
                return false;
            if (std::memcmp(table.known.data(), reinterpret_cast<const char *>(table.begin), table.known.size()) != 0)
                return false;
            watch(table);
        } else {
            table.writes = guard->host_writes.count();
        }
        return true;
    }

    template <class T, class Equal>
    static bool same(const std::vector<T> &a, const std::vector<T> &b, Equal equal)
    {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), equal);
    }

    static bool is_same_array(const Range &a, const Range &b)
    {
        return a.pointer == b.pointer && a.begin == b.begin && a.end == b.end && a.access == b.access && a.buffer == b.buffer &&
               a.distinct == b.distinct && a.known == b.known && a.former == b.former && a.sure_begin == b.sure_begin && a.sure_end == b.sure_end &&
               a.written_is_known == b.written_is_known && a.written_begin == b.written_begin && a.written_end == b.written_end;
    }

    static bool is_same_link(const Linked &a, const Linked &b)
    {
        return a.holder == b.holder && a.pointers.stride == b.pointers.stride && a.pointers.offsets == b.pointers.offsets &&
               a.pointers.first == b.pointers.first && a.pointers.last == b.pointers.last && a.pointers.all == b.pointers.all &&
               a.extent.kind == b.extent.kind && a.extent.lower == b.extent.lower && a.extent.upper == b.extent.upper &&
               a.element == b.element && a.access == b.access && a.distinct == b.distinct && a.apart == b.apart;
    }

    static bool is_same_constant(const Constant &a, const Constant &b)
    {
        return a.symbol == b.symbol && is_same_array(a.host, b.host);
    }

    void forget()
    {
        if (packed_.device != nullptr)
            device().release(packed_, automatic);
        packed_.device = nullptr;
        filled_ = false;
    }

    bool filled_ = false;
    unsigned long long generation_ = 0;
    std::vector<Range> arrays_;
    std::vector<Linked> declared_;
    std::vector<Constant> constants_;
    std::vector<Slot> slots_;
    std::vector<Group> groups_; // those in the packed buffer know where they are on the device
    std::vector<Table> tables_;
    std::size_t declared_tables_ = 0; // so many of them, the first, are what the launcher declares: they are there
    Group packed_{};
};

// Of the regions that follow pointers: several launches of each, since tables change places. The ledger's lock is held.
class LaunchCaches {
public:
    // Of the launch with these declarations; nullptr: there is none.
    LaunchCache *find(const Region &region, const std::vector<Range> &arrays, const std::vector<Linked> &declared,
                 const std::vector<Constant> &constants)
    {
        for (LaunchCache &cache : of_regions_[&region].launch_caches)
            if (cache.serves(arrays, declared, constants))
                return &cache;
        return nullptr;
    }

    // Has a launch of the region been remembered?
    bool has(const Region &region) const { return of_regions_.count(&region) != 0 && of_regions_.at(&region).next != 0; }

    // The one that was filled longest ago.
    LaunchCache &next(const Region &region)
    {
        OfRegion &mine = of_regions_[&region];
        return mine.launch_caches[mine.next++ % most];
    }

private:
    static constexpr std::size_t most = 16; // the levels of a multigrid method, each with its tables
    struct OfRegion {
        LaunchCache launch_caches[most];
        std::size_t next = 0;
    };
    std::map<const Region *, OfRegion> of_regions_;
};

inline LaunchCaches &launch_caches()
{
    static auto *const of_regions = new LaunchCaches; // never destroyed
    return *of_regions;
}

} // namespace ompc

#endif

// ompc_resident.h: host memory that stays on the device between launches, whatever the program does with it.
//
// A block that owns whole pages becomes resident at its first `automatic` launch: it gets device memory of its size, and two
// sets of pages say which side is right.
//
//     valid    the device's bytes are right; the host's too, and its pages can be read but not written
//     stale    a part of valid: only the device's are, and the host's pages cannot be accessed
//
// The first touch of host code faults (ompc_guards.h). A read brings a window of the block home; a write takes one out of
// valid. The window grows with each fault until the next launch uses the block, so that a program that looks at one element
// moves little, and one that goes through all of it faults a few times. No access can be missed, whoever compiled it. What
// the kernel of the system is given does not fault, but fails: libc's functions are asked (ompc_system_calls.h).
//
// The bytes of a block before its first whole page and behind its last (its edges) belong to pages that other objects use.
// Of these the device's bytes are remembered: they are copied in when the host's differ, and home at the end of a launch.
//
// Functions are called with the ledger's lock held, unless they say otherwise.

#ifndef OMPC_RESIDENT_H
#define OMPC_RESIDENT_H

#include "ompc_device.h"
#include "ompc_intervals.h"
#include "ompc_libraries.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_timeline.h"

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace ompc {

// The bytes of a block outside its whole pages, as the device has them.
struct Edge {
    Address begin, end;
    std::vector<char> known = {};

    bool meets(Address from, Address to) const { return std::max(begin, from) < std::min(end, to); }
    char *host() const { return reinterpret_cast<char *>(begin); }
    std::size_t bytes() const { return end - begin; }
    bool unchanged() const { return known.size() == bytes() && std::memcmp(known.data(), host(), bytes()) == 0; }
    void remember() { known.assign(host(), host() + bytes()); }
};

// Where the host has written since the block came, window by window; the oldest are forgotten.
class HostWrites {
public:
    unsigned long long count() const { return forgotten_ + windows_.size(); }
    void add(Address begin, Address end)
    {
        if (windows_.size() == most) {
            forgotten_ += most;
            windows_.clear();
        }
        windows_.emplace_back(begin, end);
    }

    // Perhaps in a range, when it had written `before` times?
    bool any_since(unsigned long long before, Address begin, Address end) const
    {
        return before < forgotten_ || std::any_of(windows_.begin() + static_cast<std::ptrdiff_t>(before - forgotten_), windows_.end(),
                                                  [&](const auto &window) { return window.first < end && begin < window.second; });
    }

private:
    static constexpr std::size_t most = 256;
    unsigned long long forgotten_ = 0;
    std::vector<std::pair<Address, Address>> windows_;
};

struct Resident {
    Group memory; // of the block
    Address pages, pages_end;
    Edge edges[2];
    Intervals valid = {}, stale = {};
    Region *writer = nullptr; // that made the host's bytes stale last
    Turn last_use = 0, last_write = 0; // the last launch that uses the device's memory, and that writes it
    Turn reading = 0;           // the last copies in that may read the host's pages after they were given
    unsigned unseen = 0;        // launches that have used it since the host last looked at it, or wrote to it
    std::size_t read_window = 0, write_window = 0;
    unsigned long long used = 0;
    HostWrites host_writes = {};

    char *device(Address host) const { return memory.device + (host - memory.begin); }
    Address page_floor(Address at) const { return std::min(pages_end, std::max(pages, at / page_bytes() * page_bytes())); }
    Address page_ceiling(Address at) const { return page_floor(at + page_bytes() - 1); }

    static Address page_bytes()
    {
        static const Address bytes = static_cast<Address>(sysconf(_SC_PAGESIZE));
        return bytes;
    }
};

class Residents {
public:
    friend struct Guards;

    // Can the range stay on the device?
    bool can_hold(Address begin, Address end)
    {
        ompc_guardable_t found;
        return guards() && (known(begin, end) != nullptr || find_block(begin, end, found));
    }

    // How many bytes a launch that uses a group would have to copy in, and the host to bring home before it does.
    std::pair<std::size_t, std::size_t> away(const Group &group)
    {
        const Resident *const block = known(group.begin, group.end);
        if (block == nullptr)
            return {group.in_bytes(), 0};
        std::size_t missing = 0, stale = 0;
        const Address first = block->page_floor(group.begin), last = block->page_ceiling(group.end);
        block->valid.each_gap(first, last, [&](Address begin, Address end) { missing += end - begin; });
        block->stale.each(first, last, [&](Address begin, Address end) { stale += end - begin; });
        return {std::min(missing, group.in_bytes()), stale};
    }

    // A launch begins.
    void begin() { launch_++; }

    // Changes whenever a block comes or goes.
    unsigned long long generation() const { return generation_; }

    // The block in whose guarded pages a range lies: the host has not written there unnoticed; nullptr: there is none.
    const Resident *guard_of(Address begin, Address end)
    {
        const Resident *const block = at(begin);
        if (block == nullptr || begin < block->pages || end > block->pages_end)
            return nullptr;
        return block->valid.holds(block->page_floor(begin), block->page_ceiling(end)) ? block : nullptr;
    }

    // The resident block that holds a group, with device memory; nullptr: it is copied by each launch.
    Resident *hold(const Group &group, Mode mode)
    {
        ompc_guardable_t found;
        if (mode != automatic || !guards())
            return nullptr;
        Resident *block = known(group.begin, group.end);
        if (block == nullptr && find_block(group.begin, group.end, found)) {
            block = at(group.begin);
            block = block != nullptr ? block : add(group, found);
        }
        if (block != nullptr)
            block->used = launch_;
        return block;
    }

    // Makes room: the block that was used longest ago goes home. False: all are used by this launch.
    bool evict()
    {
        Resident *oldest = nullptr;
        for (auto &entry : blocks_)
            if (entry.second.used != launch_ && (oldest == nullptr || entry.second.used < oldest->used))
                oldest = &entry.second;
        if (oldest == nullptr)
            return false;
        bring_home(*oldest, oldest->pages, oldest->pages_end, Waited::release);
        remove(*oldest);
        return true;
    }

    // Makes the device's bytes of a group right, for a launch of `region`.
    void bring_in(const Group &group, Region &region)
    {
        Resident &block = *group.resident;
        block.read_window = first_read_window;
        block.write_window = first_write_window;
        for (Edge &edge : block.edges)
            if (edge.meets(group.begin, group.end))
                bring_in(block, edge, region);
        const Address first = block.page_floor(group.begin), last = block.page_ceiling(group.end);
        const bool to_end = group.sure_end == block.memory.end; // no bytes of others follow in its last page
        const Address sure = block.page_ceiling(group.sure_begin);
        const Address sure_end = std::max(sure, block.page_floor(to_end ? block.pages_end : group.sure_end));
        if (block.valid.holds(first, last))
            return avoid(region, group.name, last - first, group.copy_in ? Avoided::valid : Avoided::overwritten);
        if (group.sure_bytes() == 0 || sure == sure_end)
            return copy_in(block, first, last, region);
        copy_in(block, first, sure, region);
        copy_in(block, sure_end, last, region);
        block.valid.each_gap(sure, sure_end, [&](Address begin, Address end) {
            avoid(region, block.memory.name, std::min(end, block.memory.end) - begin, Avoided::overwritten);
            protect(begin, end, PROT_READ);
        });
        block.valid.add(sure, sure_end);
    }

    // Where the device has a range of which host code does not have all; nullptr: it does.
    const char *newest(const char *name, Address begin, Address end, Region &region)
    {
        Resident *const block = at(begin);
        if (block == nullptr || end > block->memory.end || !block->stale.meets(block->page_floor(begin), block->page_ceiling(end)))
            return nullptr;
        Group range{name, begin, end, begin, begin, true, false, nullptr};
        range.resident = block;
        bring_in(range, region); // the parts that the host has written since
        block->last_use = device().order().next();
        return block->device(begin);
    }

    // Does a launch that writes a group change bytes that the host does not have?
    static bool is_newer(const Group &group)
    {
        const Resident &block = *group.resident;
        return block.stale.meets(block.page_floor(group.out_begin), block.page_ceiling(group.out_end));
    }

    // Starts to copy home what the host must have when the launch is over: true when there is something; then it must wait.
    static bool bring_edges_home(const Group &group, Region &region)
    {
        bool any = false;
        for (const Edge &edge : group.resident->edges)
            if (edge.meets(group.out_begin, group.out_end)) {
                device().copy_out({region, group.name}, edge.host(), group.resident->device(edge.begin), edge.bytes(), false);
                any = true;
            }
        return any;
    }

    // The launch that uses a group has been given. True: the host is likely to touch the block before many more of them, and
    // what it then does should wait for this one alone.
    static bool use(const Group &group)
    {
        Resident &block = *group.resident;
        block.last_use = device().order().next();
        if (group.out_bytes() != 0)
            block.last_write = block.last_use;
        block.unseen += block.unseen < soon;
        return block.unseen < soon;
    }

    // The launch has written a group; its edges are home.
    void written(const Group &group, Region &region)
    {
        Resident &block = *group.resident;
        for (Edge &edge : block.edges)
            if (edge.meets(group.out_begin, group.out_end))
                edge.remember();
        block.writer = &region;
        const Address first = block.page_floor(group.out_begin), last = block.page_ceiling(group.out_end);
        avoid(region, group.name, last - first, Avoided::not_read);
        block.stale.each_gap(first, last, [](Address begin, Address end) { protect(begin, end, PROT_NONE); });
        block.stale.add(first, last);
    }

    // The launch has not been: what it may have written is not the host's.
    void forget(const Group &group)
    {
        Resident &block = *group.resident;
        for (Edge &edge : block.edges)
            edge.known.clear();
        host_writes(block, block.page_floor(group.out_begin), block.page_ceiling(group.out_end));
    }

    // Host code that cannot fault is about to access a range.
    void touch(Address begin, Address end, bool writes, Waited why = Waited::fault)
    {
        if (orphaned_) // its parent brought everything home before the fork
            return unprotect_all();
        for (auto &entry : blocks_) {
            Resident &block = entry.second;
            const Address first = block.page_floor(begin), last = block.page_ceiling(end);
            if (first >= last || end <= block.memory.begin || begin >= block.memory.end)
                continue;
            bring_home(block, first, last, why);
            if (writes)
                host_writes(block, first, last);
        }
    }
    void touch_all(bool writes, Waited why) { touch(0, static_cast<Address>(-1) / 2, writes, why); }

    // A page fault of host code: true when the access can be repeated.
    bool mend(Address address, bool writes)
    {
        Resident *const block = at(address);
        if (block == nullptr || address < block->pages || address >= block->pages_end)
            return false;
        if (orphaned_) {
            unprotect_all();
            return true;
        }
        const Address page = block->page_floor(address);
        if (abandoned_ && block->stale.meets(page, page + 1))
            fail(*block->writer, "'" + std::string(block->memory.name) + "' is used when the device has gone", "OMPC471");
        if (block->stale.meets(page, page + 1)) {
            const auto window = window_around(block->stale.around(page), page, block->read_window);
            bring_home(*block, window.first, window.second, Waited::fault);
            if (writes)
                host_writes(*block, window.first, window.second);
        } else if (writes && block->valid.meets(page, page + 1)) {
            auto free = block->valid.around(page);
            block->stale.each(free.first, free.second, [&](Address begin, Address end) {
                if (end <= page)
                    free.first = std::max(free.first, end);
                else
                    free.second = std::min(free.second, begin);
            });
            const auto window = window_around(free, page, block->write_window);
            host_writes(*block, window.first, window.second);
        } // else another thread's fault has mended it
        return true;
    }

    // The block at an address goes, with what is in it. Its pages are as the system gave them again.
    void drop(Address address)
    {
        Resident *const block = at(address);
        if (block != nullptr && orphaned_)
            protect(block->pages, block->pages_end, PROT_READ | PROT_WRITE);
        else if (block != nullptr)
            remove(*block);
    }

    // A range is not guarded any more: the blocks that it touches come home and leave.
    void exempt(Address begin, Address end)
    {
        while (Resident *const block = overlapping(begin, end)) {
            if (orphaned_)
                return unprotect_all();
            bring_home(*block, block->pages, block->pages_end, Waited::release);
            remove(*block);
        }
    }

    // Nothing stays on the device any more.
    void stop()
    {
        touch_all(true, Waited::exit);
        while (!blocks_.empty())
            remove(blocks_.begin()->second);
        stopped_ = true;
    }

    // The program ends, and nobody can look at what is on the device any more.
    void abandon()
    {
        stopped_ = abandoned_ = true;
    }

    // Before a fork: the child cannot use the device.
    void before_fork()
    {
        if (!orphaned_)
            touch_all(false, Waited::release);
    }

    // Is the address in a resident block? Needs no lock: other threads may hold it, and wait for the caller.
    bool is_resident(Address begin, Address end)
    {
        const std::lock_guard<std::mutex> guard(table_);
        const auto after = blocks_.lower_bound(end);
        return after != blocks_.begin() && begin < std::prev(after)->second.pages_end;
    }

    // Each block, but none of a parent's.
    template <class F>
    void each(F f) const
    {
        if (orphaned_)
            return;
        for (const auto &entry : blocks_)
            f(entry.second);
    }

    // Gives pages the protection that goes with their state; or, while `open`, another one.
    void guard(Address begin, Address end, int open = -1)
    {
        for (auto &entry : blocks_) {
            const Resident &block = entry.second;
            const Address first = std::max(begin, block.pages), last = std::min(end, block.pages_end);
            if (first >= last)
                continue;
            protect(first, last, open >= 0 ? open : PROT_READ | PROT_WRITE);
            if (open < 0) {
                block.valid.each(first, last, [](Address from, Address to) { protect(from, to, PROT_READ); });
                block.stale.each(first, last, [](Address from, Address to) { protect(from, to, PROT_NONE); });
            }
        }
    }

private:
    static constexpr std::size_t first_read_window = std::size_t{512} << 10, first_write_window = std::size_t{64} << 10;
    static constexpr unsigned soon = 5; // launches
    static constexpr std::size_t most_blocks = 10000; // the system knows 65,530 ranges of pages in all

    // The device is in use: what is done before it is shut down.
    void register_end()
    {
        if (end_is_registered_)
            return;
        end_is_registered_ = true;
        runs_on_after_end_ = ompc_runs_on_after_exit(device().of_runtime()) != 0;
        ompc_at_exit(end);
    }
    static void end();

    static void protect(Address begin, Address end, int protection)
    {
        if (ompc_protect(reinterpret_cast<void *>(begin), end - begin, protection) == 0)
            return;
        // An access would be missed, or fault for ever.
        std::fputs("ompc: the system guards no more pages (vm.max_map_count); OMPC_GUARD=0 does without [OMPC455]\n", stderr);
        std::_Exit(70);
    }

    void unprotect_all()
    {
        for (auto &entry : blocks_)
            protect(entry.second.pages, entry.second.pages_end, PROT_READ | PROT_WRITE);
    }

    // Are there page guards? Decided once.
    bool guards();

    static bool find_block(Address begin, Address end, ompc_guardable_t &found)
    {
        if (begin >= end || ompc_block_guardable(reinterpret_cast<const void *>(begin), &found) == 0)
            return false;
        const Address base = reinterpret_cast<Address>(found.base), here = reinterpret_cast<Address>(&base);
        return end <= base + found.bytes && here - base >= found.bytes; // not the stack that a fault's handler runs on
    }

    // The resident block in which all of a range is; what is freed or given to others leaves the table.
    Resident *known(Address begin, Address end)
    {
        Resident *const block = at(begin);
        return block != nullptr && begin < end && end <= block->memory.end ? block : nullptr;
    }

    Resident *at(Address address)
    {
        const auto after = blocks_.upper_bound(address);
        if (after == blocks_.begin())
            return nullptr;
        Resident &block = std::prev(after)->second;
        return address < std::max(block.memory.end, block.pages_end) ? &block : nullptr;
    }

    Resident *overlapping(Address begin, Address end)
    {
        for (auto &entry : blocks_)
            if (begin < std::max(entry.second.memory.end, entry.second.pages_end) && end > entry.second.memory.begin)
                return &entry.second;
        return nullptr;
    }

    Resident *add(const Group &group, const ompc_guardable_t &found)
    {
        if (blocks_.size() >= most_blocks)
            return nullptr;
        const Address begin = reinterpret_cast<Address>(found.base), end = begin + found.bytes;
        const Address pages = reinterpret_cast<Address>(found.pages), pages_end = pages + found.page_bytes;
        Resident block{{group.name, begin, end, begin, begin, false, false, nullptr},
                       pages,
                       pages_end,
                       {{begin, pages}, {std::min(end, pages_end), end}}};
        block.used = launch_;
        do
            block.memory.device = static_cast<char *>(device().allocate_resident(block.memory));
        while (block.memory.device == nullptr && evict());
        if (block.memory.device == nullptr || (found.watched == 0 && ompc_block_watch(found.base) == 0))
            return nullptr;
        register_end();
        ompc_guards_may_be(reinterpret_cast<void *>(begin), std::max(end, pages_end) - begin);
        generation_++;
        const std::lock_guard<std::mutex> guard(table_);
        return &blocks_.emplace(begin, std::move(block)).first->second;
    }

    void remove(Resident &block)
    {
        if (!has_failed() && !orphaned_)
            device().wait_copies_in(block.reading, Waited::release);
        protect(block.pages, block.pages_end, PROT_READ | PROT_WRITE);
        device().release_resident(block.memory, block.last_use);
        generation_++;
        const std::lock_guard<std::mutex> guard(table_);
        blocks_.erase(block.memory.begin);
    }

    static void bring_in(Resident &block, Edge &edge, Region &region)
    {
        if (edge.unchanged())
            return avoid(region, block.memory.name, edge.bytes(), Avoided::unchanged);
        edge.remember();
        device().order().after(Way::in, block.last_use);
        const Turn reading = device().copy_in({region, block.memory.name}, block.device(edge.begin), edge.known.data(), edge.bytes());
        device().wait_copies_in(reading, Waited::results); // what is known may change before the launch is over
    }

    // The pages that are not valid yet; they are the host's, and readable.
    static void copy_in(Resident &block, Address first, Address last, Region &region)
    {
        std::vector<std::pair<Address, Address>> gaps;
        std::size_t bytes = 0;
        block.valid.each_gap(first, last, [&](Address begin, Address end) {
            gaps.emplace_back(begin, end);
            bytes += std::min(end, block.memory.end) - begin;
        });
        device().expect(reinterpret_cast<const void *>(block.memory.begin), bytes);
        device().order().after(Way::in, block.last_use);
        for (const auto &gap : gaps) // first: in the pages of a slab, other threads may be at work
            protect(gap.first, gap.second, PROT_READ);
        block.valid.add(first, last); // what page-locking opens is then guarded again
        for (const auto &gap : gaps) {
            const void *const host = reinterpret_cast<const void *>(gap.first);
            const std::size_t piece = std::min(gap.second, block.memory.end) - gap.first;
            const Turn reading = device().copy_in({region, block.memory.name}, block.device(gap.first), host, piece);
            block.reading = std::max(block.reading, reading);
        }
    }

    // What is stale between two pages, when the launch that wrote it is over; its pages can be read then. Threads that touch
    // them meanwhile wait in their faults.
    static void bring_home(Resident &block, Address first, Address last, Waited why)
    {
        if (!block.stale.meets(first, last))
            return;
        block.unseen = 0;
        if (!has_failed()) {
            device().order().after(Way::home, block.last_write);
            block.stale.each(first, last, [&](Address begin, Address end) {
                const std::size_t bytes = std::min(end, block.memory.end) - begin;
                device().copy_home({*block.writer, block.memory.name}, reinterpret_cast<void *>(begin), block.device(begin), bytes);
                avoid_no_more(*block.writer, block.memory.name, bytes, Avoided::not_read);
            });
            device().wait_home(why, *block.writer, block.memory.name);
        }
        block.stale.each(first, last, [](Address begin, Address end) { protect(begin, end, PROT_READ); });
        block.stale.remove(first, last);
    }

    // The host is about to write between two pages, of which nothing is stale.
    void host_writes(Resident &block, Address first, Address last)
    {
        if (!block.valid.meets(first, last))
            return;
        block.host_writes.add(first, last);
        block.unseen = 0;
        if (!has_failed())
            device().wait_copies_in(block.reading, Waited::fault);
        block.valid.each(first, last, [](Address begin, Address end) { protect(begin, end, PROT_READ | PROT_WRITE); });
        block.valid.remove(first, last);
        block.stale.remove(first, last);
    }

    // Of an interval, the window of `bytes` bytes that holds a page; the next one is four times as large.
    static std::pair<Address, Address> window_around(std::pair<Address, Address> interval, Address page, std::size_t &bytes)
    {
        bytes = std::max(bytes, first_write_window);
        const Address begin = page / bytes * bytes, end = begin + bytes;
        bytes *= 4;
        return {std::max(interval.first, begin), std::min(interval.second, end)};
    }

    std::map<Address, Resident> blocks_; // by first byte
    std::mutex table_;                   // of blocks_, for is_resident
    unsigned long long launch_ = 0, generation_ = 0;
    bool orphaned_ = false; // a child of fork: it cannot use the device
    int guards_ = -1; // not decided
    bool stopped_ = false, abandoned_ = false, end_is_registered_ = false, runs_on_after_end_ = false;
};

inline Residents &residents()
{
    static Residents *const table = new Residents; // never destroyed
    return *table;
}

inline bool stays_anyway(Address begin, Address end)
{
    const Locked guard(ledger().lock);
    return residents().can_hold(begin, end);
}

inline void drop_resident(void *base)
{
    residents().drop(reinterpret_cast<Address>(base));
}

// What the guards call, with no lock held.
struct Guards {
    static int fault(void *address, int writes)
    {
        const Address at = reinterpret_cast<Address>(address);
        if (!residents().is_resident(at, at + 1))
            return 0;
        const Locked guard(ledger().lock);
        return residents().mend(at, writes != 0);
    }
    static void touch(const volatile void *base, std::size_t bytes, int writes)
    {
        const Address begin = reinterpret_cast<Address>(base);
        if (!residents().is_resident(begin, begin + bytes))
            return;
        const Locked guard(ledger().lock);
        if (writes == exempt_from_guards)
            residents().exempt(begin, begin + bytes);
        else
            residents().touch(begin, begin + bytes, writes != 0);
    }
    static void wait()
    {
        if (!device().is_busy())
            return;
        const Locked guard(ledger().lock);
        device().wait(Waited::results);
    }
    static void stop()
    {
        const Locked guard(ledger().lock);
        residents().stop();
    }
    static void before_fork()
    {
        const Locked guard(ledger().lock);
        residents().before_fork();
    }
};

// Environment: OMPC_GUARD=0 (nothing stays on the device between launches, but what target constructs map).
inline bool Residents::guards()
{
    if (guards_ < 0) {
        const char *const wanted = std::getenv("OMPC_GUARD");
        static const ompc_guard_hooks_t hooks = {Guards::fault, Guards::touch, Guards::wait, Guards::stop};
        const std::string library = wanted == nullptr ? library_past_libc() : "";
        if (!library.empty())
            std::fprintf(stderr, "ompc: every loop copies its arrays: %s is loaded, which may not see page guards [OMPC472]\n", library.c_str());
        guards_ = library.empty() && (wanted == nullptr || std::strcmp(wanted, "0") != 0) && ompc_guards_start(&hooks);
        if (guards_ != 0)
            pthread_atfork(Guards::before_fork, nullptr, [] { residents().orphaned_ = true; });
    }
    return guards_ != 0 && !stopped_ && !orphaned_;
}

inline void Residents::end()
{
    const Locked guard(ledger().lock);
    if (residents().runs_on_after_end_)
        residents().stop();
    else
        residents().abandon();
}

inline void open_pages(void *pages, std::size_t bytes, int protection)
{
    const Address begin = reinterpret_cast<Address>(pages);
    residents().guard(begin, begin + bytes, protection);
}

inline void guard_pages(void *pages, std::size_t bytes)
{
    const Address begin = reinterpret_cast<Address>(pages);
    residents().guard(begin, begin + bytes);
}

} // namespace ompc

#endif

// ompc_resident.h: host memory that stays on the device between launches, whatever the program does with it.
//
// A block that owns whole pages becomes resident at its first `automatic` launch: it gets device memory of its size, and which
// side is right is known for each page (ompc_resident_block.h). Here is the table of these blocks.
//
// The first touch of host code faults (ompc_guards.c). A read brings a window of the block home; a write takes one out of
// valid. The window grows with each fault until the next launch uses the block, so that a program that looks at one element
// moves little, and one that goes through all of it faults a few times. No access can be missed, whoever compiled it. What
// the kernel of the system is given does not fault, but fails: libc's functions are asked (ompc_system_calls.c).
//
// Functions are called with the ledger's lock held, unless they say otherwise.

#ifndef OMPC_RESIDENT_H
#define OMPC_RESIDENT_H

#include "ompc_device.h"
#include "ompc_failure.h"
#include "ompc_ledger.h"
#include "ompc_borrowed.h"
#include "ompc_log.h"
#include "ompc_open_memory.h"
#include "ompc_parts.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_resident_block.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <utility>

namespace ompc {

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

    // How many copies a launch that writes a group would make home for what lies in pages that others use.
    unsigned edges_written(const Group &group)
    {
        if (group.out_bytes() == 0)
            return 0;
        const auto meets = [&](Address begin, Address end) { return std::max(begin, group.out_begin) < std::min(end, group.out_end) ? 1u : 0u; };
        if (const Resident *const block = known(group.begin, group.end))
            return static_cast<unsigned>(std::count_if(block->edges.begin(), block->edges.end(),
                                                       [&](const Edge &edge) { return edge.meets(group.out_begin, group.out_end); }));
        ompc_guardable_t found;
        if (!find_block(group.begin, group.end, found))
            return 0;
        const Address base = reinterpret_cast<Address>(found.base), pages = reinterpret_cast<Address>(found.pages);
        return meets(base, pages) + meets(pages + found.page_bytes, base + found.bytes);
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
    Resident *hold(const Group &group, Mode mode, bool striped = false)
    {
        ompc_guardable_t found;
        if (mode != automatic || !guards())
            return nullptr;
        Resident *block = known(group.begin, group.end);
        if (block == nullptr && find_block(group.begin, group.end, found)) {
            block = at(group.begin);
            block = block != nullptr ? block : add(group, found, striped);
        }
        if (block != nullptr)
            block->used = launch_;
        return block;
    }

    // Where it is, or would be: in stripes over the devices, or on the first of them.
    Placed placed(const Group &group, bool striped)
    {
        ompc_guardable_t found;
        if (const Resident *const block = known(group.begin, group.end))
            return {block->memory.begin, block->stripe};
        if (!striped || !guards() || !find_block(group.begin, group.end, found))
            return {group.begin, 0};
        return placed(found);
    }
    Placed placed(const Resident &block, bool striped) const { return {block.memory.begin, striped ? device().stripe_of(block.memory) : 0}; }

    // Copies a block to memory in stripes, or on the first device, if there is some: the launches that use it next find it there.
    void move(Resident &block, bool striped)
    {
        block.misplaced = 0;
        if ((block.stripe != 0) == striped || (striped && device().stripe_of(block.memory) == 0))
            return;
        char *const to = static_cast<char *>(device().allocate_resident(block.memory, striped));
        if (to == nullptr)
            return;
        if (logs(log_transfers))
            note(nullptr, "%s: moves %s", block.memory.name, striped ? "to stripes over the devices" : "to the first device");
        device().copy_within(to, block.memory.device, block.memory.bytes());
        device().launched(true);
        block.last_use = block.last_write = device().order().last();
        device().release_resident(block.memory, block.last_use);
        block.memory.device = to;
        block.stripe = striped ? device().stripe_of(block.memory) : 0;
        generation_++;
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
        oldest->bring_home(oldest->pages, oldest->pages_end, Waited::release);
        remove(*oldest);
        return true;
    }

    // Where the device has a range of which host code does not have all; nullptr: it does.
    const char *newest(const char *name, Address begin, Address end, Region &region)
    {
        Resident *const block = at(begin);
        if (block == nullptr || end > block->memory.end || !block->stale.meets(block->page_floor(begin), block->page_ceiling(end)))
            return nullptr;
        Group range{name, begin, end, begin, begin, true, false, nullptr};
        range.resident = block;
        block->bring_in(range, region); // the parts that the host has written since
        block->last_use = device().order().next();
        return block->device(begin);
    }

    // The host is about to run a loop that uses a group: what it would fault for, piece by piece and its threads one after the other.
    void give_to_host(const Group &group)
    {
        Resident *const block = known(group.begin, group.end);
        if (block == nullptr)
            return;
        block->bring_home(block->page_floor(group.begin), block->page_ceiling(group.end), Waited::fault);
        if (group.out_bytes() != 0)
            block->written_by_host(block->page_floor(group.out_begin), block->page_ceiling(group.out_end));
    }

    // Host code that cannot fault is about to access a range.
    void touch(Address begin, Address end, bool writes, Waited why = Waited::fault)
    {
        for (auto &entry : blocks_) {
            Resident &block = entry.second;
            const Address first = block.page_floor(begin), last = block.page_ceiling(end);
            if (first >= last || end <= block.memory.begin || begin >= block.memory.end)
                continue;
            if (logs(log_transfers) && (writes ? block.valid : block.stale).meets(first, last))
                note(block.writer, "%s: the host may %s bytes %zu to %zu of it, without a fault", block.memory.name, writes ? "write" : "read",
                     static_cast<std::size_t>(first - block.pages), static_cast<std::size_t>(last - block.pages));
            block.bring_home(first, last, why);
            if (writes)
                block.written_by_host(first, last);
        }
    }
    void touch_all(bool writes, Waited why) { touch(0, static_cast<Address>(-1) / 2, writes, why); }

    // The block of which a message is a part that is better sent from a room, or received in one; nullptr: there is none. What the
    // host has right, and is large, is not copied on the way.
    Resident *block_of_message(Address begin, Address end, bool is_received)
    {
        Resident *const block = known(begin, end);
        if (block == nullptr || has_failed())
            return nullptr;
        const bool is_large = end - begin > most_copied;
        return (is_large && !is_received ? block->has_newest_of(begin, end) : block->has_some_of(begin, end)) ? block : nullptr;
    }

    // A message in a room becomes the program's. True: the last launch copies from there.
    bool land(Address begin, Address end, const char *room)
    {
        Resident *const block = known(begin, end);
        if (block != nullptr && !has_failed() && block->landing.is_on_device())
            return block->land(begin, end, room);
        touch(begin, end, true, Waited::message);
        std::memcpy(reinterpret_cast<char *>(begin), room, end - begin);
        return false;
    }

    // The block, where a message can come from another device; nullptr: it comes by a room.
    Resident *block_to_land_in(Address begin, Address end)
    {
        Resident *const block = known(begin, end);
        return block != nullptr && block->can_land_from_peer(begin, end) && block->landing.is_on_device() ? block : nullptr;
    }

    // Others begin to use memory there, or have done so (ompc_open_memory.h): the blocks that it touches open their pages, or guard
    // them again.
    void open_as_asked(Address begin, Address end)
    {
        for (auto &entry : blocks_)
            if (begin < entry.second.pages_end && end > entry.second.pages)
                open_as_asked(entry.second);
    }

    // Does the device have a range for ever, since another thread ends the program?
    bool is_lost(Address begin, Address end) const
    {
        return abandoned_ && !pthread_equal(ending_, pthread_self()) && std::any_of(blocks_.begin(), blocks_.end(), [&](const auto &entry) {
            return entry.second.stale.meets(entry.second.page_floor(begin), entry.second.page_ceiling(end));
        });
    }

    // A page fault of host code: true when it was in a resident block, and the access can be repeated. `access`: 1 for a write,
    // 0 for a read, -1 where nobody knows: then it reads what the device has changed, and faults again if it writes; a page
    // that can be read was written, or is taken for that, which only costs a copy to the device.
    bool mend(Address address, int access)
    {
        Resident *const block = at(address);
        if (block == nullptr || address < block->pages || address >= block->pages_end)
            return false;
        const Address page = block->page_floor(address);
        const bool writes = access > 0 || (access < 0 && !block->read_only && !block->stale.meets(page, page + 1));
        if (writes && block->read_only)
            return false;
        if (logs(log_transfers))
            note(block->writer, "%s: the host %s byte %zu of %zu, whose page is guarded", block->memory.name, writes ? "writes" : "reads",
                 static_cast<std::size_t>(address - block->memory.begin), block->memory.bytes());
        if (abandoned_ && block->stale.meets(page, page + 1))
            fail(*block->writer, "'" + std::string(block->memory.name) + "' is used when the device has gone", "OMPC471");
        block->mend(page, writes);
        return true;
    }

    // A page fault of host code in no resident block: true when it may have been in one that has left since, and the access is
    // to be repeated. Asked by the thread that faulted; needs no lock. Blocks that left before the thread's last such fault
    // had opened their pages by then.
    bool may_have_left()
    {
        static thread_local unsigned long long known = 0;
        const unsigned long long now = departures_.load();
        return std::exchange(known, now) != now;
    }

    // The block at an address goes, with what is in it. Its pages are as the system gave them again.
    void drop(Address address)
    {
        if (Resident *const block = at(address))
            remove(*block);
    }

    // A range is not guarded any more: the blocks that it touches are copied back and leave.
    void exempt(Address begin, Address end)
    {
        while (Resident *const block = overlapping(begin, end)) {
            block->bring_home(block->pages, block->pages_end, Waited::release);
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

    // This thread ends the program, and only threads that do not know it look at what is on the device.
    void abandon()
    {
        stopped_ = abandoned_ = true;
        ending_ = pthread_self();
    }

    // A child of fork cannot use the device: its memory is the host's, as the parent has it.
    void before_fork() { touch_all(false, Waited::release); }
    void after_fork_in_child()
    {
        new (&table_) std::mutex; // its owner may have been a thread of the parent
        for (const auto &entry : blocks_)
            Resident::protect(entry.second.pages, entry.second.pages_end, entry.second.open());
        blocks_.clear();
        stopped_ = true;
    }

    // Is the address in a resident block? Needs no lock: other threads may hold it, and wait for the caller.
    bool is_resident(Address begin, Address end)
    {
        const std::lock_guard<std::mutex> guard(table_);
        const auto after = blocks_.lower_bound(end);
        return after != blocks_.begin() && begin < std::prev(after)->second.pages_end;
    }

    template <class F>
    void each(F f) const
    {
        for (const auto &entry : blocks_)
            f(entry.second);
    }

    // Gives pages the protection that goes with their state, and none on the way: other threads may be at work. Or, while `open`,
    // another one.
    void guard(Address begin, Address end, int open = -1)
    {
        for (auto &entry : blocks_) {
            const Resident &block = entry.second;
            const Address first = std::max(begin, block.pages), last = std::min(end, block.pages_end);
            if (first >= last)
                continue;
            if (open >= 0) {
                Resident::protect(first, last, open);
                continue;
            }
            const int of_host = block.open();
            block.valid.each_gap(first, last, [&](Address from, Address to) { Resident::protect(from, to, of_host); });
            block.valid.each(first, last, [&](Address valid_from, Address valid_to) {
                block.stale.each_gap(valid_from, valid_to, [](Address from, Address to) { Resident::protect(from, to, PROT_READ); });
            });
            block.stale.each(first, last, [](Address from, Address to) { Resident::protect(from, to, PROT_NONE); });
        }
    }

private:
    static constexpr std::size_t most_copied = std::size_t{1} << 20; // by the host, in about the time of a guard's change
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

    static Placed placed(const ompc_guardable_t &found)
    {
        const Address begin = reinterpret_cast<Address>(found.base);
        return {begin, device().stripe_of({nullptr, begin, begin + found.bytes, begin, begin, false, false, nullptr})};
    }

    // In stripes where that is wanted, or where no device has room for all of it.
    static bool allocate(Resident &block, bool striped)
    {
        const std::size_t stripe = device().stripe_of(block.memory);
        for (const bool in_stripes : {striped, true}) {
            if (block.memory.device != nullptr || (in_stripes && !striped && stripe == 0))
                break;
            block.memory.device = static_cast<char *>(device().allocate_resident(block.memory, in_stripes));
            block.stripe = in_stripes ? stripe : 0;
        }
        return block.memory.device != nullptr;
    }

    Resident *add(const Group &group, const ompc_guardable_t &found, bool striped)
    {
        if (blocks_.size() >= most_blocks)
            return nullptr;
        const Address begin = reinterpret_cast<Address>(found.base), end = begin + found.bytes;
        const Address pages = reinterpret_cast<Address>(found.pages), pages_end = pages + found.page_bytes;
        Resident block{{group.name, begin, end, begin, begin, false, false, nullptr},
                       pages,
                       pages_end,
                       {{begin, pages}, {std::min(end, pages_end), end}},
                       found.read_only != 0};
        block.used = launch_;
        while (!allocate(block, striped) && evict()) {
        }
        if (block.memory.device == nullptr || (found.watched == 0 && ompc_block_watch(found.base) == 0))
            return nullptr;
        register_end();
        if (logs(log_transfers))
            note(nullptr, "%s: stays on the device from now on, a block of %zu bytes%s", group.name, block.memory.bytes(),
                 block.stripe != 0 ? ", in stripes over the devices" : "");
        ompc_guards_may_be(reinterpret_cast<void *>(begin), std::max(end, pages_end) - begin);
        generation_++;
        Resident *added = nullptr;
        {
            const std::lock_guard<std::mutex> guard(table_);
            added = &blocks_.emplace(begin, std::move(block)).first->second;
        }
        open_as_asked(*added);
        return added;
    }

    static void open_as_asked(Resident &block)
    {
        Intervals asked;
        open_memory().each(block.pages, block.pages_end, [&](const OpenMemory::Piece &piece) {
            asked.add(block.page_floor(piece.begin), block.page_ceiling(piece.end));
        });
        block.keep_open(asked);
    }

    void remove(Resident &block)
    {
        if (logs(log_transfers))
            note(nullptr, "%s: leaves the device", block.memory.name);
        if (!has_failed())
            device().wait_copies_in(block.reading, Waited::release);
        Resident::protect(block.pages, block.pages_end, block.open());
        device().release_resident(block.memory, block.last_use);
        generation_++;
        const std::lock_guard<std::mutex> guard(table_);
        departures_++;
        blocks_.erase(block.memory.begin);
    }

    std::map<Address, Resident> blocks_; // by first byte
    std::mutex table_;                   // of blocks_, for is_resident
    unsigned long long launch_ = 0, generation_ = 0;
    std::atomic<unsigned long long> departures_{0}; // blocks that have left
    pthread_t ending_{}; // the thread that ends the program, when it is abandoned
    int guards_ = -1; // not decided
    bool stopped_ = false, abandoned_ = false, end_is_registered_ = false, runs_on_after_end_ = false;
};

inline Residents &residents()
{
    static Residents *const table = new Residents; // never destroyed
    return *table;
}

} // namespace ompc

#endif

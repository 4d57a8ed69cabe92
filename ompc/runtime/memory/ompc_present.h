// ompc_present.h: host memory that target constructs keep on the device (OpenMP 5.2, 5.8.6).
//
// An entry is a range of host memory, by address, that `target data` or `target enter data` has mapped. Launches inside use
// its device memory. Two flags say which side is right: `valid`: the device's copy can be used; `newer`: the host's cannot.
// Nothing is copied when an entry is made: the first launch that needs the data copies it in, the last leave copies back
// what the device has changed, also for a map type that does not ask for it, as if memory were shared: there only if the
// host has not written to its copy since. Loops of the host's own, on the device or not, have the host's copy.
// All functions are called with the ledger's lock held.

#ifndef OMPC_PRESENT_H
#define OMPC_PRESENT_H

#include "ompc_failure.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_timeline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <vector>

namespace ompc {

// A sum over the words of memory, each mixed with its place: a part that changes is taken out and put in again.
using Digest = std::uint64_t;

inline Digest digest_of(Address origin, Address begin, Address end)
{
    Digest sum = 0;
    for (Address at = begin; at < end; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const void *>(at), std::min<std::size_t>(8, end - at));
        word = (word ^ (at - origin + 1) * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
        sum += (word ^ word >> 32) * 0x94d049bb133111eb;
    }
    return sum;
}

bool stays_anyway(Address begin, Address end); // ompc_resident.cc

struct Present {
    Group memory; // its device is nullptr until a launch needs it
    unsigned references;
    bool valid = false, newer = false;
    bool ends_anywhere = false; // by `target exit data`: host code may write while the device's copy is newer
    Digest host = {};           // of the host's copy when the device's became newer
    Region *region = nullptr;   // that used it last, and as which array: what is copied is counted there
    const char *array = "";

    bool holds(Address begin, Address end) const { return memory.begin <= begin && end <= memory.end; }
    bool overlaps(Address begin, Address end) const { return memory.begin < end && begin < memory.end; }

    void written_by_device()
    {
        if (!newer && ends_anywhere)
            host = digest_of(memory.begin, memory.begin, memory.end);
        newer = true;
    }
    bool written_by_host_since() const
    {
        return newer && ends_anywhere && host != digest_of(memory.begin, memory.begin, memory.end);
    }
};

class PresentTable {
public:
    // Maps a range, or counts one more reference to the entry that holds it. A range that overlaps an entry otherwise is
    // left alone: launches copy it.
    void enter(Address begin, std::size_t bytes, bool ends_anywhere)
    {
        const Address end = begin + bytes;
        if (begin == 0 || bytes == 0 || stays_anyway(begin, end))
            return;
        if (Present *const entry = holding(begin, end))
            entry->references++;
        else if (std::none_of(entries_.begin(), entries_.end(), [&](const Present &e) { return e.overlaps(begin, end); })) {
            entries_.push_back({{"mapped data", begin, end, begin, begin, false, false, nullptr}, 1});
            entries_.back().ends_anywhere = ends_anywhere;
            RegionCosts::ask_all_again(); // what the host writes is noted, if it may lie here
            if (logs(log_transfers))
                note(nullptr, "%zu bytes at %p are mapped", bytes, reinterpret_cast<void *>(begin));
        }
    }

    // Takes back one reference, or all; without any, the data is copied back and the entry goes. `from`: the map type wants that;
    // else what the host has written since the device did is the host's.
    void leave(Address begin, std::size_t bytes, bool all, bool from)
    {
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
            if (bytes != 0 && entry->holds(begin, begin + bytes)) {
                entry->references = all ? 0 : entry->references - 1;
                if (entry->references != 0)
                    return;
                if (logs(log_transfers))
                    note(entry->region, "%s: %zu bytes at %p are not mapped any more", entry->array, entry->memory.bytes(),
                         reinterpret_cast<void *>(entry->memory.begin));
                if (from || !entry->written_by_host_since())
                    bring_home(*entry);
                release(*entry);
                entries_.erase(entry);
                return;
            }
    }

    // The memory goes, and with it whatever is in it.
    void drop(Address begin, std::size_t bytes)
    {
        entries_.remove_if([&](Present &entry) {
            const bool gone = entry.overlaps(begin, begin + bytes);
            if (gone)
                release(entry);
            return gone;
        });
    }

    // Host code has written there: its copy is the right one, if the device's was no newer elsewhere.
    void update_to(Address begin, std::size_t bytes)
    {
        for (Present &entry : entries_)
            if (entry.valid && entry.overlaps(begin, begin + bytes)) {
                const Address from = std::max(begin, entry.memory.begin), to = std::min(begin + bytes, entry.memory.end);
                copy_in(entry, from, to);
                wait(entry);
            }
    }

    // Host code may read there. What it has written elsewhere in the entry stays.
    void update_from(Address begin, std::size_t bytes)
    {
        for (Present &entry : entries_)
            if (entry.newer && entry.overlaps(begin, begin + bytes)) {
                const Address from = std::max(begin, entry.memory.begin), to = std::min(begin + bytes, entry.memory.end);
                entry.newer = to - from != entry.memory.bytes();
                const Address first = from - (from - entry.memory.begin) % 8; // whole words of the digest
                const Address last = std::min(to + 7 - (to - entry.memory.begin + 7) % 8, entry.memory.end);
                const bool followed = entry.newer && entry.ends_anywhere;
                entry.host -= followed ? digest_of(entry.memory.begin, first, last) : 0;
                copy_home(entry, from, to);
                entry.host += followed ? digest_of(entry.memory.begin, first, last) : 0;
            }
    }

    // Host code may read there.
    void read_by_host(Address begin, std::size_t bytes)
    {
        for (Present &entry : entries_)
            if (entry.overlaps(begin, begin + bytes))
                bring_home(entry);
    }

    // Host code may read and write there.
    void written_by_host(Address begin, std::size_t bytes)
    {
        for (Present &entry : entries_)
            if (entry.overlaps(begin, begin + bytes)) {
                bring_home(entry);
                entry.valid = false;
            }
    }

    // The program ends: what the host has written last stays, also there.
    void end()
    {
        for (Present &entry : entries_)
            if (!entry.written_by_host_since())
                written_by_host(entry.memory.begin, entry.memory.bytes());
    }

    void read_by_host() { read_by_host(0, static_cast<std::size_t>(-1)); }
    void written_by_host() { written_by_host(0, static_cast<std::size_t>(-1)); }

    // An array whose extent is its block is, if mapped, what is mapped of it.
    void narrow(Range &range)
    {
        if (Present *const entry = holding(range.pointer, range.pointer + 1)) {
            range.begin = entry->memory.begin;
            range.end = entry->memory.end;
            range.known = true;
        }
    }

    // Nothing stays on the device any more.
    void keep_nothing() { keeps_ = false; }

    // May the groups of a launch be parts of entries? No: one is a part and more than a part, or is written in a copy, and
    // so all are copied.
    bool separate(const std::vector<Group> &groups)
    {
        if (!keeps_)
            return false;
        for (const Group &group : groups)
            for (const Present &entry : entries_)
                if (entry.overlaps(group.begin, group.end) && !can_be_part(group, entry)) {
                    written_by_host();
                    return false;
                }
        return !entries_.empty();
    }

    bool empty() const { return entries_.empty(); }

    // Is anything of it mapped?
    bool is_mapped(Address begin, Address end) const
    {
        return std::any_of(entries_.begin(), entries_.end(), [&](const Present &entry) { return entry.overlaps(begin, end); });
    }

    // Nobody knows what becomes of the memory: what is mapped of it is copied back.
    void end_of(Address begin, std::size_t bytes)
    {
        for (Present &entry : entries_)
            if (entry.overlaps(begin, begin + bytes) && !entry.written_by_host_since())
                bring_home(entry);
        drop(begin, bytes);
    }

    static bool can_be_part(const Group &group, const Present &entry)
    {
        return group.packed ? group.out_bytes() == 0 : entry.holds(group.begin, group.end);
    }

    // The entry that holds the group, with device memory; nullptr: there is none, or no memory for it.
    Present *resident(const Group &group);

    // Makes the device's copy right for a group of a launch. True: a copy is under way, which the host may not change.
    bool bring_in(const Group &group, Region &region);

private:
    Present *holding(Address begin, Address end)
    {
        for (Present &entry : entries_)
            if (entry.holds(begin, end))
                return &entry;
        return nullptr;
    }

    static void bring_home(Present &entry);
    static void copy_in(const Present &entry, Address from, Address to); // behind all launches: which of them use it is not known
    static void copy_home(const Present &entry, Address from, Address to);
    static void wait(const Present &entry);

    // What is still mapped when the program ends, for the handlers that the program registered before it used the device.
    static pid_t come_home_at_exit();

    static void release(Present &entry);

    std::list<Present> entries_;
    bool keeps_ = true;
};

inline PresentTable &present()
{
    static PresentTable *const table = new PresentTable; // never destroyed
    return *table;
}

// A loop that is of no target construct works with the host's copy of everything.
inline bool may_find_mapped(const Region &region)
{
    return std::strncmp(region.directive, "target", 6) == 0;
}

// What a launch finds mapped.
inline PresentTable &present(const Region &region)
{
    static PresentTable *const nothing = new PresentTable; // never destroyed
    return may_find_mapped(region) ? present() : *nothing;
}

} // namespace ompc

#endif

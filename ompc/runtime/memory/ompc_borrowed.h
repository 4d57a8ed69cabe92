// ompc_borrowed.h: borrowed buffers: memory that the caller of a library's function lends it for the call (ompc_library.cc).
//
// Where host code of the function does not touch a parameter's array, the array can be on the device for the whole call: one
// of the host's is copied in by the first launch that needs it, and is copied back when the call returns; one of the device's,
// such as CuPy's, is used where it is. The latter has addresses of the host's that stand for it, reserved and empty, since all
// that launches know goes by these: one loop that must run on the host after all finds its data there.
//
//     valid   the device's bytes are right       newer   the host's are not
//
// All functions are called with the ledger's lock held.

#ifndef OMPC_BORROWED_H
#define OMPC_BORROWED_H

#include "ompc_device.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_timeline.h"

#include <algorithm>
#include <cstddef>
#include <list>
#include <vector>

namespace ompc {

// Addresses of the host's without memory.
struct AddressRange {
    Address begin;
    std::size_t bytes;
};

struct Borrowed {
    Group memory; // its device is nullptr until a launch needs it
    bool of_device, stays_home; // stays_home: host code may touch it, so launches copy it
    bool valid, newer;
    bool is_reserved; // the host's pages are
    AddressRange pages{0, 0}; // that stand for memory of the device
    unsigned references = 1;
    Region *region = nullptr; // that used it last
    const char *array = "an argument";

    bool holds(Address begin, Address end) const { return memory.begin <= begin && end <= memory.end; }
    bool overlaps(Address begin, Address end) const { return memory.begin < end && begin < memory.end; }
};

class BorrowedTable {
public:
    // Memory of the host's, for a call.
    void enter(Address begin, std::size_t bytes, bool kept)
    {
        for (Borrowed &buffer : bounds_)
            if (buffer.memory.begin == begin && buffer.memory.bytes() == bytes) { // another thread's call only reads it, too
                buffer.references++;
                if (!kept)
                    written_by_host(begin, bytes);
                buffer.stays_home |= !kept;
                return;
            }
        if (kept)
            bounds_.push_back({memory(begin, bytes, nullptr), false, false, false, false, false});
    }

    // Memory of the device's. The host's addresses that stand for it; 0: there are none.
    Address enter_device(Address device, std::size_t bytes, bool kept)
    {
        const std::size_t skew = device % page;
        const AddressRange pages = reserve(bytes + skew);
        if (pages.begin == 0)
            return 0;
        const Address begin = pages.begin + skew;
        bounds_.push_back({memory(begin, bytes, reinterpret_cast<char *>(device)), true, false, true, true, true, pages});
        if (!kept) {
            written_by_host(begin, bytes);
            bounds_.back().stays_home = true;
        }
        return begin;
    }

    // The call is over. `written`: host code may have written there.
    void leave(Address begin, std::size_t bytes, bool written)
    {
        for (auto buffer = bounds_.begin(); buffer != bounds_.end(); ++buffer)
            if (buffer->memory.begin == begin && buffer->memory.bytes() == bytes) {
                if (!buffer->of_device)
                    bring_home(*buffer);
                else if (!buffer->valid && (written || !buffer->stays_home))
                    copy_in(*buffer);
                if (--buffer->references == 0) {
                    release(*buffer);
                    bounds_.erase(buffer);
                }
                return;
            }
    }

    bool empty() const { return bounds_.empty(); }

    // The borrowed buffer that a launch uses for this memory; nullptr: it copies.
    Borrowed *holding(Address begin, Address end)
    {
        for (Borrowed &buffer : bounds_)
            if (!buffer.stays_home && buffer.holds(begin, end))
                return &buffer;
        return nullptr;
    }
    bool is_borrowed(Address begin, Address end) const
    {
        return std::any_of(bounds_.begin(), bounds_.end(), [&](const Borrowed &buffer) { return !buffer.stays_home && buffer.overlaps(begin, end); });
    }

    // The device memory of a borrowed buffer for a launch; nullptr: there is none.
    static char *device_of(Borrowed &buffer)
    {
        if (buffer.memory.device == nullptr)
            buffer.memory.device = static_cast<char *>(device().allocate_resident(buffer.memory));
        return buffer.memory.device;
    }

    // Makes the device's copy right for a group of a launch.
    static void bring_in(const Group &group, Region &region)
    {
        Borrowed &buffer = *group.borrowed;
        const bool stale = !buffer.valid;
        buffer.valid = true;
        buffer.region = &region;
        buffer.array = group.name;
        if (stale && (group.copy_in || group.bytes() != buffer.memory.bytes()))
            copy_in(buffer);
        else
            avoid(region, group.name, group.bytes(), stale ? Avoided::overwritten : Avoided::valid);
    }

    // Host code may read there.
    void read_by_host(Address begin, std::size_t bytes)
    {
        for (Borrowed &buffer : bounds_)
            if (buffer.overlaps(begin, begin + bytes))
                bring_home(buffer);
    }

    // Host code may read and write there.
    void written_by_host(Address begin, std::size_t bytes)
    {
        for (Borrowed &buffer : bounds_)
            if (buffer.overlaps(begin, begin + bytes)) {
                bring_home(buffer);
                buffer.valid = false;
            }
    }
    void written_by_host() { written_by_host(0, static_cast<std::size_t>(-1)); }

private:
    static constexpr std::size_t page = 4096;

    static Group memory(Address begin, std::size_t bytes, char *on_device)
    {
        return {"an argument", begin, begin + bytes, begin, begin, false, false, on_device};
    }

    static Region &region_of(const Borrowed &buffer) { return buffer.region == nullptr ? region_of_calls() : *buffer.region; }

    static void bring_home(Borrowed &buffer)
    {
        if (!buffer.newer)
            return;
        buffer.newer = false;
        if (buffer.is_reserved) {
            buffer.is_reserved = false;
            ompc_libc_mprotect(reinterpret_cast<void *>(buffer.pages.begin), buffer.pages.bytes, PROT_READ | PROT_WRITE);
        }
        Region &region = region_of(buffer);
        device().begin(region, automatic);
        device().copy_out({region, buffer.array}, reinterpret_cast<void *>(buffer.memory.begin), buffer.memory.device, buffer.memory.bytes(), false);
        avoid_no_more(region, buffer.array, buffer.memory.bytes(), Avoided::not_read);
        device().wait(Waited::mapping, &region, buffer.array);
    }

    // Behind all launches: which of them use it is not known.
    static void copy_in(Borrowed &buffer)
    {
        buffer.valid = true;
        Region &region = region_of(buffer);
        device().begin(region, automatic);
        device().order().after(StreamId::in, device().order().last());
        device().copy_in({region, buffer.array}, buffer.memory.device, reinterpret_cast<const void *>(buffer.memory.begin), buffer.memory.bytes());
    }

    // A call of a function with three arrays takes a microsecond; to have pages mapped and unmapped for each, fifteen.
    AddressRange reserve(std::size_t bytes)
    {
        for (AddressRange &spare : spare_)
            if (spare.bytes >= bytes) {
                const AddressRange found = spare;
                spare = spare_.back();
                spare_.pop_back();
                return found;
            }
        bytes = (bytes + page - 1) / page * page;
        void *const pages = ompc_libc_mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return {pages == MAP_FAILED ? 0 : reinterpret_cast<Address>(pages), bytes};
    }

    void release(const Borrowed &buffer)
    {
        if (!buffer.of_device && buffer.memory.device != nullptr)
            device().release_resident(buffer.memory, device().order().last());
        if (!buffer.of_device)
            return;
        device().wait_copies_in(Waited::release); // one may be reading these pages
        if (buffer.is_reserved && spare_.size() < most_spare)
            spare_.push_back(buffer.pages);
        else
            ompc_libc_munmap(reinterpret_cast<void *>(buffer.pages.begin), buffer.pages.bytes);
    }

    static constexpr std::size_t most_spare = 16;

    std::list<Borrowed> bounds_;
    std::vector<AddressRange> spare_; // still without memory, for the next calls
};

inline BorrowedTable &borrowed()
{
    static BorrowedTable *const table = new BorrowedTable; // never destroyed
    return *table;
}

} // namespace ompc

#endif

// ompc_lent.h: memory that the caller of a library's function lends it for the call (ompc_library.cc).
//
// Where host code of the function does not touch a parameter's array, the array can be on the device for the whole call: one
// of the host's is copied in by the first launch that needs it, and comes home when the call returns; one of the device's,
// such as CuPy's, is used where it is. The latter has addresses of the host's that stand for it, reserved and empty, since all
// that launches know goes by these: one loop that must run on the host after all finds its data there.
//
//     valid   the device's bytes are right       newer   the host's are not
//
// All functions are called with the ledger's lock held.

#ifndef OMPC_LENT_H
#define OMPC_LENT_H

#include "ompc_device.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_timeline.h"

#include <algorithm>
#include <cstddef>
#include <list>
#include <vector>

namespace ompc {

struct Lent {
    Group memory; // its device is nullptr until a launch needs it
    bool of_device, stays_home; // stays_home: host code may touch it, so launches copy it
    bool valid, newer;
    bool is_reserved; // the host's pages are
    unsigned references = 1;
    Region *region = nullptr; // that used it last
    const char *array = "an argument";

    bool holds(Address begin, Address end) const { return memory.begin <= begin && end <= memory.end; }
    bool overlaps(Address begin, Address end) const { return memory.begin < end && begin < memory.end; }
};

class LentTable {
public:
    // Memory of the host's, for a call.
    void enter(Address begin, std::size_t bytes, bool kept)
    {
        for (Lent &loan : loans_)
            if (loan.memory.begin == begin && loan.memory.bytes() == bytes) { // another thread's call only reads it, too
                loan.references++;
                if (!kept)
                    written_by_host(begin, bytes);
                loan.stays_home |= !kept;
                return;
            }
        if (kept)
            loans_.push_back({memory(begin, bytes, nullptr), false, false, false, false, false});
    }

    // Memory of the device's. The host's addresses that stand for it; 0: there are none.
    Address enter_device(Address device, std::size_t bytes, bool kept)
    {
        const std::size_t skew = device % page;
        void *const pages = ompc_libc_mmap(nullptr, bytes + skew, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages == MAP_FAILED)
            return 0;
        const Address begin = reinterpret_cast<Address>(pages) + skew;
        loans_.push_back({memory(begin, bytes, reinterpret_cast<char *>(device)), true, false, true, true, true});
        if (!kept) {
            written_by_host(begin, bytes);
            loans_.back().stays_home = true;
        }
        return begin;
    }

    // The call is over. `written`: host code may have written there.
    void leave(Address begin, std::size_t bytes, bool written)
    {
        for (auto loan = loans_.begin(); loan != loans_.end(); ++loan)
            if (loan->memory.begin == begin && loan->memory.bytes() == bytes) {
                if (!loan->of_device)
                    bring_home(*loan);
                else if (!loan->valid && (written || !loan->stays_home))
                    copy_in(*loan);
                if (--loan->references == 0) {
                    release(*loan);
                    loans_.erase(loan);
                }
                return;
            }
    }

    bool empty() const { return loans_.empty(); }

    // The loan that a launch uses for this memory; nullptr: it copies.
    Lent *holding(Address begin, Address end)
    {
        for (Lent &loan : loans_)
            if (!loan.stays_home && loan.holds(begin, end))
                return &loan;
        return nullptr;
    }
    bool is_lent(Address begin, Address end) const
    {
        return std::any_of(loans_.begin(), loans_.end(), [&](const Lent &loan) { return !loan.stays_home && loan.overlaps(begin, end); });
    }

    // The device memory of a loan for a launch; nullptr: there is none.
    static char *device_of(Lent &loan)
    {
        if (loan.memory.device == nullptr)
            loan.memory.device = static_cast<char *>(device().allocate_resident(loan.memory));
        return loan.memory.device;
    }

    // Makes the device's copy right for a group of a launch.
    static void bring_in(const Group &group, Region &region)
    {
        Lent &loan = *group.lent;
        const bool stale = !loan.valid;
        loan.valid = true;
        loan.region = &region;
        loan.array = group.name;
        if (stale && (group.copy_in || group.bytes() != loan.memory.bytes()))
            copy_in(loan);
        else
            avoid(region, group.name, group.bytes(), stale ? Avoided::overwritten : Avoided::valid);
    }

    // Host code may read there.
    void read_by_host(Address begin, std::size_t bytes)
    {
        for (Lent &loan : loans_)
            if (loan.overlaps(begin, begin + bytes))
                bring_home(loan);
    }

    // Host code may read and write there.
    void written_by_host(Address begin, std::size_t bytes)
    {
        for (Lent &loan : loans_)
            if (loan.overlaps(begin, begin + bytes)) {
                bring_home(loan);
                loan.valid = false;
            }
    }
    void written_by_host() { written_by_host(0, static_cast<std::size_t>(-1)); }

private:
    static constexpr std::size_t page = 4096;

    static Group memory(Address begin, std::size_t bytes, char *on_device)
    {
        return {"an argument", begin, begin + bytes, begin, begin, false, false, on_device};
    }

    static Region &region_of(const Lent &loan) { return loan.region == nullptr ? region_of_calls() : *loan.region; }

    static void bring_home(Lent &loan)
    {
        if (!loan.newer)
            return;
        loan.newer = false;
        if (loan.is_reserved) {
            const Address pages = loan.memory.begin / page * page;
            loan.is_reserved = false;
            ompc_libc_mprotect(reinterpret_cast<void *>(pages), loan.memory.end - pages, PROT_READ | PROT_WRITE);
        }
        Region &region = region_of(loan);
        device().begin(region, automatic);
        device().copy_out({region, loan.array}, reinterpret_cast<void *>(loan.memory.begin), loan.memory.device, loan.memory.bytes(), false);
        avoid_no_more(region, loan.array, loan.memory.bytes(), Avoided::not_read);
        device().wait(Waited::mapping, &region, loan.array);
    }

    // Behind all launches: which of them use it is not known.
    static void copy_in(Lent &loan)
    {
        loan.valid = true;
        Region &region = region_of(loan);
        device().begin(region, automatic);
        device().order().after(Way::in, device().order().last());
        device().copy_in({region, loan.array}, loan.memory.device, reinterpret_cast<const void *>(loan.memory.begin), loan.memory.bytes());
    }

    static void release(const Lent &loan)
    {
        if (!loan.of_device && loan.memory.device != nullptr)
            device().release_resident(loan.memory, device().order().last());
        if (!loan.of_device)
            return;
        device().wait_copies_in(Waited::release); // one may be reading these pages
        const Address pages = loan.memory.begin / page * page;
        ompc_libc_munmap(reinterpret_cast<void *>(pages), loan.memory.end - pages);
    }

    std::list<Lent> loans_;
};

inline LentTable &lent()
{
    static LentTable *const table = new LentTable; // never destroyed
    return *table;
}

} // namespace ompc

#endif

// ompc_resident.cc: what the guards of pages call (ompc_guards.c), when there are guards at all, what the device calls when
// blocks go and pages are to open, and copies of mapped data.
//
// Environment: OMPC_GUARD=0 (nothing stays on the device between launches, but what target constructs map).

#include "ompc_calibration.h"
#include "ompc_debugger.h"
#include "ompc_ledger.h"
#include "ompc_libraries.h"
#include "ompc_log.h"
#include "ompc_once.h"
#include "ompc_present.h"
#include "ompc_resident.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string>
#include <unistd.h>

namespace ompc {

// What the guards call, with no lock held.
struct Guards {
    static int fault(void *address, int access)
    {
        const Address at = reinterpret_cast<Address>(address);
        if (residents().is_resident(at, at + 1)) {
            bool mended = false;
            unless_lost(at, at + 1, [&] { mended = residents().mend(at, access); });
            if (mended)
                return 1;
        }
        return residents().may_have_left();
    }
    static void touch(const volatile void *base, std::size_t bytes, int writes)
    {
        const Address begin = reinterpret_cast<Address>(base);
        if (!residents().is_resident(begin, begin + bytes))
            return;
        unless_lost(begin, begin + bytes, [&] {
            if (writes == exempt_from_guards)
                residents().exempt(begin, begin + bytes);
            else
                residents().touch(begin, begin + bytes, writes != 0);
        });
    }
    // Never returns where the range is lost: the status of the program is that of the thread that ends it.
    template <class F>
    static void unless_lost(Address begin, Address end, const F &f)
    {
        for (;; pause()) {
            const Locked guard(ledger().lock);
            payoff().hinders();
            if (!residents().is_lost(begin, end))
                return f();
        }
    }
    static void wait()
    {
        if (!device().is_busy())
            return;
        const Locked guard(ledger().lock);
        payoff().hinders();
        device().wait(Waited::results);
    }
    static void stop()
    {
        const Locked guard(ledger().lock);
        residents().stop();
    }
    static void end(const char *function)
    {
        tell_end(function);
        stop();
    }
    static void tell_end(const char *function)
    {
        if (*function == '\0' && !is_first_of_process())
            return;
        if (*function == '\0')
            tell(nullptr, "every loop copies its arrays: this library was loaded behind libc, whose calls are not seen [OMPC473]");
        else
            tell(nullptr, "every loop copies its arrays from now on: the program calls %s, with which no pages can be guarded [OMPC473]", function);
    }
    // No other thread launches until the child has its copy.
    static void before_fork()
    {
        if (is_connecting_thread())
            return;
        const Locked guard(ledger().lock);
        ledger().lock.lock();
        residents().before_fork();
    }
    static void after_fork()
    {
        if (!is_connecting_thread())
            ledger().lock.unlock();
    }
    static void after_fork_in_child() // the lock is new there
    {
        if (!is_connecting_thread())
            residents().after_fork_in_child();
    }
};

// Environment: OMPC_GUARD=0 (nothing stays on the device between launches, but what target constructs map).
bool Residents::guards()
{
    if (guards_ < 0) {
        const std::string wanted = text_of("OMPC_GUARD");
        static const ompc_guard_hooks_t hooks = {Guards::fault, Guards::touch, Guards::wait, Guards::stop, Guards::end};
        const std::string library = wanted == "0" || wanted == "1" ? "" : library_past_libc();
        if (!library.empty())
            tell(nullptr, "every loop copies its arrays: %s is loaded, which may not see page guards [OMPC472]", library.c_str());
        const bool is_shared = ompc_malloc_is_the_programs() != 0 && wanted != "0"; // what it gives to the runtime may be anywhere
        if (is_shared)
            tell(nullptr, "every loop copies its arrays: the program has a malloc of its own [OMPC473]");
        const bool is_asked = library.empty() && wanted != "0" && !is_shared, is_watched = is_asked && wanted != "1" && is_under_debugger();
        if (is_watched)
            tell(nullptr, "every loop copies its arrays, so that the debugger shows them as they are: OMPC_GUARD=1 does not");
        guards_ = is_asked && !is_watched && ompc_guards_start(&hooks);
        if (guards_ == 0 && is_asked && !is_watched && ompc_guards_refused() != nullptr)
            Guards::tell_end(ompc_guards_refused());
        if (guards_ != 0)
            ompc_at_fork(Guards::before_fork, Guards::after_fork, Guards::after_fork_in_child);
    }
    return guards_ != 0 && !stopped_;
}

void Residents::end()
{
    const Locked guard(ledger().lock);
    if (residents().runs_on_after_end_)
        residents().stop();
    else
        residents().abandon();
}

bool stays_anyway(Address begin, Address end)
{
    const Locked guard(ledger().lock);
    return borrowed().is_borrowed(begin, end) || residents().can_hold(begin, end);
}

Rates rates_of_device()
{
    const MachineCosts &costs = machine_costs();
    return {costs.device_bytes_per_second, ledger().operations_per_second, costs.launch_seconds};
}

void drop_resident(void *base)
{
    residents().drop(reinterpret_cast<Address>(base));
}

void open_pages(void *pages, std::size_t bytes, int protection)
{
    const Address begin = reinterpret_cast<Address>(pages);
    residents().guard(begin, begin + bytes, protection);
}

void guard_pages(void *pages, std::size_t bytes)
{
    const Address begin = reinterpret_cast<Address>(pages);
    residents().guard(begin, begin + bytes);
}

void drop_present(void *base, std::size_t bytes)
{
    present().drop(reinterpret_cast<Address>(base), bytes);
}

// ---- mapped data (ompc_present.h)

Present *PresentTable::resident(const Group &group)
{
    Present *const entry = holding(group.begin, group.end);
    if (entry != nullptr && entry->memory.device == nullptr)
        entry->memory.device = static_cast<char *>(device().allocate(entry->memory, automatic));
    static const pid_t user = come_home_at_exit(); // the device is in use: this is done before it is shut down
    static_cast<void>(user);
    return entry != nullptr && entry->memory.device != nullptr ? entry : nullptr;
}

bool PresentTable::bring_in(const Group &group, Region &region)
{
    Present &entry = *group.present;
    const bool stale = !entry.valid;
    entry.valid = true;
    entry.region = &region;
    entry.array = group.name;
    if (!stale || (!group.copy_in && group.bytes() == entry.memory.bytes())) {
        avoid(region, group.name, group.bytes(), group.copy_in ? Avoided::valid : Avoided::overwritten);
        return false;
    }
    device().expect(reinterpret_cast<const void *>(entry.memory.begin), entry.memory.bytes(), 0);
    copy_in(entry, entry.memory.begin, entry.memory.end);
    return true;
}

void PresentTable::bring_home(Present &entry)
{
    if (!entry.newer)
        return;
    entry.newer = false;
    device().expect(reinterpret_cast<const void *>(entry.memory.begin), 0, entry.memory.bytes());
    copy_home(entry, entry.memory.begin, entry.memory.end);
}

void PresentTable::copy_in(const Present &entry, Address from, Address to)
{
    device().order().after(StreamId::in, device().order().last());
    char *const on_device = entry.memory.device + (from - entry.memory.begin);
    device().copy_in({*entry.region, entry.array}, on_device, reinterpret_cast<const void *>(from), to - from);
}

void PresentTable::copy_home(const Present &entry, Address from, Address to)
{
    const char *const on_device = entry.memory.device + (from - entry.memory.begin);
    device().copy_out({*entry.region, entry.array}, reinterpret_cast<void *>(from), on_device, to - from);
    avoid_no_more(*entry.region, entry.array, to - from, Avoided::not_read);
    wait(entry);
}

void PresentTable::wait(const Present &entry)
{
    device().wait(Waited::mapping, entry.region, entry.array);
}

void PresentTable::release(Present &entry)
{
    if (entry.memory.device != nullptr)
        device().release(entry.memory, automatic);
}

pid_t PresentTable::come_home_at_exit()
{
    static const pid_t registered_by = getpid(); // a child of fork cannot use its parent's device
    ompc_at_exit([] {
        const Locked guard(ledger().lock);
        if (registered_by == getpid() && !has_failed())
            present().end();
    });
    return registered_by;
}

} // namespace ompc

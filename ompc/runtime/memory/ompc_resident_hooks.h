// ompc_resident_hooks.h: what the guards of pages call (ompc_guards.h), and when there are guards at all.
//
// Environment: OMPC_GUARD=0 (nothing stays on the device between launches, but what target constructs map).

#ifndef OMPC_RESIDENT_HOOKS_H
#define OMPC_RESIDENT_HOOKS_H

#include "ompc_debugger.h"
#include "ompc_ledger.h"
#include "ompc_libraries.h"
#include "ompc_log.h"
#include "ompc_once.h"
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
    static int fault(void *address, int writes)
    {
        const Address at = reinterpret_cast<Address>(address);
        if (residents().is_resident(at, at + 1)) {
            bool mended = false;
            unless_lost(at, at + 1, [&] { mended = residents().mend(at, writes != 0); });
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
inline bool Residents::guards()
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

inline void Residents::end()
{
    const Locked guard(ledger().lock);
    if (residents().runs_on_after_end_)
        residents().stop();
    else
        residents().abandon();
}

} // namespace ompc

#endif

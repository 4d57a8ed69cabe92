// ompc_library.h: what a process that has loaded a library of translated functions calls before and behind each call of one.
//
// It says which memory the function gets: the arrays that it is given pointers to, and nothing around them. Launches then know
// how large the arrays are, and which of them can be on the device until the call returns (ompc_lent.h). When it returns, the
// host's arrays are right on the host, and whoever uses the device's arrays in their streams comes behind the launches.
//
// Only in libraries (OMPC_LIBRARY).

#ifndef OMPC_LIBRARY_H
#define OMPC_LIBRARY_H

#include "ompc_host.h"
#include "ompc_device.h"
#include "ompc_ledger.h"
#include "ompc_lent.h"
#include "ompc_present.h"

#include <cstddef>

extern "C" {
// Memory that a call gets. `host` may be null for memory of the `device`: then it is set to the addresses that the function is
// to be given. `kept`: only loops on the device touch it. `written`: the function may write there.
struct ompc_loan {
    void *host;
    std::size_t bytes;
    void *device;
    int kept, written;
    int is_block; // ours: so many bytes at `host` are a block because of this loan
};
}

namespace ompc {

class CallOfLibrary {
public:
    // nullptr, or why the memory cannot be used.
    static const char *begin(ompc_loan *loans, std::size_t count, void *const *streams, std::size_t stream_count)
    {
        const Locked guard(ledger().lock);
        device().begin_call();
        const char *const why = begin_locked(loans, count, streams, stream_count);
        if (why != nullptr)
            device().end_call();
        return why;
    }

    static void end(ompc_loan *loans, std::size_t count, void *const *streams, std::size_t stream_count)
    {
        const Locked guard(ledger().lock);
        give_back(loans, count);
        bool waits = stream_count == 0;
        for (std::size_t i = 0; i < count; i++)
            waits |= loans[i].device == nullptr;
        if (waits && device().is_busy())
            device().wait(Waited::results);
        device().wait_copies_in(Waited::release); // of variables of the library
        for (std::size_t i = 0; i < stream_count; i++)
            device().lead_stream(streams[i]);
        device().end_call();
    }

private:
    static const char *begin_locked(ompc_loan *loans, std::size_t count, void *const *streams, std::size_t stream_count)
    {
        for (std::size_t i = 0; i < count; i++)
            if (const char *const why = loans[i].device == nullptr ? nullptr : device().cannot_use(loans[i].device))
                return why;
        for (std::size_t i = 0; i < stream_count; i++)
            if (const char *const why = device().follow_stream(streams[i]))
                return why;
        for (std::size_t i = 0; i < count; i++)
            if (const char *const why = borrow(loans[i])) {
                give_back(loans, i);
                return why;
            }
        return nullptr;
    }

    static const char *borrow(ompc_loan &loan)
    {
        const Address device_side = reinterpret_cast<Address>(loan.device);
        loan.is_block = 0;
        if (loan.device == nullptr) {
            lend_host(loan);
            return nullptr;
        }
        loan.host = reinterpret_cast<void *>(lent().enter_device(device_side, loan.bytes, loan.kept != 0));
        if (loan.host == nullptr)
            return "there are no addresses left for it";
        ompc_block_lend(loan.host, loan.bytes);
        loan.is_block = 1;
        return nullptr;
    }

    static void lend_host(ompc_loan &loan)
    {
        void *base = nullptr;
        std::size_t bytes = 0;
        const Address begin = reinterpret_cast<Address>(loan.host);
        if (ompc_block_find(loan.host, &base, &bytes) == 0) { // else it is a variable of the library's
            ompc_block_lend(loan.host, loan.bytes);
            loan.is_block = 1;
        }
        if (!present().is_mapped(begin, begin + loan.bytes))
            lent().enter(begin, loan.bytes, loan.kept != 0 && loan.is_block != 0);
    }

    static void give_back(ompc_loan *loans, std::size_t count)
    {
        for (std::size_t i = 0; i < count; i++) {
            const Address begin = reinterpret_cast<Address>(loans[i].host);
            lent().leave(begin, loans[i].bytes, loans[i].written != 0);
            if (loans[i].is_block == 0)
                continue;
            present().end_of(begin, loans[i].bytes);
            ompc_block_remove(loans[i].host);
        }
    }
};

// Arrays on the device for those who have no others (lib.to_device).
class ArrayOfLibrary {
public:
    static void *allocate(std::size_t bytes)
    {
        const Locked guard(ledger().lock);
        device().begin_call();
        device().begin(region_of_calls(), automatic);
        void *const made = device().start() == nullptr ? device().allocate_memory(bytes, "an array", automatic) : nullptr;
        device().end_call();
        return made;
    }
    static void release(void *memory)
    {
        const Locked guard(ledger().lock);
        device().release_memory(memory, automatic);
    }
    static void copy(void *host, void *device_side, std::size_t bytes, bool to_device)
    {
        const Locked guard(ledger().lock);
        Region &region = region_of_calls();
        device().begin_call();
        static_cast<void>(device().start());
        device().begin(region, automatic);
        device().order().after(Way::in, device().order().last()); // any launch may use it
        if (to_device)
            device().copy_in({region, "an array"}, device_side, host, bytes);
        else
            device().copy_out({region, "an array"}, host, device_side, bytes);
        device().wait(Waited::mapping, &region, "an array");
        device().end_call();
    }
};

} // namespace ompc

extern "C" __attribute__((weak, used)) void *ompc_device_allocate(std::size_t bytes) // nullptr: there is none
{
    return ompc::ArrayOfLibrary::allocate(bytes);
}

extern "C" __attribute__((weak, used)) void ompc_device_release(void *memory)
{
    ompc::ArrayOfLibrary::release(memory);
}

extern "C" __attribute__((weak, used)) void ompc_device_copy(void *host, void *memory, std::size_t bytes, int to_device)
{
    ompc::ArrayOfLibrary::copy(host, memory, bytes, to_device != 0);
}

extern "C" __attribute__((weak, used)) const char *ompc_call_begin(ompc_loan *loans, std::size_t count, void *const *streams,
                                                                   std::size_t stream_count)
{
    return ompc::CallOfLibrary::begin(loans, count, streams, stream_count);
}

extern "C" __attribute__((weak, used)) void ompc_call_end(ompc_loan *loans, std::size_t count, void *const *streams,
                                                          std::size_t stream_count)
{
    ompc::CallOfLibrary::end(loans, count, streams, stream_count);
}

#endif

// ompc_library.cc: what a process that has loaded a library of translated functions calls before and behind each call of one.
//
// It says which memory the function gets: the arrays that it is given pointers to, and nothing around them. Launches then know
// how large the arrays are, and which of them can be on the device until the call returns (ompc_borrowed.h). When it returns, the
// host's arrays are right on the host, and whoever uses the device's arrays in their streams comes behind the launches.
//
// Only in libraries (OMPC_LIBRARY).

#ifdef OMPC_LIBRARY

#include "ompc_host.h"
#include "ompc_device.h"
#include "ompc_ledger.h"
#include "ompc_borrowed.h"
#include "ompc_bounds_checks.h"
#include "ompc_library.h"
#include "ompc_of_thread.h"
#include "ompc_present.h"

#include <cstddef>
#include <string>

namespace ompc {

class CallOfLibrary {
public:
    // nullptr, or why the memory cannot be used.
    static const char *begin(const ompc_library_call &call)
    {
        const Locked guard(ledger().lock);
        device().begin_call();
        const char *const why = begin_locked(call);
        if (why != nullptr)
            device().end_call();
        return why;
    }

    // nullptr, or which loop would have left the memory, so that nobody has run it.
    static const char *end(const ompc_library_call &call)
    {
        const Locked guard(ledger().lock);
        std::string &overrun = OfThread<std::string>::get();
        overrun = give_back(call.buffers, call.count);
        bool waits = call.waits != 0 || call.stream_count == 0;
        for (std::size_t i = 0; i < call.count; i++)
            waits |= call.buffers[i].device == nullptr && call.buffers[i].bytes != 0;
        if (waits && device().is_busy())
            device().wait(Waited::results);
        device().wait_copies_in(Waited::release); // of variables of the library
        for (std::size_t i = 0; i < call.stream_count; i++)
            device().lead_stream(call.streams[i]);
        device().end_call();
        return overrun.empty() ? nullptr : overrun.c_str();
    }

private:
    static const char *begin_locked(const ompc_library_call &call)
    {
        for (std::size_t i = 0; i < call.count; i++) {
            const ompc_borrowed_buffer &buffer = call.buffers[i];
            if (const char *const why = buffer.device == nullptr || buffer.bytes == 0 ? nullptr : device().cannot_use(buffer.device))
                return why;
        }
        for (std::size_t i = 0; i < call.stream_count; i++)
            if (const char *const why = device().follow_stream(call.streams[i]))
                return why;
        for (std::size_t i = 0; i < call.count; i++)
            if (const char *const why = borrow(call.buffers[i])) {
                give_back(call.buffers, i);
                return why;
            }
        return nullptr;
    }

    static const char *borrow(ompc_borrowed_buffer &buffer)
    {
        buffer.is_block = buffer.is_bounded = 0;
        if (buffer.bytes == 0) {
            buffer.host = buffer.device == nullptr ? buffer.host : buffer.device;
            bound(buffer);
            return nullptr;
        }
        if (buffer.device == nullptr) {
            lend_host(buffer);
            return nullptr;
        }
        buffer.host = reinterpret_cast<void *>(borrowed().enter_device(reinterpret_cast<Address>(buffer.device), buffer.bytes, buffer.kept != 0));
        if (buffer.host == nullptr)
            return "there are no addresses left for it";
        ompc_block_lend(buffer.host, buffer.bytes);
        buffer.is_block = 1;
        bound(buffer);
        return nullptr;
    }

    static void lend_host(ompc_borrowed_buffer &buffer)
    {
        void *base = nullptr;
        std::size_t bytes = 0;
        const Address begin = reinterpret_cast<Address>(buffer.host);
        const bool is_known = ompc_block_find(buffer.host, &base, &bytes) != 0; // a variable of the library's, or borrowed already
        if (!is_known) {
            ompc_block_lend(buffer.host, buffer.bytes);
            buffer.is_block = 1;
        }
        if (!is_known || borrowed_bounds().holds(begin))
            bound(buffer);
        if (!present().is_mapped(begin, begin + buffer.bytes))
            borrowed().enter(begin, buffer.bytes, buffer.kept != 0 && buffer.is_block != 0);
    }

    static void bound(ompc_borrowed_buffer &buffer)
    {
        borrowed_bounds().enter(reinterpret_cast<Address>(buffer.host), buffer.bytes);
        buffer.is_bounded = 1;
    }

    // Which loop would have left the memory, if any.
    static std::string give_back(ompc_borrowed_buffer *borrowed_bounds, std::size_t count)
    {
        std::string overrun;
        for (std::size_t i = 0; i < count; i++) {
            const Address begin = reinterpret_cast<Address>(borrowed_bounds[i].host);
            const std::string found = borrowed_bounds[i].is_bounded != 0 ? ompc::borrowed_bounds().leave(begin, borrowed_bounds[i].bytes) : std::string();
            overrun = overrun.empty() ? found : overrun;
            if (borrowed_bounds[i].bytes == 0)
                continue;
            borrowed().leave(begin, borrowed_bounds[i].bytes, borrowed_bounds[i].written != 0);
            if (borrowed_bounds[i].is_block == 0)
                continue;
            present().end_of(begin, borrowed_bounds[i].bytes);
            ompc_block_remove(borrowed_bounds[i].host);
        }
        return overrun;
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
        device().order().after(StreamId::in, device().order().last()); // any launch may use it
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

extern "C" __attribute__((weak, used)) const char *ompc_call_begin(const ompc_library_call *call)
{
    return ompc::CallOfLibrary::begin(*call);
}

extern "C" __attribute__((weak, used)) const char *ompc_call_end(const ompc_library_call *call)
{
    return ompc::CallOfLibrary::end(*call);
}

#endif

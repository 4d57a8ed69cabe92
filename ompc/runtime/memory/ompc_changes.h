// ompc_changes.h: of memory that comes back from a launch, what the kernel has changed.
//
// A launch that copies an array both ways may not write bytes home that its kernel has left alone: a handler of a signal, on
// another thread of the process, may have written to them meanwhile, and so may a thread that a library made. So a copy of the
// host's bytes is sent, what is copied back goes elsewhere, and only units that differ from what was sent are written to the
// host's memory. A unit is the largest power of two, 8 at most, of which all numbers in the elements are multiples: an element
// that differs was written by the kernel as a whole, and is written as a whole.
//
// What the kernel surely overwrites was not sent, and is copied back as it is.
//
// It costs two copies by the processor. Large memory takes them only where the program has handlers of signals, or is called
// back by threads of libc (ompc_others_may_write).

#ifndef OMPC_CHANGES_H
#define OMPC_CHANGES_H

#include "ompc_host.h"
#include "ompc_open_memory.h"
#include "ompc_ranges.h"
#include "ompc_shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace ompc {

// Writes what differs, of units of type Unit to which `host` is aligned. 8 bytes that are alike are passed over at once.
template <class Unit>
inline void write_changed_units(char *host, const char *sent, const char *now, std::size_t bytes)
{
    constexpr std::size_t word = 8;
    for (std::size_t at = 0; at < bytes;) {
        if (at + word <= bytes && std::memcmp(sent + at, now + at, word) == 0) {
            at += word;
            continue;
        }
        for (const std::size_t end = std::min(bytes, at + word); at < end; at += sizeof(Unit)) {
            Unit before, after;
            std::memcpy(&before, sent + at, sizeof before);
            std::memcpy(&after, now + at, sizeof after);
            if (before != after)
                __atomic_store_n(reinterpret_cast<Unit *>(host + at), after, __ATOMIC_RELAXED);
        }
    }
}

// Writes to the host's memory what differs between bytes that were sent and the device's.
inline void write_changed(char *host, const char *sent, const char *now, std::size_t bytes, std::size_t unit)
{
    while ((reinterpret_cast<Address>(host) | bytes) % unit != 0) // a part of an element
        unit /= 2;
    if (unit == 8)
        write_changed_units<std::uint64_t>(host, sent, now, bytes);
    else if (unit == 4)
        write_changed_units<std::uint32_t>(host, sent, now, bytes);
    else if (unit == 2)
        write_changed_units<std::uint16_t>(host, sent, now, bytes);
    else
        write_changed_units<unsigned char>(host, sent, now, bytes);
}

// May others write to so many bytes meanwhile? Where that costs next to nothing, nobody asks.
inline bool may_be_written_beside(std::size_t bytes, Mode mode)
{
    constexpr std::size_t little = std::size_t{16} << 10;
    return (mode == automatic && bytes <= little) || ompc_others_may_write() != 0;
}

// What a launch has sent of a group that it copies both ways, and what is copied back.
class Changes {
public:
    // Is only what changes to be written home?
    static bool are_followed(const Group &group, Mode mode)
    {
        const bool is_beside = may_be_written_beside(group.bytes(), mode) || open_memory().is_written(group.begin, group.end);
        return group.out_bytes() > group.sure_bytes() && is_beside;
    }

    // False: there is no memory.
    bool begin(const Group &group)
    {
        begin_ = group.begin;
        sent_.reset(new (std::nothrow) char[group.bytes()]);
        home_.reset(new (std::nothrow) char[group.out_bytes()]);
        return sent_ != nullptr && home_ != nullptr;
    }

    bool is_begun() const { return sent_ != nullptr; }

    // A copy of the host's bytes from `begin` to `end`, to be sent.
    const char *send(Address begin, Address end)
    {
        return static_cast<const char *>(std::memcpy(sent(begin), reinterpret_cast<const void *>(begin), end - begin));
    }

    // Where the bytes are copied back that are written.
    char *home() const { return home_.get(); }

    // They are there.
    void write(const Group &group) const
    {
        if (!is_begun())
            return;
        const Address sure = std::clamp(group.sure_begin, group.out_begin, group.out_end);
        const Address sure_end = std::clamp(group.sure_end, sure, group.out_end);
        write(group, group.out_begin, sure);
        std::memcpy(reinterpret_cast<void *>(sure), home_.get() + (sure - group.out_begin), sure_end - sure);
        write(group, sure_end, group.out_end);
    }

private:
    char *sent(Address host) const { return sent_.get() + (host - begin_); }
    void write(const Group &group, Address begin, Address end) const
    {
        write_changed(reinterpret_cast<char *>(begin), sent(begin), home_.get() + (begin - group.out_begin), end - begin, group.unit);
    }

    Address begin_ = 0;
    std::unique_ptr<char[]> sent_, home_;
};

} // namespace ompc

#endif

// ompc_message_rooms.h: page-locked memory of the runtime's own, in which messages are sent and received.
//
// What MPI sends need not be where the program has it, and what it receives need not come there at once. A message of a block
// that stays on the device is sent from a room, to which it is copied from the device, and received in one, from which it is
// copied to the device: the block's own pages stay guarded, and nothing of them comes home.
//
//     free      behind the launch `used`, which copies from it: those that have been free for longest are taken first
//     taken     by one message
//
// Functions are called with the ledger's lock held.

#ifndef OMPC_MESSAGE_ROOMS_H
#define OMPC_MESSAGE_ROOMS_H

#include "ompc_device.h"
#include "ompc_failure.h"
#include "ompc_stream_order.h"

#include <cstddef>
#include <cstdlib>
#include <deque>
#include <map>
#include <new>

namespace ompc {

class MessageRooms {
public:
    static constexpr std::size_t largest = std::size_t{16} << 20;

    // Any memory will do where there is no other. Not less than other rooms have: of a message that is too long Open MPI copies more
    // than it was given room for.
    char *take_any(std::size_t bytes)
    {
        if (char *const room = take(bytes))
            return room;
        std::size_t enough_bytes = least;
        while (enough_bytes < bytes)
            enough_bytes *= 2;
        char *const made = static_cast<char *>(std::malloc(enough_bytes));
        if (made == nullptr)
            throw std::bad_alloc();
        sizes_[made] = of_heap;
        return made;
    }

    // nullptr: there is none.
    char *take(std::size_t bytes)
    {
        if (bytes > largest || has_failed())
            return nullptr;
        int size = 0;
        while (least << size < bytes)
            size++;
        Kind &kind = kinds_[size];
        const bool waits = !kind.free.empty() && !device().order().is_over(kind.free.front().used);
        if (kind.free.empty() || (waits && kind.count < enough))
            if (char *const made = kind.count < most ? make(size) : nullptr)
                return made;
        if (kind.free.empty())
            return nullptr;
        const Free oldest = kind.free.front();
        kind.free.pop_front();
        device().order().finish_launch(oldest.used);
        return oldest.room;
    }

    // `used`: the last launch that reads it; 0: none does.
    void give_back(char *room, SequenceNumber used)
    {
        const int size = sizes_[room];
        if (size != of_heap)
            return kinds_[size].free.push_back({room, used});
        device().order().finish_launch(used);
        sizes_.erase(room);
        std::free(room);
    }

private:
    struct Free {
        char *room;
        SequenceNumber used;
    };
    struct Kind { // of one size
        std::deque<Free> free = {};
        unsigned count = 0;
    };
    static constexpr int of_heap = -1;
    static constexpr std::size_t least = std::size_t{4} << 10;
    static constexpr unsigned enough = 4, most = 64; // where all that are free are still read; in all

    char *make(int size)
    {
        char *const made = static_cast<char *>(device().allocate_host(least << size));
        if (made == nullptr)
            return nullptr;
        kinds_[size].count++;
        sizes_[made] = size;
        return made;
    }

    std::map<int, Kind> kinds_;
    std::map<char *, int> sizes_;
};

inline MessageRooms &message_rooms()
{
    static auto *const rooms = new MessageRooms; // never destroyed
    return *rooms;
}

} // namespace ompc

#endif

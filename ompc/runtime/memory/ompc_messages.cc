// ompc_messages.cc: what is given away with a message, and until when (ompc_messages.h).

#include "ompc_messages.h"

#include "ompc_environment.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_message_rooms.h"
#include "ompc_once.h"
#include "ompc_open_memory.h"
#include "ompc_payoff.h"
#include "ompc_resident.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ompc {
namespace {

// A message, and the room in which it is sent or received; without one its memory is open.
struct Parcel {
    OpenMemory::Piece piece;
    char *room;
};
using Parcels = std::vector<Parcel>;

Parcels parcels_of(const ompc_message_t *messages, int count)
{
    Parcels found;
    for (int i = 0; i < count; i++) {
        const Address begin = reinterpret_cast<Address>(messages[i].begin);
        if (messages[i].bytes != 0)
            found.push_back({{begin, begin + messages[i].bytes, messages[i].writes != 0}, messages[i].room});
    }
    return found;
}

void open(const OpenMemory::Piece &piece)
{
    open_memory().open(piece);
    residents().open_as_asked(piece.begin, piece.end);
}

// With what is sent from it.
char *find_room(const OpenMemory::Piece &piece, bool is_sent)
{
    Resident *const block = residents().block_of_message(piece.begin, piece.end, piece.writes);
    char *const room = block == nullptr ? nullptr : message_rooms().take(piece.end - piece.begin);
    if (room != nullptr && is_sent)
        block->gather(piece.begin, piece.end, room);
    return room;
}

// So many bytes of what is received have come; -1: none.
void land(Parcel &parcel, long long received)
{
    if (parcel.room == nullptr)
        return;
    bool is_read = false;
    if (parcel.piece.writes && received > 0) {
        const Address end = parcel.piece.begin + static_cast<Address>(received);
        is_read = residents().land(parcel.piece.begin, std::min(end, parcel.piece.end), parcel.room);
    }
    message_rooms().give_back(parcel.room, is_read ? device().order().last() : 0);
    parcel.room = nullptr;
}

void close(Parcel &parcel, long long received)
{
    if (parcel.room != nullptr)
        return land(parcel, received);
    open_memory().close(parcel.piece);
    residents().open_as_asked(parcel.piece.begin, parcel.piece.end);
}

// The requests that are known, with what is theirs. The ledger's lock is held.
class Requests {
public:
    // A handle that is used again is another request: the one before is over, whoever has seen that.
    void made(std::uintptr_t handle, Parcels parcels, bool persistent)
    {
        freed(handle);
        requests_[handle] = {std::move(parcels), persistent, !persistent};
    }

    void starts(std::uintptr_t handle)
    {
        Request *const request = known(handle);
        if (request == nullptr || request->is_open)
            return;
        request->is_open = true;
        for (const Parcel &parcel : request->parcels)
            open(parcel.piece);
    }

    void is_over(std::uintptr_t handle, long long received)
    {
        Request *const request = known(handle);
        if (request == nullptr)
            return;
        has_come(handle, received);
        if (!request->persistent)
            requests_.erase(handle);
    }

    // The program may use what it has received; whether others still know the request does not matter any more.
    void has_come(std::uintptr_t handle, long long received)
    {
        Request *const request = known(handle);
        if (request == nullptr || !request->is_open)
            return;
        for (Parcel &parcel : request->parcels)
            close(parcel, received);
        request->is_open = false;
    }

    void freed(std::uintptr_t handle)
    {
        is_over(handle, -1);
        requests_.erase(handle);
    }

    // The program gives the handle away while its message may be on its way: the memory stays open.
    void left_alone(std::uintptr_t handle) { requests_.erase(handle); }

    bool has_room(std::uintptr_t handle)
    {
        const Request *const request = known(handle);
        return request != nullptr && std::any_of(request->parcels.begin(), request->parcels.end(),
                                                 [](const Parcel &parcel) { return parcel.room != nullptr && parcel.piece.writes; });
    }

private:
    struct Request {
        Parcels parcels;
        bool persistent = false, is_open = false;
    };

    Request *known(std::uintptr_t handle)
    {
        const auto found = requests_.find(handle);
        return found == requests_.end() ? nullptr : &found->second;
    }

    std::unordered_map<std::uintptr_t, Request> requests_;
};

Requests &requests()
{
    static auto *const known = new Requests; // never destroyed
    return *known;
}

} // namespace
} // namespace ompc

using namespace ompc;

void ompc_messages_open(ompc_message_t *messages, int count)
{
    const Parcels parcels = parcels_of(messages, count);
    if (parcels.empty())
        return;
    const Locked guard(ledger().lock);
    for (int i = 0; i < count; i++) {
        if (messages[i].bytes == 0)
            continue;
        const Address begin = reinterpret_cast<Address>(messages[i].begin);
        const OpenMemory::Piece piece{begin, begin + messages[i].bytes, messages[i].writes != 0};
        messages[i].room = messages[i].dense ? find_room(piece, messages[i].writes != 1) : nullptr;
        if (messages[i].room == nullptr)
            open(piece);
    }
}

void ompc_messages_close(const ompc_message_t *messages, int count, long long received)
{
    Parcels parcels = parcels_of(messages, count);
    if (parcels.empty())
        return;
    const Locked guard(ledger().lock);
    for (Parcel &parcel : parcels)
        close(parcel, received);
}

void ompc_request_made(std::uintptr_t request, const ompc_message_t *messages, int count, int persistent)
{
    Parcels parcels = parcels_of(messages, count);
    const Locked guard(ledger().lock);
    if (parcels.empty())
        requests().freed(request);
    else
        requests().made(request, std::move(parcels), persistent != 0);
}

void ompc_request_starts(std::uintptr_t request)
{
    const Locked guard(ledger().lock);
    requests().starts(request);
}

void ompc_request_is_over(std::uintptr_t request, long long received)
{
    const Locked guard(ledger().lock);
    requests().is_over(request, received);
}

void ompc_request_has_come(std::uintptr_t request, long long received)
{
    const Locked guard(ledger().lock);
    requests().has_come(request, received);
}

int ompc_request_has_room(std::uintptr_t request)
{
    const Locked guard(ledger().lock);
    return requests().has_room(request);
}

void ompc_request_freed(std::uintptr_t request)
{
    const Locked guard(ledger().lock);
    requests().left_alone(request);
}

void ompc_message_unseen(const char *call, const volatile void *begin, std::size_t bytes)
{
    static auto *const told = new std::set<std::string>; // never destroyed
    const Locked guard(ledger().lock);
    const bool tells = rank_of_process() == "0"; // for all
    if (bytes != 0 && begin != nullptr && told->insert(call).second && tells)
        tell(nullptr, "what %s is given is copied by each launch from now on: others may use it at any time [OMPC476]", call);
}

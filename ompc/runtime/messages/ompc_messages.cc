// ompc_messages.cc: what is given away with a message, and until when (ompc_messages.h).

#include "ompc_messages.h"

#include "ompc_environment.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_message_rooms.h"
#include "ompc_once.h"
#include "ompc_open_memory.h"
#include "ompc_payoff.h"
#include "ompc_peers.h"
#include "ompc_resident.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ompc {
namespace {

// A message, and the room in which it is sent or received; without one its memory is open. `outside`: it is received there.
struct Parcel {
    OpenMemory::Piece piece;
    char *room;
    bool outside;
};
using Parcels = std::vector<Parcel>;

OpenMemory::Piece piece_of(const ompc_message_t &message)
{
    const Address begin = reinterpret_cast<Address>(message.begin);
    return {begin, begin + message.bytes, message.writes != 0};
}

// Could a descriptor come there (ompc_peers.h)?
bool may_be_described(const ompc_message_t &message)
{
    return message.dense != 0 && message.writes != 0 && message.bytes >= sizeof(Descriptor);
}

Parcels parcels_of(const ompc_message_t *messages, int count)
{
    Parcels found;
    for (int i = 0; i < count; i++)
        if (messages[i].bytes != 0)
            found.push_back({piece_of(messages[i]), messages[i].room, messages[i].room == nullptr && may_be_described(messages[i])});
    return found;
}

void open(const OpenMemory::Piece &piece)
{
    open_memory().open(piece);
    residents().open_as_asked(piece.begin, piece.end);
}

// Copies what a message is to the arena for another process: then its descriptor is in a room. False: it is sent as it is.
bool send_to_peer(ompc_message_t &message, const OpenMemory::Piece &piece, Resident &block)
{
    if (message.peer < 0 || piece.writes || message.bytes < Peers::least || !block.can_send_to_peer(piece.begin, piece.end) ||
        !peers().reaches(message.peer))
        return false;
    const Peers::Place place = peers().take(message.peer, message.bytes);
    if (place.memory == nullptr)
        return false;
    block.gather_for_peer(piece.begin, piece.end, place.memory);
    const Descriptor descriptor = peers().describe(message.peer, place, message.bytes);
    message.room = message_rooms().take_any(sizeof descriptor);
    std::memcpy(message.room, &descriptor, sizeof descriptor);
    message.described = sizeof descriptor;
    ledger().to_peers.add(message.bytes);
    return true;
}

// Memory in which a message is sent or received instead of its own. True: it has it, and there is what is sent.
bool find_room(ompc_message_t &message, const OpenMemory::Piece &piece)
{
    Resident *const block = message.dense == 0 ? nullptr : residents().block_of_message(piece.begin, piece.end, piece.writes);
    if (block != nullptr && send_to_peer(message, piece, *block))
        return true;
    const bool must = peers().may_send() && may_be_described(message);
    if (block == nullptr && !must)
        return false;
    message.room = must ? message_rooms().take_any(message.bytes) : message_rooms().take(message.bytes);
    if (message.room == nullptr || message.writes == 1)
        return message.room != nullptr;
    if (block != nullptr) {
        block->gather(piece.begin, piece.end, message.room);
    } else {
        residents().touch(piece.begin, piece.end, false, Waited::message);
        std::memcpy(message.room, reinterpret_cast<const char *>(piece.begin), message.bytes);
    }
    return true;
}

// So many bytes have come to a room, or a descriptor of more: what the program has received.
long long land(const Parcel &parcel, long long received)
{
    const Address begin = parcel.piece.begin;
    SequenceNumber used = 0;
    long long real = received;
    const Peers::Found found = received <= 0 ? Peers::Found() : peers().find(parcel.room, static_cast<std::size_t>(received));
    if (found.memory != nullptr) {
        const Address end = begin + found.bytes;
        real = static_cast<long long>(found.bytes);
        if (end > parcel.piece.end) {
            peers().copied(found, 0);
            real = ompc_message_is_too_long;
        } else if (Resident *const block = residents().block_to_land_in(begin, end)) {
            block->land_from_peer(begin, end, found.memory);
            peers().copied(found, device().order().last());
            ledger().from_peers.add(found.bytes);
        } else {
            device().read_peer({region_of_calls(), "message"}, parcel.room, found.memory, found.bytes);
            peers().copied(found, 0);
            used = residents().land(begin, end, parcel.room) ? device().order().last() : 0;
        }
    } else if (received > 0) {
        const Address end = begin + static_cast<Address>(received);
        used = residents().land(begin, std::min(end, parcel.piece.end), parcel.room) ? device().order().last() : 0;
    }
    message_rooms().give_back(parcel.room, used);
    return real;
}

long long close(const Parcel &parcel, long long received)
{
    if (parcel.room != nullptr && parcel.piece.writes && received == ompc_message_has_failed)
        return received;
    if (parcel.room != nullptr) {
        const long long real = land(parcel, parcel.piece.writes ? received : -1);
        return parcel.piece.writes ? real : received;
    }
    open_memory().close(parcel.piece);
    residents().open_as_asked(parcel.piece.begin, parcel.piece.end);
    peers().receives_outside(parcel.outside ? -1 : 0);
    return received;
}

long long close(const Parcels &parcels, long long received)
{
    long long real = received;
    for (const Parcel &parcel : parcels) {
        const long long of_parcel = close(parcel, received);
        real = parcel.piece.writes ? of_parcel : real;
    }
    peers().look();
    return real;
}

// The requests that are known, with what is theirs. The ledger's lock is held.
class Requests {
public:
    // A handle that is used again is another request: the one before is over, whoever has seen that.
    void made(std::uintptr_t handle, Parcels parcels, bool persistent)
    {
        freed(handle);
        requests_[handle] = {std::move(parcels), persistent, !persistent, -1};
    }

    void starts(std::uintptr_t handle)
    {
        Request *const request = known(handle);
        if (request == nullptr || request->is_open)
            return;
        request->is_open = true;
        for (const Parcel &parcel : request->parcels) {
            open(parcel.piece);
            peers().receives_outside(parcel.outside ? 1 : 0);
        }
    }

    // What the program has received with it.
    long long is_over(std::uintptr_t handle, long long received)
    {
        const Request *const request = known(handle);
        if (request == nullptr)
            return received;
        const long long real = has_come(handle, received);
        if (!request->persistent)
            requests_.erase(handle);
        return real;
    }

    // It may use that; whether others still know the request does not matter any more.
    long long has_come(std::uintptr_t handle, long long received)
    {
        Request *const request = known(handle);
        if (request == nullptr)
            return received;
        if (request->is_open)
            request->received = close(request->parcels, received);
        else if (request->persistent)
            return received;
        request->is_open = false;
        return request->received;
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
        return request != nullptr && request->is_open &&
               std::any_of(request->parcels.begin(), request->parcels.end(), [](const Parcel &parcel) { return parcel.room != nullptr; });
    }

private:
    struct Request {
        Parcels parcels;
        bool persistent = false, is_open = false;
        long long received = -1; // once it is not open any more
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
    if (std::all_of(messages, messages + count, [](const ompc_message_t &message) { return message.bytes == 0; }))
        return;
    const Locked guard(ledger().lock);
    peers().look();
    for (int i = 0; i < count; i++) {
        const OpenMemory::Piece piece = piece_of(messages[i]);
        if (messages[i].bytes == 0 || find_room(messages[i], piece))
            continue;
        open(piece);
        peers().receives_outside(may_be_described(messages[i]) ? 1 : 0);
    }
}

long long ompc_messages_close(const ompc_message_t *messages, int count, long long received)
{
    const Parcels parcels = parcels_of(messages, count);
    if (parcels.empty())
        return received;
    const Locked guard(ledger().lock);
    return close(parcels, received);
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

long long ompc_request_is_over(std::uintptr_t request, long long received)
{
    const Locked guard(ledger().lock);
    return requests().is_over(request, received);
}

long long ompc_request_has_come(std::uintptr_t request, long long received)
{
    const Locked guard(ledger().lock);
    return requests().has_come(request, received);
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

// ompc_messages.cc: what is given away with a message, and until when (ompc_messages.h).

#include "ompc_messages.h"

#include "ompc_environment.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_once.h"
#include "ompc_open_memory.h"
#include "ompc_payoff.h"
#include "ompc_resident.h"

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ompc {
namespace {

using Pieces = std::vector<OpenMemory::Piece>;

Pieces pieces_of(const ompc_message_t *messages, int count)
{
    Pieces found;
    for (int i = 0; i < count; i++) {
        const Address begin = reinterpret_cast<Address>(messages[i].begin);
        if (messages[i].bytes != 0)
            found.push_back({begin, begin + messages[i].bytes, messages[i].writes != 0});
    }
    return found;
}

void open(const Pieces &pieces)
{
    for (const OpenMemory::Piece &piece : pieces) {
        open_memory().open(piece);
        residents().open_as_asked(piece.begin, piece.end);
    }
}

void close(const Pieces &pieces)
{
    for (const OpenMemory::Piece &piece : pieces) {
        open_memory().close(piece);
        residents().open_as_asked(piece.begin, piece.end);
    }
}

// The requests that are known, with what is theirs. The ledger's lock is held.
class Requests {
public:
    // A handle that is used again is another request: the one before is over, whoever has seen that.
    void made(std::uintptr_t handle, Pieces pieces, bool persistent)
    {
        freed(handle);
        requests_[handle] = {std::move(pieces), persistent, !persistent};
    }

    void starts(std::uintptr_t handle)
    {
        const auto found = requests_.find(handle);
        if (found == requests_.end() || found->second.is_open)
            return;
        found->second.is_open = true;
        open(found->second.pieces);
    }

    void is_over(std::uintptr_t handle)
    {
        const auto found = requests_.find(handle);
        if (found == requests_.end())
            return;
        Request &request = found->second;
        if (request.is_open)
            close(request.pieces);
        request.is_open = false;
        if (!request.persistent)
            requests_.erase(found);
    }

    void freed(std::uintptr_t handle)
    {
        is_over(handle);
        requests_.erase(handle);
    }

    // The program gives the handle away while its message may be on its way: the memory stays open.
    void left_alone(std::uintptr_t handle)
    {
        const auto found = requests_.find(handle);
        if (found != requests_.end())
            requests_.erase(found);
    }

private:
    struct Request {
        Pieces pieces;
        bool persistent = false, is_open = false;
    };
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

void ompc_messages_open(const ompc_message_t *messages, int count)
{
    const Pieces pieces = pieces_of(messages, count);
    if (pieces.empty())
        return;
    const Locked guard(ledger().lock);
    open(pieces);
}

void ompc_messages_close(const ompc_message_t *messages, int count)
{
    const Pieces pieces = pieces_of(messages, count);
    if (pieces.empty())
        return;
    const Locked guard(ledger().lock);
    close(pieces);
}

void ompc_request_made(std::uintptr_t request, const ompc_message_t *messages, int count, int persistent)
{
    Pieces pieces = pieces_of(messages, count);
    const Locked guard(ledger().lock);
    if (pieces.empty())
        requests().freed(request);
    else
        requests().made(request, std::move(pieces), persistent != 0);
}

void ompc_request_starts(std::uintptr_t request)
{
    const Locked guard(ledger().lock);
    requests().starts(request);
}

void ompc_request_is_over(std::uintptr_t request)
{
    const Locked guard(ledger().lock);
    requests().is_over(request);
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

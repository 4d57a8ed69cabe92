// ompc_peers.h: other processes of the same MPI job on the same machine, and messages that go from device to device.
//
// A message whose bytes are newest on the device is copied there to an arena that other processes can reach (CUDA IPC), and MPI
// carries a Descriptor of it, 64 bytes, in its place: matching, order, tags, wildcards and requests stay MPI's own. The receiver
// finds the descriptor in the room in which it receives (ompc_message_rooms.h), copies the message from the sender's device to its
// own, and tells the program of the message's real size (ompc_mpi.c).
//
// That is right only where the receiver sees each message before its program does, and where nobody asks MPI for the size of one
// that has not been received. So a process says of itself on its board whether it `accepts` descriptors (ompc_mpi_seen.h: all it
// ever receives with is known), and each sender asks first:
//
//     sender      looks for the receiver's board; if that accepts, makes its arena and asks
//     receiver    sees that at its next message, maps the arena, and grants, when no receive is under way outside of rooms;
//                 from then on each receive that has room for a descriptor is made in a room. Where it cannot map, it refuses
//     sender      sends descriptors once it was granted that, where the arena has room; until then, and else, messages as they are
//     receiver    marks on the sender's board what it has copied (`copied`), when the device has done so
//
// A descriptor begins with the receiver's secret, which is nowhere but on its board: no other message begins so.
//
// A board is shared memory without a name, found by looking through the files of the user's processes; so nothing is left behind
// whatever ends a process. Boards are of the same job if what its launcher tells each process is the same (job_of_process).
// Each process knows the others by their ranks in MPI_COMM_WORLD.
//
// Functions are called with the ledger's lock held. Environment: OMPC_PEERS=0 (messages are never left on the device),
// 1 (also where sender and receiver have the same one).

#ifndef OMPC_PEERS_H
#define OMPC_PEERS_H

#include "ompc_stream_order.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ompc {

struct Descriptor {
    unsigned char secret[16];
    std::uint32_t sender, first; // its rank; unit of its arena
    std::uint64_t ticket, bytes;
    unsigned char rest[24];
};
static_assert(sizeof(Descriptor) == 64);

struct Board {
    static constexpr std::uint64_t kind = 0x6f6d70632d310001u;
    static constexpr std::size_t units = 512, unit_bytes = std::size_t{64} << 10, arena_bytes = units * unit_bytes;

    std::uint64_t is; // `kind`, when all else has been written
    std::int32_t rank, size, accepts, process;
    char job[480];
    unsigned char secret[16];
    char handle[64]; // of the arena, for those that ask
    std::atomic<std::uint32_t> requests, has_left;
    std::atomic<std::uint64_t> copied[units]; // by the first unit of a message: its ticket, when it may be overwritten
    // and behind it for each rank: whether it has asked, and what it was told
    enum : unsigned char { none, asked = 1, granted = 1, refused = 2 };

    std::atomic<unsigned char> *asked_by() { return reinterpret_cast<std::atomic<unsigned char> *>(this + 1); }
    std::atomic<unsigned char> *answer_to() { return asked_by() + size; }
    static std::size_t bytes_for(int size) { return sizeof(Board) + 2 * static_cast<std::size_t>(size); }
};

class Peers {
public:
    // A message has this size at least: less goes as fast through the host.
    static constexpr std::size_t least = std::size_t{16} << 10;

    struct Place {
        char *memory = nullptr; // nullptr: there is none
        unsigned first = 0;
        std::uint64_t ticket = 0;
    };
    struct Found {
        const char *memory = nullptr; // on the sender's device; nullptr: it is no descriptor
        std::size_t bytes = 0;
        Board *board = nullptr;
        unsigned first = 0;
        std::uint64_t ticket = 0;
    };

    void join(int rank, int size, bool accepts);
    bool has_joined() const { return own_ != nullptr; }

    // Can descriptors be sent to a rank? The first times not, until it has answered.
    bool reaches(int rank);
    Place take(int rank, std::size_t bytes);
    Descriptor describe(int rank, const Place &place, std::size_t bytes) const;

    // Has a descriptor been received?
    Found find(const char *room, std::size_t received);
    // It has been copied by a launch, or now.
    void copied(const Found &found, SequenceNumber launch);

    // Answers those that have asked, and says what has been copied. `all`: waits for that.
    void look(bool all = false);

    // Does each receive need a room, since a descriptor may come?
    bool may_send() const { return may_send_; }
    void receives_outside(int by) { outside_ += by; }

    // Nothing is received any more. Are messages of ours still to be copied by others? Not by those of whom that is so, or that have
    // gone.
    void leave();
    bool is_awaited();

private:
    struct Peer {
        Board *board = nullptr;
        pid_t process = 0;
        bool has_been_asked = false;
        bool is_doubtful = false; // several say that they are this rank
        const char *arena = nullptr;
    };
    struct Sent {
        unsigned first, count;
        std::uint64_t ticket;
        int rank;
    };
    struct Copied {
        Found found;
        SequenceNumber launch;
    };

    Peer *peer(int rank);
    void search();
    void see(Board *board, pid_t process);
    bool make_arena();
    void answer(int rank);
    void reclaim();
    void free(const Sent &sent);

    Board *own_ = nullptr;
    std::map<int, Peer> peers_;
    double next_search_ = 0, pause_ = 0.01;
    char *arena_ = nullptr;
    bool has_no_arena_ = false, may_send_ = false;
    std::vector<bool> used_;
    std::size_t next_ = 0;
    std::uint64_t tickets_ = 0;
    std::deque<Sent> sent_;
    std::deque<Copied> copying_;
    std::uint32_t answered_ = 0;
    int outside_ = 0; // receives under way
};

inline Peers &peers()
{
    static auto *const of_the_process = new Peers; // never destroyed
    return *of_the_process;
}

} // namespace ompc

#endif

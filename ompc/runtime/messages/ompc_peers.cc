// ompc_peers.cc: messages from device to device (ompc_peers.h).

#include "ompc_peers.h"

#include "ompc_device.h"
#include "ompc_environment.h"
#include "ompc_failure.h"
#include "ompc_host_timer.h"
#include "ompc_ledger.h"
#include "ompc_libc.h"
#include "ompc_log.h"
#include "ompc_messages.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ompc {
namespace {

constexpr const char *name_of_board = "ompc-board";

// What the launchers of MPI tell all processes of a job on a machine, and no others.
constexpr const char *job_variables[] = {
    "PMIX_NAMESPACE",       // Open MPI, and Slurm with PMIx
    "PMIX_SERVER_URI2", "PMIX_SERVER_URI21", "PMIX_SERVER_URI3",
    "SLURM_JOB_ID", "SLURM_STEP_ID",
    "PALS_APID",            // HPE PALS
    "FLUX_JOB_ID",          // Flux
};

// Of MPICH's launcher each process has a socket: who made that is the job's.
std::string launcher_by_socket()
{
    const char *const number = std::getenv("PMI_FD");
    ucred made{};
    socklen_t bytes = sizeof made;
    if (number == nullptr || ompc_libc_getsockopt(std::atoi(number), SOL_SOCKET, SO_PEERCRED, &made, &bytes) != 0 || made.pid <= 0)
        return "";
    return "PMI_FD=" + std::to_string(made.pid) + "\n";
}

std::string job_of_process()
{
    std::string job = launcher_by_socket();
    bool is_known = !job.empty();
    for (const char *const variable : job_variables)
        if (const char *const value = std::getenv(variable)) {
            job += std::string(variable) + "=" + value + "\n";
            is_known |= std::strcmp(variable, "SLURM_JOB_ID") != 0; // whose script may start several
        }
    return is_known && job.size() < sizeof Board::job ? job : "";
}

// Nobody else knows what the system gave the process when it began.
void make_secret(unsigned char (&secret)[16])
{
    unsigned long long words[2] = {};
    if (const void *const random = reinterpret_cast<const void *>(getauxval(AT_RANDOM)))
        std::memcpy(words, random, sizeof words);
    for (unsigned long long &word : words) { // not the words themselves, by which the stack is guarded
        word = (word ^ (word >> 31)) * 0x9e3779b97f4a7c15u + static_cast<unsigned long long>(getpid());
        word = (word ^ (word >> 29)) * 0xbf58476d1ce4e5b9u;
        word ^= word >> 32;
    }
    std::memcpy(secret, words, sizeof secret);
}

Board *map_board(int file, std::size_t bytes)
{
    void *const pages = ompc_libc_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return pages == MAP_FAILED ? nullptr : static_cast<Board *>(pages);
}

std::size_t bytes_of(int file)
{
    const off_t end = lseek(file, 0, SEEK_END);
    return end < 0 ? 0 : static_cast<std::size_t>(end);
}

} // namespace

void Peers::join(int rank, int size, bool accepts)
{
    const std::string job = job_of_process();
    if (own_ != nullptr || size < 2 || job.empty() || text_of("OMPC_PEERS") == "0" || settings().disabled)
        return;
    const int file = ompc_libc_memfd_create(name_of_board, MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(Board::bytes_for(size))) != 0)
        return;
    own_ = map_board(file, Board::bytes_for(size)); // the file stays, for others to find
    if (own_ == nullptr)
        return;
    own_->rank = rank;
    own_->size = size;
    own_->accepts = accepts;
    own_->process = getpid();
    std::memcpy(own_->job, job.c_str(), job.size() + 1);
    make_secret(own_->secret);
    std::atomic_thread_fence(std::memory_order_release);
    own_->is = Board::kind;
    if (logs(log_everything))
        note(nullptr, "rank %d of %d %s messages from device to device", rank, size, accepts ? "accepts" : "does not accept");
}

// Goes through the files of the processes that are the user's: others cannot be opened.
void Peers::search()
{
    if (now() < next_search_)
        return;
    const HostSpan span(Work::init);
    DIR *const processes = ompc_libc_opendir("/proc");
    for (const dirent *process = nullptr; processes != nullptr && (process = readdir(processes)) != nullptr;) {
        const pid_t number = static_cast<pid_t>(std::atoi(process->d_name));
        const std::string folder = std::string("/proc/") + process->d_name + "/fd";
        DIR *const files = number <= 0 || number == getpid() ? nullptr : ompc_libc_opendir(folder.c_str());
        for (const dirent *entry = nullptr; files != nullptr && (entry = readdir(files)) != nullptr;) {
            char target[64] = {};
            const std::string path = folder + "/" + entry->d_name;
            if (ompc_libc_readlink(path.c_str(), target, sizeof target - 1) <= 0 || std::strncmp(target, "/memfd:ompc-board", 17) != 0)
                continue;
            const int file = ompc_libc_open(path.c_str(), O_RDWR | O_CLOEXEC, 0);
            const std::size_t bytes = file < 0 ? 0 : bytes_of(file);
            Board *const board = bytes < sizeof(Board) ? nullptr : map_board(file, bytes);
            if (file >= 0)
                ompc_libc_close(file);
            if (board != nullptr && board->is == Board::kind && bytes == Board::bytes_for(board->size))
                see(board, number);
            else if (board != nullptr)
                ompc_libc_munmap(board, bytes);
        }
        if (files != nullptr)
            closedir(files);
    }
    if (processes != nullptr)
        closedir(processes);
    next_search_ = now() + pause_;
    pause_ *= 2;
}

void Peers::see(Board *board, pid_t process)
{
    std::atomic_thread_fence(std::memory_order_acquire);
    Peer *known = nullptr; // a child of the process has its board, too
    if (board->process == process && board->size == own_->size && board->rank >= 0 && board->rank < own_->size && std::strncmp(board->job, own_->job, sizeof own_->job) == 0)
        known = &peers_[board->rank];
    const bool is_same = known != nullptr && known->board != nullptr && std::memcmp(known->board->secret, board->secret, sizeof board->secret) == 0;
    if (known == nullptr || known->board != nullptr) {
        if (known != nullptr && !is_same)
            known->is_doubtful = true;
        ompc_libc_munmap(board, Board::bytes_for(board->size));
        return;
    }
    known->board = board;
    known->process = process;
}

Peers::Peer *Peers::peer(int rank)
{
    if (rank < 0 || rank >= own_->size || rank == own_->rank)
        return nullptr;
    if (peers_[rank].board == nullptr)
        search();
    Peer &found = peers_[rank];
    return found.board == nullptr || found.is_doubtful ? nullptr : &found;
}

bool Peers::make_arena()
{
    if (arena_ != nullptr || has_no_arena_)
        return arena_ != nullptr;
    arena_ = device().export_memory(Board::arena_bytes, own_->handle);
    has_no_arena_ = arena_ == nullptr;
    used_.assign(Board::units, false);
    if (has_no_arena_ && logs(log_transfers))
        note(nullptr, "messages go through the host's memory: the device has none for other processes");
    return arena_ != nullptr;
}

bool Peers::reaches(int rank)
{
    Peer *const to = has_joined() ? peer(rank) : nullptr;
    if (to == nullptr || to->board->accepts == 0 || to->board->has_left.load() != 0 || !make_arena())
        return false;
    if (!to->has_been_asked) {
        to->has_been_asked = true;
        to->board->asked_by()[own_->rank].store(Board::asked);
        to->board->requests.fetch_add(1);
        return false;
    }
    return to->board->answer_to()[own_->rank].load() == Board::granted;
}

Peers::Place Peers::take(int rank, std::size_t bytes)
{
    reclaim();
    const std::size_t count = (bytes + Board::unit_bytes - 1) / Board::unit_bytes;
    if (count > Board::units / 2)
        return {};
    for (std::size_t tried = 0, free = 0, at = next_ + count > Board::units ? 0 : next_; tried < Board::units + count; tried++, at++) {
        if (at == Board::units)
            at = free = 0;
        free = used_[at] ? 0 : free + 1;
        if (free < count)
            continue;
        const std::size_t first = at + 1 - count;
        std::fill_n(used_.begin() + static_cast<std::ptrdiff_t>(first), count, true);
        next_ = at + 1;
        sent_.push_back({static_cast<unsigned>(first), static_cast<unsigned>(count), ++tickets_, rank});
        return {arena_ + first * Board::unit_bytes, static_cast<unsigned>(first), tickets_};
    }
    return {};
}

Descriptor Peers::describe(int rank, const Place &place, std::size_t bytes) const
{
    Descriptor made{};
    std::memcpy(made.secret, peers_.at(rank).board->secret, sizeof made.secret);
    made.sender = static_cast<std::uint32_t>(own_->rank);
    made.first = place.first;
    made.ticket = place.ticket;
    made.bytes = bytes;
    return made;
}

void Peers::free(const Sent &sent)
{
    std::fill_n(used_.begin() + sent.first, sent.count, false);
}

void Peers::reclaim()
{
    for (std::size_t i = 0; i < sent_.size();) {
        if (own_->copied[sent_[i].first].load(std::memory_order_acquire) != sent_[i].ticket) {
            i++;
            continue;
        }
        free(sent_[i]);
        sent_.erase(sent_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

Peers::Found Peers::find(const char *room, std::size_t received)
{
    Descriptor it;
    if (!may_send_ || received != sizeof it)
        return {};
    std::memcpy(&it, room, sizeof it);
    if (std::memcmp(it.secret, own_->secret, sizeof it.secret) != 0)
        return {};
    const Peer &from = peers_.at(static_cast<int>(it.sender));
    return {from.arena + it.first * Board::unit_bytes, static_cast<std::size_t>(it.bytes), from.board, it.first, it.ticket};
}

void Peers::copied(const Found &found, SequenceNumber launch)
{
    copying_.push_back({found, launch});
    look();
}

void Peers::answer(int rank)
{
    Peer *const asker = peer(rank);
    if (asker != nullptr && device().start() == nullptr && !has_failed())
        asker->arena = device().import_memory(asker->board->handle, Board::arena_bytes, asker->process, text_of("OMPC_PEERS") == "1");
    const bool is_granted = asker != nullptr && asker->arena != nullptr;
    if (logs(log_transfers))
        note(nullptr, is_granted ? "messages of rank %d come from its device" : "messages of rank %d come through the host's memory: its device's cannot be opened", rank);
    may_send_ |= is_granted;
    own_->answer_to()[rank].store(is_granted ? Board::granted : Board::refused);
}

void Peers::look(bool all)
{
    for (; !copying_.empty() && (all || has_failed() || device().order().has_passed(copying_.front().launch)); copying_.pop_front()) {
        if (!has_failed())
            device().order().finish_launch(copying_.front().launch);
        copying_.front().found.board->copied[copying_.front().found.first].store(copying_.front().found.ticket, std::memory_order_release);
    }
    const std::uint32_t asked = own_ == nullptr ? 0 : own_->requests.load();
    if (asked == answered_ || outside_ != 0 || !device().is_connected())
        return;
    answered_ = asked;
    for (int rank = 0; rank < own_->size; rank++)
        if (own_->asked_by()[rank].load() == Board::asked && own_->answer_to()[rank].load() == Board::none)
            answer(rank);
}

bool Peers::is_awaited()
{
    reclaim();
    return std::any_of(sent_.begin(), sent_.end(), [&](const Sent &sent) {
        const Peer &to = peers_[sent.rank];
        return to.board->has_left.load() == 0 && (kill(to.process, 0) == 0 || errno != ESRCH);
    });
}

void Peers::leave()
{
    look(true);
    if (own_ != nullptr)
        own_->has_left.store(1);
}

} // namespace ompc

using namespace ompc;

void ompc_peers_join(int rank, int size, int accepts)
{
    const Locked guard(ledger().lock);
    peers().join(rank, size, accepts != 0);
}

int ompc_peers_use(std::size_t bytes)
{
    return bytes >= Peers::least && peers().has_joined();
}

int ompc_peers_are_waiting()
{
    const Locked guard(ledger().lock);
    return peers().is_awaited();
}

void ompc_peers_leave()
{
    const Locked guard(ledger().lock);
    peers().leave();
}

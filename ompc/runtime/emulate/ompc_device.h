// ompc_device.h (emulate): the emulated device, as ompc_launch.h wants it.
//
// What it is given it does when the host waits (ompc_streams.h). As with CUDA, a copy of pageable memory to the device reads
// the host when it is given, one to the host is over then; page-locked memory is read and written when the copy is made.
// Launches of `openmpc` wait for each step.
//
// Environment: OMPC_SEED=n (order of blocks and lanes, placement of memory; 0: in order), OMPC_CHECK=memory (the host's side
// of the arrays is inaccessible to the kernel), OMPC_DEVICE_MEMORY=bytes, OMPC_FAULTS (ompc_injection.h),
// OMPC_EMULATE_ORDER (ompc_streams.h), OMPC_EMULATE_DEVICES=n (how many devices there are), OMPC_EMULATE_DIVIDES=1 (launches are
// divided among them wherever that is right).

#ifndef OMPC_DEVICE_H
#define OMPC_DEVICE_H

#include "ompc_calibration.h"
#include "ompc_connecting.h"
#include "ompc_failure.h"
#include "ompc_faults.h"
#include "ompc_history.h"
#include "ompc_injection.h"
#include "ompc_kernel.h"
#include "ompc_ledger.h"
#include "ompc_locked_memory.h"
#include "ompc_log.h"
#include "ompc_memory.h"
#include "ompc_stream_order.h"
#include "ompc_devices.h"
#include "ompc_page_locks.h"
#include "ompc_pinning.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_scheduler.h"
#include "ompc_seed.h"
#include "ompc_shape.h"
#include "ompc_streams.h"
#include "ompc_stripes.h"
#include "ompc_timeline.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

extern "C" int __cxa_atexit(void (*)(void *), void *, void *) noexcept;

namespace ompc {

enum class Phase { in, kernel, out, done };

class Device;
inline Device &device();

class Device {
public:
    Device()
    {
        const unsigned long long memory = number_of("OMPC_DEVICE_MEMORY", ~0ull);
        if (memory != ~0ull)
            memory_.limit(memory);
        const char *const check = std::getenv("OMPC_CHECK");
        const unsigned there = static_cast<unsigned>(std::min<unsigned long long>(number_of("OMPC_EMULATE_DEVICES", 1), most_devices));
        devices_ = std::max(1u, static_cast<unsigned>(chosen_devices(there).size()));
        check_host_ = check != nullptr && std::strstr(check, "memory") != nullptr;
        ledger().device = "ompc emulator";
        ompc_block_on_release(unpin);
        pthread_atfork(unlock_pages_for_fork, nullptr, nullptr);
    }

    // As CUDA, it is gone when handlers run that were given to atexit before the first launch.
    const char *start()
    {
        if (!started_) {
            started_ = true;
            Connecting::here(connect);
            ompc_at_exit(end);
        }
        finish_connecting();
        return is_ending_ ? "the program is ending" : nullptr;
    }
    static const char *absence() { return nullptr; }
    // Nothing is saved here by starting early: where what earlier runs have shown asks for it, and where a fork meanwhile is tested.
    static void code_is_loaded(const void *)
    {
        if (history().starts_device(MachineCosts().context_seconds) || emulate::injections().any("fork") || emulate::injections().any("end"))
            ompc_before_main(connect_early);
    }
    static void connect_early()
    {
        const Locked guard(ledger().lock);
        if (device().started_ || settings().disabled)
            return;
        device().started_ = true;
        ompc_before_end_of_libraries(wait_until_connected);
        device().connecting_.start(connect);
        ompc_at_fork(wait_until_connected, nullptr, nullptr);
        ompc_at_exit(wait_until_connected);
        ompc_at_exit(end);
    }
    bool is_connected() const { return started_ && !is_connecting(); }
    bool is_connecting() const { return connecting_.is_under_way(); }
    double seconds_of_connecting() const { return connecting_.seconds_so_far(); }

    // Calls of a library's functions (ompc_library.cc); nobody else has streams of this device.
    void begin_call() {}
    void end_call() {}
    const char *cannot_use(const void *) { return start(); }
    const char *follow_stream(void *) { return start(); }
    void lead_stream(void *) { streams().finish(); }

    DeviceLimits limits() const { return {4, 256, std::size_t{64} << 20, 19 << 10, 99 << 10}; }
    unsigned resident_blocks(const void *, unsigned) { return least_resident_blocks; }

    void *allocate(const Group &group, Mode)
    {
        void *const data = take(group.bytes(), group.begin % 16, group.name);
        if (data != nullptr)
            host_ranges_.emplace_back(group.begin, group.end);
        return data;
    }
    void release(const Group &group, Mode)
    {
        give_back(group.device, order_.last());
        host_ranges_.clear();
    }
    // Are launches divided among devices wherever that is right, whatever it would take?
    static bool always_divides()
    {
        static const bool asked = number_of("OMPC_EMULATE_DIVIDES", 0) != 0;
        return asked;
    }

    // About, as launches are estimated (ompc_parts.h).
    static double seconds_to_move(std::size_t bytes) { return static_cast<double>(bytes) / 2e11; }

    // How many devices there are for parts of kernels; bytes of each one's stripe of a block that is spread over all.
    unsigned devices() const { return devices_; }
    std::size_t stripe_of(const Group &block) const { return stripe_bytes(block.bytes(), devices_, least_stripe); }
    void *allocate_resident(const Group &group, bool striped = false)
    {
        return take(group.bytes(), group.begin % 16, group.name, striped ? stripe_of(group) : 0);
    }
    void release_resident(const Group &group, SequenceNumber used) { give_back(group.device, used); }

    void *allocate_memory(std::size_t bytes, const char *name, Mode) { return take(bytes, 0, name); }
    void release_memory(void *memory, Mode) { give_back(static_cast<char *>(memory), order_.last()); }

    char *scratch(std::size_t bytes)
    {
        if (emulate::injected("alloc"))
            return nullptr;
        streams().finish();
        scratch_.assign(bytes, static_cast<char>(emulate::poison_byte));
        return scratch_.data();
    }
    // For partial results of a part, on its device; of the first one: scratch().
    char *scratch_of(unsigned part, std::size_t bytes)
    {
        if (emulate::injected("alloc"))
            return nullptr;
        streams().finish();
        scratches_.resize(std::max<std::size_t>(scratches_.size(), part + 1));
        scratches_[part].assign(bytes, static_cast<char>(emulate::poison_byte));
        return scratches_[part].data();
    }
    static constexpr std::size_t most_reductions_of_parts = 64;
    unsigned *finished_of(unsigned part, std::size_t i) { return &finished_of_parts_[part][i]; }

    bool results(std::size_t n, std::size_t bytes)
    {
        if (finished_.size() < n || results_.size() < bytes)
            streams().finish();
        finished_.resize(std::max(finished_.size(), n));
        done_.resize(finished_.size());
        ticket_++;
        results_.resize(std::max(results_.size(), bytes));
        return true;
    }
    unsigned *finished(std::size_t i) { return &finished_[i]; }
    unsigned *done(std::size_t i) { return &done_[i]; }
    unsigned ticket() const { return ticket_; }
    void hear(std::size_t n)
    {
        streams().finish(StreamId::kernels);
        if (has_failed())
            return;
        if (std::any_of(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(n), [this](unsigned heard) { return heard != ticket_; }))
            fail(*region_, "a reduction is not complete", "OMPC463");
        leave();
    }
    void *result(std::size_t at) { return &results_[at]; }
    void *result_so_far(std::size_t at) { return result(at); }
    const void *host_result(std::size_t at) const { return &results_[at]; }
    void collect_results(std::size_t) {}

    // The batch of copies that reads the host's memory later; 0: it has been read.
    SequenceNumber copy_in(const Account &account, void *device, const void *host, std::size_t bytes)
    {
        SequenceNumber reading = 0;
        pinning_.in_pieces(host, bytes, true, [&](std::size_t at, std::size_t piece) {
            const char *const from = static_cast<const char *>(host) + at;
            const DeviceSpan span(Work::h2d, account.region, account.array, piece, stream(StreamId::in));
            copy_piece_in(StreamId::in, static_cast<char *>(device) + at, from, piece);
            if (mode_ == openmpc)
                return;
            const SequenceNumber batch = order_.copies_in();
            reading = page_locks().is_locked(from) ? batch : reading;
        });
        return reading;
    }
    void copy_out(const Account &account, void *host, const void *device, std::size_t bytes, bool may_lock = true)
    {
        order_.join();
        pinning_.in_pieces(host, bytes, may_lock, [&](std::size_t at, std::size_t piece) {
            char *const to = static_cast<char *>(host) + at;
            const char *const from = static_cast<const char *>(device) + at;
            const DeviceSpan span(Work::d2h, account.region, account.array, piece, stream(StreamId::kernels));
            page_locks().check_copy(to, piece);
            give(StreamId::kernels, [=] { std::memcpy(to, from, piece); });
            if (!page_locks().is_locked(to))
                streams().finish(StreamId::kernels);
        });
    }
    void fill(void *device, int byte, std::size_t bytes)
    {
        give(StreamId::kernels, [=] { std::memset(device, byte, bytes); });
    }
    void write(void *device, const char *host, std::size_t bytes) // of bytes that stay as they are
    {
        give(StreamId::kernels, [=] { std::memcpy(device, host, bytes); });
    }
    const void *of_runtime() const { return nullptr; }

    // What the device has when all launches are over.
    void read(char *host, const char *device, std::size_t bytes)
    {
        order_.join();
        streams().finish();
        std::memcpy(host, device, bytes);
    }

    // Of bytes of the host and of the device, when all launches are over; `bytes`: there is none.
    std::size_t first_difference(const char *host, const char *device, std::size_t bytes)
    {
        order_.join();
        streams().finish();
        return static_cast<std::size_t>(std::mismatch(host, host + bytes, device).first - host);
    }

    // As the bus does, whatever the protection of the host's pages; once wait_home() returns.
    void copy_home(const Account &account, void *host, const void *device, std::size_t bytes)
    {
        const DeviceSpan span(Work::d2h, account.region, account.array, bytes, StreamId::home);
        streams().give(StreamId::home, [=] {
            if (ompc_write_through(host, device, bytes) == 0)
                fail(*region_, std::string("host memory cannot be written to: ") + std::strerror(errno), "OMPC460");
        });
    }

    // Between the device and page-locked memory of the runtime's own (ompc_message_rooms.h): home once wait_home() returns; to
    // the device behind all that it was given, as a launch.
    void copy_to_room(const Account &account, void *room, const void *device, std::size_t bytes)
    {
        const DeviceSpan span(Work::d2h, account.region, account.array, bytes, StreamId::home);
        streams().give(StreamId::home, [=] { std::memcpy(room, device, bytes); });
    }
    void copy_from_room(const Account &account, void *device, const void *room, std::size_t bytes)
    {
        const DeviceSpan span(Work::h2d, account.region, account.array, bytes, stream(StreamId::kernels));
        give(StreamId::kernels, [=] { std::memcpy(device, room, bytes); });
    }

    // Memory that other processes' devices reach (ompc_peers.h): a file without a name, whose number is the handle. nullptr: that is
    // not possible here.
    static char *export_memory(std::size_t bytes, char (&handle)[64])
    {
        const int file = emulate::injected("export") ? -1 : ompc_libc_memfd_create("ompc-arena", MFD_CLOEXEC);
        if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
            return nullptr;
        std::memcpy(handle, &file, sizeof file);
        return map_shared(file, bytes);
    }
    static char *import_memory(const char (&handle)[64], std::size_t bytes, int process, bool)
    {
        int number = -1;
        std::memcpy(&number, handle, sizeof number);
        const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
        const int file = emulate::injected("import") ? -1 : ompc_libc_open(path.c_str(), O_RDWR | O_CLOEXEC, 0);
        char *const found = file < 0 ? nullptr : map_shared(file, bytes);
        if (file >= 0)
            ompc_libc_close(file);
        return found;
    }

    // To such memory, once wait_home() returns; from it, behind all that the device was given; and to the host, at once.
    static void copy_to_peer(void *peer, const void *device, std::size_t bytes)
    {
        streams().give(StreamId::home, [=] { std::memcpy(peer, device, bytes); });
    }
    void copy_from_peer(void *device, const void *peer, std::size_t bytes)
    {
        give(StreamId::kernels, [=] { std::memcpy(device, peer, bytes); });
    }
    static void read_peer(const Account &account, void *host, const void *peer, std::size_t bytes)
    {
        const DeviceSpan span(Work::d2h, account.region, account.array, bytes, StreamId::home);
        std::memcpy(host, peer, bytes);
    }

    void wait_home(Waited why, Region &region, const char *array)
    {
        {
            const HostSpan span(Work::wait, &region, array, why);
            streams().finish(StreamId::home);
        }
        order_.are_home();
        if (settings().profiling)
            timeline().resolve(false);
    }

    // The host may then write to, or free, what this batch of copies reads.
    void wait_copies_in(SequenceNumber batch, Waited why)
    {
        if (!order_.is_reading(batch) || emulate::injected("wait_host"))
            return;
        const HostSpan span(Work::wait, region_, nullptr, why);
        order_.finish_copies_in(batch);
    }
    void wait_copies_in(Waited why) { wait_copies_in(order_.last_batch(), why); }

    void copy_constant(const void *symbol, const void *host, std::size_t bytes)
    {
        char *const to = static_cast<char *>(const_cast<void *>(symbol));
        pinning_.in_pieces(host, bytes, false, [&](std::size_t at, std::size_t piece) {
            copy_piece_in(StreamId::kernels, to + at, static_cast<const char *>(host) + at, piece);
        });
    }
    void copy_constant_within(const void *symbol, const void *from, std::size_t bytes)
    {
        copy_within(const_cast<void *>(symbol), from, bytes);
    }
    void wait_for_constants() { streams().finish(StreamId::kernels); }

    // Waits for the kernel.
    void read_symbol(void *to, const void *symbol, std::size_t bytes)
    {
        give(StreamId::kernels, [=] { std::memcpy(to, symbol, bytes); });
        streams().finish(StreamId::kernels);
    }
    unsigned long long *printed(unsigned long long &room)
    {
        room = settings().print_bytes / sizeof *printed_;
        if (printed_ == nullptr)
            printed_ = new (std::nothrow) unsigned long long[room + 1];
        return printed_;
    }
    void copy_within(void *to, const void *from, std::size_t bytes)
    {
        give(StreamId::kernels, [=] { std::memcpy(to, from, bytes); });
    }
    void forget_finished()
    {
        give(StreamId::kernels, [this] { finished_.assign(finished_.size(), 0); });
    }

    void expect(const void *host, std::size_t in, std::size_t out = 0) { pinning_.expect(host, in, out); }
    bool is_locked(const void *host) const { return pinning_.is_locked(host); }
    bool expect_home(const void *host, std::size_t bytes) { return pinning_.may_come_home(host, bytes); }
    void lock(const void *host, std::size_t bytes) { pinning_.lock(host, bytes); }

    // Memory for ompc_malloc_host, in the place of cudaMallocHost.
    void *allocate_host(std::size_t bytes)
    {
        if (settings().disabled || has_failed())
            return nullptr;
        const HostSpan span(Work::page_lock);
        return locked_memory().allocate(bytes, [](std::size_t wanted) { return page_locks().allocate(wanted); });
    }
    void release_host(void *base)
    {
        locked_memory().release(base);
        page_locks().release(base);
    }

    char *mailbox(std::size_t bytes)
    {
        if (mailbox_ == nullptr)
            mailbox_ = static_cast<char *>(page_locks().allocate(mailbox_bytes));
        if (mailbox_ == nullptr || bytes > mailbox_bytes - mailed_)
            return nullptr;
        char *const room = mailbox_ + mailed_;
        mailed_ += bytes;
        return room;
    }

    void begin(Region &region, Mode mode)
    {
        region_ = &region;
        mode_ = mode;
        mailed_ = 0;
    }

    void mark(Phase phase)
    {
        if (mode_ == openmpc && phase == Phase::out)
            streams().finish();
    }
    void finish() { wait(Waited::results); }

    // The kernel comes in parts: what is run is for the devices in turn, behind all that the first one has been given by now.
    void divide(unsigned parts)
    {
        order_.join();
        parts_ = parts;
        Event begun;
        streams().record(begun, StreamId::kernels);
        for (unsigned part = 1; part < parts; part++)
            streams().wait(kernels_of(part), begun);
    }
    void go_to(unsigned part) { part_ = part; }

    // What a step of the launch goes to.
    Clock::Stream stream(StreamId way) const { return mode_ == openmpc ? StreamId::kernels : way; }

    // Everything is done: launches, and copies outside of them.
    void wait(Waited why, Region *region = nullptr, const char *array = nullptr)
    {
        {
            const HostSpan span(Work::wait, region == nullptr ? region_ : region, array, why);
            order_.join();
            streams().finish();
        }
        order_.is_done();
        is_busy_ = false;
        memory_.release_kept();
        if (settings().profiling)
            timeline().resolve(false);
    }

    // The kernels of the launch have been given; does anything wait for them alone?
    void launched(bool awaited)
    {
        join_parts();
        order_.launched(awaited);
        host_ranges_.clear(); // what a launch keeps for the next one may be given back and used again
    }
    Order &order() { return order_; }

    bool is_busy() const { return is_busy_; }
    void look_at_watch() {} // what the emulator takes says nothing about a device
    void leave()
    {
        is_busy_ = true;
        if (settings().profiling)
            timeline().resolve(false);
    }

    bool run(const Shape &shape, const Kernel &kernel)
    {
        if (emulate::injected("start") || !emulate::scheduler().has_room(shape.block.x * shape.block.y * shape.block.z))
            return false;
        const bool fails = emulate::injected("kernel"), is_slow = emulate::injected("slow");
        order_.join();
        const DeviceSpan span(Work::kernel, *region_, nullptr, 0, stream(StreamId::kernels));
        Region *const region = region_;
        streams().give(kernels_of(part_), [=, ranges = check_host_ ? host_ranges_ : HostRanges()] {
            if (fails)
                fail(*region, "a fault that OMPC_FAULTS asks for", "OMPC460");
            if (is_slow)
                sleep_for(50e-3);
            run_now(*region, shape, ranges, kernel.lane, kernel.call.get());
        });
        return true;
    }

private:
    static constexpr std::size_t least_stripe = 4096;

    // What comes is behind all parts.
    void join_parts()
    {
        for (unsigned part = 1; part < parts_; part++) {
            Event over;
            streams().record(over, kernels_of(part));
            streams().wait(StreamId::kernels, over);
        }
        parts_ = 1;
        part_ = 0;
    }

    using HostRanges = std::vector<std::pair<Address, Address>>;
    static constexpr std::size_t everything = static_cast<std::size_t>(-1);

    // Memory that something under way may use is not taken away, but used again, as what CUDA's pool has.
    void *take(std::size_t bytes, std::size_t skew, const char *name, std::size_t stripe = 0)
    {
        if (logs(log_everything))
            note(region_, "%s: %zu bytes of device memory are taken", name, bytes);
        if (streams().idle() || !memory_.has_room(bytes, stripe)) {
            streams().finish();
            memory_.release_kept();
        }
        char *const data = memory_.allocate(bytes, skew, name, stripe);
        if (data != nullptr)
            order_.after(StreamId::in, memory_.used(data));
        return data;
    }
    void give_back(char *data, SequenceNumber used)
    {
        if (streams().idle())
            memory_.release(data);
        else
            memory_.keep(data, used);
    }

    static char *map_shared(int file, std::size_t bytes)
    {
        void *const pages = ompc_libc_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return pages == MAP_FAILED ? nullptr : static_cast<char *>(pages);
    }

    // A copy of bytes of the host's; large ones not from the program's own heap, which would keep them.
    static std::shared_ptr<char> staged(const char *from, std::size_t bytes)
    {
        constexpr std::size_t large = std::size_t{64} << 10;
        constexpr int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void *const pages = bytes < large ? MAP_FAILED : ompc_libc_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, how, -1, 0);
        const std::shared_ptr<char> copy = pages == MAP_FAILED
                                               ? std::shared_ptr<char>(new char[bytes], std::default_delete<char[]>())
                                               : std::shared_ptr<char>(static_cast<char *>(pages), [=](char *p) { ompc_libc_munmap(p, bytes); });
        std::memcpy(copy.get(), from, bytes);
        return copy;
    }

    // Whatever the protection of the host's pages is then.
    void read_as_bus(char *to, const char *from, std::size_t bytes)
    {
        if (ompc_read_through(to, from, bytes) == 0)
            fail(*region_, std::string("host memory cannot be read: ") + std::strerror(errno), "OMPC460");
    }

    // What goes to the kernels' stream comes behind all copies in.
    template <class DoIt>
    void give(StreamId way, DoIt work)
    {
        if (way == StreamId::kernels)
            order_.join();
        streams().give(stream(way), work);
        if (mode_ == openmpc)
            streams().finish();
    }

    void copy_piece_in(StreamId way, char *to, const char *from, std::size_t bytes)
    {
        page_locks().check_copy(from, bytes);
        if (page_locks().is_locked(from))
            return give(way, [=] { read_as_bus(to, from, bytes); });
        give(way, [=, copy = staged(from, bytes)] { std::memcpy(to, copy.get(), bytes); });
    }

    void run_now(Region &region, const Shape &shape, const HostRanges &ranges, void (*lane)(const void *), const void *call)
    {
        protect_host(ranges, PROT_NONE);
        std::string problem;
        {
            const emulate::FaultWatch watch;
            problem = emulate::scheduler().run(shape.grid, shape.block, shape.shared, lane, call);
        }
        protect_host(ranges, PROT_READ | PROT_WRITE);
        if (problem == emulate::FaultWatch::faulted)
            explain_fault(region, emulate::FaultWatch::address());
        if (!problem.empty())
            fail(region, problem, "OMPC463");
        const char *at = nullptr;
        if (const emulate::DeviceBlock *const block = memory_.overwritten(at))
            fail(region, "the kernel writes '" + std::string(block->name) + "' out of bounds: " + block->where(at), "OMPC461");
    }

    [[noreturn]] void explain_fault(Region &region, const void *address)
    {
        const std::string bounds = memory_.explain(address);
        if (!bounds.empty())
            fail(region, bounds, "OMPC461");
        if (emulate::scheduler().running_fiber()->overflows_at(address))
            fail(region, "a thread of the kernel needs more than 1 MiB of local memory", "OMPC462");
        char number[32];
        std::snprintf(number, sizeof number, "%p", address);
        fail(region, std::string("the kernel accesses address ") + number + ", which is not device memory", "OMPC464");
    }

    // With OMPC_CHECK=memory: the whole pages of the arrays on the host.
    void protect_host(const HostRanges &ranges, int protection)
    {
        const Address page = static_cast<Address>(sysconf(_SC_PAGESIZE));
        for (const auto &range : ranges) {
            const Address begin = (range.first + page - 1) / page * page, end = range.second / page * page;
            if (check_host_ && begin < end)
                ompc_protect(reinterpret_cast<void *>(begin), end - begin, protection);
        }
        if (check_host_ && protection == PROT_NONE)
            open_pages(nullptr, everything, PROT_NONE);
        else if (check_host_)
            guard_pages(nullptr, everything);
    }

    static emulate::PageLocks &page_locks()
    {
        static emulate::PageLocks *const locks = new emulate::PageLocks; // never destroyed
        return *locks;
    }
    static bool lock_pages(void *pages, std::size_t bytes)
    {
        const HostSpan span(Work::page_lock);
        const bool is_locked = page_locks().lock(pages, bytes);
        note_locked(pages, bytes, is_locked);
        return is_locked;
    }
    static void unlock_pages(void *pages)
    {
        const HostSpan span(Work::page_lock);
        page_locks().unlock(pages);
    }
    static void unpin(void *base, std::size_t);
    static void unlock_pages_for_fork();
    static void end();

    // As CUDA, which wants to know of the program's end before it is ready, and dies if that comes in between.
    static void be_ended()
    {
        static std::atomic<bool> is_ready{false};
        static char of_library;
        const auto end = [](void *) {
            if (!is_ready)
                ompc_libc_abort();
        };
        static_cast<void>(__cxa_atexit(end, nullptr, &of_library));
        sleep_for(300e-3);
        is_ready = true;
    }
    // As CUDA under a debugger, whose agent is a child of the thread that connects; and for that early (ompc_connecting.h).
    static void connect()
    {
        if (logs(log_regions))
            note(nullptr, "the device is %s", ledger().device);
        if (emulate::injected("end"))
            be_ended();
        if (!emulate::injected("fork"))
            return;
        const pid_t child = fork();
        if (child == 0)
            ompc_libc_end(0);
        int status = 0;
        ompc_libc_waitpid(child, &status, 0);
    }
    void finish_connecting()
    {
        if (connecting_.is_under_way())
            connecting_.finish();
    }
    static void wait_until_connected();

    emulate::DeviceMemory memory_;
    Order order_;
    Pinning pinning_{lock_pages, unlock_pages, machine_costs};
    bool check_host_ = false, started_ = false, is_ending_ = false;
    std::atomic<bool> is_busy_{false};
    HostRanges host_ranges_; // of the launch
    std::vector<char> scratch_;
    std::vector<std::vector<char>> scratches_; // of other devices
    unsigned finished_of_parts_[most_devices][most_reductions_of_parts] = {};
    unsigned devices_ = 1, parts_ = 1, part_ = 0; // of the launch under way, and the one that is given
    std::vector<char> results_; // from operator new: aligned for everything
    std::vector<unsigned> finished_, done_;
    unsigned ticket_ = 0;
    unsigned long long *printed_ = nullptr;
    static constexpr std::size_t mailbox_bytes = std::size_t{64} << 10;
    char *mailbox_ = nullptr;
    std::size_t mailed_ = 0;
    Region *region_ = nullptr;
    Mode mode_ = automatic;
    Connecting connecting_;
};

inline Device &device()
{
    static Device *const the_device = new Device;
    return *the_device;
}

} // namespace ompc

#endif

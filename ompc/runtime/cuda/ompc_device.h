// ompc_device.h (cuda): the CUDA device, as ompc_launch.h wants it.
//
// An `automatic` launch has streams for its kernels, for copies in and for copies back (ompc_stream_order.h); an `openmpc` launch
// uses the default stream and waits for each step, as OpenMPC's output does. CUDA's current device (ompc_connection.h) is each
// thread's own, so every thread that launches is told.

#ifndef OMPC_DEVICE_H
#define OMPC_DEVICE_H

#include "ompc_absence.h"
#include "ompc_calibration.h"
#include "ompc_connecting.h"
#include "ompc_connection.h"
#include "ompc_failure.h"
#include "ompc_history.h"
#include "ompc_kernel.h"
#include "ompc_kernel_watch.h"
#include "ompc_ledger.h"
#include "ompc_locked_memory.h"
#include "ompc_log.h"
#include "ompc_stream_order.h"
#include "ompc_other_devices.h"
#include "ompc_pinning.h"
#include "ompc_pool.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_results.h"
#include "ompc_shape.h"
#include "ompc_streams.h"
#include "ompc_striped_memory.h"
#include "ompc_stripes.h"
#include "ompc_timeline.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace ompc {

enum class Phase { in, kernel, out, done };

class Device;
inline Device &device();

class Device {
public:
    Device()
    {
        ompc_block_on_release(unpin);
        ompc_at_fork(unlock_pages_for_fork, nullptr, become_orphan);
    }

    // The first call creates the context. A child of fork cannot use its parent's.
    const char *start()
    {
        if (!started_) {
            started_ = true;
            const HostSpan span(Work::init);
            Connecting::here([this] { connect(); });
            ompc_at_exit(end);
        }
        finish_connecting();
        if (is_ending())
            return "the program is ending";
        if (!told() && why_not_ == nullptr && is_usable())
            static_cast<void>(cudaSetDevice(connection_.number())); // what fails here fails again in the first use
        told() = true;
        return is_usable() ? why_not_ : "the process was forked after its parent had used the device";
    }

    // Of this process, as far as is known: before it has looked, where it is certain.
    const char *absence() const { return started_ ? (is_connecting() || orphaned_ ? nullptr : why_not_) : certain_absence(); }

    // Kernels have been registered, of which `probe` is one.
    static void code_is_loaded(const void *probe)
    {
        if (probe_of_program() == nullptr)
            probe_of_program() = probe;
        if (code_comes_later)
            return;
        if (history().starts_device(MachineCosts().context_seconds))
            ompc_before_main(connect_early);
    }

    // Starts to create the context, on a thread of its own, while the program is still at work on its data.
    static void connect_early()
    {
        if (settings().disabled)
            return;
        const Locked guard(ledger().lock); // the thread takes no signals that are the program's
        Device &it = device();
        if (it.started_)
            return;
        it.started_ = true;
        ompc_before_end_of_libraries(wait_until_connected); // CUDA's own end would not wait for that thread
        it.connecting_.start([&it] { it.connect(); });
        ompc_at_fork(wait_until_connected, nullptr, nullptr);
        ompc_at_exit(wait_until_connected);
        ompc_at_exit(end);
    }

    DeviceLimits limits() const { return connection_.limits(); }

    unsigned resident_blocks(const void *kernel, unsigned threads)
    {
        const auto known = resident_blocks_.find({kernel, threads});
        if (known != resident_blocks_.end())
            return known->second;
        int blocks = 0;
        if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0) != cudaSuccess)
            static_cast<void>(cudaGetLastError()); // the launch will say it
        return resident_blocks_[{kernel, threads}] = static_cast<unsigned>(blocks);
    }

    // The memory may be that of an earlier launch: copies to it come behind that.
    void *allocate(const Group &group, Mode mode)
    {
        const std::size_t skew = group.begin % 16, bytes = group.bytes() + skew;
        void *const buffer = allocate_memory(bytes, group.name, mode);
        if (buffer != nullptr && mode != openmpc)
            order_.after(StreamId::in, pool_.used(buffer));
        return buffer == nullptr ? nullptr : static_cast<char *>(buffer) + skew;
    }
    void release(const Group &group, Mode mode) { release_memory(group.device - group.begin % 16, mode); }

    // `used`: the last launch that uses it.
    void *allocate_resident(const Group &group, bool striped = false) { return striped ? allocate_striped(group) : allocate(group, automatic); }
    void release_resident(const Group &group, SequenceNumber used)
    {
        char *const buffer = group.device - group.begin % 16;
        if (has_failed())
            return;
        if (stripes().has(buffer))
            stripes().release(buffer, used);
        else
            pool_.release(buffer, used);
    }

    // How many devices there are for parts of kernels; bytes of each one's stripe of a block that is spread over all.
    unsigned devices() const { return others_.count() + 1; }
    std::size_t stripe_of(const Group &block) const { return stripe_bytes(block.bytes() + block.begin % 16, devices(), others_.stripes().granule()); }

    static constexpr bool always_divides() { return false; }

    // About, as launches are estimated (ompc_parts.h): memory is mapped, and half of the array crosses between devices.
    static double seconds_to_move(std::size_t bytes) { return 2e-3 + static_cast<double>(bytes) / 2e11; }
    void *allocate_memory(std::size_t bytes, const char *name, Mode mode)
    {
        if (logs(log_everything))
            note(region_, "%s: %zu bytes of device memory are taken", name, bytes);
        if (mode == openmpc)
            return Pool::device_malloc(bytes);
        void *const buffer = pool_.allocate(bytes);
        return buffer == nullptr && stripes().give_back() ? pool_.allocate(bytes) : buffer;
    }
    void release_memory(void *memory, Mode mode)
    {
        if (has_failed())
            return; // the context is gone
        if (mode == openmpc)
            check(cudaFree(memory));
        else
            pool_.release(memory, order_.last());
    }

    char *scratch(std::size_t bytes)
    {
        if (bytes > scratch_bytes_) {
            if (scratch_ != nullptr)
                pool_.release(scratch_, order_.last());
            scratch_ = static_cast<char *>(pool_.allocate(bytes));
            scratch_bytes_ = scratch_ == nullptr ? 0 : bytes;
        }
        return scratch_;
    }

    // For partial results of a part, on its device; of the first one: scratch().
    char *scratch_of(unsigned part, std::size_t bytes) { return others_.scratch(part, bytes); }
    static constexpr std::size_t most_reductions_of_parts = OtherDevices::most_reductions;
    unsigned *finished_of(unsigned part, std::size_t i) { return others_.finished(part, i); }

    bool results(std::size_t n, std::size_t bytes) { return results_.prepare(n, bytes); }
    unsigned *finished(std::size_t i) { return results_.finished(i); }
    unsigned *done(std::size_t i) { return results_.done(i); }
    unsigned ticket() const { return results_.ticket(); }
    void *result(std::size_t at) { return results_.of_kernel(at, mode_); }
    void *result_so_far(std::size_t at) { return results_.so_far(at); }
    const void *host_result(std::size_t at) const { return results_.of_host(at); }
    void collect_results(std::size_t bytes)
    {
        if (mode_ == openmpc)
            check(results_.collect(bytes));
    }

    // Looks until the results of the kernel are there; what else it writes, and its end, nobody has to wait for.
    void hear(std::size_t n)
    {
        leave();
        const HostSpan span(Work::wait, region_, nullptr, Waited::results);
        check(results_.hear(n));
        if (settings().profiling)
            timeline().resolve(false);
    }

    // CUDA takes a piece of host memory as page-locked or not by its first byte, so the pieces must be one or the other. The
    // batch of copies that reads the host's memory later; 0: it has been read.
    SequenceNumber copy_in(const Account &account, void *device, const void *host, std::size_t bytes)
    {
        SequenceNumber reading = 0;
        pinning_.in_pieces(host, bytes, true, [&](std::size_t at, std::size_t piece) {
            const char *const from = static_cast<const char *>(host) + at;
            const DeviceSpan span(Work::h2d, account.region, account.array, piece, stream(StreamId::in));
            copy(static_cast<char *>(device) + at, from, piece, cudaMemcpyHostToDevice, StreamId::in);
            if (mode_ == openmpc)
                return;
            const SequenceNumber batch = order_.copies_in();
            reading = pinning_.is_locked(from) ? batch : reading;
        });
        return reading;
    }
    void copy_out(const Account &account, void *host, const void *device, std::size_t bytes, bool may_lock = true)
    {
        order_.join();
        pinning_.in_pieces(host, bytes, may_lock, [&](std::size_t at, std::size_t piece) {
            const char *const from = static_cast<const char *>(device) + at;
            const DeviceSpan span(Work::d2h, account.region, account.array, piece, stream(StreamId::kernels));
            copy(static_cast<char *>(host) + at, from, piece, cudaMemcpyDeviceToHost, StreamId::kernels);
        });
    }

    // Page-locked memory for what comes home at the end of a launch, until the next one begins; nullptr: there is no room. Such
    // copies are made by the device while the host goes on; each one to other memory holds up both.
    char *mailbox(std::size_t bytes)
    {
        if (mailbox_ == nullptr && cudaMallocHost(&mailbox_, mailbox_bytes) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            mailbox_ = nullptr;
        }
        if (mailbox_ == nullptr || bytes > mailbox_bytes - mailed_)
            return nullptr;
        char *const room = mailbox_ + mailed_;
        mailed_ += (bytes + 63) / 64 * 64;
        return room;
    }

    const void *of_runtime() const { return reinterpret_cast<const void *>(cudaRuntimeGetVersion); }

    void fill(void *device, int byte, std::size_t bytes)
    {
        order_.join();
        check(cudaMemsetAsync(device, byte, bytes, stream(StreamId::kernels)));
    }
    void write(void *device, const char *host, std::size_t bytes) // of bytes that stay as they are
    {
        order_.join();
        check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream(StreamId::kernels)));
    }

    // What the device has when all launches are over.
    void read(char *host, const char *device, std::size_t bytes)
    {
        copy_in_stripes(host, device, device, bytes, cudaMemcpyDeviceToHost, kernels());
        check(cudaStreamSynchronize(kernels()));
    }

    // Of bytes of the host and of the device, when all launches are over; `bytes`: there is none.
    std::size_t first_difference(const char *host, const char *device, std::size_t bytes)
    {
        std::vector<char> copy(std::min(bytes, bounce_bytes));
        for (std::size_t at = 0; at < bytes; at += copy.size()) {
            const std::size_t piece = std::min(copy.size(), bytes - at);
            read(copy.data(), device + at, piece);
            const auto differs = std::mismatch(copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(piece), host + at);
            if (differs.second != host + at + piece)
                return static_cast<std::size_t>(differs.second - host);
        }
        return bytes;
    }

    // To pages that may be protected, once wait_home() returns, whatever the mode of the last launch: the bus does not see
    // that; what is not page-locked goes through a buffer that is.
    void copy_home(const Account &account, void *host, const void *device, std::size_t bytes)
    {
        const cudaStream_t home = streams().of(StreamId::home);
        pinning_.in_pieces(host, bytes, false, [&](std::size_t at, std::size_t piece) {
            char *const to = static_cast<char *>(host) + at;
            const char *const from = static_cast<const char *>(device) + at;
            const DeviceSpan span(Work::d2h, account.region, account.array, piece, home);
            if (pinning_.is_locked(to))
                copy_in_stripes(to, from, from, piece, cudaMemcpyDeviceToHost, home);
            else
                write_through(to, from, piece, home);
        });
    }

    // Between the device and page-locked memory of the runtime's own (ompc_message_rooms.h): home once wait_home() returns; to
    // the device behind all that it was given, as a launch.
    void copy_to_room(const Account &account, void *room, const void *device, std::size_t bytes)
    {
        const cudaStream_t home = streams().of(StreamId::home);
        const DeviceSpan span(Work::d2h, account.region, account.array, bytes, home);
        copy_in_stripes(room, device, device, bytes, cudaMemcpyDeviceToHost, home);
    }
    void copy_from_room(const Account &account, void *device, const void *room, std::size_t bytes)
    {
        const cudaStream_t stream = kernels();
        const DeviceSpan span(Work::h2d, account.region, account.array, bytes, stream);
        copy_in_stripes(device, room, device, bytes, cudaMemcpyHostToDevice, stream);
    }

    // Memory that other processes' devices reach (ompc_peers.h): of this one, for as long as it runs; of another one, by the handle
    // that it was given. nullptr: that is not possible here, or it is on this device, which has processes take turns, and only
    // waits for more of them then (Jacobi on an H200, 2 ranks, 200 steps: 0.19 s, by the host's memory 0.13).
    char *export_memory(std::size_t bytes, char (&handle)[64])
    {
        static_assert(sizeof(cudaIpcMemHandle_t) == sizeof handle);
        void *made = nullptr;
        cudaIpcMemHandle_t own{};
        if (start() != nullptr || cudaMalloc(&made, bytes) != cudaSuccess || cudaIpcGetMemHandle(&own, made) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            static_cast<void>(cudaFree(made));
            return nullptr;
        }
        std::memcpy(handle, &own, sizeof own);
        return static_cast<char *>(made);
    }
    static char *import_memory(const char (&handle)[64], std::size_t, int, bool also_here)
    {
        void *found = nullptr;
        cudaIpcMemHandle_t others{};
        std::memcpy(&others, handle, sizeof others);
        if (cudaIpcOpenMemHandle(&found, others, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess) {
            cudaPointerAttributes at{};
            int here = -1;
            if (also_here || (cudaGetDevice(&here) == cudaSuccess && cudaPointerGetAttributes(&at, found) == cudaSuccess && at.device != here))
                return static_cast<char *>(found);
            cudaIpcCloseMemHandle(found);
        }
        static_cast<void>(cudaGetLastError());
        return nullptr;
    }

    // To such memory, once wait_home() returns; from it, behind all that the device was given; and to the host, at once.
    void copy_to_peer(void *peer, const void *device, std::size_t bytes)
    {
        copy_in_stripes(peer, device, device, bytes, cudaMemcpyDefault, streams().of(StreamId::home));
    }
    void copy_from_peer(void *device, const void *peer, std::size_t bytes)
    {
        copy_in_stripes(device, peer, device, bytes, cudaMemcpyDefault, kernels());
    }
    void read_peer(const Account &account, void *host, const void *peer, std::size_t bytes)
    {
        const cudaStream_t home = streams().of(StreamId::home);
        const DeviceSpan span(Work::d2h, account.region, account.array, bytes, home);
        check(cudaMemcpyAsync(host, peer, bytes, cudaMemcpyDefault, home));
        check(cudaStreamSynchronize(home));
    }

    void wait_home(Waited why, Region &region, const char *array)
    {
        {
            const HostSpan span(Work::wait, &region, array, why);
            check(cudaStreamSynchronize(streams().of(StreamId::home)));
        }
        order_.are_home();
        if (settings().profiling)
            timeline().resolve(false);
    }

    // The host may then write to, or free, what this batch of copies reads. When the program ends, nobody needs the copies.
    void wait_copies_in(SequenceNumber batch, Waited why)
    {
        if (!order_.is_reading(batch) || is_ending())
            return;
        const HostSpan span(Work::wait, region_, nullptr, why);
        order_.finish_copies_in(batch);
        check(streams().error());
    }
    void wait_copies_in(Waited why) { wait_copies_in(order_.last_batch(), why); }

    void copy_constant(const void *symbol, const void *host, std::size_t bytes)
    {
        pinning_.in_pieces(host, bytes, false, [&](std::size_t at, std::size_t piece) {
            const char *const from = static_cast<const char *>(host) + at;
            check(mode_ == openmpc ? copy_to_symbol(symbol, at, from, piece)
                                   : copy_to_symbol(symbol, at, from, piece, cudaMemcpyHostToDevice, kernels()));
            on_others([&](cudaStream_t other) { check(copy_to_symbol(symbol, at, from, piece, cudaMemcpyHostToDevice, other)); });
        });
        if (mode_ == openmpc)
            return;
        if (constants_copied_ == nullptr)
            check(cudaEventCreateWithFlags(&constants_copied_, cudaEventDisableTiming));
        check(cudaEventRecord(constants_copied_, kernels()));
    }
    void copy_constant_within(const void *symbol, const void *from, std::size_t bytes)
    {
        const auto copy_to = [&](cudaStream_t stream) {
            stripes().in_stripes(from, bytes, [&](std::size_t at, std::size_t piece) {
                check(copy_to_symbol(symbol, at, static_cast<const char *>(from) + at, piece, cudaMemcpyDeviceToDevice, stream));
            });
        };
        copy_to(kernels());
        on_others(copy_to);
    }
    void wait_for_constants()
    {
        if (constants_copied_ != nullptr)
            check(cudaEventSynchronize(constants_copied_));
    }

    // Waits for the kernel.
    void read_symbol(void *to, const void *symbol, std::size_t bytes)
    {
        if (mode_ == openmpc) {
            check(copy_from_symbol(to, symbol, bytes));
            return;
        }
        if (heard_ == nullptr)
            check(cudaMallocHost(&heard_, most_heard));
        check(copy_from_symbol(heard_, symbol, bytes, kernels()));
        wait(Waited::results);
        std::memcpy(to, heard_, bytes);
    }
    unsigned long long *printed(unsigned long long &room)
    {
        room = settings().print_bytes / sizeof *printed_;
        if (printed_ == nullptr)
            printed_ = static_cast<unsigned long long *>(pool_.allocate(settings().print_bytes));
        return printed_;
    }
    void copy_within(void *to, const void *from, std::size_t bytes)
    {
        order_.join();
        copy(to, from, bytes, cudaMemcpyDeviceToDevice, StreamId::kernels);
    }
    void forget_finished() { check(results_.forget_finished(stream(StreamId::kernels))); }

    void expect(const void *host, std::size_t in, std::size_t out = 0) { pinning_.expect(host, in, out); }
    bool is_locked(const void *host) const { return pinning_.is_locked(host); }
    bool expect_home(const void *host, std::size_t bytes) { return pinning_.may_come_home(host, bytes); }
    void lock(const void *host, std::size_t bytes) { pinning_.lock(host, bytes); }

    void begin(Region &region, Mode mode)
    {
        region_ = &region;
        mode_ = mode;
        mailed_ = 0;
    }

    void mark(Phase phase)
    {
        if (mode_ != openmpc || phase != Phase::out)
            return;
        const HostSpan span(Work::wait, region_);
        check(cudaDeviceSynchronize());
    }

    // The kernel comes in parts: what is run is for the devices in turn, behind all that the first one has been given by now.
    void divide(unsigned parts)
    {
        parts_ = parts;
        static_cast<void>(kernels());
        others_.follow(parts);
    }
    void go_to(unsigned part) { part_ = part; }

    // False: there is no memory for the local variables of as many threads as the device can hold.
    bool run(const Shape &shape, const Kernel &kernel)
    {
        order_.join();
        if (part_ != 0)
            return run_part(shape, kernel);
        if (shape.shared != 0) { // takes microseconds, in which the device would seem to be at work
            check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
            check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.shared)));
        }
        const DeviceSpan span(Work::kernel, *region_, nullptr, 0, stream(StreamId::kernels));
        watch_.before(*region_, stream(StreamId::kernels));
        const cudaError_t error = cudaLaunchKernel(kernel.function, shape.grid, shape.block, kernel.arguments, shape.shared, stream(StreamId::kernels));
        watch_.after(stream(StreamId::kernels));
        if (error == cudaErrorMemoryAllocation) {
            static_cast<void>(cudaGetLastError());
            return false;
        }
        check(error);
        return true;
    }

    void look_at_watch() { watch_.look(); }

    void finish() { wait(Waited::results); }

    // The kernels of the launch have been given; does anything wait for them alone?
    void launched(bool awaited)
    {
        join_parts();
        order_.launched(awaited);
        check(streams().error());
    }
    Order &order() { return order_; }

    // The launch goes on without the host.
    void leave()
    {
        busy_ = true;
        if (std::find(under_way_.begin(), under_way_.end(), region_) == under_way_.end())
            under_way_.push_back(region_);
    }
    bool is_busy() const { return busy_; }

    bool is_usable() const { return started_ && !orphaned_; }
    bool is_connected() const { return started_ && !is_connecting() && why_not_ == nullptr; }
    bool is_connecting() const { return connecting_.is_under_way(); }
    double seconds_of_connecting() const { return connecting_.seconds_so_far(); }

    // ---- calls of a library's functions (ompc_library.cc); CUDA's current device stays the caller's

    void begin_call()
    {
        if (cudaGetDevice(&device_of_caller()) != cudaSuccess)
            device_of_caller() = -1;
        static_cast<void>(cudaGetLastError());
    }
    void end_call()
    {
        if (is_usable() && device_of_caller() >= 0 && !has_failed())
            static_cast<void>(cudaSetDevice(device_of_caller()));
        told() = false;
    }

    // Why kernels cannot use memory of the device's; nullptr: they can. The first such memory says which device is used.
    const char *cannot_use(const void *memory)
    {
        cudaPointerAttributes found{};
        if (cudaPointerGetAttributes(&found, memory) != cudaSuccess || (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged)) {
            static_cast<void>(cudaGetLastError());
            return "it is no memory of a CUDA device that this process can use";
        }
        if (!started_)
            static_cast<void>(cudaSetDevice(found.device));
        if (const char *const why = start())
            return why;
        return found.device == connection_.number() ? nullptr : "it is on another device than the one that the library uses";
    }

    // All that comes is behind what a stream has been given.
    const char *follow_stream(void *stream)
    {
        if (const char *const why = start())
            return why;
        begin(region_of_calls(), automatic);
        if (meeting_ == nullptr)
            check(cudaEventCreateWithFlags(&meeting_, cudaEventDisableTiming));
        if (cudaEventRecord(meeting_, static_cast<cudaStream_t>(stream)) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            return "its stream is not one of the device that the library uses";
        }
        for (const StreamId way : {StreamId::kernels, StreamId::in, StreamId::home})
            streams().wait(way, meeting_);
        check(streams().error());
        return nullptr;
    }

    // What a stream is given from now on is behind all that has come.
    void lead_stream(void *stream)
    {
        if (has_failed() || is_ending())
            return;
        check(cudaEventRecord(meeting_, kernels()));
        check(cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), meeting_, 0));
    }

    // What a step of the launch goes to.
    cudaStream_t stream(StreamId way) const { return mode_ == openmpc ? nullptr : streams().of(way); }

    // Everything is done: launches, and copies outside of them.
    void wait(Waited why, Region *region = nullptr, const char *array = nullptr)
    {
        {
            const HostSpan span(Work::wait, region == nullptr ? region_ : region, array, why);
            if (mode_ == openmpc)
                check(cudaStreamSynchronize(nullptr));
            check(others_.finish());
            check(cudaStreamSynchronize(kernels()));
        }
        order_.is_done();
        check(streams().error());
        under_way_.clear();
        busy_ = false;
        if (settings().profiling)
            timeline().resolve(false);
    }

    // cudaMallocHost for ompc_malloc_host; nullptr where there is no device or no memory.
    void *allocate_host(std::size_t bytes)
    {
        if (settings().disabled || has_failed() || is_ending() || start() != nullptr)
            return nullptr;
        const HostSpan span(Work::page_lock);
        return locked_memory().allocate(bytes, [](std::size_t wanted) -> void * {
            void *made = nullptr;
            const bool is_made = cudaMallocHost(&made, wanted) == cudaSuccess;
            static_cast<void>(cudaGetLastError());
            return is_made ? made : nullptr;
        });
    }
    void release_host(void *base)
    {
        locked_memory().release(base);
        if (is_usable() && !has_failed() && !is_ending()) // else it is left to the end of the process
            static_cast<void>(cudaFreeHost(base));
    }

private:
    static constexpr std::size_t slot = 16; // bytes of a scalar's result
    static constexpr std::size_t usual_reductions = 4;
    static constexpr std::size_t most_heard = 64; // bytes of a symbol that is read

    static const void *&probe_of_program()
    {
        static const void *kernel = nullptr;
        return kernel;
    }

    // On the thread that starts it, or one of its own.
    void connect()
    {
        why_not_ = connection_.make(probe_of_program());
        if (why_not_ == nullptr && !connection_.is_alone() && !code_comes_later)
            others_.connect(connection_.number(), connection_.properties());
        if (why_not_ == nullptr)
            prepare_launches();
    }

    StripedMemory &stripes() { return others_.stripes(); }
    void *allocate_striped(const Group &group)
    {
        const std::size_t skew = group.begin % 16, stripe = stripe_of(group);
        void *buffer = stripe == 0 ? nullptr : stripes().allocate(group.bytes() + skew, stripe);
        if (stripe == 0)
            return allocate(group, automatic);
        if (logs(log_everything))
            note(region_, "%s: %zu bytes of device memory are taken, in stripes", group.name, group.bytes());
        if (buffer == nullptr) {
            pool_.give_back();
            buffer = stripes().allocate(group.bytes() + skew, stripe);
        }
        if (buffer == nullptr)
            return nullptr;
        order_.after(StreamId::in, stripes().used(buffer));
        return static_cast<char *>(buffer) + skew;
    }

    // A kernel's part on another device. What it takes is not measured: the first one's part takes about as long.
    bool run_part(const Shape &shape, const Kernel &kernel)
    {
        const OtherDevices::On on(others_, part_);
        const cudaStream_t stream = streams().of(kernels_of(part_));
        const cudaError_t error = cudaLaunchKernel(kernel.function, shape.grid, shape.block, kernel.arguments, shape.shared, stream);
        if (error == cudaErrorMemoryAllocation) {
            static_cast<void>(cudaGetLastError());
            return false;
        }
        check(error);
        return true;
    }

    // What comes is behind all parts.
    void join_parts()
    {
        if (parts_ > 1)
            others_.lead(parts_);
        parts_ = 1;
        part_ = 0;
    }

    // Does something on each other device, between what the first one has been given and what it will be.
    template <class DoIt>
    void on_others(const DoIt &do_it)
    {
        if (devices() == 1 || mode_ == openmpc)
            return;
        others_.follow(devices());
        for (unsigned part = 1; part < devices(); part++) {
            const OtherDevices::On on(others_, part);
            do_it(streams().of(kernels_of(part)));
        }
        others_.lead(devices());
    }

    // A copy of which `device`, which is either of the two, may be in stripes.
    void copy_in_stripes(void *to, const void *from, const void *device, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
    {
        stripes().in_stripes(device, bytes, [&](std::size_t at, std::size_t piece) {
            check(cudaMemcpyAsync(static_cast<char *>(to) + at, static_cast<const char *>(from) + at, piece, kind, stream));
        });
    }

    void finish_connecting()
    {
        if (!connecting_.is_under_way())
            return;
        const HostSpan span(Work::init);
        connecting_.finish();
    }
    static void wait_until_connected();

    // What nearly every reduction, and every copy to guarded pages, needs: once, with the context, and not in the middle of
    // the program's work. Failing is no error yet.
    void prepare_launches()
    {
        const std::size_t partials = std::max(most_partials(limits(), automatic), most_partials(limits(), openmpc));
        static_cast<void>(results(usual_reductions, usual_reductions * slot) && scratch(partials * slot) != nullptr);
        if (ompc_guards_prepare() != 0 && cudaMallocHost(&bounce_, bounce_bytes) != cudaSuccess)
            static_cast<void>(cudaGetLastError());
    }

    void check(cudaError_t error)
    {
        if (error != cudaSuccess && !has_failed())
            fail(*region_, cudaGetErrorString(error) + others_under_way(), "OMPC460");
    }

    // Which of several launches has failed is not known.
    std::string others_under_way() const
    {
        std::string others;
        for (const Region *const region : under_way_)
            if (region != region_)
                others += (others.empty() ? " (or one of the loops under way: " : ", ") + std::string(region->file) + ":" + std::to_string(region->line);
        return others.empty() ? "" : others + ")";
    }

    // The kernels' stream, behind all copies in.
    cudaStream_t kernels()
    {
        order_.join();
        return streams().of(StreamId::kernels);
    }

    void write_through(char *to, const char *from, std::size_t bytes, cudaStream_t stream)
    {
        if (bounce_ == nullptr)
            check(cudaMallocHost(&bounce_, bounce_bytes));
        for (std::size_t at = 0; at < bytes; at += bounce_bytes) {
            const std::size_t piece = std::min(bounce_bytes, bytes - at);
            copy_in_stripes(bounce_, from + at, from + at, piece, cudaMemcpyDeviceToHost, stream);
            check(cudaStreamSynchronize(stream));
            if (ompc_write_through(to + at, bounce_, piece) == 0)
                fail(*region_, std::string("host memory cannot be written to: ") + std::strerror(errno), "OMPC460");
        }
    }

    void copy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, StreamId way)
    {
        if (mode_ == openmpc)
            return check(cudaMemcpy(to, from, bytes, kind));
        if (kind == cudaMemcpyHostToDevice)
            return copy_in_stripes(to, from, to, bytes, kind, stream(way));
        stripes().in_stripes(from, bytes, [&](std::size_t at, std::size_t piece) {
            void *const there = static_cast<char *>(to) + at; // of the device too, or of the host: then in no stripe
            copy_in_stripes(there, static_cast<const char *>(from) + at, there, piece, kind, stream(way));
        });
    }

    static bool lock_pages(void *pages, std::size_t bytes)
    {
        const HostSpan span(Work::page_lock);
        open_pages(pages, bytes, PROT_READ | PROT_WRITE); // no other thread of the program runs during a launch
        const bool locked = cudaHostRegister(pages, bytes, cudaHostRegisterDefault) == cudaSuccess;
        static_cast<void>(cudaGetLastError());
        guard_pages(pages, bytes);
        note_locked(pages, bytes, locked);
        return locked;
    }
    static void unlock_pages(void *pages)
    {
        const HostSpan span(Work::page_lock);
        static_cast<void>(cudaHostUnregister(pages)); // may fail only while the process ends
    }
    static void unpin(void *base, std::size_t);
    static void unlock_pages_for_fork();
    static void become_orphan();

    static void end(); // while CUDA can still be asked

    // Has this thread been told which device it is?
    static bool &told()
    {
        static thread_local bool is_so = false;
        return is_so;
    }
    static int &device_of_caller()
    {
        static thread_local int number = -1;
        return number;
    }

    // CUDA may be gone when destructors and the program's first atexit handlers free page-locked memory.
    static bool &is_ending()
    {
        static bool ending = false;
        return ending;
    }

    bool started_ = false, orphaned_ = false; // orphaned: in a child of the process that has started it
    Connecting connecting_;
    Connection connection_;
    OtherDevices others_;
    unsigned parts_ = 1, part_ = 0; // of the launch under way, and the one that is given
    const char *why_not_ = nullptr;
    std::map<std::pair<const void *, unsigned>, unsigned> resident_blocks_;
    Order order_;
    cudaEvent_t meeting_ = nullptr;          // of a stream of others' and ours
    KernelWatch watch_;
    cudaEvent_t constants_copied_ = nullptr; // the last copy to a __constant__ array has read its source
    Pool pool_;
    Pinning pinning_{lock_pages, unlock_pages, machine_costs};
    char *scratch_ = nullptr;
    std::size_t scratch_bytes_ = 0;
    Results results_;
    unsigned long long *printed_ = nullptr;
    char *heard_ = nullptr;
    static constexpr std::size_t bounce_bytes = std::size_t{1} << 20, mailbox_bytes = std::size_t{64} << 10;
    char *mailbox_ = nullptr;
    std::size_t mailed_ = 0;
    char *bounce_ = nullptr;
    std::atomic<bool> busy_{false};
    std::vector<const Region *> under_way_; // launches that nobody has waited for
    Region *region_ = nullptr;
    Mode mode_ = automatic;
};

inline Device &device()
{
    static Device *const the_device = new Device; // never destroyed: launches may follow static destruction
    return *the_device;
}

} // namespace ompc

#endif

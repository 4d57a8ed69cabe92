// ompc_launch_state.h: one launch of a region, from the arrays it uses to the data back on the host: what is behind ompc::Launch.
//
// Needs class Device, which the target's ompc_device.h defines, with one instance, device():
//
//     const char *start()                          makes it usable, once; nullptr, or why it is not
//     const char *absence()                        there is none that can be used, and why, as far as is known; else nullptr
//     DeviceLimits limits()
//     void *allocate(Group &, Mode)                group.bytes() bytes, aligned as the host's are modulo 16; nullptr: exhausted
//     void *scratch(bytes)                         for partial results, kept until the next scratch(); nullptr: exhausted
//     void release(Group &, Mode)
//     void *allocate_memory(bytes, name, Mode)     device memory that stands for none of the host's; nullptr: exhausted
//     void release_memory(memory, Mode)
//     void expect(host, in, out)                   so many bytes of the block at `host` will be copied: may page-lock it
//     bool expect_home(host, bytes)                a launch is about to write these: is the block to be page-locked from now on?
//     void lock(host, bytes), bool is_locked(host) page-locks them, if that is so
//     bool results(n, bytes)                       room for n counters and so many bytes of results; false: exhausted
//     unsigned *finished(i), void *result(at)      counter (0) of reduction i, and results from byte `at` on, for the kernel
//     void *result_so_far(at)                      memory for as many bytes, which only kernels of one launch use
//     unsigned *done(i), ticket()                  where the kernel says that reduction i is complete, and what
//     const void *host_result(at)                  the same results, once collect_results(bytes) and then finish() or hear() are done
//     void hear(n)                                 waits for n complete reductions, and for nothing else
//     SequenceNumber copy_in(Account, device, host, bytes)   the copies in that may read the host's memory later; 0: it has been read
//     void copy_out(Account, host, device, bytes, may_lock), fill(device, byte, bytes)
//     void copy_home(Account, host, device, bytes), wait_home(Waited, Region &, array)
//     void wait_copies_in(SequenceNumber, Waited), wait_copies_in(Waited)    the host's memory may change then
//     void copy_constant(symbol, host, bytes), wait_for_constants()    the latter: what these copies read may change
//     void copy_constant_within(symbol, device, bytes)
//     void read_symbol(host, symbol, bytes)        waits for the kernel
//     unsigned long long *printed(room)            memory for notes of what is printed, and how many; nullptr: exhausted
//     void copy_within(device, device, bytes), forget_finished()
//     void begin(Region &, Mode), mark(Phase), finish()
//     unsigned resident_blocks(kernel, threads)    how many blocks of so many threads a multiprocessor holds at once
//     bool is_connected(), is_connecting()         is it known what it is and can do; will it be, soon
//     double seconds_of_connecting()               for so long that has been under way, on a thread of its own; 0: it is not
//     unsigned devices()                           how many there are for parts of kernels that run at once
//     void divide(parts), go_to(part)              the kernel comes in so many parts, and what is run then is for that one
//     char *scratch_of(part, bytes), unsigned *finished_of(part, i)   as scratch() and finished(), on the device of another part than
//                                                  the first one, for so many reductions as most_reductions_of_parts
//     bool run(Shape, Kernel)                      false: not started, since there is no memory for its threads
//     Clock::Stream stream(StreamId)                    what a step of the launch goes to
//     Order &order(), void launched(awaited)       what waits for what (ompc_stream_order.h), and the kernels have been given
//     void wait(Waited, Region *, array)           for what it was given, and why
//
// A launch holds a lock from begin() to end(): host threads launch one after another.

#ifndef OMPC_LAUNCH_STATE_H
#define OMPC_LAUNCH_STATE_H

#include "ompc_absence.h"
#include "ompc_changes.h"
#include "ompc_coherence.h"
#include "ompc_constants.h"
#include "ompc_histograms_of_launch.h"
#include "ompc_cuda.h"
#include "ompc_device.h"
#include "ompc_expansion.h"
#include "ompc_failure.h"
#include "ompc_former_values.h"
#include "ompc_printf_drain.h"
#include "ompc_host_timer.h"
#include "ompc_launch.h"
#include "ompc_ledger.h"
#include "ompc_borrowed.h"
#include "ompc_deep_copy.h"
#include "ompc_bounds_checks.h"
#include "ompc_log.h"
#include "ompc_parts.h"
#include "ompc_pending_reductions.h"
#include "ompc_present.h"
#include "ompc_cost_model.h"
#include "ompc_ranges.h"
#include "ompc_launch_cache.h"
#include "ompc_region.h"
#include "ompc_resident.h"
#include "ompc_rounding.h"
#include "ompc_row_lengths.h"
#include "ompc_selection.h"
#include "ompc_scan_memory.h"
#include "ompc_settings.h"
#include "ompc_shape.h"
#include "ompc_sharing.h"
#include "ompc_slices.h"
#include "ompc_thread_arena.h"
#include "ompc_target.h"
#include "ompc_team.h"
#include "ompc_tiling.h"
#include "ompc_timeline.h"
#include "ompc_tuning.h"
#include "ompc_verify.h"

#include <cerrno>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ompc {

class LaunchState {
public:
    LaunchState(Region &region, Mode mode) : region_(region), mode_(mode), is_joint_(region.joint != 0)
    {
        forget_turn();
        ranges_.swap(thread_arena().ranges);
        groups_.swap(thread_arena().groups);
    }
    ~LaunchState()
    {
        release();
        thread_arena().take_back(ranges_, groups_);
    }
    LaunchState(const LaunchState &) = delete;
    LaunchState &operator=(const LaunchState &) = delete;

    std::size_t array(const char *name, const volatile void *host, const Extent &extent, std::size_t element, Access access, HostBuffer buffer,
                      LayoutOf layout)
    {
        ranges_.push_back(make_range(name, host, extent, element, access, buffer));
        ranges_.back().layout = layout;
        return ranges_.size() - 1;
    }

    std::size_t linked(const char *name, std::size_t holder, const Pointers &pointers, const Extent &extent, std::size_t element, Access access,
                       LayoutOf layout)
    {
        links_.declared.push_back({name, holder, pointers, extent, element, access, false, false, layout});
        return links_.declared.size() - 1;
    }

    // `pending` without its place.
    std::size_t reduction(PendingReduction pending, std::size_t result_bytes, const char *not_neutral)
    {
        not_neutral_ = not_neutral != nullptr ? not_neutral : not_neutral_;
        pending.at = result_bytes_;
        result_bytes_ += in_slots(result_bytes);
        reductions_.push_back(pending);
        return reductions_.size() - 1;
    }

    std::size_t scan(std::size_t size, Trips trips) { return scans_.add(size, trips); }

    std::size_t expanded(const char *name, std::size_t count, std::size_t size, Trips iterations)
    {
        return expansion_.add(name, count, size, iterations);
    }

    std::size_t scratch(const char *name, std::size_t bytes) { return scratch_.add(name, bytes); }

    std::size_t copies(std::size_t root, std::size_t number, std::size_t copied, long long most)
    {
        return copies_.add(root, number, copied, most);
    }

    // No symbol: the kernel has been given its value, which the loop must not change.
    void constant(const char *name, const void *symbol, std::size_t bytes, const volatile void *host)
    {
        Range range = make_range(name, host, object(bytes), 1, read, pageable);
        locate(range);
        range.distinct = true;
        constants_.push_back({symbol, range});
    }

    int errno_before() const { return errno_before_; }

    void messages(Messages &messages, Printer printer) { printf_drain_.of(messages, printer); }
    void clears(void *symbol, std::size_t bytes) { printf_drain_.clears(symbol, bytes); }

    // What is said of what was declared.
    void not_verified(const void *variable)
    {
        if (settings().verify)
            not_verified_.push_back(variable);
    }
    void set_distinct(std::size_t array) { ranges_[array].distinct = true; }
    void set_written(std::size_t array, long long first, long long last)
    {
        Range &range = ranges_[array];
        range.written_is_known = true;
        range.written_begin = range.pointer + static_cast<Address>(first) * range.element;
        range.written_end = first <= last ? range.pointer + static_cast<Address>(last + 1) * range.element : range.written_begin;
    }
    void set_former(std::size_t array, std::size_t of)
    {
        ranges_[array].former = of;
        former_.add(array);
    }
    void overwrites(std::size_t array, const Lmad &must_write) { add_overwritten(ranges_[array], must_write); }
    void slides(std::size_t array, const Lmad &footprint, long long apart)
    {
        slices_.add(array, footprint, apart);
        parts_.add(array, footprint, apart);
    }
    void spreads(Trips trips)
    {
        if (mode_ == automatic && !settings().devices.empty()) // how many there are is not yet known
            parts_.spreads(trips);
    }
    void set_linked_distinct(std::size_t linked) { links_.declared[linked].distinct = true; }
    void set_linked_apart(std::size_t linked) { links_.declared[linked].apart = true; }
    std::size_t root_of_linked(std::size_t linked) const { return ranges_.size() + linked; }

    Address host_address(std::size_t index) const { return ranges_[index].pointer; }

    // What the kernel is given.
    Address device_address(std::size_t index) const
    {
        const Range &range = ranges_[index];
        if (range.group == no_group)
            return range.pointer; // nothing is accessed through it; null or not, it compares as on the host
        if (const char *const copy = former_.of(index, range))
            return reinterpret_cast<Address>(copy) + (range.pointer - range.begin);
        const Group &group = groups_[range.group];
        return reinterpret_cast<Address>(group.device) + (range.pointer - group.begin);
    }
    void *expanded_memory(std::size_t index) const { return expansion_.array(index).memory; }
    void *scratch_memory(std::size_t index) const { return scratch_.of(index); }
    AccumulatorMemory accumulator_memory(std::size_t index) const { return copies_.array(index).room; }
    ReductionPlaces reduction_places(std::size_t index) const
    {
        const PendingReduction &pending = reductions_[index];
        void *const so_far = device().result_so_far(pending.at);
        char *const partials = part_ == 0 ? partials_ : partials_of_parts_[part_];
        unsigned *const finished = part_ == 0 ? device().finished(index) : device().finished_of(part_, index);
        return {partials + pending.at * most_partials_, finished, is_first_ ? nullptr : so_far,
                is_last_ ? device().result(result_of(pending, part_)) : so_far,
                is_last_ ? device().done(full_before(part_) * reductions_.size() + index) : nullptr, device().ticket(), pending.host};
    }

    ScanPlaces scan_places(std::size_t index) const { return scans_.places(index); }

    bool begin(double each, Trips iterations)
    {
        if (is_joint_ && stands_back())
            return false;
        if (!borrowed_bounds().is_empty() && leaves_buffer())
            return leave_out();
        if (settings().disabled || has_failed())
            return stay_home();
        if (is_nested())
            return refuse_nested();
        guard_.emplace(ledger().lock);
        if (logs(log_launches))
            log_begin();
        each_ = iterations == 0 ? 0 : std::max(each, least_work);
        const Size size{each_ * static_cast<double>(iterations), static_cast<double>(iterations)};
        operations_ = size.operations;
        if (!is_selected() || !prepare(size)) {
            if (!is_joint_) {
                mapped().written_by_host();
                copy_back_borrowed();
            }
            release();
            return false;
        }
        if (settings().verify)
            let_host_have_all();
        device().begin(region_, mode_);
        if (Coherence::is_checked())
            coherence().before(region_);
        copy_in();
        former_.fill(device(), ranges_, groups_);
        scans_.clear(device());
        if (settings().waits)
            device().finish();
        remember();
        printf_drain_.save(region_);
        device().mark(Phase::kernel);
        return true;
    }

    // Is it certain that no loop of a parallel region is launched that a thread comes to now, so many times to such loops?
    static bool all_stay(int loops)
    {
        if (in_parallel())
            return false;
        const Locked guard(ledger().lock);
        if (device().absence() != nullptr)
            return *ledger().no_device != '\0'; // the first loop says so
        return settings().weighs && seconds_to_connect() > 0 && history().passes(loops, now() - program_begun(), machine_costs().context_seconds);
    }

    void saves(double launches, double waits) { saved_ = {launches, waits}; }

    void tuned(const Tuned *table, std::size_t entries)
    {
        tuned_ = table;
        tuned_entries_ = entries;
    }

    // How many iterations of the outermost loop a slice has; `all` of the grid.
    Trips share(Trips trips, Trips all, bool of_tiles)
    {
        static_cast<void>(chosen(all));
        if (division_.is_spread()) {
            device().divide(division_.parts);
            if (said_at(said_launched))
                log_parts();
        }
        return of_tiles ? slices_.share_of_tiles(trips) : slices_.share(trips);
    }
    Slice slice(Trips at, Trips share, Trips trips)
    {
        asked_ = 0;
        if (division_.is_spread())
            return part(at, trips);
        const Trips taken = std::min(share, trips - at);
        is_first_ = at == 0;
        is_last_ = at + taken == trips;
        slices_.bring_in(ranges_, groups_, at + taken, is_last_, region_);
        if (taken != trips)
            region_.estimated = 0; // that is of the whole loop
        next_ = at + taken;
        return {at, next_, taken};
    }
    // Where the next one begins. A kernel that did not start has no next.
    Trips next(Trips trips)
    {
        is_under_way_ = true;
        return starts_ ? next_ : trips;
    }

    Shape shape(Trips z, Trips y, Trips x, Asked asked)
    {
        const Choices &choices = chosen(z * y * x);
        asked_ = std::max(asked_, 1);
        asked.has_parts(expansion_.threads());
        const bool fits = copies_.empty() || choices.width * choices.height <= block_threads; // kernels with copies have bounds
        if (asked.threads == 0 && choices.width != 0 && fits) {
            asked.threads = choices.width * choices.height;
            asked.exact_width = choices.width;
        }
        asked.fills = choices.fills != 0 ? choices.fills : asked.fills;
        const DeviceLimits limits = device().limits();
        if (!copies_.empty())
            asked = copies_.choose(limits, ranges_, updates(std::max<Trips>(z, 1) * std::max<Trips>(y, 1) * x), asked, settings().copies);
        Shape shape = shape_of(limits, mode_, !reductions_.empty(), z, y, x, asked);
        shape.shared = copies_.bytes();
        return shape;
    }

    Tiling tiling(Trips z, Trips y, Trips x, Trips inner, int narrower, const TileMemory &memory)
    {
        const Choices &choices = chosen(z * y * x);
        const int schedule = next_schedule();
        if (choices.leaves_out(schedule))
            return {};
        return tiling_of(device().limits(), z, y, x, inner, narrower, memory, choices.tile, choices.wants(schedule));
    }

    Tiling transposing(Trips z, Trips y, Trips x, int side)
    {
        const Choices &choices = chosen(z * y * x);
        const int schedule = next_schedule();
        if (choices.leaves_out(schedule))
            return {};
        const unsigned threads = transposed_width * transposed_height;
        const unsigned long long most = reductions_.empty() ? ~0ull : most_blocks(device().limits(), threads, mode_, true);
        const int tile = choices.tile < 0 && choices.wants(schedule) ? 1 : choices.tile;
        return transposing_of(z, y, x, side, tile, most);
    }

    unsigned points(Trips trips) { return points_of(device().limits(), trips, chosen(trips).rows); }

    GroupShape group(Trips trips, const GroupWanted &wanted)
    {
        const DeviceLimits limits = device().limits();
        const Choices &choices = chosen(trips);
        const int schedule = next_schedule();
        if (schedule != 0 && choices.leaves_out(schedule))
            return {};
        const unsigned asked = settings().lanes != 0 ? settings().lanes : choices.lanes;
        const Trips threads = static_cast<Trips>(limits.multiprocessors) * limits.threads_per_multiprocessor;
        const GroupShape found = wanted.shape(trips, {limits.multiprocessors, threads, asked});
        const bool divides = found.divides() || asked != 0 || schedule == 0 || !choices.wants(schedule);
        return divides ? found : wanted.shape(trips, {limits.multiprocessors, threads, Warp::size});
    }

    template <class Count>
    RowLengths row_lengths(Trips trips, std::initializer_list<std::size_t> from, const Count &count)
    {
        std::vector<Group> parts;
        for (const std::size_t root : from) {
            const Range &range = ranges_[root];
            if (range.group == no_group)
                return {};
            Group part = groups_[range.group];
            part.begin = range.begin, part.end = range.end;
            parts.push_back(part);
        }
        region_.rows = region_.rows != nullptr ? region_.rows : new CountedRows;
        return region_.rows->of(trips, parts, count);
    }

    std::size_t block_bytes(std::size_t root) const { return ranges_[root].end - ranges_[root].begin; }

    unsigned rows(unsigned most, const void *eight, Trips z, Trips y, Trips x)
    {
        const bool crowded = device().resident_blocks(eight, block_threads) < least_resident_blocks;
        return rows_of(device().limits(), z, y, x, crowded, chosen(z * y * x).rows, most);
    }

    void run(const Shape &shape, const Kernel &kernel)
    {
        if (logs(log_regions))
            log(shape);
        starts_ = device().run(shape, kernel);
        if (!starts_ && is_under_way_)
            fail(region_, "there is no memory for the threads of a later part of the loop", "OMPC460");
    }

    int end()
    {
        device().launched(use());
        device().mark(Phase::out);
        if (!starts_)
            return refuse_start();
        const unsigned left = printf_drain_.expected() ? printf_drain_.left(region_) : 0;
        if (left != 0)
            return give_up(left);
        if (Coherence::are_overwrites_checked())
            Coherence::expect_overwritten(region_, ranges_, groups_);
        if (settings().verify)
            return put_aside();
        bool waits = settings().waits || printf_drain_.expected() || !packed_.empty() || mode_ != automatic;
        for (const Group &group : groups_)
            if (group.resident != nullptr) {
                waits |= group.out_bytes() != 0 && group.resident->bring_edges_home(group, region_);
            } else if (group.present == nullptr && group.borrowed == nullptr && !group.packed) {
                waits = true;
                if (group.out_bytes() != 0)
                    copy_out(group);
            }
        const auto packed = packed_.written(groups_);
        if (packed.first != packed.second)
            copy_out(packed_.whole(), packed.first, packed.second);
        if (!reductions_.empty())
            collect_results();
        if (waits)
            device().finish();
        else if (!reductions_.empty())
            device().hear(reductions_.size() * full_before(division_.parts));
        else
            device().leave();
        if (reads_mapped_)
            device().wait_copies_in(Waited::mapping);
        if (packed.first != packed.second)
            packed_.unpack(groups_, links_.slots, ranges_);
        for (std::size_t i = 0; i < changes_.size(); i++)
            changes_[i].write(groups_[i]);
        for (const PendingReduction &pending : reductions_)
            for (unsigned part = 0; part < division_.parts; part++)
                if (!is_empty_part(part))
                    finish(pending, device().host_result(result_of(pending, part)));
        for (const Group &group : groups_)
            if (group.out_bytes() != 0)
                written(group);
        if (Coherence::is_checked())
            coherence().behind(region_);
        region_.tally.launched.fetch_add(1, std::memory_order_relaxed);
        count_use();
        region_.counters.launches++;
        region_.counters.sizes[region_.size_class].launches++;
        if (logs(log_launches))
            log_end();
        printf_drain_.print();
        count_payoff();
        release();
        return 1;
    }

private:
    const int errno_before_ = errno;

    // For the profile: what the kernel reads and writes of its arrays, each element once. Nothing is known of a block that is used
    // nobody knows how far, and rows are not counted.
    void count_use() const
    {
        if (!settings().profiling)
            return;
        for (const Range &range : ranges_)
            if (!range.block && !range.linked) {
                const int ways = (range.access == read || range.access == readwrite) + range.written();
                region_.counters.used_bytes += static_cast<double>(range.end - range.begin) * ways;
            }
        region_.counters.operations += operations_;
        region_.counters.divided += division_.is_spread();
        region_.counters.remote_bytes += other_bytes_.others;
    }

    // What is chosen for so many iterations; whoever asks first knows how many there are.
    const Choices &chosen(Trips trips)
    {
        if (choices_)
            return *choices_;
        region_.size_class = size_class_of(trips);
        if (mode_ != automatic)
            return choices_.emplace();
        if (settings().tune.empty())
            return choices_.emplace(choices_of(tuned_, tuned_entries_, ledger().device, region_.size_class));
        if (region_.wished_for != region_.size_class) {
            region_.wished = choices_of_environment(region_.id, region_.file, region_.size_class);
            region_.wished_for = region_.size_class;
        }
        return choices_.emplace(region_.wished);
    }

    // Which kernel a question is about: the first one's shape is asked last of what concerns it; behind that, each question is about
    // the next other one. A slice asks everything again.
    int next_schedule() { return asked_ == 0 ? 0 : asked_++; }

    // Of a launch.
    struct Size {
        double operations, iterations;
    };

    // How often so many iterations update an array, about: once each, or where they have much to do oftener.
    Trips updates(Trips iterations) const
    {
        constexpr double operations = 16; // for each update
        return each_ <= operations ? iterations : static_cast<Trips>(static_cast<double>(iterations) * each_ / operations);
    }

    void finish(const PendingReduction &reduction, const void *result)
    {
        mapped().written_by_host(reinterpret_cast<Address>(reduction.host), reduction.bytes);
        borrowed().written_by_host(reinterpret_cast<Address>(reduction.host), reduction.bytes);
        reduction.combine(reduction.host, result, reduction.count);
    }

    // Says what the kernel uses. Does anything wait for it alone?
    bool use()
    {
        bool awaited = false;
        for (const Group &group : groups_)
            if (group.resident != nullptr)
                awaited |= group.resident->use(group);
        return awaited;
    }

    // The host runs the loop: for it the launch has not been.
    int give_up(unsigned why)
    {
        region_.prints_too_much |= (why & prints_too_much) != 0;
        printf_drain_.undo(groups_);
        device().finish();
        if ((why & prints_too_much) != 0)
            refuse_prints();
        else
            region_.counters.refused++; // the program says itself why it ends
        mapped().written_by_host();
        copy_back_borrowed();
        release();
        return 0;
    }

    // OMPC_VERIFY: before the launch, what it may change becomes right on the host.
    void let_host_have_all()
    {
        for (const Group &group : groups_) {
            if (group.out_bytes() == 0)
                continue;
            residents().touch(group.begin, group.end, false, Waited::results);
            mapped().read_by_host(group.begin, group.bytes());
            borrowed().read_by_host(group.begin, group.bytes());
        }
    }

    // And behind it the host runs the loop: for it the launch has not been. What comes of both is compared then.
    int put_aside()
    {
        std::vector<Written> written;
        for (const Range &range : ranges_)
            if (range.written() && !range.empty() && range.group != no_group)
                add_written(range, written);
        if (!reductions_.empty())
            collect_results();
        device().finish();
        for (const Slot &slot : links_.slots)
            restore_pointer(slot, written);
        for (const PendingReduction &pending : reductions_)
            add_result(pending, written);
        for (const Group &group : groups_)
            if (group.out_bytes() != 0)
                take_back(group);
        mapped().written_by_host();
        copy_back_borrowed();
        region_.tally.launched.fetch_add(1, std::memory_order_relaxed);
        region_.counters.launches++;
        region_.counters.sizes[region_.size_class].launches++;
        if (logs(log_launches))
            log_end();
        if (written.empty())
            verification().give_up(region_, "it writes nothing but text, `register` variables and what each thread has for itself");
        else
            verification().put_aside(region_, std::move(written));
        release();
        return 0;
    }

    bool is_left_out(Address host) const
    {
        return std::find(not_verified_.begin(), not_verified_.end(), reinterpret_cast<const void *>(host)) != not_verified_.end();
    }

    // Its bytes on the device, once that has finished.
    void add_written(const Range &range, std::vector<Written> &written)
    {
        if (is_left_out(range.begin))
            return;
        const Group &group = groups_[range.group];
        written.push_back({links_.name_of(range, ranges_), range.pointer, range.begin, range.end, &range.layout(), std::vector<char>(range.end - range.begin)});
        device().copy_out({region_, range.name}, written.back().device.data(), group.device + (range.begin - group.begin),
                          range.end - range.begin, false);
    }

    static void restore_pointer(const Slot &slot, std::vector<Written> &written)
    {
        for (Written &each : written)
            if (each.begin <= slot.at && slot.at + sizeof slot.value <= each.end)
                std::memcpy(each.device.data() + (slot.at - each.begin), &slot.value, sizeof slot.value);
    }

    void add_result(const PendingReduction &pending, std::vector<Written> &written) const
    {
        const Address host = reinterpret_cast<Address>(pending.host);
        if (is_left_out(host))
            return;
        const char *const bytes = static_cast<const char *>(pending.host);
        written.push_back({pending.name, host, host, host + pending.bytes, &pending.layout(), std::vector<char>(bytes, bytes + pending.bytes)});
        for (unsigned part = 0; part < division_.parts; part++)
            if (!is_empty_part(part))
                pending.combine(written.back().device.data(), device().host_result(result_of(pending, part)), pending.count);
    }

    static void take_back(const Group &group)
    {
        if (group.resident != nullptr)
            group.resident->forget(group);
        else if (group.present != nullptr)
            group.present->valid = false;
        else if (group.borrowed != nullptr)
            group.borrowed->valid = false;
    }

    // The host runs the loop. What was not copied in, since the kernel would have overwritten it, is right there alone.
    int refuse_start()
    {
        device().finish();
        for (const Group &group : groups_)
            if (group.resident != nullptr)
                residents().touch(group.begin, group.end, true, Waited::release);
        mapped().written_by_host();
        copy_back_borrowed();
        refuse(out_of_memory, "device memory is exhausted");
        release();
        return 0;
    }

    void written(const Group &group)
    {
        if (group.resident != nullptr) {
            group.resident->written(group, region_);
            return;
        }
        if (group.borrowed != nullptr) {
            group.borrowed->newer = true;
            avoid(region_, group.name, group.out_bytes(), Avoided::not_read);
            return;
        }
        if (group.present == nullptr) {
            mapped().written_by_host(group.begin, group.bytes());
            return;
        }
        group.present->written_by_device();
        avoid(region_, group.name, group.out_bytes(), Avoided::not_read);
    }

    PresentTable &mapped() const { return present(region_); }

    static bool is_nested()
    {
        return any_deferred_in_parallel() || target_in_parallel() || (leads_team() ? any_target_in_parallel().load() : in_parallel());
    }

    // Are the loops of a joint launch to be asked about one by one, whatever it would cost: since somebody looks at single loops, or
    // since each of them will be refused?
    static bool stands_back()
    {
        const bool apart = settings().apart || settings().verify || tunes_single_loops();
        return apart || settings().disabled || has_failed() || is_nested() || !borrowed_bounds().is_empty();
    }

    bool refuse_prints() { return refuse(too_many_prints, "its iterations print more than there is room for"); }

    // Threads of a recursion come here a million times, and at once: they wait for each other only where something is to be done.
    bool refuse_nested()
    {
#ifndef OMPC_LIBRARY // nothing is borrowed
        if (!may_find_mapped(region_))
            return refuse(nested, "it is inside an active parallel region");
#endif
        const Locked guard(ledger().lock);
        mapped().written_by_host();
        copy_back_borrowed();
        return refuse(nested, "it is inside an active parallel region");
    }

    bool refuse_without_device(const char *why)
    {
        if (is_joint_ || device().absence() == nullptr)
            return refuse(no_device, why); // of this launch: the program is ending, or the process is a child
        region_.counters.refused++;
        tell_absence(region_, why);
        return false;
    }

    bool refuse(const Cause &cause, const char *why, const char *a = "", const char *b = "")
    {
        if (is_joint_)
            return false;
        report_refusal(region_, cause, why, a, b);
        return false;
    }

    bool is_selected()
    {
        const bool goes = selection().takes(region_);
        if (is_joint_)
            return goes;
        region_.counters.kept += goes ? 0 : 1;
        if (!goes)
            region_.tally.on_host(said_not_selected);
        if (!goes && logs(log_refusals))
            note_host(region_, said_not_selected, "OMPC_REGIONS says so");
        return goes;
    }

    // Everything that can be refused, in the order in which it is cheap to find out; nothing is copied yet.
    bool prepare(const Size &size)
    {
        const bool asks = settings().weighs && mode_ == automatic && size.operations > 0 && !uses_borrowed();
        region_.estimated = 0;
        weighed_ = asks ? size.operations : 0;
        was_busy_ = device().is_busy();
        device().look_at_watch();
        if (saved_.launches > 0 && !one_block_pays(costs_now(), saved_, size.operations)) {
            region_.costs.rests(size.operations);
            return keep(size, false);
        }
        if (asks)
            history().asks(region_.id, region_.file, region_.costs, size.operations);
        if (asks && device().absence() != nullptr)
            return keep_for_now(size);
        if (asks && stays_with_all())
            return keep_for_now(size);
        if (asks && seconds_to_connect() > 0) {
            if (has_lost_on_host()) {
                payoff().together().pays(seconds_to_connect());
                Device::connect_early();
                RegionCosts::ask_all_again();
            } else if (history().keeps_all()) {
                return keep_for_now(size);
            } else if (region_.costs.tries_host(size.operations, contexts_to_try * seconds_to_connect())) {
                return keep(size, true, true);
            }
        }
        if (asks && region_.costs.stays(size.operations))
            return keep(size, false);
        if (asks && seconds_to_begin() > 0 && surely_stays(size))
            return keep(size, true);
        if (region_.prints_too_much)
            return refuse_prints();
        if (const char *const why = unusual_arithmetic())
            return refuse(unusual_rounding, why);
        if (!*region_.loaded)
            return refuse(too_early, "it is reached before main, when its device code is not loaded");
        for (Range &range : ranges_) {
            locate(range);
            if (range.block)
                mapped().narrow(range);
            if (!range.known)
                return refuse(unknown_extent, " points to an object of unknown extent", range.name);
        }
        if (!reuse_last() && !find_all())
            return false;
        // Whether data can stay on the device takes longer to find out than small loops take: not before there may be one.
        const double times = region_.costs.turns(size.operations);
        for (bool exact = device().is_connected() || device().is_connecting(); asks; exact = true) {
            const Offer offer = offered(size, exact);
            if (const double wait = seconds_until_connected(); wait > 0 && offer.host + offer.back < wait + offer.device)
                return keep(size, !region_.costs.is_measured());
            if (!region_.costs.favours_device(payoff().together().seen(offer), size.operations)) {
                payoff().together().kept(as_a_part(offer, size), times);
                region_.costs.doubts_launches(size.operations);
                look_together();
                if (offer.to_host > 0 && !is_joint_)
                    give_to_host(size);
                return keep(size, true);
            }
            is_settled_ = exact && offer.to_device == 0 && !was_busy_;
            if (!exact)
                continue;
            payoff().together().launched(as_a_part(offer, size), times, offer.to_device);
            look_together();
            break;
        }
        if (not_neutral_ != nullptr)
            return refuse(not_neutral, " depends on the number of threads: its initializer is not neutral", not_neutral_);
        if (const char *const why = device().start())
            return refuse_without_device(why);
        return allocate() || refuse(out_of_memory, "device memory is exhausted");
    }

    // No context exists, which takes longer to create than many programs run. Have loops lost as much on the host as it takes, all
    // together, or the whole run?
    static bool has_lost_on_host()
    {
        return history().has_lost(now() - program_begun(), machine_costs().context_seconds) ||
               (!history().keeps_all() && RegionCosts::lost_by_all() >= seconds_to_connect());
    }
    // Before that, a loop that is not expected to take longer than so many contexts is measured first: estimates are wrong by ten times.
    static constexpr double contexts_to_try = 2;

    // Whatever the data is doing.
    bool surely_stays(const Size &size) const
    {
        const Offer offer = at_best(size);
        const double times = region_.costs.turns(size.operations);
        if (!region_.costs.surely_stays(offer, size.operations))
            return false;
        payoff().together().kept(as_a_part(offer, size), times);
        return true;
    }
    // What the loop takes, as one of those that go together.
    Together::Loop as_a_part(const Offer &offer, const Size &size) const
    {
        const double host = region_.costs.likely_host_seconds(size.operations);
        return {host, std::min(host, region_.costs.least_host_seconds(size.operations)), offer.device};
    }
    // Is it time to go together, or each by itself again?
    void look_together() const
    {
        const Together::Change change =
            device().is_connected() ? payoff().look_together(now() - program_begun()) : Together::Change::none;
        if (change == Together::Change::none)
            return;
        RegionCosts::ask_all_again();
        if (logs(log_refusals))
            note(&region_, change == Together::Change::together
                               ? "loops go to the device together, from here on: with all data there they take less than each by itself"
                               : "each loop goes by itself again, from here on: together they took longer");
    }

    // Do all loops stay on the host, since the device has not paid?
    bool stays_with_all() const
    {
        if (payoff().look(now() - program_begun()) == Payoff::Change::opened && logs(log_refusals))
            note(&region_, "loops go to the device again, from here on");
        return payoff().is_closed();
    }
    void count_payoff() const
    {
        if (!settings().weighs)
            return;
        if (weighed_ > 0)
            history().launched(region_.costs.likely_host_seconds(weighed_), region_.costs.least_host_seconds(weighed_),
                               region_.costs.measured_host_seconds(weighed_));
        if (weighed_ == 0)
            payoff().launched_apart();
        else if (payoff().launched(region_.costs, weighed_, now() - program_begun(), was_busy_) == Payoff::Change::closed && logs(log_refusals))
            note(&region_, "all loops stay on the host, from here on: the device has cost more so far, with the copies, than the host would take");
        payoff().held_up(meeting_seconds());
        if (is_settled_ && guard_)
            region_.costs.launch_took(guard_->seconds(), weighed_);
    }

    // Would the loop leave the memory that a call has been given?
    bool leaves_buffer()
    {
        const Locked guard(ledger().lock);
        const auto leaves = [this](Range range) {
            locate(range);
            return borrowed_bounds().is_left_by(range, region_);
        };
        return std::any_of(ranges_.begin(), ranges_.end(), leaves) ||
               std::any_of(constants_.begin(), constants_.end(), [&](const Constant &constant) { return leaves(constant.host); });
    }

    // Nobody runs it.
    bool leave_out() const
    {
        if (logs(log_refusals))
            note(&region_, "%s: left out, since it leaves an array that a call was given", region_.id);
        turn_of_thread() = left_out;
        return false;
    }

    // Is everything as it was at one of the region's last launches? Then nothing has to be followed.
    bool reuse_last()
    {
        if (mode_ != automatic || links_.declared.empty() || !mapped().empty() || settings().verify)
            return false;
        const LaunchCache *const known = launch_caches().find(region_, ranges_, links_.declared, constants_);
        if (known == nullptr)
            return false;
        if (Coherence::is_checked())
            check_cached(*known);
        known->give(ranges_, groups_);
        is_cached_ = true;
        return true;
    }

    void check_cached(const LaunchCache &known)
    {
        std::vector<Range> ranges = ranges_;
        Links links;
        links.declared = links_.declared;
        const Linked *aliased = nullptr;
        if (links.follow(ranges, mapped(), true, aliased) != nullptr || aliased != nullptr || known.differs(links.slots))
            fail(region_, "its pointers lead elsewhere than at its last launch", "OMPC469");
    }

    // For the next launch.
    void remember()
    {
        if (mode_ == automatic && !is_cached_ && !settings().verify && !links_.declared.empty() && mapped().empty() && !printf_drain_.expected() &&
            LaunchCache::can_keep(groups_))
            launch_caches().next(region_).keep(ranges_, links_, constants_, groups_, packed_);
    }

    // The host runs the loop, though the device has changed some of its data: that comes home at once, as far as the loop is likely to
    // touch all of it, and the next such loop is asked about, too.
    void give_to_host(const Size &size)
    {
        constexpr double bytes_of_operation = 8;
        for (const Group &group : groups_)
            if (static_cast<double>(group.bytes()) <= bytes_of_operation * size.operations)
                residents().give_to_host(group);
        region_.costs.does_not_rest(size.operations);
    }

    // What the launch would take, and the loop on the host. Not `exact`: if all that it uses can stay on the device.
    Offer offered(const Size &size, bool exact) const
    {
        const MachineCosts &costs = costs_now();
        Offer offer;
        bool waits = must_wait();
        for (const Group &group : groups_) {
            if (group.packed)
                continue;
            const bool stays = !exact || residents().can_hold(group.begin, group.end);
            const auto [missing, stale] = residents().away(group);
            const double in = static_cast<double>(missing) / costs.pageable_in_bytes_per_second;
            if (missing != 0)
                (stays ? offer.to_device : offer.device) += in + costs.copy_seconds;
            if (group.out_bytes() != 0)
                offer.back += static_cast<double>(group.out_bytes()) / costs.pageable_in_bytes_per_second + costs.copy_seconds;
            if (stale != 0)
                offer.to_host += static_cast<double>(stale) / costs.pageable_out_bytes_per_second + costs.copy_seconds + costs.guard_fault_seconds;
            if (!stays && group.out_bytes() != 0) {
                offer.device += static_cast<double>(group.out_bytes()) / costs.pageable_out_bytes_per_second + costs.copy_seconds;
                waits = true;
            } else if (const unsigned edges = residents().edges_written(group)) {
                offer.device += edges * costs.copy_seconds;
                waits = true;
            }
        }
        offer.to_device += seconds_to_connect();
        complete(offer, size, costs, waits);
        return offer;
    }

    // The same before anything is known of the data.
    Offer at_best(const Size &size) const
    {
        const MachineCosts &costs = costs_now();
        const unsigned edges = edges_at_best();
        Offer offer;
        offer.to_device = seconds_to_begin();
        offer.device = edges * costs.copy_seconds;
        complete(offer, size, costs, must_wait() || edges != 0);
        if (seconds_to_follow() > 0)
            offer.host = region_.costs.careful_host_seconds(size.operations);
        return offer;
    }

    // What a launch brings home of pages that others use, too: as it was when the region was first asked about.
    unsigned edges_at_best() const
    {
        if (region_.edges < 0) {
            region_.edges = 0;
            for (Range range : ranges_)
                if (range.written() && range.pointer != 0) {
                    locate(range);
                    Group group{};
                    group.begin = range.begin, group.end = range.end;
                    group.out_begin = range.out_begin(), group.out_end = range.out_end();
                    region_.edges += range.known && !range.empty() ? static_cast<int>(residents().edges_written(group)) : 0;
                }
        }
        return static_cast<unsigned>(region_.edges);
    }

    // By how much the device is faster, with all data there.
    double gain_at_best(const Size &size) const
    {
        Offer offer;
        complete(offer, size, costs_now(), must_wait());
        region_.estimated = 0;
        return offer.host - offer.device;
    }

    // Before anything is known of the data: until the device can be used, and to find out where its pointers lead.
    double seconds_to_begin() const { return seconds_to_connect() + seconds_to_follow(); }
    double seconds_to_follow() const
    {
        if (links_.declared.empty() || launch_caches().has(region_))
            return 0;
        const double pointers = links_.expected(ranges_.size());
        if (region_.follow_seconds >= 0)
            return pointers * region_.follow_seconds;
        const MachineCosts &costs = costs_now();
        constexpr double little = 0.05; // may be lost once by finding out that its rows are all over memory
        return pointers * (pointers * costs.follow_seconds < little ? costs.follow_in_order_seconds : costs.follow_seconds);
    }

    // Until the device can be used, if nothing has been done for that yet.
    static double seconds_to_connect()
    {
        return device().is_connected() || device().is_connecting() ? 0 : costs_now().context_seconds;
    }

    // While it is being started, which nothing makes cheaper: what the host has done before it is there does not wait for it. Nobody knows
    // how long a start takes that has taken longer than others.
    static double seconds_until_connected()
    {
        const double so_far = device().seconds_of_connecting();
        return so_far > 0 ? std::max(costs_now().context_seconds - so_far, so_far / 8) : 0;
    }

    bool must_wait() const { return !reductions_.empty() || !packed_.empty() || printf_drain_.expected(); }

    void complete(Offer &offer, const Size &size, const MachineCosts &costs, bool waits) const
    {
        constexpr DeviceLimits usual_limits{132, 2048, 0};
        const DeviceLimits limits = device().is_connected() ? device().limits() : usual_limits;
        const double threads = static_cast<double>(limits.multiprocessors) * limits.threads_per_multiprocessor;
        const double factor = region_.costs.device_factor(size.operations);
        if (is_joint_)
            learn_from_loops(region_);
        region_.estimated = saved_.launches > 0 ? block_seconds(saved_, size.operations) : kernel_seconds(threads, size.operations, size.iterations);
        const double expected = device_seconds(costs, region_.estimated, waits, factor);
        offer.device += std::max(expected, region_.costs.launch_seconds(size.operations)) + meeting_seconds();
        offer.device *= seconds_to_connect() > 0 ? region_.costs.doubt() : 1;
        offer.host = region_.costs.host_seconds(size.operations);
    }

    // A team that leaves the loop to the host need not meet for it.
    double meeting_seconds() const { return leads_team() ? region_.costs.meeting_seconds() : 0; }

    static const MachineCosts &costs_now()
    {
        static const MachineCosts usual;
        static const bool named = std::getenv("OMPC_CALIBRATION") != nullptr;
        return device().is_connected() || named ? machine_costs() : usual; // only then is it known which device it is
    }

    // All loops stay on the host. How long this one takes there is measured now and then.
    bool keep_for_now(const Size &size)
    {
        const bool is_measured = is_joint_ || region_.costs.is_measured(size.operations);
        if (is_measured && region_.costs.stays(size.operations))
            return keep(size, false);
        if (is_measured) {
            if (payoff().is_closed() && !is_joint_)
                payoff().stays(region_.costs.turns(size.operations) * gain_at_best(size));
            region_.costs.rests(size.operations);
        }
        return keep(size, true);
    }

    // The host runs the loop, since that is faster; `measures`: and nothing else happens meanwhile; `tries`: to find out.
    bool keep(const Size &size, bool measures, bool tries = false)
    {
        const char *const why = device().absence();
        region_.kept_as = settings().profiling || settings().log > 0 || !mapped().empty() ? 0 : why != nullptr ? no_device.bit : said_kept;
        if (is_joint_)
            return false;
        region_.counters.kept++;
        if (why == nullptr)
            region_.tally.on_host(said_kept);
        if (why != nullptr)
            tell_absence(region_, why);
        else if (logs(log_refusals))
            note_host(region_, said_kept, "it is faster there, with its data where it is");
        if (measures)
            HostTimer::start(region_, size.operations, tries);
        return false;
    }

    // Finds what the launch uses. False: something of it cannot be copied, or must not share memory.
    bool find_all()
    {
        const double begun = now();
        if (!follow() || !separate())
            return false;
        if (!links_.declared.empty())
            region_.follow_seconds = (now() - begun) / std::max(1.0, links_.expected(links_.arrays));
        return true;
    }

    // Finds what pointers in memory lead to. False: to something that cannot be copied.
    bool follow()
    {
        const Linked *aliased = nullptr;
        const char *const unknown = links_.follow(ranges_, mapped(), mode_ == automatic, aliased);
        if (unknown != nullptr)
            return refuse(unknown_extent, " points to an object of unknown extent", unknown);
        return aliased == nullptr || refuse(overlap, " leads to one object twice", aliased->name);
    }

    // Finds out what shares memory. False: something that must not.
    bool separate()
    {
        const std::size_t found = ranges_.size();
        for (const Constant &constant : constants_) {
            ranges_.push_back(constant.host);
            ranges_.back().root = found + links_.declared.size() + ranges_.size();
        }
        const Conflict conflict = find_conflict(ranges_);
        if (conflict.a != nullptr) {
            const std::string b = conflict.b->name;
            return promised_apart(*conflict.a, *conflict.b)
                       ? refuse(overlap, " and ", conflict.a->name, (b + " overlap").c_str())
                       : refuse(changing_pointers, " and ", conflict.a->name, (b + " overlap, with pointers to follow").c_str());
        }
        ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(found), ranges_.end());
        merge(ranges_, groups_);
        packed_.choose(groups_, links_.slots, ranges_, mapped(),
                       [this](const Group &group) { return mode_ == automatic && residents().can_hold(group.begin, group.end); });
        return true;
    }

    bool allocate()
    {
        allocated_ = true;
        residents().begin();
        if (!allocate_packed())
            return false;
        const bool is_mapped = mode_ == automatic && mapped().separate(groups_);
        const bool striped = wants_stripes();
        for (Group &group : groups_) // all that stay, before others make room
            group.resident = group.packed ? nullptr : residents().hold(group, mode_, striped);
        choose_division();
        for (Group &group : groups_) {
            if (group.packed)
                continue;
            if (group.resident == nullptr)
                group.borrowed = borrowed_by(group);
            if (group.resident == nullptr && group.borrowed == nullptr)
                group.present = is_mapped ? mapped().resident(group) : nullptr;
            if (printf_drain_.expected() && (group.resident != nullptr || group.present != nullptr || group.borrowed != nullptr))
                group.copy_all_in(); // a launch that is given up may not leave there what it has not written
            if (group.resident != nullptr) {
                group.device = group.resident->device(group.begin);
                continue;
            }
            if (group.borrowed != nullptr) {
                group.device = group.borrowed->memory.device + (group.begin - group.borrowed->memory.begin);
                continue;
            }
            if (group.spread && group.present == nullptr)
                return false; // nor would there be room for it as a copy
            if (group.present != nullptr) {
                group.device = group.present->memory.device + (group.begin - group.present->memory.begin);
                continue;
            }
            if (!follow_changes(group))
                return false;
            if (group.pin && mode_ == automatic && changes_of(group) == nullptr)
                device().expect(reinterpret_cast<const void *>(group.begin), group.in_bytes(), group.out_bytes());
            group.device = with_room([&] { return static_cast<char *>(device().allocate(group, mode_)); });
            if (group.device == nullptr)
                return false;
        }
        if (printf_drain_.expected() && !printf_drain_.allocate(groups_, mode_))
            return false;
        if (!with_room([&] { return expansion_.allocate(device(), mode_); }))
            return false;
        if (!with_room([&] { return former_.allocate(device(), ranges_, mode_); }))
            return false;
        if (!with_room([&] { return scratch_.allocate(device(), mode_); }))
            return false;
        if (!with_room([&] { return scans_.allocate(device(), mode_); }))
            return false;
        if (reductions_.empty())
            return true;
        most_partials_ = most_partials(device().limits(), mode_);
        partials_ = with_room([&] { return static_cast<char *>(device().scratch(result_bytes_ * most_partials_)); });
        for (unsigned part = 1; part < division_.parts; part++)
            if (reductions_.size() > Device::most_reductions_of_parts ||
                (partials_of_parts_[part] = device().scratch_of(part, result_bytes_ * most_partials_)) == nullptr)
                division_ = {0, {}, 1}; // one device does all
        return partials_ != nullptr && device().results(reductions_.size() * division_.parts, result_bytes_ * division_.parts);
    }

    // ---- parts on several devices (ompc_parts.h)

    // May it be spread at all? What is not copied anew for each device, or has one state, is of one device.
    bool may_spread() const
    {
        return parts_.trips() > 1 && !printf_drain_.expected() && copies_.empty() && expansion_.empty() && former_.empty() && scratch_.empty() && scans_.empty() &&
               !uses_borrowed();
    }
    PartsOfLaunch::Asked asked_of_parts() const
    {
        const DeviceLimits limits = device().limits();
        constexpr double usual_threads = 132 * 2048;   // accesses are estimated for a device as large, whatever is emulated
        constexpr double without_accesses = 0.1;       // operations are estimated with theirs, which here are counted apart
        const double threads = std::max(usual_threads, static_cast<double>(limits.multiprocessors) * limits.threads_per_multiprocessor);
        const double iterations = each_ > 0 ? operations_ / each_ : 0;
        const double seconds = operations_ > 0 ? without_accesses * kernel_seconds(threads, operations_, iterations) : 0;
        return {device().devices(), seconds, settings().weighs, Device::always_divides()};
    }

    // Where groups are; those that are not yet on the device: where they would be.
    std::vector<Placed> places(bool striped) const
    {
        std::vector<Placed> places;
        for (const Group &group : groups_)
            places.push_back(group.packed ? Placed{group.begin, 0} : residents().placed(group, striped));
        return places;
    }

    // Are arrays that come to the device now to be in stripes?
    bool wants_stripes()
    {
        if (parts_.trips() != 0 && (device().devices() < 2 || !may_spread()))
            parts_.spreads(0);
        if (parts_.trips() == 0)
            return false;
        const PartsOfLaunch::Asked asked = asked_of_parts();
        return asked.always || parts_.best(ranges_, groups_, places(true), asked).seconds < parts_.best(ranges_, groups_, places(false), asked).seconds;
    }

    // Of blocks that stay on the device; of all others nothing changes.
    std::vector<Placed> places_of_blocks(bool striped) const
    {
        std::vector<Placed> places;
        for (const Group &group : groups_)
            places.push_back(group.resident == nullptr ? Placed{group.begin, 0} : residents().placed(*group.resident, striped));
        return places;
    }
    std::vector<Placed> places_now() const
    {
        std::vector<Placed> places;
        for (const Group &group : groups_)
            places.push_back(group.resident == nullptr ? Placed{group.begin, 0} : Placed{group.resident->memory.begin, group.resident->stripe});
        return places;
    }

    // With all blocks there: those that have cost more by where they are than moving them takes move first.
    void choose_division()
    {
        if (mode_ != automatic || device().devices() < 2)
            return;
        const auto is_striped = [](const Group &group) { return group.resident != nullptr && group.resident->stripe != 0; };
        if (parts_.trips() == 0 && std::none_of(groups_.begin(), groups_.end(), is_striped))
            return; // the first device does all, and has all
        const PartsOfLaunch::Asked asked = asked_of_parts();
        division_ = parts_.best(ranges_, groups_, places_now(), asked);
        if (move_misplaced(asked))
            division_ = parts_.best(ranges_, groups_, places_now(), asked);
        if (settings().profiling || division_.is_spread())
            other_bytes_ = parts_.bytes(division_, ranges_, groups_, places_now(), asked);
    }

    // Pointers in the device's memory lead to where blocks are now, so that those of launches that follow some stay.
    bool move_misplaced(const PartsOfLaunch::Asked &asked)
    {
        if (!links_.declared.empty())
            return false;
        const double striped = parts_.best(ranges_, groups_, places_of_blocks(true), asked).seconds;
        const double on_first = parts_.best(ranges_, groups_, places_of_blocks(false), asked).seconds;
        bool any = false;
        for (const Group &group : groups_)
            if (group.resident != nullptr) {
                Resident &block = *group.resident;
                block.misplaced = std::max(0.0, block.misplaced + division_.seconds - (block.stripe != 0 ? on_first : striped));
                any |= block.misplaced > Device::seconds_to_move(block.memory.bytes());
            }
        if (!any)
            return false;
        device().begin(region_, mode_);
        for (const Group &group : groups_)
            if (group.resident != nullptr && group.resident->misplaced > 0)
                residents().move(*group.resident, striped < on_first);
        return true;
    }

    bool is_empty_part(unsigned part) const { return division_.is_spread() && division_.end[part] == (part == 0 ? 0 : division_.end[part - 1]); }
    // How many of the parts before one have iterations: they leave their results in this order.
    unsigned full_before(unsigned part) const
    {
        unsigned full = part;
        for (unsigned before = 0; before < part; before++)
            full -= is_empty_part(before);
        return full;
    }
    std::size_t result_of(const PendingReduction &pending, unsigned part) const { return pending.at + full_before(part) * result_bytes_; }

    // The part that begins with an iteration, on its device.
    Slice part(Trips at, Trips trips)
    {
        part_ = 0;
        while (division_.end[part_] <= at)
            part_++;
        next_ = std::min(division_.end[part_], trips);
        device().go_to(part_);
        region_.estimated = 0; // that is of the whole loop
        return {at, next_, next_ - at};
    }

    void log_parts() const
    {
        const double all = other_bytes_.own + other_bytes_.others;
        note(&region_, "%s: in parts on %u devices, which find %.3g %% of their bytes on other ones", region_.id, division_.parts,
             all > 0 ? 100 * other_bytes_.others / all : 0);
    }

    // A group that the launch copies both ways: is only what the kernel changes to be written home? False: there is no memory.
    bool follow_changes(const Group &group)
    {
        if (!Changes::are_followed(group, mode_))
            return true;
        changes_.resize(groups_.size());
        return changes_[static_cast<std::size_t>(&group - groups_.data())].begin(group);
    }
    Changes *changes_of(const Group &group)
    {
        if (changes_.empty() || group.begin == packed_.whole().begin)
            return nullptr;
        Changes &changes = changes_[static_cast<std::size_t>(&group - groups_.data())];
        return changes.is_begun() ? &changes : nullptr;
    }

    // The borrowed buffer that a group is a part of, with device memory. A part of what is not borrowed is copied, as the rest is
    // then.
    Borrowed *borrowed_by(const Group &group)
    {
        if (borrowed().empty())
            return nullptr;
        Borrowed *const buffer = mode_ == automatic ? borrowed().holding(group.begin, group.end) : nullptr;
        if (buffer != nullptr && with_room([&] { return BorrowedTable::device_of(*buffer); }) != nullptr)
            return buffer;
        borrowed().written_by_host(group.begin, group.bytes());
        return nullptr;
    }

    // Does the launch use what a caller has lent? What pointers lead to is not known yet.
    bool uses_borrowed() const
    {
        return !borrowed().empty() && std::any_of(ranges_.begin(), ranges_.end(), [](Range range) {
            locate(range);
            return borrowed().is_borrowed(range.begin, range.end);
        });
    }

    // The host runs the loop: what it reaches is copied back.
    void copy_back_borrowed() const
    {
        if (borrowed().empty())
            return;
        if (!links_.declared.empty())
            return borrowed().written_by_host();
        for (Range range : ranges_) {
            locate(range);
            if (!range.known)
                return borrowed().written_by_host();
            if (!range.empty())
                borrowed().written_by_host(range.begin, range.end - range.begin);
        }
        for (const Constant &constant : constants_)
            borrowed().read_by_host(constant.host.begin, constant.host.end - constant.host.begin);
    }
    bool stay_home() const
    {
        region_.tally.on_host(said_disabled);
        must_not_stay(region_, "OMPC424", why_not_used());
        if (logs(log_refusals))
            note_host(region_, said_disabled, has_failed() ? "a kernel has failed" : why_not_used());
        if (!borrowed().empty()) { // else nothing may be locked: the program may be ending
            const Locked guard(ledger().lock);
            copy_back_borrowed();
        }
        return false;
    }

    // What allocate() gives. While there is too little memory, blocks that this launch does not use leave the device.
    template <class Allocate>
    static auto with_room(Allocate allocate) -> decltype(allocate())
    {
        auto made = allocate();
        while (!made && residents().evict())
            made = allocate();
        return made;
    }

    bool allocate_packed()
    {
        if (packed_.empty())
            return true;
        const auto is_any = [&](auto of) { return std::any_of(groups_.begin(), groups_.end(), of); };
        const bool is_written = is_any([](const Group &group) { return group.packed && group.out_bytes() != 0; });
        const bool is_awaited = is_any([](const Group &group) { return group.packed && open_memory().is_written(group.begin, group.end); });
        if (!packed_.prepare(is_written && (is_awaited || may_be_written_beside(packed_.bytes(), mode_))))
            return false;
        char *const device_side = with_room([&] { return static_cast<char *>(device().allocate(packed_.whole(), mode_)); });
        packed_.whole().device = device_side;
        if (device_side == nullptr)
            return false;
        for (Group &group : groups_)
            if (group.packed)
                group.device = device_side + group.offset;
        return true;
    }

    void copy_in()
    {
        if (!packed_.empty()) {
            packed_.pack(groups_, links_.slots, ranges_, mapped());
            copy_in(packed_.whole());
        }
        if (!division_.is_spread())
            slices_.put_off(ranges_, groups_);
        expect_home();
        for (const Group &group : groups_)
            if (group.packed) {
                continue;
            } else if (group.in_slices) {
                group.resident->bring_in_slices(group, region_);
            } else if (group.resident != nullptr) {
                group.resident->bring_in(group, region_);
            } else if (group.borrowed != nullptr) {
                BorrowedTable::bring_in(group, region_);
            } else if (group.present != nullptr) {
                reads_mapped_ |= mapped().bring_in(group, region_);
            } else {
                copy_in(group);
            }
        device().order().join();
        if (Coherence::are_overwrites_checked())
            for (const Group &group : groups_)
                if (!group.packed)
                    Coherence::spoil(group);
        for (const Constant &constant : constants_) {
            if (constant.symbol == nullptr)
                continue; // the host has read it
            mapped().read_by_host(constant.host.begin, constant.host.end - constant.host.begin);
            borrowed().read_by_host(constant.host.begin, constant.host.end - constant.host.begin);
            constants().refresh(constant, region_, mode_);
        }
    }

    // Where pointers are followed, what they lead to may have been found in what the device has.
    void expect_home()
    {
        if (links_.declared.empty())
            for (const Group &group : groups_)
                if (group.resident != nullptr && !group.in_slices)
                    group.resident->expect_home(group);
    }

    void copy_in(const Group &group)
    {
        if (group.sure_bytes() == 0)
            return copy_in(group, group.begin, group.end);
        copy_in(group, group.begin, group.sure_begin);
        copy_in(group, group.sure_end, group.end);
        avoid(region_, group.name, group.sure_bytes(), Avoided::overwritten);
    }

    void copy_in(const Group &group, Address begin, Address end)
    {
        if (begin == end)
            return;
        residents().touch(begin, end, false);
        Changes *const changes = changes_of(group);
        const void *const sent = changes != nullptr ? changes->send(begin, end) : reinterpret_cast<const void *>(begin);
        device().copy_in({region_, group.name}, group.device + (begin - group.begin), sent, end - begin);
        count_again(group, Work::h2d, end - begin);
    }

    // What does not stay on the device goes with each launch.
    void count_again(const Group &group, Work way, std::size_t bytes) const
    {
        if (region_.counters.launches != 0)
            moved_again({region_, group.name}, way, bytes);
    }

    void copy_out(const Group &group) { copy_out(group, group.out_begin - group.begin, group.out_end - group.begin); }

    // The bytes from `begin` to `end` of a group.
    void copy_out(const Group &group, std::size_t begin, std::size_t end)
    {
        residents().touch(group.begin + begin, group.begin + end, true);
        Changes *const changes = changes_of(group);
        void *const home = changes != nullptr ? changes->home() : reinterpret_cast<void *>(group.begin + begin);
        device().copy_out({region_, group.name}, home, group.device + begin, end - begin);
        count_again(group, Work::d2h, end - begin);
    }

    void collect_results()
    {
        const DeviceSpan span(Work::d2h, region_, "results of reductions", result_bytes_, device().stream(StreamId::kernels));
        device().collect_results(result_bytes_);
    }

    // Is something to be said that is said once, or of each launch?
    bool said_at(unsigned bit) const { return logs(log_launches) || (logs(log_regions) && (region_.said.load() & bit) == 0); }

    void log(const Shape &shape) const
    {
        if ((region_.said.fetch_or(said_launched) & said_launched) != 0 && !logs(log_launches))
            return;
        const dim3 &g = shape.grid, &b = shape.block;
        note(&region_, "%s: grid %ux%ux%u, block %ux%ux%u", region_.id, g.x, g.y, g.z, b.x, b.y, b.z);
    }

    // The launch is over for the host; its kernel may go on.
    void log_end() const
    {
        const Traffic all = region_.counters.all();
        note(&region_, "%s: launch %llu: %llu bytes to the device, %llu bytes home, %s in the launcher", region_.id, region_.counters.launches,
             all.in.bytes - before_.in.bytes, all.out.bytes - before_.out.bytes, Duration(now() - begun_).text);
    }
    void log_begin()
    {
        before_ = region_.counters.all();
        begun_ = now();
    }

    void release()
    {
        for (Group &group : groups_)
            if (allocated_ && group.device != nullptr && group.resident == nullptr && group.present == nullptr && group.borrowed == nullptr && !group.packed)
                device().release(group, mode_);
        if (packed_.whole().device != nullptr)
            device().release(packed_.whole(), mode_);
        packed_.whole().device = nullptr;
        printf_drain_.release(mode_);
        expansion_.release(device(), mode_);
        former_.release(device(), mode_);
        scratch_.release(device(), mode_);
        scans_.release(device(), mode_);
        groups_.clear();
        guard_.reset();
    }

    Region &region_;
    Mode mode_;
    Saved saved_; // by a chain
    const bool is_joint_; // of several loops: if it is refused, each of them is asked about, and nothing is said or done before
    HostSpan span_{Work::launch, &region_};
    std::optional<Locked> guard_;
    std::vector<Range> ranges_;
    std::vector<Group> groups_;
    Links links_;
    PackedBuffer packed_;
    std::vector<Changes> changes_; // of the groups that are copied both ways; or none
    std::vector<PendingReduction> reductions_;
    std::vector<const void *> not_verified_;
    std::vector<Constant> constants_;
    PrintfDrain printf_drain_;
    Expansion expansion_;
    FormerValues former_;
    ScratchMemory scratch_;
    ScanMemory scans_;
    AccumulatorsOfLaunch copies_;
    SlicesOfLaunch slices_;
    double each_ = 0, operations_ = 0; // of an iteration, and of the launch
    double weighed_ = 0; // operations of the launch, if it is asked whether it is worth it
    bool was_busy_ = false; // when it began
    bool is_settled_ = false; // nothing was to be moved, nor under way: what it takes is what the next one takes
    bool allocated_ = false, starts_ = true, is_cached_ = false;
    bool is_under_way_ = false; // a part of the loop has been launched
    bool is_first_ = true, is_last_ = true; // of the slices
    Trips next_ = 0;                        // the iteration that the next one begins with
    PartsOfLaunch parts_;
    PartsOfLaunch::Division division_{0, {}, 1};
    PartsOfLaunch::Bytes other_bytes_;
    unsigned part_ = 0; // that is given
    char *partials_of_parts_[most_devices] = {};
    bool reads_mapped_ = false; // a copy of mapped data may be reading the host's
    std::size_t result_bytes_ = 0, most_partials_ = 0;
    const Tuned *tuned_ = nullptr; // a table
    std::size_t tuned_entries_ = 0;
    std::optional<Choices> choices_;
    int asked_ = 0; // kernels whose shape has been asked for
    const char *not_neutral_ = nullptr; // the reduction whose result depends on the number of copies
    char *partials_ = nullptr;
    Traffic before_; // of the region when the launch began, and when that was: for the log
    double begun_ = 0;
};

} // namespace ompc

#endif

// ompc_launch.h: what a launcher says and asks of one launch of its region.
//
//     ompc::Launch launch(region);
//     auto d_x = launch.array<const double>("x", x, ompc::section(0, n - 1), ompc::read);
//     if (!launch.begin())
//         return 0;                                   the host runs the loop
//     OMPC_LAUNCH(launch, launch.shape(trips), kernel, d_x.get(), trips);
//     return launch.end();
//
// What is done for that is the same for every program (ompc_launch_state.h), and is compiled once, in ompc_launch.cc. Here is what
// depends on the program's types.

#ifndef OMPC_LAUNCH_H
#define OMPC_LAUNCH_H

#include "ompc_choices.h"
#include "ompc_cuda.h"
#include "ompc_elements.h"
#include "ompc_extent.h"
#include "ompc_kernel.h"
#include "ompc_lmad.h"
#include "ompc_layout.h"
#include "ompc_launch_handles.h"
#include "ompc_printf_buffer.h"
#include "ompc_pending_reductions.h"
#include "ompc_pointers.h"
#include "ompc_region.h"
#include "ompc_shape.h"
#include "ompc_sharing.h"
#include "ompc_tiling.h"
#include "ompc_trips.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <type_traits>

namespace ompc {

class LaunchState;

// Iterations of the outermost loop (ompc_slices.h).
struct Slice {
    Trips begin, end, trips;
};

// An instance of a kernel that is a template, and whether it is the one to launch. Use OMPC_FORM.
template <class... Parameters>
struct KernelForm {
    bool asked;
    KernelOf<Parameters...> kernel;
};
template <class... Parameters>
KernelForm<Parameters...> kernel_form(bool asked, KernelOf<Parameters...> kernel)
{
    return {asked, kernel};
}

class Launch {
public:
    explicit Launch(Region &region, Mode mode = automatic);
    ~Launch();
    Launch(const Launch &) = delete;
    Launch &operator=(const Launch &) = delete;

    // Declares an array that the kernel uses through a pointer to T. Null is allowed where nothing is accessed.
    template <class T>
    Array<T> array(const char *name, const volatile void *host, const Extent &extent, Access access, HostBuffer buffer = pageable)
    {
        return {*this, add_array(name, host, extent, sizeof(T), access, buffer, layout_of<T>)};
    }

    // Declares what the pointers in `holder` lead to; after all arrays.
    template <class T, class Holder>
    LinkedObjects linked(const char *name, const Holder &holder, const Pointers &pointers, const Extent &extent, Access access)
    {
        static_cast<void>(rows_are_apart<0>);
        return {*this, add_linked(name, holder.root(), pointers, extent, sizeof(T), access, layout_of<T>)};
    }

    // Declares a reduction into the `count` values from `host` on; end() combines the results into them.
    template <class Op, class T>
    ReductionOf<Op, T> reduction(const char *name, void *host, unsigned count = 1)
    {
        static_assert(std::is_trivially_copyable_v<T>, "reductions of plain data");
        const bool neutral = copies_do_not_count<Op>(static_cast<const T *>(host));
        const std::size_t bytes = count * sizeof(T);
        return {*this, add_reduction({host, count, bytes, 0, combine_results<Op, T>, name, layout_of<T>}, bytes, neutral ? nullptr : name)};
    }

    // Declares a variable of which each of so many iterations sees what those before it come to; end() combines all into it.
    template <class Op, class T>
    ScanOf<Op, T> scan(const char *name, void *host, Trips trips)
    {
        static_assert(std::is_trivially_copyable_v<T>, "scans of plain data");
        const bool neutral = copies_do_not_count<Op>(static_cast<const T *>(host));
        const PendingReduction pending{host, 1, sizeof(T), 0, combine_results<Op, T>, name, layout_of<T>};
        return {*this, add_reduction(pending, sizeof(T), neutral ? nullptr : name), add_scan(sizeof(T), trips)};
    }

    // Declares the variable at `host`, which end() sets when an iteration has assigned a value.
    template <class T>
    ReductionOf<Latest, Assigned<T>> latest(const char *name, void *host)
    {
        return {*this, add_reduction({host, 1, sizeof(T), 0, set_latest<T>, name, layout_of<T>}, sizeof(Assigned<T>), nullptr)};
    }

    // Says that one block does what would be so many launches, of which the host would wait for some: a launch that is refused where
    // it does more than that saves.
    void saves(double launches, double waits);

    // Says that the host's loop would not leave its result in a variable: that is a copy, or one that each thread has.
    void not_verified(const void *variable);

    // Declares an array of `count` elements that each thread has for itself, in a launch of so many iterations. Each begins where any
    // type may.
    template <class T>
    ExpandedArray<T> expanded(const char *name, std::size_t count, Trips iterations = static_cast<Trips>(-1))
    {
        constexpr std::size_t together = alignof(std::max_align_t) / std::gcd(alignof(std::max_align_t), sizeof(T));
        const std::size_t whole = count > PTRDIFF_MAX ? count : (count + together - 1) / together * together;
        return {*this, add_expanded(name, whole, sizeof(T), iterations), whole};
    }

    // Declares memory for so many elements that the launch has for itself, with what its kernels leave there for each other.
    template <class T>
    ScratchArray<T> scratch(const char *name, std::size_t count)
    {
        return {*this, add_scratch(name, count * sizeof(T))};
    }

    // Declares that blocks may have copies of the numbers of type T in an array, of which the elements from `end` on are not
    // meant: an element is a number, or a row of them.
    template <class T, class Element>
    AccumulatorHandle copies(const Array<Element> &array, long long end = -1)
    {
        constexpr long long in_an_element = sizeof(Element) / sizeof(T);
        return {*this, add_copies(array.root(), sizeof(T), sizeof(Accumulated<T>), end < 0 ? end : end * in_an_element)};
    }

    // Declares a __constant__ array that is filled from the host before the kernel.
    template <class T>
    void constant(const char *name, const T &symbol, const volatile void *host)
    {
        add_constant(name, &symbol, sizeof(T), host);
    }

    // Says that the kernel was made on the promise that the loop does not write what it was given the value of.
    void stays(const char *name, const void *host, std::size_t bytes);

    // Declares that iterations may print, and give the launch up; the argmin/argmax reductions of the kernel then begin anew.
    void messages(Messages &messages, Printer printer = nullptr);
    template <class ArgReduction>
    void arg_reduction(ArgReduction &arg_reduction)
    {
        clears(&arg_reduction, sizeof arg_reduction);
    }

    // Says that iterations of the outermost loop, so many, may run on several devices at once (ompc_parts.h); before `slides`.
    void spreads(Trips trips);

    // Brings everything to the device. False: the region must run on the host, where nothing has changed. `each`: about so many
    // operations are in an iteration, of so many. Without an argument nobody asks whether the launch is worth it.
    bool begin(double each = 0, Trips iterations = 0);

    // Declares which shapes are known to be good for the loop.
    template <std::size_t entries>
    void tuned(const Tuned (&table)[entries])
    {
        tuned(table, entries);
    }

    // The parts in which the launch is made, for so many iterations of the outermost loop, and of those inside: one, but where
    // large arrays come to the device, or several devices do a part each. To come to one copies what it needs.
    class SliceIterator {
    public:
        SliceIterator(Launch &launch, Trips at, Trips share, Trips trips) : launch_(launch), at_(at), share_(share), trips_(trips) {}
        Slice operator*() const { return launch_.slice(at_, share_, trips_); }
        SliceIterator &operator++()
        {
            at_ = launch_.next(trips_);
            return *this;
        }
        bool operator!=(const SliceIterator &other) const { return at_ != other.at_; }

    private:
        Launch &launch_;
        Trips at_, share_, trips_;
    };
    struct SlicesRange {
        SliceIterator first, last;
        SliceIterator begin() const { return first; }
        SliceIterator end() const { return last; }
    };
    template <class... Inner>
    SlicesRange slices(Trips trips, Inner... inner)
    {
        return slices_of(trips, share(trips, (trips * ... * inner), false));
    }
    // The same for kernels with tiles, which use the device badly when there are few of them.
    template <class... Inner>
    SlicesRange slices_of_tiles(Trips trips, Inner... inner)
    {
        return slices_of(trips, share(trips, (trips * ... * inner), true));
    }

    // The launch's shape for so many iterations of one, two or three nested loops; the last is threadIdx.x.
    Shape shape(Trips x, Asked asked = {}) { return shape(1, 1, x, asked); }
    Shape shape(Trips y, Trips x, Asked asked = {}) { return shape(1, y, x, asked); }
    Shape shape(Trips z, Trips y, Trips x, Asked asked = {});

    // A launch may have several kernels, of which one can be asked for by its number (OMPC_TUNE=...schedule=1, ompc_tuning.h). A
    // launcher asks for the group of the kernel for any launch before it asks for its shape; behind that, for the tiling, transposing
    // or group of each other kernel, once each, in the order of their numbers.

    // The tiles for so many iterations of the grid's loops and of the loop inside; `narrower` than high.
    Tiling tiling(Trips y, Trips x, Trips inner, int narrower, const TileMemory &memory = {})
    {
        return tiling(1, y, x, inner, narrower, memory);
    }
    Tiling tiling(Trips z, Trips y, Trips x, Trips inner, int narrower, const TileMemory &memory = {});

    // The tiles of so many points along each side where accesses are transposed.
    Tiling transposing(Trips y, Trips x, int side) { return transposing(1, y, x, side); }
    Tiling transposing(Trips z, Trips y, Trips x, int side);

    // How many iterations each thread computes together, where those read the same (ompc_unroll_and_jam.h).
    unsigned points(Trips trips);

    // Which threads share each of so many iterations, or points.
    GroupShape group(Trips trips, const GroupWanted &wanted);

    // The elements for each of so many iterations, of an array in which rows stand behind each other: about their mean length.
    template <class T>
    Trips of_each(Trips trips, const Array<T> &rows) const
    {
        return block_bytes(rows.root()) / sizeof(T) / trips;
    }

    // The lengths of the rows of so many iterations, of which `length` finds one in host memory, in the arrays declared as `from`.
    // Nothing is known where the host does not have all of them as the device has.
    template <class Length>
    RowLengths row_lengths(Trips trips, std::initializer_list<std::size_t> from, const Length &length)
    {
        const auto count = [](const void *of_rows, Trips rows) {
            RowLengths found;
            for (Trips row = 0; row < rows; row++) {
                const Trips entries = (*static_cast<const Length *>(of_rows))(row);
                found.longest = std::max(found.longest, entries);
                found.all += entries;
            }
            return found;
        };
        return row_lengths(trips, from, count, &length);
    }

    // How many iterations of the loop that is threadIdx.y a thread gets; `eight`: the kernel for so many (or `most`).
    template <unsigned most = 8, class... Parameters>
    unsigned rows(KernelOf<Parameters...> eight, Trips y, Trips x)
    {
        return rows<most>(eight, 1, y, x);
    }
    template <unsigned most = 8, class... Parameters>
    unsigned rows(KernelOf<Parameters...> eight, Trips z, Trips y, Trips x)
    {
        return rows_at_most(most, code_of(eight), z, y, x);
    }

    // Starts a kernel; its parameters are initialised from the arguments as in a call. Use OMPC_LAUNCH.
    template <class... Parameters, class... Arguments>
    void run(const Shape &shape, KernelOf<Parameters...> kernel, Arguments... arguments)
    {
        static_assert(sizeof...(Parameters) == sizeof...(Arguments), "a kernel launch with the wrong number of arguments");
        with_kernel([&](const Kernel &made) { start(shape, made); }, kernel, static_cast<Parameters>(arguments)...);
    }

    // Starts the first form of a kernel that is asked for; the last one always is.
    template <class... Parameters, class... Arguments>
    void dispatch(const Shape &shape, std::initializer_list<KernelForm<Parameters...>> forms, Arguments... arguments)
    {
        run(shape, std::find_if(forms.begin(), forms.end() - 1, [](const auto &form) { return form.asked; })->kernel, arguments...);
    }

    // Waits, brings the results home and says that the device has done the loop: 1. A kernel that failed ends the program.
    // 0: an iteration has given the launch up, or it could not start.
    int end();

private:
    template <class T>
    friend class Array;
    friend class LinkedObjects;
    template <class T>
    friend class ExpandedArray;
    template <class T>
    friend class ScratchArray;
    friend class AccumulatorHandle;
    template <class Op, class T>
    friend class ReductionOf;
    template <class Op, class T>
    friend class ScanOf;

    SlicesRange slices_of(Trips trips, Trips share) { return {{*this, 0, share, trips}, {*this, trips, share, trips}}; }

    // As in ompc_launch_state.h.
    std::size_t add_array(const char *name, const volatile void *host, const Extent &extent, std::size_t element, Access access, HostBuffer buffer,
                          LayoutOf layout);
    std::size_t add_linked(const char *name, std::size_t holder, const Pointers &pointers, const Extent &extent, std::size_t element, Access access,
                           LayoutOf layout);
    std::size_t add_reduction(const PendingReduction &pending, std::size_t result_bytes, const char *not_neutral);
    std::size_t add_scan(std::size_t size, Trips trips);
    std::size_t add_expanded(const char *name, std::size_t count, std::size_t size, Trips iterations);
    std::size_t add_scratch(const char *name, std::size_t bytes);
    std::size_t add_copies(std::size_t root, std::size_t number, std::size_t copied, long long most);
    void add_constant(const char *name, const void *symbol, std::size_t bytes, const volatile void *host);
    void clears(void *symbol, std::size_t bytes);
    void tuned(const Tuned *table, std::size_t entries);
    void set_distinct(std::size_t array);
    void set_written(std::size_t array, long long first, long long last);
    void set_former(std::size_t array, std::size_t of);
    void overwrites(std::size_t array, const Lmad &must_write);
    void expect_overwritten(); // from now on, in all launches (ompc_coherence.h)
    void slides(std::size_t array, const Lmad &footprint, long long apart);
    void set_linked_distinct(std::size_t linked);
    void set_linked_apart(std::size_t linked);
    std::size_t root_of_linked(std::size_t linked) const;
    Trips share(Trips trips, Trips all, bool of_tiles);
    Slice slice(Trips at, Trips share, Trips trips);
    Trips next(Trips trips);
    std::size_t block_bytes(std::size_t root) const;
    RowLengths row_lengths(Trips trips, std::initializer_list<std::size_t> from, RowLengths (*count)(const void *of_rows, Trips rows),
                           const void *of_rows);
    unsigned rows_at_most(unsigned most, const void *eight, Trips z, Trips y, Trips x);
    void start(const Shape &shape, const Kernel &kernel);
    Address device_address(std::size_t array) const;
    Address host_address(std::size_t array) const;
    void *expanded_memory(std::size_t index) const;
    void *scratch_memory(std::size_t index) const;
    AccumulatorMemory accumulator_memory(std::size_t index) const;
    ReductionPlaces reduction_places(std::size_t index) const;
    ScanPlaces scan_places(std::size_t index) const;

    LaunchState &state_;
};

// Says that the kernel was compiled on the promise that no other array of the launch overlaps this one.
template <class T>
Array<T> Array<T>::distinct() const
{
    launch_->set_distinct(index_);
    return *this;
}

// Says that it writes no other elements than these, none if last < first.
template <class T>
Array<T> Array<T>::writes(long long first, long long last) const
{
    launch_->set_written(index_, first, last);
    return *this;
}

// Likewise, the elements of a window; nothing, where that is all of a block.
template <class T>
Array<T> Array<T>::writes(const Extent &window) const
{
    return window.kind == Extent::Window ? writes(window.lower, window.upper) : *this;
}

// Says that the kernel is given a copy, made before it runs, of what another array of the launch, which it writes, holds.
template <class T>
template <class Other>
Array<T> Array<T>::former(const Array<Other> &array) const
{
    launch_->set_former(index_, array.root());
    return *this;
}

// Says what the kernel surely overwrites before it reads it; more than once for several parts.
template <class T>
void Array<T>::overwrites(const Lmad &must_write) const
{
#if defined(__CUDACC_DEBUG__) || defined(OMPC_DEBUG)
    launch_->expect_overwritten();
#endif
    launch_->overwrites(index_, must_write);
}

// Says what the iterations of the outermost loop touch: that of the first one, and in each next one `apart` units further on;
// more than once for several parts, which are then all that the kernel accesses.
template <class T>
void Array<T>::slides(const Lmad &footprint, long long apart) const
{
    launch_->slides(index_, footprint, apart);
}

inline LinkedObjects LinkedObjects::distinct() const
{
    launch_->set_linked_distinct(index_);
    return *this;
}

// Says that the kernel was compiled on the promise that no two of these objects overlap.
inline LinkedObjects LinkedObjects::apart() const
{
    launch_->set_linked_apart(index_);
    return *this;
}

inline std::size_t LinkedObjects::root() const
{
    return launch_->root_of_linked(index_);
}

template <class T>
const T *Array<T>::host() const
{
    return reinterpret_cast<const T *>(launch_->host_address(index_));
}

template <class T>
T *Array<T>::get() const
{
    return reinterpret_cast<T *>(launch_->device_address(index_));
}

template <class T>
Expanded<T> ExpandedArray<T>::get() const
{
    return {static_cast<T *>(launch_->expanded_memory(index_)), count_};
}

template <class T>
T *ScratchArray<T>::get() const
{
    return static_cast<T *>(launch_->scratch_memory(index_));
}

inline AccumulatorMemory AccumulatorHandle::get() const
{
    return launch_->accumulator_memory(index_);
}

template <class Op, class T>
Reduction<Op, T> ReductionOf<Op, T>::get() const
{
    const ReductionPlaces places = launch_->reduction_places(index_);
    Reduction<Op, T> made{reinterpret_cast<T *>(places.partials), places.finished, static_cast<const T *>(places.before),
                          static_cast<T *>(places.result), places.done, places.ticket, T()};
    if constexpr (is_declared<Op>)
        std::memcpy(&made.original, places.host, sizeof made.original);
    return made;
}

template <class Op, class T>
Scan<Op, T> ScanOf<Op, T>::get() const
{
    const ScanPlaces places = launch_->scan_places(index_);
    Scan<Op, T> made{ReductionOf<Op, T>(*launch_, reduction_).get(), T(), static_cast<T *>(places.values), places.ready, places.tickets, places.tiles};
    std::memcpy(&made.original, launch_->reduction_places(reduction_).host, sizeof made.original);
    return made;
}

} // namespace ompc

// OMPC_LAUNCH(launch, shape, kernel, arguments...)
#define OMPC_LAUNCH(launch, shape, kernel, ...) (launch).run((shape), OMPC_KERNEL(kernel), __VA_ARGS__)

// OMPC_FORM(condition, kernel<value>), for Launch::dispatch.
#define OMPC_FORM(asked, ...) ompc::kernel_form((asked), OMPC_KERNEL(__VA_ARGS__))

#endif

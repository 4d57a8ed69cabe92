// ompc_launch_handles.h: what a launcher gets for each thing that it declares, to hand it to the kernel.
//
// What needs the launch itself is defined in ompc_launch.h.

#ifndef OMPC_LAUNCH_HANDLES_H
#define OMPC_LAUNCH_HANDLES_H

#include "ompc_histogram_memory.h"
#include "ompc_lmad.h"
#include "ompc_trips.h"

#include <cstddef>
#include <cstdint>

namespace ompc {

class Launch;
template <class T>
struct Expanded; // ompc_expanded.h
template <class Op, class T>
struct Reduction; // ompc_reduce.h
template <class Op, class T>
struct Scan; // ompc_scan.h

// An array of the launch; get() is the device address that stands for the host pointer, once begin() has returned true.
template <class T>
class Array {
public:
    Array(Launch &launch, std::size_t index) : launch_(&launch), index_(index) {}
    Array distinct() const;
    Array writes(long long first, long long last) const;
    Array writes(const Extent &window) const;
    template <class Other>
    Array former(const Array<Other> &array) const;
    void overwrites(const Lmad &must_write) const;
    void slides(const Lmad &footprint, long long apart) const;
    T *get() const;
    const T *host() const; // where the host has it
    bool is_aligned(std::size_t bytes) const { return reinterpret_cast<std::uintptr_t>(get()) % bytes == 0; }
    std::size_t root() const { return index_; }

private:
    Launch *launch_;
    std::size_t index_;
};

// Objects that pointers in an array, or in other such objects, lead to. The kernel finds them there.
class LinkedObjects {
public:
    LinkedObjects(Launch &launch, std::size_t index) : launch_(&launch), index_(index) {}
    LinkedObjects distinct() const;
    LinkedObjects apart() const;
    std::size_t root() const;

private:
    Launch *launch_;
    std::size_t index_;
};

// A private array in memory of the launch's; get() is what the kernel is given, once begin() has returned true.
template <class T>
class ExpandedArray {
public:
    ExpandedArray(const Launch &launch, std::size_t index, std::size_t count) : launch_(&launch), index_(index), count_(count) {}
    Expanded<T> get() const;

private:
    const Launch *launch_;
    std::size_t index_, count_;
};

// Memory that a launch has for itself; get() is where it is, once begin() has returned true.
template <class T>
class ScratchArray {
public:
    ScratchArray(const Launch &launch, std::size_t index) : launch_(&launch), index_(index) {}
    T *get() const;

private:
    const Launch *launch_;
    std::size_t index_;
};

// An array of which blocks may have copies in shared memory; get() is what the kernel is given, once the shape is known.
class AccumulatorHandle {
public:
    AccumulatorHandle(const Launch &launch, std::size_t index) : launch_(&launch), index_(index) {}
    AccumulatorMemory get() const;

private:
    const Launch *launch_;
    std::size_t index_;
};

// A reduction of the launch; get() is what the kernel is given, once the shape is known.
template <class Op, class T>
class ReductionOf {
public:
    ReductionOf(const Launch &launch, std::size_t index) : launch_(&launch), index_(index) {}
    Reduction<Op, T> get() const;

private:
    const Launch *launch_;
    std::size_t index_;
};

// A list item of a scan; get() is what the kernel is given.
template <class Op, class T>
class ScanOf {
public:
    ScanOf(const Launch &launch, std::size_t reduction, std::size_t index) : launch_(&launch), reduction_(reduction), index_(index) {}
    Scan<Op, T> get() const;

private:
    const Launch *launch_;
    std::size_t reduction_, index_;
};

// Where blocks tell each other of their tiles (ompc_scan.h).
struct ScanPlaces {
    void *values;
    unsigned *ready;
    unsigned long long *tickets;
    Trips tiles;
};

// Where a reduction of the launch leaves what (ompc_reduce.h).
struct ReductionPlaces {
    void *partials;
    unsigned *finished;
    const void *before;
    void *result;
    unsigned *done, ticket;
    const void *host; // the variable
};

} // namespace ompc

#endif

// ompc_launch_handles.h: what a launcher gets for each thing that it declares, to hand it to the kernel.
//
// What needs the launch itself is defined in ompc_launch.h.

#ifndef OMPC_LAUNCH_HANDLES_H
#define OMPC_LAUNCH_HANDLES_H

#include "ompc_aligned.h"
#include "ompc_copies.h"
#include "ompc_expanded.h"
#include "ompc_lattice.h"
#include "ompc_reduce.h"

#include <cstddef>

namespace ompc {

class Launch;

// An array of the launch; get() is the device address that stands for the host pointer, once begin() has returned true.
template <class T>
class Array {
public:
    Array(Launch &launch, std::size_t index) : launch_(&launch), index_(index) {}
    Array distinct() const;
    void overwrites(const Lattice &written) const;
    void slides(const Lattice &touched, long long apart) const;
    T *get() const;
    bool is_aligned(std::size_t bytes) const { return ompc::is_aligned(get(), bytes); }
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
    ExpandedArray(const Expansion &expansion, std::size_t index) : expansion_(&expansion), index_(index) {}
    Expanded<T> get() const
    {
        const Expansion::Array &array = expansion_->array(index_);
        return {static_cast<T *>(array.memory), array.count};
    }

private:
    const Expansion *expansion_;
    std::size_t index_;
};

// An array of which blocks may have copies in shared memory; get() is what the kernel is given, once the shape is known.
class CopiesHandle {
public:
    CopiesHandle(const CopiesOfLaunch &copies, std::size_t index) : copies_(&copies), index_(index) {}
    CopiesRoom get() const { return copies_->array(index_).room; }

private:
    const CopiesOfLaunch *copies_;
    std::size_t index_;
};

// A reduction of the launch; get() is what the kernel is given, once the shape is known.
template <class Op, class T>
class ReductionOf {
public:
    ReductionOf(Launch &launch, std::size_t index) : launch_(&launch), index_(index) {}
    Reduction<Op, T> get() const;

private:
    Launch *launch_;
    std::size_t index_;
};

} // namespace ompc

#endif

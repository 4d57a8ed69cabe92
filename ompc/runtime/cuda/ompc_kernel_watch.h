// ompc_kernel_watch.h (cuda): how long some kernels of a loop take (the second to the fourth), and those that are not short,
// beside what was estimated (ompc_cost_model.h).
//
// One at a time: two events around the kernel, which a later launch asks for. Nothing waits for them.

#ifndef OMPC_KERNEL_WATCH_H
#define OMPC_KERNEL_WATCH_H

#include "ompc_cuda.h"
#include "ompc_region.h"


namespace ompc {

class KernelWatch {
public:
    // A kernel of the region is about to be given to the stream; and has been.
    void before(Region &region, cudaStream_t stream)
    {
        starts_ = !is_running_ && region.costs.is_to_be_measured(region.estimated) && has_events() && cudaEventRecord(from_, stream) == cudaSuccess;
        region_ = starts_ ? &region : region_;
        operations_ = starts_ ? region.costs.last() : operations_;
    }
    void after(cudaStream_t stream)
    {
        if (!starts_)
            return;
        estimated_ = region_->estimated;
        is_running_ = cudaEventRecord(to_, stream) == cudaSuccess;
    }

    // Tells the region, if the device has come so far.
    void look()
    {
        if (!is_running_)
            return;
        const cudaError_t state = cudaEventQuery(to_);
        if (state == cudaErrorNotReady) {
            static_cast<void>(cudaGetLastError()); // it stays until it is asked for
            return;
        }
        is_running_ = false;
        float milliseconds = 0;
        if (state == cudaSuccess && cudaEventElapsedTime(&milliseconds, from_, to_) == cudaSuccess)
            tell(milliseconds * 1e-3);
    }

private:
    // What short kernels take is mostly what the events themselves take.
    void tell(double seconds)
    {
        constexpr double least = 1e-3, more = 100e-6;
        if (estimated_ >= least || seconds >= estimated_ + more)
            region_->costs.device_took(seconds, estimated_, operations_);
        else
            region_->costs.device_is_quick(operations_);
    }

    bool has_events()
    {
        if (from_ == nullptr && cudaEventCreate(&from_) != cudaSuccess)
            from_ = nullptr;
        if (to_ == nullptr && cudaEventCreate(&to_) != cudaSuccess)
            to_ = nullptr;
        return from_ != nullptr && to_ != nullptr;
    }

    cudaEvent_t from_ = nullptr, to_ = nullptr;
    Region *region_ = nullptr;
    double estimated_ = 0, operations_ = 0;
    bool starts_ = false, is_running_ = false;
};

} // namespace ompc

#endif

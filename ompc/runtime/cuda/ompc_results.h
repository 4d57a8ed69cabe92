// ompc_results.h (cuda): where kernels leave the results of reductions, and how the host gets them.
//
// A kernel of an `automatic` launch writes its results to the host's memory itself, and then the launch's ticket: the host
// looks for that, since waiting for the stream takes longer. A launch of `openmpc` copies them. What slices of a launch have
// come to stays on the device until the last one.

#ifndef OMPC_RESULTS_H
#define OMPC_RESULTS_H

#include "ompc_cuda.h"
#include "ompc_shape.h"
#include "ompc_streams.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

namespace ompc {

class Results {
public:
    // A launch begins: room for n counters and so many bytes of results; false: exhausted.
    bool prepare(std::size_t n, std::size_t bytes)
    {
        ticket_++;
        if (n <= counters_ && bytes <= bytes_)
            return true;
        n = std::max(n, counters_);
        bytes = std::max(bytes, bytes_);
        release();
        const std::size_t behind = (bytes + 255) / 256 * 256; // the counters: one block each way, since each costs 0.1 to 0.4 ms
        const bool made = cudaMalloc(&result_, behind + n * sizeof(unsigned)) == cudaSuccess &&
                          cudaMemset(result_ + behind, 0, n * sizeof(unsigned)) == cudaSuccess &&
                          cudaHostAlloc(reinterpret_cast<void **>(&host_result_), behind + n * sizeof(unsigned), cudaHostAllocPortable | cudaHostAllocMapped) ==
                              cudaSuccess && // parts of kernels on other devices write there, too
                          cudaDeviceSynchronize() == cudaSuccess; // the streams do not wait for cudaMemset
        static_cast<void>(cudaGetLastError());
        if (made) {
            finished_ = reinterpret_cast<unsigned *>(result_ + behind);
            done_ = reinterpret_cast<unsigned *>(host_result_ + behind);
            std::memset(done_, 0, n * sizeof(unsigned));
            counters_ = n;
            bytes_ = bytes;
        } else {
            release();
        }
        return made;
    }
    unsigned *finished(std::size_t i) { return finished_ + i; }
    unsigned *done(std::size_t i) { return done_ + i; }
    unsigned ticket() const { return ticket_; }

    void *of_kernel(std::size_t at, Mode mode) { return (mode == openmpc ? result_ : host_result_) + at; }
    void *so_far(std::size_t at) { return result_ + at; }
    const void *of_host(std::size_t at) const { return host_result_ + at; }
    cudaError_t collect(std::size_t bytes) { return cudaMemcpy(host_result_, result_, bytes, cudaMemcpyDeviceToHost); }

    // Looks until n results are there.
    cudaError_t hear(std::size_t n) const
    {
        const cudaStream_t stream = streams().of(StreamId::kernels);
        cudaError_t error = cudaSuccess;
        for (unsigned looks = 1; !all_heard(n); looks++)
            if (looks % 4096 == 0 && cudaStreamQuery(stream) != cudaErrorNotReady)
                break; // it is over, one way or the other
        if (!all_heard(n))
            error = cudaStreamSynchronize(stream);
        std::atomic_thread_fence(std::memory_order_acquire);
        return error;
    }

    // A launch was given up: its counters begin anew.
    cudaError_t forget_finished(cudaStream_t stream)
    {
        return counters_ == 0 ? cudaSuccess : cudaMemsetAsync(finished_, 0, counters_ * sizeof(unsigned), stream);
    }

private:
    bool all_heard(std::size_t n) const
    {
        const volatile unsigned *const heard = done_;
        return std::all_of(heard, heard + n, [this](unsigned ticket) { return ticket == ticket_; });
    }

    void release()
    {
        static_cast<void>(cudaFree(result_)); // nothing runs now: who has used it has waited
        static_cast<void>(cudaFreeHost(host_result_));
        result_ = host_result_ = nullptr;
        finished_ = done_ = nullptr;
        counters_ = bytes_ = 0;
    }

    std::size_t counters_ = 0, bytes_ = 0;
    unsigned *finished_ = nullptr, *done_ = nullptr, ticket_ = 0;
    char *result_ = nullptr, *host_result_ = nullptr;
};

} // namespace ompc

#endif

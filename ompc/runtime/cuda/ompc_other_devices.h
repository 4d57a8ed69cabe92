// ompc_other_devices.h (cuda): the devices beside the first one that do parts of kernels (OMPC_DEVICES), and what each has.
//
// Each has a stream for its parts, memory for their partial results, and reaches the first one's memory. CUDA's current device,
// which a thread has, is another one only inside these functions, and inside `On`.

#ifndef OMPC_OTHER_DEVICES_H
#define OMPC_OTHER_DEVICES_H

#include "ompc_cuda.h"
#include "ompc_devices.h"
#include "ompc_log.h"
#include "ompc_stream_ids.h"
#include "ompc_streams.h"
#include "ompc_striped_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace ompc {

class OtherDevices {
public:
    static constexpr std::size_t most_reductions = 64;

    // All that were asked for, beside the first one, and are like it: kernels are shaped alike for all.
    void connect(int first, const cudaDeviceProp &like)
    {
        first_ = first;
        int count = 0;
        if (settings().devices.empty() || cudaGetDeviceCount(&count) != cudaSuccess)
            return;
        std::vector<int> numbers{first};
        for (const unsigned number : chosen_devices(static_cast<unsigned>(count)))
            if (static_cast<int>(number) != first && can_join(static_cast<int>(number), numbers, like))
                numbers.push_back(static_cast<int>(number));
        for (std::size_t at = 1; at < numbers.size(); at++)
            if (!make(numbers[at])) {
                others_.clear();
                break;
            }
        go_to_first();
        numbers.resize(others_.size() + 1);
        if (others_.empty() || !stripes_.prepare(numbers))
            others_.clear();
        static_cast<void>(cudaGetLastError());
        if (logs(log_regions))
            note(nullptr, others_.empty() ? "no other device does parts of kernels" : "%zu other devices do parts of kernels", others_.size());
    }

    unsigned count() const { return static_cast<unsigned>(others_.size()); }
    StripedMemory &stripes() { return stripes_; }
    const StripedMemory &stripes() const { return stripes_; }

    // CUDA's current device is that of a part while this lives.
    class On {
    public:
        On(const OtherDevices &all, unsigned part) : all_(part == 0 ? nullptr : &all)
        {
            if (all_ != nullptr)
                static_cast<void>(cudaSetDevice(all.others_[part - 1].number));
        }
        ~On()
        {
            if (all_ != nullptr)
                all_->go_to_first();
        }
        On(const On &) = delete;
        On &operator=(const On &) = delete;

    private:
        const OtherDevices *all_;
    };

    // Memory on the device of a part, kept until the next call; nullptr: exhausted.
    char *scratch(unsigned part, std::size_t bytes)
    {
        Other &other = others_[part - 1];
        if (bytes <= other.bytes)
            return other.scratch;
        const On on(*this, part);
        static_cast<void>(cudaFree(other.scratch)); // waits for what uses it
        other.bytes = 0;
        other.scratch = nullptr;
        if (cudaMalloc(&other.scratch, bytes) == cudaSuccess)
            other.bytes = bytes;
        else
            other.scratch = nullptr;
        static_cast<void>(cudaGetLastError());
        return other.scratch;
    }
    unsigned *finished(unsigned part, std::size_t i) { return others_[part - 1].finished + i; }

    // What each is given from now on is behind all that the first one's kernels' stream has been given; and the other way round.
    void follow(unsigned parts)
    {
        streams().record(begun_, StreamId::kernels);
        for (unsigned part = 1; part < parts; part++)
            streams().wait(kernels_of(part), begun_);
        is_awaited_ = true;
    }
    void lead(unsigned parts)
    {
        for (unsigned part = 1; part < parts; part++) {
            const On on(*this, part); // an event is of the device on which it is made
            streams().record(others_[part - 1].over, kernels_of(part));
        }
        for (unsigned part = 1; part < parts; part++)
            streams().wait(StreamId::kernels, others_[part - 1].over);
    }

    // The host waits; an error of another device is not the first one's.
    cudaError_t finish()
    {
        if (!is_awaited_)
            return cudaSuccess;
        is_awaited_ = false;
        cudaError_t first = cudaSuccess;
        for (unsigned part = 1; part <= count(); part++) {
            const On on(*this, part);
            const cudaError_t error = cudaStreamSynchronize(streams().of(kernels_of(part)));
            first = first == cudaSuccess ? error : first;
        }
        return first;
    }

private:
    struct Other {
        int number;
        cudaEvent_t over = nullptr;
        char *scratch = nullptr;
        std::size_t bytes = 0;
        unsigned *finished = nullptr;
    };

    void go_to_first() const { static_cast<void>(cudaSetDevice(first_)); }

    static bool can_join(int number, const std::vector<int> &numbers, const cudaDeviceProp &like)
    {
        cudaDeviceProp own{};
        if (cudaGetDeviceProperties(&own, number) != cudaSuccess || std::strcmp(own.name, like.name) != 0 ||
            own.multiProcessorCount != like.multiProcessorCount)
            return false;
        return std::all_of(numbers.begin(), numbers.end(), [number](int other) {
            int there = 0, back = 0;
            return cudaDeviceCanAccessPeer(&there, number, other) == cudaSuccess && there != 0 &&
                   cudaDeviceCanAccessPeer(&back, other, number) == cudaSuccess && back != 0;
        });
    }

    bool make(int number)
    {
        Other other{number};
        if (cudaSetDevice(number) != cudaSuccess || cudaFree(nullptr) != cudaSuccess)
            return false;
        const cudaError_t reached = cudaDeviceEnablePeerAccess(first_, 0);
        if (reached != cudaSuccess && reached != cudaErrorPeerAccessAlreadyEnabled)
            return false;
        static_cast<void>(cudaGetLastError());
        const StreamId way = kernels_of(static_cast<unsigned>(others_.size()) + 1);
        const bool made = streams().create(way) == cudaSuccess && cudaMalloc(&other.finished, most_reductions * sizeof(unsigned)) == cudaSuccess &&
                          cudaMemset(other.finished, 0, most_reductions * sizeof(unsigned)) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
        if (made)
            others_.push_back(other);
        return made;
    }

    int first_ = 0;
    std::vector<Other> others_;
    StripedMemory stripes_;
    cudaEvent_t begun_ = nullptr;
    bool is_awaited_ = false; // parts have been given since the host last waited
};

} // namespace ompc

#endif

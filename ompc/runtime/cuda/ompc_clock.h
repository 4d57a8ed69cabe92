// ompc_clock.h (cuda): when the device comes past a place in a stream, and ranges for NVIDIA's tools.
//
// A moment is an event. Of two of them CUDA tells the time between, in a float; so every moment's time is that since an
// event whose time the host knows, and after a second without work a new such event is recorded. Events are used again.

#ifndef OMPC_CLOCK_H
#define OMPC_CLOCK_H

#include "ompc_cuda.h"
#include "ompc_region.h"
#include "ompc_settings.h"

#include <cstdio>
#include <vector>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define OMPC_HAS_NVTX 1
#else
#define OMPC_HAS_NVTX 0
#endif

namespace ompc {

class Clock {
public:
    using Moment = cudaEvent_t;
    using Stream = cudaStream_t;

    Clock() { free_.reserve(most_moments); } // no memory is allocated in a signal handler

    // The moment when the device will have done all that the stream has been given. `idle`: no moment is waited for.
    Moment mark(Stream stream, bool idle)
    {
        if (idle && (known_ == nullptr || now() - known_time_ > 1))
            look(stream);
        const Moment moment = take();
        ignore(cudaEventRecord(moment, stream));
        return moment;
    }

    // Has the device come there? `wait`: until it has.
    bool passed(Moment moment, bool wait)
    {
        const cudaError_t state = wait ? cudaEventSynchronize(moment) : cudaEventQuery(moment);
        if (state == cudaErrorNotReady)
            static_cast<void>(cudaGetLastError()); // it stays until it is asked for
        return state != cudaErrorNotReady;
    }

    double seconds(Moment from, Moment to) const
    {
        float milliseconds = 0;
        return cudaEventElapsedTime(&milliseconds, from, to) == cudaSuccess ? milliseconds * 1e-3 : 0;
    }
    double time(Moment moment) const { return known_time_ + seconds(known_, moment); }
    void forget(Moment moment) { free_.push_back(moment); }

    // A range that carries the region's source line and pragma; `array`: one that is copied, or nullptr.
    static void enter(const Region &region, const char *array)
    {
#if OMPC_HAS_NVTX
        char text[256];
        std::snprintf(text, sizeof text, "%s%s%s:%d %s", array == nullptr ? "" : array, array == nullptr ? "" : ": ", region.file,
                      region.line, region.directive);
        nvtxRangePushA(text);
#else
        static_cast<void>(region), static_cast<void>(array);
#endif
    }
    static void leave()
    {
#if OMPC_HAS_NVTX
        nvtxRangePop();
#endif
    }

private:
    static constexpr std::size_t most_moments = 1 << 14; // more than a timeline has at a time

    // What goes wrong here goes wrong again where it is checked.
    static void ignore(cudaError_t) {}

    // The event is somewhere between the two times, which are microseconds apart when nothing is before it.
    void look(Stream stream)
    {
        if (known_ == nullptr)
            known_ = take();
        ignore(cudaStreamSynchronize(stream));
        const double before = now();
        ignore(cudaEventRecord(known_, stream));
        ignore(cudaEventSynchronize(known_));
        known_time_ = (before + now()) / 2;
    }

    Moment take()
    {
        Moment moment = nullptr;
        if (free_.empty()) {
            ignore(cudaEventCreate(&moment));
        } else {
            moment = free_.back();
            free_.pop_back();
        }
        return moment;
    }

    std::vector<Moment> free_;
    Moment known_ = nullptr;
    double known_time_ = 0;
};

} // namespace ompc

#endif

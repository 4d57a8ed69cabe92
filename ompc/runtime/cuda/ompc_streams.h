// ompc_streams.h (cuda): the streams of `automatic` launches, and events between them.
//
// They do not wait for the default stream, nor it for them. Errors stay, and are found where the host waits.

#ifndef OMPC_STREAMS_H
#define OMPC_STREAMS_H

#include "ompc_cuda.h"
#include "ompc_log_events.h"
#include "ompc_stream_ids.h"

namespace ompc {

using Event = cudaEvent_t;

class Streams {
public:
    cudaError_t create()
    {
        cudaError_t error = cudaSuccess;
        for (int way = 0; way < streams_of_first && error == cudaSuccess; way++)
            error = create(static_cast<StreamId>(way));
        return error;
    }
    // On the device that is current.
    cudaError_t create(StreamId way) { return cudaStreamCreateWithFlags(&streams_[static_cast<int>(way)], cudaStreamNonBlocking); }

    cudaStream_t of(StreamId way) const { return streams_[static_cast<int>(way)]; }

    // An event that was never recorded is made. One that is recorded anew stays what it was for those who wait for it.
    void record(Event &event, StreamId way)
    {
        note_event(way);
        if (event == nullptr)
            keep(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        keep(cudaEventRecord(event, of(way)));
    }
    void wait(StreamId way, Event event)
    {
        note_wait(way);
        keep(cudaStreamWaitEvent(of(way), event, 0));
    }
    bool passed(Event event)
    {
        const cudaError_t error = cudaEventQuery(event);
        if (error == cudaErrorNotReady)
            static_cast<void>(cudaGetLastError());
        else
            keep(error);
        return error == cudaSuccess;
    }
    void finish(Event event) { keep(cudaEventSynchronize(event)); }

    // The first error since the last call.
    cudaError_t error()
    {
        const cudaError_t first = error_;
        error_ = cudaSuccess;
        return first;
    }

private:
    void keep(cudaError_t error) { error_ = error_ == cudaSuccess ? error : error_; }

    cudaStream_t streams_[streams_in_all] = {};
    cudaError_t error_ = cudaSuccess;
};

inline Streams &streams()
{
    static Streams *const of_the_device = new Streams; // never destroyed
    return *of_the_device;
}

} // namespace ompc

#endif

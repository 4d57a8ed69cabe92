// ompc_stream_ids.h: the streams of the devices. Each does in order what it is given; between them only events make an order.
//
// The first device has one for kernels, one for copies in and one for copies home. Each other one (OMPC_DEVICES) has one, for its
// parts of kernels.

#ifndef OMPC_STREAM_IDS_H
#define OMPC_STREAM_IDS_H

namespace ompc {

constexpr unsigned most_devices = 16; // of one program

enum class StreamId : unsigned char { kernels, in, home, others };
constexpr int streams_of_first = 3, streams_in_all = streams_of_first + static_cast<int>(most_devices) - 1;

// Where a device does its part of a kernel.
constexpr StreamId kernels_of(unsigned device)
{
    return device == 0 ? StreamId::kernels : static_cast<StreamId>(streams_of_first + static_cast<int>(device) - 1);
}

constexpr const char *name_of(StreamId way)
{
    constexpr const char *names[streams_of_first] = {"kernels", "copies in", "copies home"};
    return way < StreamId::others ? names[static_cast<int>(way)] : "another device's kernels";
}

} // namespace ompc

#endif

// ompc_stream_ids.h: the streams of the device. Each does in order what it is given; between them only events make an order.

#ifndef OMPC_STREAM_IDS_H
#define OMPC_STREAM_IDS_H

namespace ompc {

enum class StreamId : unsigned char { kernels, in, home };
constexpr int streams_in_all = 3;
constexpr const char *names_of_streams[streams_in_all] = {"kernels", "copies in", "copies home"};

} // namespace ompc

#endif

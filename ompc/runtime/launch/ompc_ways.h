// ompc_ways.h: the streams of the device. Each does in order what it is given; between them only events make an order.

#ifndef OMPC_WAYS_H
#define OMPC_WAYS_H

namespace ompc {

enum class Way : unsigned char { kernels, in, home };
constexpr int ways = 3;
constexpr const char *names_of_ways[ways] = {"kernels", "copies in", "copies home"};

} // namespace ompc

#endif

// ompc_warp.h: the threads that go through a kernel together.

#ifndef OMPC_WARP_H
#define OMPC_WARP_H

namespace ompc {

struct Warp {
    static constexpr unsigned log2 = 5, size = 1u << log2;
};

} // namespace ompc

#endif

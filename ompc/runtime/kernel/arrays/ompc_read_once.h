// ompc_read_once.h: an element that several iterations of a thread read, the first of which reads it for all.

#ifndef OMPC_READ_ONCE_H
#define OMPC_READ_ONCE_H

#include "ompc_cuda.h"

namespace ompc {

template <class T>
class ReadOnce {
public:
    __device__ __forceinline__ T of(const T &element)
    {
        if (!is_read_)
            value_ = element;
        is_read_ = true;
        return value_;
    }

private:
    T value_;
    bool is_read_ = false;
};

} // namespace ompc

#endif

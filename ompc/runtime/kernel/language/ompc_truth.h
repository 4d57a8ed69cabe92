// ompc_truth.h: ++ and -- of a _Bool, which C++ has no more: b++ makes it 1, b-- the other one of 0 and 1.

#ifndef OMPC_TRUTH_H
#define OMPC_TRUTH_H

#include "ompc_cuda.h"

namespace ompc {

// b++, whose value is what it was.
__device__ inline bool set_true(bool &b)
{
    const bool was = b;
    b = true;
    return was;
}

// b--, whose value is what it was.
__device__ inline bool toggle(bool &b)
{
    const bool was = b;
    b = !was;
    return was;
}

// --b, whose value is what it is then.
__device__ inline bool toggled(bool &b)
{
    b = !b;
    return b;
}

} // namespace ompc

#endif

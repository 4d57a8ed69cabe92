// ompc_mma.h (emulate): products of small matrices of doubles by a warp, whose lanes have the elements that they have on the
// device; see the other one.

#ifndef OMPC_MMA_H
#define OMPC_MMA_H

#include "ompc_cuda.h"

namespace ompc {

constexpr bool has_mma = true;
constexpr int mma_depth = 4;

inline void mma(double (&c)[4], const double (&a)[mma_depth / 2], const double (&b)[mma_depth / 4])
{
    const unsigned all = 0xffffffffu;
    const int lane = emulate::the_grid.lane_in_warp(), row = lane / 4 * 4, column = lane % 4 * 8;
    for (int k = 0; k < mma_depth; k++)
        for (int half = 0; half < 2; half++) {
            const double of_row = __shfl_sync(all, a[k / 4 * 2 + half], row + k % 4);
            for (int of = 0; of < 2; of++)
                c[2 * half + of] = fma(of_row, __shfl_sync(all, b[k / 4], column + 4 * of + k % 4), c[2 * half + of]);
        }
}

} // namespace ompc

#endif

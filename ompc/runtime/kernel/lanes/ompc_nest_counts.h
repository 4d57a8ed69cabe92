// ompc_nest_counts.h: how many entries the loops of a nest have, and whether each of them has a place of its own.
//
//     for (k ...) for (j ...) for (i ...)             counts.are_apart(plane, row, 1): are all `i + j * row + k * plane` different?
//         y[i + j * row + k * plane] = ...;
//
// They are if each stride is larger than all that are not larger can make up for: of the counters in which two entries differ, the
// one with the largest stride moves the place further than the others together can move it back (analysis/dependence/spread_places.py).

#ifndef OMPC_NEST_COUNTS_H
#define OMPC_NEST_COUNTS_H

#include "ompc_trips.h"

namespace ompc {

// `of` each loop, outermost first.
template <unsigned loops>
struct NestCounts {
    Trips of[loops];

    // No, too, where the numbers are too large for what is multiplied here.
    template <class... Stride>
    OMPC_ANYWHERE constexpr bool are_apart(Stride... strides) const
    {
        static_assert(sizeof...(Stride) == loops, "one stride for each loop");
        constexpr Trips most = Trips{1} << 31;
        const Trips sizes[loops] = {magnitude(static_cast<long long>(strides))...};
        for (unsigned loop = 0; loop < loops; loop++) {
            if (of[loop] <= 1)
                continue;
            Trips reach = 0; // of the others; it stays below 2^63
            for (unsigned other = 0; other < loops; other++)
                if (other != loop && of[other] > 1 && of[other] < most && sizes[other] <= sizes[loop] && reach < most)
                    reach += (of[other] - 1) * sizes[other];
            if (of[loop] >= most || sizes[loop] >= most || reach >= sizes[loop])
                return false;
        }
        return true;
    }

private:
    static OMPC_ANYWHERE constexpr Trips magnitude(long long stride)
    {
        return stride < 0 ? 0 - static_cast<Trips>(stride) : static_cast<Trips>(stride);
    }
};

} // namespace ompc

#endif

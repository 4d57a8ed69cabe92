#include "input.ompc.h"
/* Several reductions and a lastprivate variable in one loop that goes down. */
int scan(int n, const float *v, float *low, int *last)
{
    int count = 0, at = -1;
    float least = *low;
    OMPC_OFFLOAD(ompc_launch_scan(n, v, &count, &least, &at))
    #pragma omp parallel for reduction(+:count) reduction(min:least) lastprivate(at)
    for (int i = n - 1; i >= 0; i -= 2) {
        if (v[i] < 0)
            continue;
        count++;
        at = i;
        least = v[i] < least ? v[i] : least;
    }
    *low = least;
    *last = at;
    return count;
}

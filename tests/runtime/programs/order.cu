// Guards: what must wait for what, when copies run beside kernels.
#include "ompc_rt.h"

#include "order.h"

namespace order {

__constant__ double look_up_table[TABLE];

#ifdef __NVCC__
__device__ inline void count_kernel()
{
}
#else
static int done = 0;

inline void count_kernel()
{
    done += blockIdx.x == 0 && threadIdx.x == 0;
}
#endif

__global__ void twice(const double *x, double *y, unsigned long long trips)
{
    count_kernel();
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x)
        y[t] = 2 * x[t];
}

__global__ void look_up(double *y, unsigned long long trips)
{
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x)
        y[t] = look_up_table[t % TABLE];
}

int launch_twice(ompc::Region &region, int n, const void *x, void *y)
{
    ompc::Launch launch(region);
    auto d_x = launch.array<const double>("x", x, ompc::section(0, n - 1), ompc::read, ompc::host_register);
    auto d_y = launch.array<double>("y", y, ompc::section(0, n - 1), ompc::write, ompc::host_register);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), twice, d_x.get(), d_y.get(), (unsigned long long)n);
    return launch.end();
}

} // namespace order

extern "C" int ompc_twice(int n, const void *x, void *y)
{
    static ompc::Region region("twice_10", "order.c", 10, "parallel for");
    return order::launch_twice(region, n, x, y);
}

extern "C" int ompc_twice_mapped(int n, const void *x, void *y)
{
    static ompc::Region region("twice_20", "order.c", 20, "target teams distribute parallel for");
    return order::launch_twice(region, n, x, y);
}

extern "C" int ompc_look_up(int n, const void *table, void *y)
{
    static ompc::Region region("look_up_30", "order.c", 30, "parallel for");
    ompc::Launch launch(region);
    auto d_y = launch.array<double>("y", y, ompc::section(0, n - 1), ompc::write);
    launch.constant("table", order::look_up_table, table);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), order::look_up, d_y.get(), (unsigned long long)n);
    return launch.end();
}

extern "C" int kernels_done(void)
{
#ifdef __NVCC__
    return -1;
#else
    return order::done;
#endif
}

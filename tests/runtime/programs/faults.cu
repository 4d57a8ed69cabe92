// Kernels that are wrong, for the emulator to find out; only compiled for a GPU.
#include "ompc_rt.h"

namespace faults {

__global__ void touch(double *u, long long index)
{
    u[index] += 1;
}

__global__ void touch_byte(char *u, long long index)
{
    u[index] = 1;
}

__global__ void diverge(int *x)
{
    if (threadIdx.x != 3)
        __syncthreads();
    x[threadIdx.x] = 1;
}

__global__ void short_shuffle(int *x)
{
    if (threadIdx.x != 3)
        x[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
}

__global__ void deep(int *x, int depth)
{
    int big[100000];
    for (int i = 0; i < 100000; i++)
        big[i] = *x + i;
    for (int i = 0; i < 100000; i += depth)
        *x += big[i];
}

__device__ int descend(int *x, int n)
{
    volatile int frame[64];
    frame[n % 64] = n;
    return n == 0 ? 0 : frame[n % 64] + descend(x, n - 1);
}

__global__ void recurse(int *x, int depth)
{
    *x = descend(x, depth);
}

} // namespace faults

extern "C" int ompc_touch(void *u, unsigned long bytes, long long index)
{
    static ompc::Region region("touch_41", "jacobi.c", 41, "parallel for");
    ompc::Launch launch(region);
    auto d_u = launch.array<double>("u", u, ompc::object(bytes), ompc::readwrite);
    if (!launch.begin())
        return 0;
    const ompc::Shape one{dim3(1), dim3(1)};
    OMPC_LAUNCH(launch, one, faults::touch, d_u.get(), index);
    return launch.end();
}

extern "C" int ompc_touch_byte(void *u, unsigned long bytes, long long index)
{
    static ompc::Region region("touch_42", "jacobi.c", 42, "parallel for");
    ompc::Launch launch(region);
    auto d_u = launch.array<char>("u", u, ompc::object(bytes), ompc::readwrite);
    if (!launch.begin())
        return 0;
    const ompc::Shape one{dim3(1), dim3(1)};
    OMPC_LAUNCH(launch, one, faults::touch_byte, d_u.get(), index);
    return launch.end();
}

// The address of the host's array, or of an earlier launch's, instead of the device's.
extern "C" int ompc_touch_foreign(void *u, unsigned long bytes, int earlier)
{
    static ompc::Region region("touch_43", "jacobi.c", 43, "parallel for");
    static double *before = nullptr;
    ompc::Launch launch(region);
    auto d_u = launch.array<double>("u", u, ompc::object(bytes), ompc::readwrite);
    if (!launch.begin())
        return 0;
    const ompc::Shape one{dim3(1), dim3(1)};
    OMPC_LAUNCH(launch, one, faults::touch, before != nullptr ? before : earlier != 0 ? d_u.get() : static_cast<double *>(u), 600ll);
    before = d_u.get();
    return launch.end();
}

extern "C" int ompc_stuck(int kind, void *x)
{
    static ompc::Region region("stuck_44", "jacobi.c", 44, "parallel for");
    ompc::Launch launch(region);
    auto d_x = launch.array<int>("x", x, ompc::section(0, 63), ompc::readwrite);
    if (!launch.begin())
        return 0;
    const ompc::Shape block{dim3(2), dim3(64)}, one{dim3(1), dim3(1)};
    if (kind == 0)
        OMPC_LAUNCH(launch, block, faults::diverge, d_x.get());
    else if (kind == 1)
        OMPC_LAUNCH(launch, block, faults::short_shuffle, d_x.get());
    else if (kind == 2)
        OMPC_LAUNCH(launch, one, faults::deep, d_x.get(), 1000);
    else
        OMPC_LAUNCH(launch, one, faults::recurse, d_x.get(), 10000000);
    return launch.end();
}

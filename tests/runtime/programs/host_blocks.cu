#include "ompc_rt.h"

#include "host_blocks.h"

namespace host_blocks {

__global__ void twice(double *x, unsigned long long trips)
{
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x)
        x[t] *= 2;
}

} // namespace host_blocks

extern "C" int ompc_twice(int n, void *x)
{
    static ompc::Region region("twice_10", "host_blocks.c", 10, "parallel for");
    ompc::Launch launch(region, ompc::openmpc);
    auto d_x = launch.array<double>("x", x, ompc::block(), ompc::readwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), host_blocks::twice, d_x.get(), (unsigned long long)n);
    return launch.end();
}

extern "C" int as_expected(const void *p)
{
#ifdef __NVCC__
    cudaPointerAttributes attributes;
    return cudaPointerGetAttributes(&attributes, p) == cudaSuccess && attributes.type == cudaMemoryTypeHost;
#else
    return p != nullptr;
#endif
}

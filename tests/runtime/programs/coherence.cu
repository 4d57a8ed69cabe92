#include "ompc_rt.h"

#include "coherence.h"

namespace coherence_test {

__global__ void add(const double *x, double *y, unsigned long long trips)
{
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x)
        y[t] += x[t];
}

__global__ void add_silently(double *x, double *y, unsigned long long trips)
{
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x) {
        y[t] += x[t];
        if (t == trips / 2)
            x[t]++;
    }
}

__global__ void copy_but(unsigned long long but, const double *x, double *y, unsigned long long trips)
{
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x)
        if (t != but)
            y[t] = x[t];
}

__global__ void set_bytes(unsigned long long from, unsigned long long to, unsigned char *x, unsigned long long trips)
{
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x)
        if (t < from || t >= to)
            x[t] = (unsigned char)t;
}

__global__ void set_places(unsigned long long but, Place *x, unsigned long long trips)
{
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x) {
        x[t].x = 0.5;
        x[t].kind = 'a';
        if (t / 2 != but / 2)
            x[t].weight = (int)t;
    }
}

} // namespace coherence_test

extern "C" int ompc_add_to(int n, const void *x, void *y)
{
    static ompc::Region region("add_10", "sums.c", 10, "parallel for");
    const unsigned long long trips = ompc::trips_lt(0, n, 1);
    ompc::Launch launch(region);
    auto d_x = launch.array<const double>("x", x, ompc::section(0, n - 1), ompc::read);
    auto d_y = launch.array<double>("y", y, ompc::section(0, n - 1), ompc::readwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(trips), coherence_test::add, d_x.get(), d_y.get(), trips);
    return launch.end();
}

extern "C" int ompc_add_silently(int n, void *x, void *y)
{
    static ompc::Region region("silently_20", "sums.c", 20, "parallel for");
    const unsigned long long trips = ompc::trips_lt(0, n, 1);
    ompc::Launch launch(region);
    auto d_x = launch.array<double>("x", x, ompc::section(0, n - 1), ompc::read);
    auto d_y = launch.array<double>("y", y, ompc::section(0, n - 1), ompc::readwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(trips), coherence_test::add_silently, d_x.get(), d_y.get(), trips);
    return launch.end();
}

extern "C" int ompc_copy_but(int n, int but, const void *x, void *y)
{
    static ompc::Region region("copy_but", "sums.c", 30, "parallel for");
    const unsigned long long trips = ompc::trips_lt(0, n, 1);
    ompc::Launch launch(region);
    auto d_x = launch.array<const double>("x", x, ompc::section(0, n - 1), ompc::read);
    auto d_y = launch.array<double>("y", y, ompc::section(0, n - 1), ompc::readwrite);
    d_y.overwrites(ompc::must_write<double>(0).each(trips, 1));
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(trips), coherence_test::copy_but, static_cast<unsigned long long>(but), d_x.get(), d_y.get(), trips);
    return launch.end();
}

extern "C" int ompc_set_bytes(int n, int from, int to, void *x)
{
    static ompc::Region region("set_bytes", "sums.c", 40, "parallel for");
    const unsigned long long trips = ompc::trips_lt(0, n, 1);
    ompc::Launch launch(region);
    auto d_x = launch.array<unsigned char>("x", x, ompc::section(0, n - 1), ompc::readwrite);
    d_x.overwrites(ompc::must_write<unsigned char>(0).each(trips, 1));
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(trips), coherence_test::set_bytes, static_cast<unsigned long long>(from),
                static_cast<unsigned long long>(to), d_x.get(), trips);
    return launch.end();
}

extern "C" int ompc_set_places(int n, int but, void *x)
{
    static ompc::Region region("set_places", "sums.c", 50, "parallel for");
    const unsigned long long trips = ompc::trips_lt(0, n, 1);
    ompc::Launch launch(region);
    auto d_x = launch.array<Place>("x", x, ompc::section(0, n - 1), ompc::readwrite);
    d_x.overwrites(ompc::must_write<Place>(0).each(trips, 1));
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(trips), coherence_test::set_places, static_cast<unsigned long long>(but), d_x.get(), trips);
    return launch.end();
}

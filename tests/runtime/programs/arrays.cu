#include "ompc_rt.h"

#include "arrays.h"

#define FOR(t, trips)                                                                                                   \
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;                   \
         t += (unsigned long long)gridDim.x * blockDim.x)

namespace arrays {

__constant__ double weighted_w[5];
__constant__ double alias_w[5];

__global__ void add(const double *__restrict__ x, double *__restrict__ y, unsigned long long trips)
{
    FOR(t, trips) {
        const int i = (int)t;
        y[i] += x[i];
    }
}

__global__ void move(const double *from, double *to, unsigned long long trips)
{
    FOR(t, trips)
        to[t] = from[t];
}

__global__ void middle(int lo, int *x, unsigned long long trips)
{
    FOR(t, trips)
        x[lo + (long long)t] = lo + (int)t;
}

__global__ void fill(short *x, unsigned long long trips)
{
    FOR(t, trips)
        x[t] = (short)(3 * t);
}

__global__ void weighted(double *y, unsigned long long trips)
{
    FOR(t, trips)
        y[t] = weighted_w[t % 5];
}

__global__ void constant_alias(double *w, unsigned long long trips)
{
    FOR(t, trips)
        w[t] = alias_w[4 - t];
}

__global__ void last(const double *__restrict__ x, double *x_last, int *i_last, unsigned long long trips)
{
    FOR(t, trips) {
        const double mine = x[t] * 2;
        if (t == trips - 1) {
            *x_last = mine;
            *i_last = (int)t + 1;
        }
    }
}

__global__ void table(double (*t)[7], unsigned long long trips_y, unsigned long long trips_x)
{
    for (unsigned long long y = blockIdx.y * (unsigned long long)blockDim.y + threadIdx.y; y < trips_y;
         y += (unsigned long long)gridDim.y * blockDim.y)
        for (unsigned long long x = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; x < trips_x;
             x += (unsigned long long)gridDim.x * blockDim.x)
            t[y][x] += (double)(10 * y + x);
}

__global__ void cube(int *t, unsigned long long a, unsigned long long b, unsigned long long c)
{
    for (unsigned long long z = blockIdx.z * (unsigned long long)blockDim.z + threadIdx.z; z < a;
         z += (unsigned long long)gridDim.z * blockDim.z)
        for (unsigned long long y = blockIdx.y * (unsigned long long)blockDim.y + threadIdx.y; y < b;
             y += (unsigned long long)gridDim.y * blockDim.y)
            for (unsigned long long x = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; x < c;
                 x += (unsigned long long)gridDim.x * blockDim.x)
                t[(z * b + y) * c + x] += 1;
}

__global__ void doubled(double *x, unsigned long long trips)
{
    FOR(t, trips)
        x[t] *= 2;
}

__global__ void structs(point *p, unsigned long long trips)
{
    FOR(t, trips) {
        p[t].x = (double)t;
        p[t].n += p[t].tag;
    }
}

int launch_add(ompc::Region &region, ompc::Mode mode, int n, const void *x, void *y)
{
    const unsigned long long trips = ompc::trips_lt(0, n, 1);
    if (trips == 0)
        return 1;
    ompc::Launch launch(region, mode);
    auto d_x = launch.array<const double>("x", x, ompc::block(), ompc::read).distinct();
    auto d_y = launch.array<double>("y", y, ompc::block(), ompc::readwrite).distinct();
    if (!launch.begin())
        return 0;
    const ompc::Shape shape = launch.shape(trips);
    OMPC_LAUNCH(launch, shape, add, d_x.get(), d_y.get(), trips);
    return launch.end();
}

} // namespace arrays

extern "C" int ompc_add(int n, const void *x, void *y)
{
    static ompc::Region region("add_10", "arrays.c", 10, "target parallel for");
    return arrays::launch_add(region, ompc::automatic, n, x, y);
}

extern "C" int ompc_add_openmpc(int n, const void *x, void *y)
{
    static ompc::Region region("add_20", "arrays.c", 20, "parallel for \"quoted\"");
    return arrays::launch_add(region, ompc::openmpc, n, x, y);
}

extern "C" int ompc_move(int n, const void *from, void *to)
{
    static ompc::Region region("move_30", "arrays.c", 30, "target parallel for");
    ompc::Launch launch(region);
    auto d_from = launch.array<const double>("from", from, ompc::block(), ompc::read);
    auto d_to = launch.array<double>("to", to, ompc::block(), ompc::write);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), arrays::move, d_from.get(), d_to.get(), (unsigned long long)n);
    return launch.end();
}

extern "C" int ompc_middle(int lo, int hi, void *x)
{
    static ompc::Region region("middle_40", "arrays.c", 40, "target parallel for");
    const unsigned long long trips = ompc::trips(lo, hi, 1, "<=");
    ompc::Launch launch(region);
    auto d_x = launch.array<int>("x", x, ompc::section(lo, hi), ompc::overwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(trips), arrays::middle, lo, d_x.get(), trips);
    return launch.end();
}

extern "C" int ompc_fill(int n, void *x)
{
    static ompc::Region region("fill_50", "arrays.c", 50, "parallel for");
    ompc::Launch launch(region);
    auto d_x = launch.array<short>("x", x, ompc::object((std::size_t)n * sizeof(short)), ompc::overwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), arrays::fill, d_x.get(), (unsigned long long)n);
    return launch.end();
}

extern "C" int ompc_weighted(int n, void *y, const void *w)
{
    static ompc::Region region("weighted_60", "arrays.c", 60, "parallel for");
    ompc::Launch launch(region);
    auto d_y = launch.array<double>("y", y, ompc::section(0, n - 1), ompc::overwrite);
    launch.constant("w", arrays::weighted_w, w);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), arrays::weighted, d_y.get(), (unsigned long long)n);
    return launch.end();
}

extern "C" int ompc_constant_alias(void *w)
{
    static ompc::Region region("constant_alias_70", "arrays.c", 70, "parallel for");
    ompc::Launch launch(region);
    auto d_w = launch.array<double>("out", w, ompc::section(0, 4), ompc::readwrite);
    launch.constant("w", arrays::alias_w, w);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(5), arrays::constant_alias, d_w.get(), 5ull);
    return launch.end();
}

extern "C" int ompc_last(int n, const void *x, void *x_last, void *i_last)
{
    static ompc::Region region("last_80", "arrays.c", 80, "parallel for lastprivate(x_last)");
    ompc::Launch launch(region);
    auto d_x = launch.array<const double>("x", x, ompc::section(0, n - 1), ompc::read).distinct();
    auto d_x_last = launch.array<double>("x_last", x_last, ompc::object(sizeof(double)), ompc::overwrite);
    auto d_i_last = launch.array<int>("i_last", i_last, ompc::object(sizeof(int)), ompc::overwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), arrays::last, d_x.get(), d_x_last.get(), d_i_last.get(),
                (unsigned long long)n);
    return launch.end();
}

extern "C" int ompc_table(int rows, int columns, void *t)
{
    static ompc::Region region("table_90", "arrays.c", 90, "parallel for collapse(2)");
    const unsigned long long trips_y = ompc::trips_lt(0, rows, 1), trips_x = ompc::trips_lt(0, columns, 1);
    ompc::Launch launch(region);
    auto d_t = launch.array<double[7]>("t", t, ompc::section(0, rows - 1), ompc::readwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(trips_y, trips_x), arrays::table, d_t.get(), trips_y, trips_x);
    return launch.end();
}

extern "C" int ompc_cube(int a, int b, int c, void *t)
{
    static ompc::Region region("cube_100", "arrays.c", 100, "parallel for collapse(3)");
    const unsigned long long za = (unsigned long long)a, zb = (unsigned long long)b, zc = (unsigned long long)c;
    ompc::Launch launch(region);
    auto d_t = launch.array<int>("t", t, ompc::block(), ompc::readwrite);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape(za, zb, zc), arrays::cube, d_t.get(), za, zb, zc);
    return launch.end();
}

extern "C" int ompc_pinned(long n, void *x)
{
    static ompc::Region region("pinned_110", "arrays.c", 110, "parallel for");
    ompc::Launch launch(region);
    auto d_x = launch.array<double>("x", x, ompc::block(), ompc::readwrite, ompc::host_register);
    if (!launch.begin())
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), arrays::doubled, d_x.get(), (unsigned long long)n);
    return launch.end();
}

extern "C" int ompc_nothing(int n, void *x)
{
    static ompc::Region region("nothing_120", "arrays.c", 120, "parallel for");
    ompc::Launch launch(region);
    auto d_x = launch.array<double>("x", x, ompc::section(0, n - 1), ompc::readwrite);
    auto d_null = launch.array<double>("null", nullptr, ompc::block(), ompc::write);
    if (!launch.begin())
        return 0;
    if (d_null.get() != nullptr)
        return 0;
    OMPC_LAUNCH(launch, launch.shape(1), arrays::doubled, d_x.get(), 0ull);
    return launch.end();
}

extern "C" int ompc_struct(int n, void *points)
{
    static ompc::Region region("struct_130", "arrays.c", 130, "parallel for");
    ompc::Launch launch(region);
    // The range starts in the middle of a double's alignment: the device's copy must have the same alignment.
    auto d_bytes = launch.array<char>("bytes", static_cast<char *>(points) - 3, ompc::section(0, 10), ompc::read);
    auto d_p = launch.array<point>("points", points, ompc::section(0, n - 1), ompc::readwrite);
    if (!launch.begin() || d_bytes.get() + 3 != reinterpret_cast<char *>(d_p.get()))
        return 0;
    OMPC_LAUNCH(launch, launch.shape((unsigned long long)n), arrays::structs, d_p.get(), (unsigned long long)n);
    return launch.end();
}

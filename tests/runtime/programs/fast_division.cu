// Guards: quotients and roots that are done quickly have the host's bits, or are noticed; 1 / sqrt(x) in one operation.
#include "fast_division.h"

#include "ompc_rt.h"

namespace {

template <class T>
__global__ void roots(roots_of<T> *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    const T a = x[i].x, b = x[(i * 7 + 3) % n].x;
    ompc::Fast one, two, three, four;
    x[i].rsqrt = ompc::rsqrt(a);
    x[i].quick_rsqrt = one.rsqrt(a);
    x[i].sqrt = two.sqrt(a);
    x[i].reciprocal = three.reciprocal(a);
    x[i].quotient = four.divide(b, a);
    x[i].unusual = one.unusual() + 2 * two.unusual() + 4 * three.unusual() + 8 * four.unusual();
}

template <class T>
int launch_roots(roots_of<T> *x, int n)
{
    static ompc::Region region("fast_division", "fast_division.c", 1, "parallel for");
    ompc::Launch launch(region);
    auto all = launch.array<roots_of<T>>("x", x, ompc::object(n * sizeof *x), ompc::readwrite);
    if (!launch.begin())
        return 0;
    const ompc::Shape shape{dim3((n + 255) / 256), dim3(256)};
    OMPC_LAUNCH(launch, shape, roots<T>, all.get(), n);
    return launch.end();
}

} // namespace

extern "C" int ompc_float_roots(struct float_roots *x, int n) { return launch_roots(reinterpret_cast<roots_of<float> *>(x), n); }
extern "C" int ompc_double_roots(struct double_roots *x, int n) { return launch_roots(reinterpret_cast<roots_of<double> *>(x), n); }

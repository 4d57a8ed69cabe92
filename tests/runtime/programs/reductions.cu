#include "ompc_rt.h"

#define _Bool bool
#include "reductions.h"

namespace reductions {

template <class Op, class T>
__global__ void reduce_array(const T *__restrict__ x, unsigned long long trips, ompc::Reduction<Op, T> result)
{
    T mine = Op::template identity<T>();
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned long long all = (unsigned long long)threads * gridDim.x * gridDim.y * gridDim.z;
    for (unsigned long long t = block * (unsigned long long)threads + rank; t < trips; t += all)
        mine = Op::apply(mine, x[t]);
    ompc::reduce(mine, result);
}

ompc::Shape shape_number(ompc::Launch &launch, int number, unsigned long long trips)
{
    switch (number) {
    case 0:
        return launch.shape(trips);
    case 1:
        return {dim3(1), dim3(1)};
    case 2:
        return {dim3(3), dim3(33)};
    case 3:
        return {dim3(2, 3), dim3(7, 5)};
    case 4:
        return {dim3(2, 1, 2), dim3(4, 3, 9)};
    case 5:
        return {dim3(5), dim3(1024)};
    default:
        return launch.shape(3, 5, trips);
    }
}

template <class Op, class T>
int launch_reduction(int number, long long n, const void *x, void *result)
{
    static ompc::Region region("reduce_array", "reductions.c", 1, "parallel for reduction");
    ompc::Launch launch(region);
    auto d_x = launch.array<const T>("x", x, ompc::section(0, n - 1), ompc::read).distinct();
    auto d_result = launch.reduction<Op, T>("result", result);
    if (!launch.begin())
        return 0;
    const unsigned long long trips = (unsigned long long)n;
    const ompc::Shape shape = shape_number(launch, number, trips);
    OMPC_LAUNCH(launch, shape, (reduce_array<Op, T>), d_x.get(), trips, d_result.get());
    return launch.end();
}

template <class Op>
int launch_type(int type, int shape, long long n, const void *x, void *result)
{
    switch (type) {
#define ONE(number, T) \
    case number:       \
        return launch_reduction<Op, T>(shape, n, x, result);
        INTEGERS(ONE)
#undef ONE
    }
    return 0;
}

template <class Op>
int launch_any_type(int type, int shape, long long n, const void *x, void *result)
{
    if (type < FIRST_FLOAT)
        return launch_type<Op>(type, shape, n, x, result);
    return type == 12 ? launch_reduction<Op, float>(shape, n, x, result) : launch_reduction<Op, double>(shape, n, x, result);
}

__global__ void two(const double *__restrict__ x, unsigned long long trips, ompc::Reduction<ompc::Sum, double> sum_result,
                    ompc::Reduction<ompc::Max, double> largest_result, ompc::Reduction<ompc::Sum, double> total_result)
{
    double sum = 0.0, largest = ompc::Max::identity<double>(), total = 0.0;
    for (unsigned long long t = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; t < trips;
         t += (unsigned long long)gridDim.x * blockDim.x) {
        sum += x[t];
        largest = x[t] > largest ? x[t] : largest;
        total += 2 * x[t];
    }
    ompc::reduce(sum, sum_result);
    ompc::reduce(largest, largest_result);
    ompc::reduce(total, total_result);
}

} // namespace reductions

extern "C" int ompc_reduce_array(int op, int type, int shape, long long n, const void *x, void *result)
{
    switch (op) {
#define ONE(number, Op)                                                                                     \
    case number:                                                                                            \
        if constexpr (number < BIT_OPS)                                                                     \
            return reductions::launch_any_type<ompc::Op>(type, shape, n, x, result);                        \
        else                                                                                                \
            return reductions::launch_type<ompc::Op>(type, shape, n, x, result);
        OPERATORS(ONE)
#undef ONE
    }
    return 0;
}

extern "C" int ompc_two_reductions(long long n, const void *x, void *sum, void *largest, void *total)
{
    static ompc::Region region("two", "reductions.c", 2, "parallel for reduction(+:sum,total) reduction(max:largest)");
    ompc::Launch launch(region, ompc::openmpc);
    auto d_x = launch.array<const double>("x", x, ompc::section(0, n - 1), ompc::read).distinct();
    auto d_sum = launch.reduction<ompc::Sum, double>("sum", sum);
    auto d_largest = launch.reduction<ompc::Max, double>("largest", largest);
    auto d_total = launch.reduction<ompc::Sum, double>("total", total);
    if (!launch.begin())
        return 0;
    const unsigned long long trips = (unsigned long long)n;
    const ompc::Shape shape = launch.shape(trips);
    OMPC_LAUNCH(launch, shape, reductions::two, d_x.get(), trips, d_sum.get(), d_largest.get(), d_total.get());
    return launch.end();
}

// Guards: barriers, shuffles and shared memory under permuted lanes; atomics of every width and type.
#include "ompc_rt.h"

namespace device_tests {

// Each block reverses its 96 elements through shared memory.
__global__ void reverse(int *x)
{
    __shared__ int tile[96];
    const unsigned i = threadIdx.x, base = blockIdx.x * 96;
    tile[i] = x[base + i];
    __syncthreads();
    x[base + i] = tile[95 - i];
}

// Several barriers and shuffles in a row, in blocks whose last warp is not full.
__global__ void mix(int *x)
{
    const unsigned i = threadIdx.x, lanes = i / 32 == 1 ? 8 : 32, mask = lanes == 32 ? 0xffffffffu : 0xffu;
    int value = (int)i;
    for (int round = 0; round < 3; round++) {
        value = __shfl_xor_sync(mask, value, 1);
        __syncthreads();
    }
    value += 1000 * __shfl_sync(mask, (int)i, 5) + 1000000 * (int)__ballot_sync(mask, i % 4 == 0 && i < 8);
    x[i] = value;
}

struct Cells {
    unsigned char u8[5];
    signed char s8;
    short s16[3];
    bool flag;
    int s32, low, high;
    unsigned u32, bits;
    long s64;
    unsigned long long u64;
    float f32;
    double f64, product;
};

__global__ void atomics(Cells *c, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    ompc::atomic_add(&c->u8[i % 5], 1);
    ompc::atomic_sub(&c->s8, 1);
    ompc::atomic_add(&c->s16[i % 3], 3);
    ompc::atomic_or(&c->flag, true);
    ompc::atomic_add(&c->s32, -2);
    ompc::atomic_min(&c->low, 100 - i);
    ompc::atomic_max(&c->high, i);
    ompc::atomic_xor(&c->u32, 1u << i % 32);
    ompc::atomic_and(&c->bits, ~(1u << i % 7));
    ompc::atomic_add(&c->s64, 1L << 33);
    ompc::atomic_sub(&c->u64, 1);
    ompc::atomic_add(&c->f32, 0.25); // a double: added as one
    ompc::atomic_add(&c->f64, 0.5f);
    if (i < 10)
        ompc::atomic_mul(&c->product, 2);
}

__global__ void exchange(int *x)
{
    x[1] = ompc::atomic_exchange(&x[0], 7);
    x[2] = ompc::atomic_update(&x[0], [](int old) { return old * 6; });
    x[3] = ompc::atomic_read(&x[0]);
    x[4] = (int)ompc::mul(1.5, 4.0f) + (int)ompc::mul(2.5f, 2.0f) + ompc::mul(3, 4);
}

} // namespace device_tests

extern "C" int ompc_device_test(const char *name, void *data, unsigned long bytes)
{
    static ompc::Region region("device", "device.c", 1, "parallel for");
    ompc::Launch launch(region);
    auto cells = launch.array<device_tests::Cells>("cells", data, ompc::object(bytes), ompc::readwrite);
    auto x = launch.array<int>("x", data, ompc::object(bytes), ompc::readwrite);
    if (!launch.begin())
        return 0;
    const ompc::Shape reversing{dim3(7), dim3(96)}, mixing{dim3(1), dim3(40)}, many{dim3(10), dim3(64)}, one{dim3(1), dim3(1)};
    if (name[0] == 'r')
        OMPC_LAUNCH(launch, reversing, device_tests::reverse, x.get());
    else if (name[0] == 'm')
        OMPC_LAUNCH(launch, mixing, device_tests::mix, x.get());
    else if (name[0] == 'a')
        OMPC_LAUNCH(launch, many, device_tests::atomics, cells.get(), 600);
    else
        OMPC_LAUNCH(launch, one, device_tests::exchange, x.get());
    return launch.end();
}

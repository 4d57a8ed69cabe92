// programs/nbody.c by hand: bodies go through shared memory by tiles; SLICES threads share the work of one body, so that the
// device is full, and add up at the end.

#include "device.cuh"
#include "program.h"

constexpr int BODIES = 64, SLICES = 4, THREADS = BODIES * SLICES;

__device__ float3 pulled(float3 sum, float4 me, float4 other)
{
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), pull = other.w * inverse * inverse * inverse;

    return make_float3(sum.x + pull * dx, sum.y + pull * dy, sum.z + pull * dz);
}

__global__ void __launch_bounds__(THREADS) attract(float *__restrict__ ax, float *__restrict__ ay, float *__restrict__ az,
                                                   const float4 *__restrict__ bodies, int n)
{
    __shared__ float4 tile[THREADS];
    __shared__ float3 found[SLICES][BODIES];
    const int mine = threadIdx.x % BODIES, slice = threadIdx.x / BODIES, i = blockIdx.x * BODIES + mine;
    const float4 nothing = make_float4(0.0f, 0.0f, 0.0f, 0.0f), me = i < n ? bodies[i] : nothing;
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);

    for (int base = 0; base < n; base += THREADS) {
        const int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : nothing; // without a mass
        __syncthreads();
#pragma unroll 16
        for (int k = 0; k < BODIES; k++)
            sum = pulled(sum, me, tile[slice * BODIES + k]);
        __syncthreads();
    }
    found[slice][mine] = sum;
    __syncthreads();
    if (slice != 0 || i >= n)
        return;
    for (int s = 1; s < SLICES; s++) {
        const float3 more = found[s][mine];
        sum = make_float3(sum.x + more.x, sum.y + more.y, sum.z + more.z);
    }
    ax[i] = sum.x;
    ay[i] = sum.y;
    az[i] = sum.z;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"BODIES", 64, 1, 1000000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "nbody", size, 2);
    const int n = size[0].value;
    float4 *const bodies = pageable<float4>(n);
    float *const ax = pageable<float>(n), *const ay = pageable<float>(n), *const az = pageable<float>(n);
    double squares = 0.0;
    fill_floats(reinterpret_cast<float *>(bodies), 4 * static_cast<std::size_t>(n), 1);
    start_device();

    const double start = now();
    float4 *const from = on_device<float4>(n);
    float *const dx = on_device<float>(n), *const dy = on_device<float>(n), *const dz = on_device<float>(n);
    to_device(from, bodies, n);
    Repetitions repetitions;
    for (int k = 0; k < size[1].value; k++)
        repetitions.run([&] { attract<<<(n + BODIES - 1) / BODIES, THREADS>>>(dx, dy, dz, from, n); });
    to_host(ax, dx, n);
    to_host(ay, dy, n);
    to_host(az, dz, n);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    for (int i = 0; i < n; i++)
        squares += (i % 97 + 1) * (static_cast<double>(ax[i]) * ax[i] + static_cast<double>(ay[i]) * ay[i] + static_cast<double>(az[i]) * az[i]);
    std::printf("nbody %d\n", n);
    std::printf("squares %.6e\n", squares);
    report(seconds);
    repetitions.report();
    return 0;
}

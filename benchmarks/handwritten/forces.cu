// programs/forces.c by hand: some lanes of a warp for each particle, so that the list is read by neighbouring accesses. How many
// is tried out before the clock starts. With -DNEWTON: each pair once, its second force added atomically.

#include "device.cuh"
#include "program.h"
#include "cells.h"

#ifdef NEWTON
constexpr bool newton = true;
#else
constexpr bool newton = false;
#endif
constexpr int THREADS = 256, TRIALS = 3;

__device__ double3 place_of(const vector *__restrict__ place, int i)
{
    const double2 *const halves = reinterpret_cast<const double2 *>(place + i);
    const double2 xy = halves[0];

    return make_double3(xy.x, xy.y, halves[1].x);
}

__device__ void add(vector *momentum, double x, double y, double z)
{
    if (newton) {
        atomicAdd(&momentum->x, x);
        atomicAdd(&momentum->y, y);
        atomicAdd(&momentum->z, z);
    } else {
        momentum->x += x;
        momentum->y += y;
        momentum->z += z;
    }
}

template <int LANES>
__global__ void __launch_bounds__(THREADS) push(vector *__restrict__ momentum, const vector *__restrict__ place,
                                                const int *__restrict__ first, const int *__restrict__ neighbour, int count, double step)
{
    const int i = (blockIdx.x * THREADS + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    const double3 me = i < count ? place_of(place, i) : make_double3(0.0, 0.0, 0.0);
    const int end = i < count ? first[i + 1] : 0;
    double sx = 0.0, sy = 0.0, sz = 0.0;

    for (int k = i < count ? first[i] + lane : 0; k < end; k += LANES) {
        const int j = neighbour[k];
        const double3 other = place_of(place, j);
        const double dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z, r2 = dx * dx + dy * dy + dz * dz;
        if (r2 > CUTOFF * CUTOFF)
            continue;
        const double r6 = r2 * r2 * r2, force = (24.0 * r6 - 48.0) / (r6 * r6 * r2) * step;
        sx += force * dx;
        sy += force * dy;
        sz += force * dz;
        if (newton)
            add(&momentum[j], -force * dx, -force * dy, -force * dz);
    }
#pragma unroll
    for (int lanes = LANES / 2; lanes > 0; lanes /= 2) {
        sx += __shfl_down_sync(0xffffffffu, sx, lanes, LANES);
        sy += __shfl_down_sync(0xffffffffu, sy, lanes, LANES);
        sz += __shfl_down_sync(0xffffffffu, sz, lanes, LANES);
    }
    if (lane == 0 && i < count)
        add(&momentum[i], sx, sy, sz);
}

// Everything on the device.
struct Problem {
    vector *momentum, *place;
    int *first, *neighbour;
    int count;

    Problem(const particles &all, const neighbours &near)
        : momentum(on_device<vector>(all.count)), place(on_device<vector>(all.count)), first(on_device<int>(all.count + 1)),
          neighbour(on_device<int>(near.first[all.count])), count(all.count)
    {
        CHECK(cudaMemsetAsync(momentum, 0, count * sizeof *momentum));
        to_device(place, all.place, count);
        to_device(first, near.first, count + 1);
        to_device(neighbour, near.neighbour, near.first[count]);
    }

    template <int LANES> void launch() const
    {
        push<LANES><<<(count * LANES + THREADS - 1) / THREADS, THREADS>>>(momentum, place, first, neighbour, count, 0.001);
    }

    void push_by(int lanes) const
    {
        switch (lanes) {
        case 1: return launch<1>();
        case 2: return launch<2>();
        case 4: return launch<4>();
        case 8: return launch<8>();
        case 16: return launch<16>();
        default: return launch<32>();
        }
    }
};

static int best_lanes(const Problem &problem)
{
    double least = 1e9;
    int best = 1;

    for (int lanes = 1; lanes <= 32; lanes *= 2)
        for (int k = 0; k < TRIALS; k++) {
            const double taken = Repetitions().run([&] { problem.push_by(lanes); });
            if (taken < least) {
                least = taken;
                best = lanes;
            }
        }
    return best;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIDE", 8, 1, 128}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "forces", size, 2);
    const int side = size[0].value;
    const particles all = new_particles(side);
    const neighbours near = new_neighbours(&all, side, newton);
    const int count = all.count, entries = near.first[count];
    vector *const momentum = pageable<vector>(count);
    double squares = 0.0;
    start_device();
    const int lanes = best_lanes(Problem(all, near));
    moved() = Moved{};

    const double start = now();
    page_lock(all.place, count * sizeof *all.place);
    page_lock(near.neighbour, entries * sizeof *near.neighbour);
    page_lock(momentum, count * sizeof *momentum);
    const Problem problem(all, near);
    Repetitions repetitions;
    for (int k = 0; k < size[1].value; k++)
        repetitions.run([&] { problem.push_by(lanes); });
    to_host(momentum, problem.momentum, count);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    for (int i = 0; i < count; i++)
        squares += (i % 97 + 1) * (momentum[i].x * momentum[i].x + momentum[i].y * momentum[i].y + momentum[i].z * momentum[i].z);
    std::printf("forces %d entries %d\n", count, entries);
    std::printf("squares %.9e\n", squares);
    std::fprintf(stderr, "lanes %d\n", lanes);
    report(seconds);
    repetitions.report();
    return 0;
}

// programs/boids.c by hand: a thread for each agent. Cells along x are neighbours in memory, so three of them are one stretch;
// with -DALIGNED each of the nine cells is visited by itself, in the order in which the lanes of a warp agree.

#include "device.cuh"
#include "program.h"
#include "cells.h"

#ifdef ALIGNED
constexpr bool aligned = true;
#else
constexpr bool aligned = false;
#endif
constexpr int THREADS = 128;

__device__ int cell_of(float coordinate, int cells)
{
    return min(max(static_cast<int>(coordinate), 0), cells - 1);
}

// What an agent has seen of the others.
struct Seen {
    float near, mx, my, mvx, mvy, ax, ay;

    __device__ void look(const float4 *__restrict__ now, float4 me, int i, int begin, int end)
    {
#pragma unroll 2
        for (int j = begin; j < end; j++) {
            const float4 other = now[j];
            const float dx = other.x - me.x, dy = other.y - me.y;
            const float square = __fadd_rn(__fmul_rn(dx, dx), __fmul_rn(dy, dy)); // as on the host
            if (square < 1.0f && j != i) {
                const float away = __fdividef(1.0f, square + 0.01f);
                near += 1.0f;
                mx += dx;
                my += dy;
                mvx += other.z;
                mvy += other.w;
                ax -= away * dx;
                ay -= away * dy;
            }
        }
    }
};

__device__ void look_by_lines(Seen &seen, const float4 *__restrict__ now, const int *__restrict__ first, float4 me, int i, int x, int y,
                              int cells)
{
    for (int line = max(y - 1, 0); line <= min(y + 1, cells - 1); line++)
        seen.look(now, me, i, first[line * cells + max(x - 1, 0)], first[line * cells + min(x + 1, cells - 1) + 1]);
}

__device__ void look_by_cells(Seen &seen, const float4 *__restrict__ now, const int *__restrict__ first, float4 me, int i, int x, int y,
                              int cells)
{
    const int left = x - 1, low = y - 1, column = (x + 2) % 3, line = (y + 2) % 3; // of the left lower cell, modulo 3

    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++) {
            const int cx = left + kx - column + (kx < column ? 3 : 0), cy = low + ky - line + (ky < line ? 3 : 0);
            if (cx >= 0 && cx < cells && cy >= 0 && cy < cells)
                seen.look(now, me, i, first[cy * cells + cx], first[cy * cells + cx + 1]);
        }
}

__global__ void __launch_bounds__(THREADS) steer(float4 *__restrict__ next, const float4 *__restrict__ now, const int *__restrict__ first,
                                                 int count, int cells)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const float4 me = now[i];
    const int x = cell_of(me.x, cells), y = cell_of(me.y, cells);
    Seen seen = {};

    if (aligned)
        look_by_cells(seen, now, first, me, i, x, y, cells);
    else
        look_by_lines(seen, now, first, me, i, x, y, cells);
    const float share = seen.near > 0.0f ? 1.0f / seen.near : 0.0f;
    next[i] = make_float4(me.x, me.y, 0.9f * me.z + share * (0.05f * seen.mx + 0.1f * seen.mvx + 0.01f * seen.ax),
                          0.9f * me.w + share * (0.05f * seen.my + 0.1f * seen.mvy + 0.01f * seen.ay));
}

int main(int argc, char **argv)
{
    parameter size[] = {{"AGENTS", 1000, 1, 10000000}, {"PER_CELL", 16, 1, 1000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "boids", size, 3);
    const flock all = new_flock(size[0].value, size[1].value);
    const int count = all.count, cells = all.cells, firsts = cells * cells + 1;
    agent *const next = pageable<agent>(count);
    double squares = 0.0;
    start_device();

    const double start = now();
    agent *const before = on_device<agent>(count), *const after = on_device<agent>(count);
    int *const first = on_device<int>(firsts);
    page_lock(all.agents, count * sizeof *all.agents);
    page_lock(next, count * sizeof *next);
    to_device(before, all.agents, count);
    to_device(first, all.first, firsts);
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++)
        repetitions.run([&] {
            steer<<<(count + THREADS - 1) / THREADS, THREADS>>>(reinterpret_cast<float4 *>(after), reinterpret_cast<float4 *>(before), first,
                                                                count, cells);
        });
    to_host(next, after, count);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    for (int i = 0; i < count; i++)
        squares += (i % 97 + 1) * (static_cast<double>(next[i].vx) * next[i].vx + static_cast<double>(next[i].vy) * next[i].vy);
    std::printf("boids %d in %d x %d cells\n", count, cells, cells);
    std::printf("squares %.6e\n", squares);
    report(seconds);
    repetitions.report();
    return 0;
}

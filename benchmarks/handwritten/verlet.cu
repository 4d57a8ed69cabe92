// programs/verlet.c by hand: a warp for each particle, whose lanes try candidates that are neighbours in memory; those that are
// near enough are appended together, in their order, so that the row of the list is written in one access.

#include "device.cuh"
#include "program.h"
#include "cells.h"

constexpr int THREADS = 256, WARPS = THREADS / 32, MOST = 160;
constexpr unsigned ALL = 0xffffffffu;

__device__ int cell_of(double coordinate, double width, int cells)
{
    const int cell = static_cast<int>(coordinate / width * cells);

    return min(max(cell, 0), cells - 1);
}

__global__ void __launch_bounds__(THREADS) list_neighbours(int *__restrict__ number, int *__restrict__ list,
                                                           const vector *__restrict__ place, const int *__restrict__ first, int count,
                                                           int cells, int side)
{
    const int i = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (i >= count)
        return;
    const double px = place[i].x, py = place[i].y, pz = place[i].z;
    const int x = cell_of(px, side, cells), y = cell_of(py, side, cells), z = cell_of(pz, side, cells);
    const int left = max(x - 1, 0), right = min(x + 1, cells - 1);
    int *const row = list + static_cast<std::size_t>(i) * MOST;
    int found = 0;

    for (int cz = max(z - 1, 0); cz <= min(z + 1, cells - 1); cz++)
        for (int cy = max(y - 1, 0); cy <= min(y + 1, cells - 1); cy++) {
            const int line = (cz * cells + cy) * cells, end = first[line + right + 1];
            for (int base = first[line + left]; base < end; base += 32) {
                const int j = base + lane;
                bool near = false;
                if (j < end && j != i) {
                    // Rounded as on the host: a last bit would be another list.
                    const double dx = place[j].x - px, dy = place[j].y - py, dz = place[j].z - pz;
                    near = __dadd_rn(__dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy)), __dmul_rn(dz, dz)) < REACH * REACH;
                }
                const unsigned those = __ballot_sync(ALL, near);
                const int at = found + __popc(those & ((1u << lane) - 1));
                if (near && at < MOST)
                    row[at] = j;
                found += __popc(those);
            }
        }
    if (lane == 0)
        number[i] = min(found, MOST);
}

int main(int argc, char **argv)
{
    parameter size[] = {{"SIDE", 8, 1, 128}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "verlet", size, 2);
    const int side = size[0].value;
    const particles all = new_particles(side);
    const int count = all.count, cells = all.cells, firsts = cells * cells * cells + 1;
    const std::size_t entries = static_cast<std::size_t>(count) * MOST;
    int *const number = pageable<int>(count), *const list = pageable<int>(entries);
    long total = 0;
    unsigned long checksum = 0;
    start_device();

    const double start = now();
    vector *const place = on_device<vector>(count);
    int *const first = on_device<int>(firsts), *const numbers = on_device<int>(count), *const lists = on_device<int>(entries);
    page_lock(all.place, count * sizeof *all.place);
    page_lock(list, entries * sizeof *list);
    to_device(place, all.place, count);
    to_device(first, all.first, firsts);
    Repetitions repetitions;
    for (int k = 0; k < size[1].value; k++)
        repetitions.run(
            [&] { list_neighbours<<<(count + WARPS - 1) / WARPS, THREADS>>>(numbers, lists, place, first, count, cells, side); });
    to_host(number, numbers, count);
    to_host(list, lists, entries);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    for (int i = 0; i < count; i++)
        for (int k = 0; k < number[i]; k++) {
            total++;
            checksum += static_cast<unsigned long>(i % 97 + 1) * (k + 1) * (list[static_cast<std::size_t>(i) * MOST + k] + 1);
        }
    std::printf("verlet %d entries %ld\n", count, total);
    std::printf("checksum %lu\n", checksum);
    report(seconds);
    repetitions.report();
    return 0;
}

// ompc_tiles.h: kernels whose blocks compute a tile of the points of a nest, and stage what its threads share.
//
// A block has 16 x 16 threads, each of which computes several points along both axes: `points` along y, and as many or
// fewer along x. All points of a block go through the inner loop together, some iterations at a time: those parts of the
// arrays that they read then are copied into shared memory, the next ones while these are worked on.
//
//     ompc::stage_down<rows, false>(a_tile[next], last_d, last_i, [&](int d, int p) { ...; return &a[i][k]; });
//     ompc::staged();                                     all copies of the block have arrived; a barrier
//     ompc::place<points, 4>(threadIdx.y, n)              which point of the tile the n-th one of a thread is
//
// Kernels of which neighbouring rows share what they read have several rows a thread, as long as there is work for all.
//
// OMPC_TILES=8 (or 4, 2, 1) makes every tile that of so many points a thread along y, OMPC_TILES=0 makes none.

#ifndef OMPC_TILES_H
#define OMPC_TILES_H

#include "ompc_cuda.h"
#include "ompc_tiling.h"
#include "ompc_unroll.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __CUDACC__
#include <cuda_pipeline.h>
#endif

namespace ompc {

__device__ __forceinline__ int tile_thread()
{
    return static_cast<int>(threadIdx.y) * tile_side + static_cast<int>(threadIdx.x);
}

__device__ __forceinline__ int lesser(int a, int b)
{
    return a < b ? a : b;
}

// How many there are from `first` on, at most `most`.
__device__ __forceinline__ int left_of(std::size_t all, std::size_t first, int most)
{
    return all - first < static_cast<std::size_t>(most) ? static_cast<int>(all - first) : most;
}

// The place in the tile of the n-th of a thread's `points`. They come in batches of neighbours, which are read from shared
// memory at once, and the groups of neighbouring threads are neighbours.
template <int points, int group>
__device__ __forceinline__ constexpr int place(int thread, int n)
{
    constexpr int together = group < points ? group : points;
    return n / together * (tile_side * together) + thread * together + n % together;
}

// Copies an element into shared memory; it is there after staged(). Integers of one and two bytes are converted to `int`.
template <class T, class Element>
__device__ __forceinline__ void stage(T *to, const Element *from)
{
#ifdef __CUDACC__
    if constexpr (std::is_same_v<T, Element> && (sizeof(T) == 4 || sizeof(T) == 8))
        __pipeline_memcpy_async(to, from, sizeof(T));
    else
#endif
        *to = *from;
}

// 16 bytes of shared memory, aligned, as is what they are copied or converted from.
template <class T, class Element>
__device__ __forceinline__ void stage_vector(T *to, const Element *from)
{
#ifndef __CUDACC__
    if (reinterpret_cast<std::uintptr_t>(from) % (16 / sizeof(T) * sizeof(Element)) != 0)
        __builtin_trap(); // a GPU would end the launch
#endif
    if constexpr (std::is_same_v<T, Element>) {
#ifdef __CUDACC__
        __pipeline_memcpy_async(to, from, 16);
#else
        std::memcpy(to, from, 16);
#endif
    } else {
        constexpr int count = 16 / static_cast<int>(sizeof(T));
        struct alignas(count * sizeof(Element)) Elements {
            Element at[count];
        };
        Elements elements;
        memcpy(&elements, __builtin_assume_aligned(from, sizeof elements), sizeof elements);
        OMPC_UNROLL
        for (int n = 0; n < count; n++)
            to[n] = elements.at[n];
    }
}

__device__ __forceinline__ void staged()
{
#ifdef __CUDACC__
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
}

// `value`, of which the compiler knows nothing: what is computed from it is computed where it is used, instead of before a
// loop, and takes no registers from the loop meanwhile.
__device__ __forceinline__ int recomputed(int value)
{
#ifdef __CUDACC__
    asm volatile("" : "+r"(value));
#endif
    return value;
}

// Point p of a tile's line, if it has the k-th iteration, else the end of the line that has it; `all` have it.
template <bool all, class Within>
__device__ __forceinline__ int nearest(const Within &within, std::size_t first, int p, int last, std::size_t k)
{
    if constexpr (all)
        return p;
    else
        return within(first + p, k) ? p : within(first, k) ? 0 : last;
}

constexpr int tile_vector = 16; // bytes that a thread reads of shared memory at once

// Half of the block's warps stage the next iterations before they work on these, the others when half of these are done: so
// every scheduler of the multiprocessor, which has every fourth warp, has one that computes.
__device__ __forceinline__ bool stages_later()
{
    return tile_thread() >= tile_threads / 2;
}

// The places of a tile that have something to be staged: all up to `last`, or, where only some points exist, those that `Lines`
// (ompc_tiling.h) have. Any other place gets the nearest one's elements.
__device__ __forceinline__ int nearest(int last, int p)
{
    return lesser(p, last);
}
__device__ __forceinline__ int nearest(const Lines &lines, int p)
{
    return p < lines.first ? lines.first : lesser(p, lines.last);
}

template <bool whole>
__device__ __forceinline__ int place_staged(int last, int p)
{
    return whole ? p : lesser(p, last);
}
template <bool whole>
__device__ __forceinline__ int place_staged(const Lines &lines, int p)
{
    return nearest(lines, p);
}

// Are the `count` places from `p` on among them?
template <bool whole>
__device__ __forceinline__ bool has_places(int last, int p, int count)
{
    return whole || p + count <= last + 1;
}
template <bool whole>
__device__ __forceinline__ bool has_places(const Lines &lines, int p, int count)
{
    return lines.first <= p && p + count <= lines.last + 1;
}

__device__ __forceinline__ bool is_full(int last, int width)
{
    return last == width - 1;
}
__device__ __forceinline__ bool is_full(const Lines &lines, int width)
{
    return lines.end == width - 1;
}

// Stages a tile of that width, by all threads of the block: the element at address(d, p) for the iteration d of those staged
// and the point p, of which there are `last_d` + 1 and `last_p` + 1, or those of Lines. Places beyond get the last ones' elements.
// Neighbouring threads stage one point in neighbouring iterations (down) or neighbouring points (across).
//
// The result: may the thread stage the next iterations as `whole`, if there are as many as the tile has? That asks nothing:
// there are all points, and where it copies 16 bytes at once, they were aligned. They still are, as the subscript is a
// polynomial: its values in iterations whose distance is a multiple of the vector's length differ by another one.
template <int width, bool whole, class T, int depth, int length, class Places, class Address>
__device__ __forceinline__ bool stage_down(T (&tile)[depth][length], int last_d, const Places &last_p, Address address)
{
    constexpr int step = tile_threads / depth;
    const int d = tile_thread() % depth, first = recomputed(tile_thread() / depth);
    OMPC_UNROLL
    for (int n = 0; n < width; n += step)
        if (step <= width || first < width) {
            const int p = first + n;
            stage(&tile[d][p], address(whole ? d : lesser(d, last_d), place_staged<whole>(last_p, p)));
        }
    return is_full(last_p, width);
}

template <int width, bool whole, class T, int depth, int length, class Places, class Address>
__device__ __forceinline__ bool stage_across(T (&tile)[depth][length], int last_d, const Places &last_p, Address address)
{
    constexpr int step = tile_threads / width;
    const int p = recomputed(tile_thread() % width), first = tile_thread() / width;
    OMPC_UNROLL
    for (int n = 0; n < depth; n += step)
        if (step <= depth || first < depth) {
            const int d = first + n;
            stage(&tile[d][p], address(whole ? d : lesser(d, last_d), place_staged<whole>(last_p, p)));
        }
    return is_full(last_p, width);
}

// May stage_vector read `count` elements from there on?
template <int count, class Element>
__device__ __forceinline__ bool is_aligned(const Element *from)
{
    return reinterpret_cast<std::uintptr_t>(from) % (count * sizeof(Element)) == 0;
}

// The same where neighbouring points have neighbouring elements, `certainly` or probably: 16 bytes at once where they have, and
// are aligned. `partly`: unless `whole`, another point's element may stand for one that a point does not have.
template <int width, bool whole, bool certainly, bool partly, class T, int depth, int length, class Places, class Address>
__device__ __forceinline__ bool stage_rows_of(T (&tile)[depth][length], int last_d, const Places &last_p, Address address)
{
    constexpr int vector = tile_vector / static_cast<int>(sizeof(T)), threads = width / vector, step = tile_threads / threads;
    const int p = recomputed(tile_thread() % threads * vector), first = tile_thread() / threads;
    const bool exist = has_places<whole>(last_p, p, vector);
    bool aligned = certainly;
    if (whole && exist) {
        OMPC_UNROLL
        for (int n = 0; n < depth; n += step)
            if (step <= depth || first < depth)
                stage_vector(&tile[first + n][p], address(first + n, p));
    } else {
        OMPC_NO_UNROLL
        for (int n = first; n < depth; n += step) {
            const int d = lesser(n, last_d);
            const auto *const from = address(d, nearest(last_p, p));
            const bool neighbours = (certainly && !partly) || address(d, nearest(last_p, p + vector - 1)) == from + (vector - 1);
            if (neighbours && exist && is_aligned<vector>(from))
                stage_vector(&tile[n][p], from);
            else {
                aligned = aligned && !exist; // what does not exist is never staged as a vector
                OMPC_UNROLL
                for (int v = 0; v < vector; v++)
                    stage(&tile[n][p + v], address(d, nearest(last_p, p + v)));
            }
        }
    }
    return aligned && last_d == depth - 1 && is_full(last_p, width);
}

template <int width, bool whole, class T, int depth, int length, class Places, class Address>
__device__ __forceinline__ bool stage_rows(T (&tile)[depth][length], int last_d, const Places &last_p, Address address)
{
    return stage_rows_of<width, whole, false, false>(tile, last_d, last_p, address);
}

template <int width, bool whole, bool partly = false, class T, int depth, int length, class Places, class Address>
__device__ __forceinline__ bool stage_vectors(T (&tile)[depth][length], int last_d, const Places &last_p, Address address)
{
    return stage_rows_of<width, whole, true, partly>(tile, last_d, last_p, address);
}

} // namespace ompc

#endif

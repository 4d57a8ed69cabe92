// programs/product.c by hand: a block has a tile of 128 x 128 of C, a thread 8 x 8 elements of it in registers. Slices of A
// and B go through shared memory, by accesses of 16 bytes; while one is multiplied the next is under way in registers.
// With -DREAL=double: in doubles. With -DCUBLAS: cuBLAS.

#include "cublas.cuh"
#include "device.cuh"
#include "program.h"

#ifndef REAL
#define REAL float
#endif

#ifdef CUBLAS
constexpr bool by_cublas = true;
#else
constexpr bool by_cublas = false;
#endif
constexpr int TILE = 128, SLICE = 64 / sizeof(REAL), WIDE = 16 / sizeof(REAL), GROUPS = 8 / WIDE, THREADS = 256;
constexpr int LOADS = TILE * SLICE / WIDE / THREADS; // of each matrix, for each thread and slice

struct alignas(16) Vector {
    REAL of[WIDE];
};

// A slice of both on its way.
struct Slice {
    Vector a[LOADS], b[LOADS];
};

// `a` and `b` point to the thread's first elements.
__device__ Slice load_slice(const REAL *__restrict__ a, const REAL *__restrict__ b, int inner, int columns)
{
    constexpr int DOWN_A = THREADS / (SLICE / WIDE), DOWN_B = THREADS / (TILE / WIDE);
    Slice slice;
#pragma unroll
    for (int l = 0; l < LOADS; l++) {
        slice.a[l] = *reinterpret_cast<const Vector *>(a + static_cast<std::size_t>(l * DOWN_A) * inner);
        slice.b[l] = *reinterpret_cast<const Vector *>(b + static_cast<std::size_t>(l * DOWN_B) * columns);
    }
    return slice;
}

// A slice of A stands transposed, so that a thread's elements of a column of it are neighbours.
struct Staged {
    REAL a[SLICE][TILE + WIDE], b[SLICE][TILE];
};

__device__ void stage(Staged &staged, const Slice &slice)
{
#pragma unroll
    for (int l = 0; l < LOADS; l++) {
        const int at = l * THREADS + threadIdx.x;
#pragma unroll
        for (int v = 0; v < WIDE; v++)
            staged.a[at % (SLICE / WIDE) * WIDE + v][at / (SLICE / WIDE)] = slice.a[l].of[v];
        *reinterpret_cast<Vector *>(&staged.b[at / (TILE / WIDE)][at % (TILE / WIDE) * WIDE]) = slice.b[l];
    }
}

// Of matrices that tiles do not divide: zero where there is nothing.
__device__ void stage_guarded(Staged &staged, const REAL *__restrict__ a, const REAL *__restrict__ b, int row, int column, int k, int rows,
                              int inner, int columns)
{
#pragma unroll 1
    for (int at = threadIdx.x; at < TILE * SLICE; at += THREADS) {
        const int y = row + at / SLICE, x = k + at % SLICE, u = k + at / TILE, v = column + at % TILE;
        staged.a[at % SLICE][at / SLICE] = y < rows && x < inner ? a[static_cast<std::size_t>(y) * inner + x] : REAL{0};
        staged.b[at / TILE][at % TILE] = u < inner && v < columns ? b[static_cast<std::size_t>(u) * columns + v] : REAL{0};
    }
}

template <bool EXACT> __device__ void multiply_slice(REAL (&sum)[8][8], const Staged &staged, int down, int across)
{
#pragma unroll(EXACT ? SLICE : 1)
    for (int k = 0; k < SLICE; k++) {
        Vector left[GROUPS], right[GROUPS];
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            left[g] = *reinterpret_cast<const Vector *>(&staged.a[k][(g * 16 + down) * WIDE]);
            right[g] = *reinterpret_cast<const Vector *>(&staged.b[k][(g * 16 + across) * WIDE]);
        }
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                sum[i][j] += left[i / WIDE].of[i % WIDE] * right[j / WIDE].of[j % WIDE];
    }
}

template <bool EXACT>
__device__ void store(REAL *__restrict__ c, const REAL (&sum)[8][8], int row, int column, int rows, int columns)
{
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const int y = row + i / WIDE * 16 * WIDE + i % WIDE, x = column + g * 16 * WIDE;
            REAL *const to = c + static_cast<std::size_t>(y) * columns + x;
            if constexpr (EXACT) {
                Vector out;
#pragma unroll
                for (int v = 0; v < WIDE; v++)
                    out.of[v] = sum[i][g * WIDE + v];
                *reinterpret_cast<Vector *>(to) = out;
            } else {
#pragma unroll
                for (int v = 0; v < WIDE; v++)
                    if (y < rows && x + v < columns)
                        to[v] = sum[i][g * WIDE + v];
            }
        }
}

// EXACT: the tiles divide the matrices.
template <bool EXACT>
__global__ void __launch_bounds__(THREADS, EXACT && sizeof(REAL) == 4 ? 2 : 1)
    product(REAL *__restrict__ c, const REAL *__restrict__ a, const REAL *__restrict__ b, int rows, int inner, int columns)
{
    __shared__ Staged staged[2];
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE, across = threadIdx.x % 16, down = threadIdx.x / 16;
    const int thread = threadIdx.x;
    const REAL *left = a + static_cast<std::size_t>(row + thread / (SLICE / WIDE)) * inner + thread % (SLICE / WIDE) * WIDE;
    const REAL *right = b + static_cast<std::size_t>(thread / (TILE / WIDE)) * columns + column + thread % (TILE / WIDE) * WIDE;
    REAL sum[8][8] = {};
    int now = 0;

    if constexpr (EXACT)
        stage(staged[0], load_slice(left, right, inner, columns));
    else
        stage_guarded(staged[0], a, b, row, column, 0, rows, inner, columns);
    __syncthreads();
    for (int k = SLICE; k < inner; k += SLICE) {
        if constexpr (EXACT) {
            left += SLICE;
            right += static_cast<std::size_t>(SLICE) * columns;
            const Slice next = load_slice(left, right, inner, columns);
            multiply_slice<EXACT>(sum, staged[now], down, across);
            stage(staged[now ^ 1], next);
        } else {
            multiply_slice<EXACT>(sum, staged[now], down, across);
            stage_guarded(staged[now ^ 1], a, b, row, column, k, rows, inner, columns);
        }
        now ^= 1;
        __syncthreads();
    }
    multiply_slice<EXACT>(sum, staged[now], down, across);
    store<EXACT>(c, sum, row + down * WIDE, column + across * WIDE, rows, columns);
}

static void launch(REAL *c, const REAL *a, const REAL *b, int rows, int inner, int columns)
{
    const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);

    if (by_cublas)
        cublas().product(rows, inner, columns, a, b, c);
    else if (rows % TILE == 0 && inner % SLICE == 0 && columns % TILE == 0)
        product<true><<<grid, THREADS>>>(c, a, b, rows, inner, columns);
    else
        product<false><<<grid, THREADS>>>(c, a, b, rows, inner, columns);
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"INNER", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "product", size, 4);
    const int rows = size[0].value, inner = size[1].value, columns = size[2].value;
    const std::size_t of_a = static_cast<std::size_t>(rows) * inner, of_b = static_cast<std::size_t>(inner) * columns;
    const std::size_t of_c = static_cast<std::size_t>(rows) * columns;
    REAL *const a = pageable<REAL>(of_a), *const b = pageable<REAL>(of_b), *const c = pageable<REAL>(of_c);
    std::uint64_t state = 2012;
    double checksum = 0.0;
    for (std::size_t k = 0; k < of_a; k++)
        a[k] = static_cast<REAL>(next_eighth(&state));
    for (std::size_t k = 0; k < of_b; k++)
        b[k] = static_cast<REAL>(next_eighth(&state));
    start_device();
    if (by_cublas)
        cublas();

    const double start = now();
    REAL *const da = on_device<REAL>(of_a), *const db = on_device<REAL>(of_b), *const dc = on_device<REAL>(of_c);
    page_lock(a, of_a * sizeof *a);
    page_lock(b, of_b * sizeof *b);
    page_lock(c, of_c * sizeof *c);
    to_device(da, a, of_a);
    to_device(db, b, of_b);
    if (by_cublas) // its first call loads and chooses kernels
        launch(dc, da, db, rows, inner, columns);
    Repetitions repetitions;
    for (int k = 0; k < size[3].value; k++)
        repetitions.run([&] { launch(dc, da, db, rows, inner, columns); });
    to_host(c, dc, of_c);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            checksum += ((i * 31 + j * 17) % 97 + 1) * static_cast<double>(c[static_cast<std::size_t>(i) * columns + j]);
    std::printf("product %d %d %d\n", rows, inner, columns);
    std::printf("checksum %.6f\n", checksum);
    report(seconds);
    repetitions.report();
    return 0;
}

// programs/convolution.c by hand, both kinds of weights: a thread has four columns, which it reads by accesses of 16 bytes, and
// goes down ROWS rows with the last three in registers. Pictures of another width than multiples of four have one column
// for each thread.

#include "device.cuh"
#include "program.h"

constexpr int ROWS = 8, WIDTH = 32, HEIGHT = 8, THREADS = WIDTH * HEIGHT;

#ifdef WEIGHTS_IN_ARRAY
static const float weight[9] = {0.0625f, 0.125f, 0.1875f, 0.1f, 0.2f, 0.05f, 0.15f, 0.075f, 0.025f};
#endif

// By value: a kernel's arguments are in constant memory.
struct Weights {
    float of[9];
};

static Weights weights()
{
#ifdef WEIGHTS_IN_ARRAY
    Weights found;
    for (int k = 0; k < 9; k++)
        found.of[k] = weight[k];
    return found;
#else
    return {{0.0625f, 0.125f, 0.1875f, 0.1f, 0.2f, 0.05f, 0.15f, 0.075f, 0.025f}};
#endif
}

// The elements j - 1 .. j + COLUMNS of a row; outside it anything.
template <int COLUMNS> struct Stretch {
    float of[COLUMNS + 2];

    __device__ void load(const float *__restrict__ row, int j, int columns)
    {
        of[0] = j > 0 ? row[j - 1] : 0.0f;
        if constexpr (COLUMNS == 4) {
            const float4 middle = *reinterpret_cast<const float4 *>(row + j);
            of[1] = middle.x;
            of[2] = middle.y;
            of[3] = middle.z;
            of[4] = middle.w;
        } else {
            of[1] = row[j];
        }
        of[COLUMNS + 1] = j + COLUMNS < columns ? row[j + COLUMNS] : 0.0f;
    }

    __device__ void store(float *__restrict__ row, int j, int columns) const
    {
        if constexpr (COLUMNS == 4)
            if (j > 0 && j + 4 < columns) {
                *reinterpret_cast<float4 *>(row + j) = make_float4(of[1], of[2], of[3], of[4]);
                return;
            }
#pragma unroll
        for (int x = 0; x < COLUMNS; x++)
            if (j + x > 0 && j + x < columns - 1)
                row[j + x] = of[x + 1];
    }
};

template <int COLUMNS>
__global__ void __launch_bounds__(THREADS) convolve(float *__restrict__ out, const float *__restrict__ in, Weights weights, int rows,
                                                    int columns)
{
    const int j = (blockIdx.x * WIDTH + threadIdx.x) * COLUMNS, first = (blockIdx.y * HEIGHT + threadIdx.y) * ROWS;
    const int begin = first < 1 ? 1 : first, end = first + ROWS < rows - 1 ? first + ROWS : rows - 1;
    Stretch<COLUMNS> above, here, below, sum;

    if (j >= columns || begin >= end)
        return;
    const float *row = in + static_cast<std::size_t>(begin - 1) * columns;
    above.load(row, j, columns);
    here.load(row + columns, j, columns);
    for (int i = begin; i < end; i++, row += columns) {
        below.load(row + 2 * columns, j, columns);
#pragma unroll
        for (int x = 1; x <= COLUMNS; x++) {
            float total = 0.0f;
#pragma unroll
            for (int k = 0; k < 3; k++)
                total += weights.of[k] * above.of[x + k - 1] + weights.of[3 + k] * here.of[x + k - 1] + weights.of[6 + k] * below.of[x + k - 1];
            sum.of[x] = total;
        }
        sum.store(out + static_cast<std::size_t>(i) * columns, j, columns);
        above = here;
        here = below;
    }
}

template <int COLUMNS> dim3 grid_of(int rows, int columns)
{
    return dim3((columns + WIDTH * COLUMNS - 1) / (WIDTH * COLUMNS), (rows + HEIGHT * ROWS - 1) / (HEIGHT * ROWS));
}

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "convolution", size, 3);
    const int rows = size[0].value, columns = size[1].value;
    const std::size_t points = static_cast<std::size_t>(rows) * columns;
    const dim3 block(WIDTH, HEIGHT);
    float *const in = pageable<float>(points), *const out = pageable<float>(points);
    fill_floats(in, points, 1);
    fill_floats(out, points, 1);
    start_device();

    const double start = now();
    float *const from = on_device<float>(points), *const to = on_device<float>(points);
    page_lock(in, points * sizeof *in);
    page_lock(out, points * sizeof *out);
    to_device(from, in, points);
    CHECK(cudaMemcpyAsync(to, from, points * sizeof *to, cudaMemcpyDeviceToDevice));
    Repetitions repetitions;
    for (int k = 0; k < size[2].value; k++)
        repetitions.run([&] {
            if (columns % 4 == 0)
                convolve<4><<<grid_of<4>(rows, columns), block>>>(to, from, weights(), rows, columns);
            else
                convolve<1><<<grid_of<1>(rows, columns), block>>>(to, from, weights(), rows, columns);
        });
    to_host(out, to, points);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("convolution %d %d\n", rows, columns);
    std::printf("checksum %.7e\n", checksum_floats(out, points));
    report(seconds);
    repetitions.report();
    return 0;
}

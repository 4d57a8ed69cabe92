/* The convolution of a picture in floats with 3 x 3 weights.
 *
 *     convolution [ROWS [COLUMNS [REPETITIONS]]]
 *
 * The weights are constants in the expression, or with -DWEIGHTS_IN_ARRAY in a table. The edge stays as it was.
 */
#include "program.h"

#ifdef WEIGHTS_IN_ARRAY
static const float weight[3][3] = {{0.0625f, 0.125f, 0.1875f}, {0.1f, 0.2f, 0.05f}, {0.15f, 0.075f, 0.025f}};

static void convolve(float *out, const float *in, int rows, int columns)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2)
#else
#pragma omp parallel for
#endif
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {
            float sum = 0.0f;
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 3; x++)
                    sum += weight[y][x] * in[(i + y - 1) * columns + j + x - 1];
            out[i * columns + j] = sum;
        }
}
#else
static void convolve(float *out, const float *in, int rows, int columns)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for collapse(2)
#else
#pragma omp parallel for
#endif
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            out[i * columns + j] = 0.0625f * in[(i - 1) * columns + j - 1] + 0.125f * in[(i - 1) * columns + j]
                                   + 0.1875f * in[(i - 1) * columns + j + 1] + 0.1f * in[i * columns + j - 1]
                                   + 0.2f * in[i * columns + j] + 0.05f * in[i * columns + j + 1]
                                   + 0.15f * in[(i + 1) * columns + j - 1] + 0.075f * in[(i + 1) * columns + j]
                                   + 0.025f * in[(i + 1) * columns + j + 1];
}
#endif

int main(int argc, char **argv)
{
    parameter size[] = {{"ROWS", 64, 1, 32768}, {"COLUMNS", 64, 1, 32768}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "convolution", size, 3);
    const int rows = size[0].value, columns = size[1].value, repetitions = size[2].value;
    const size_t points = (size_t)rows * columns;
    float *in = allocate(points, sizeof *in), *out = allocate(points, sizeof *out);
    fill_floats(in, points, 1);
    fill_floats(out, points, 1);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(to: in[0:points]) map(tofrom: out[0:points])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        convolve(out, in, rows, columns);
        end_repetition(&watch);
    }
    double touched = touch(out, points * sizeof *out);
    double end = omp_get_wtime();

    printf("convolution %d %d\n", rows, columns);
    printf("checksum %.7e\n", checksum_floats(out, points));
    print_times(&watch, end, unused + touched);
    free(in);
    free(out);
    return 0;
}

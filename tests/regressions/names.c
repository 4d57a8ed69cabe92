/* on device: 3
   Names of the user's that are also names in CUDA headers, in C++, or in the generated launcher and kernel. */
#include <stdio.h>
struct dim3 { double x, y; };
typedef struct dim3 float4;
static int int2(int reduce) { return reduce * 2; }
static double reduce(double a, double b) { return a + b; }
static double min(double a, double b) { return a < b ? a : b; }
int threadIdx = 3;
double std = 2.0, ompc = 1.5, namespace = 4;
static int trips = 100;
static void fill(double *delete, int new, int min)
{
#pragma omp parallel for
    for (int i = min; i < new; i++)
        delete[i] = i;
}

int main(void)
{
    double launch[100] = {0}, d_launch[100], region[100], d_region[100];
    int shape = 7, blockIdx = 5, t = 3, size_t_ = 4, class = 2, new = 3, this = 4, template = 5, i_first = 2, i_end = 90;
    fill(launch, 100, 1);
    double result = 0, d_result = 1, result_result = 0, warpSize = 32, gridDim = 4;
    float4 q = {1, 2};
    for (int i = 0; i < 100; i++) { launch[i] += i; d_launch[i] = 2 * i; region[i] = d_region[i] = 3; }
#pragma omp parallel for reduction(+ : result, result_result) reduction(max : d_result)
    for (int i = i_first; i < i_end; i++) {
        launch[i] = min(reduce(launch[i], d_launch[i]) * shape + blockIdx + t + size_t_ + class + new + this + template, 1e9) + warpSize + gridDim;
        region[i] += int2(trips) + threadIdx + std + ompc + namespace + q.x + q.y;
        d_region[i] += launch[i];
        result += launch[i];
        result_result += region[i];
        if (d_result < launch[i]) d_result = launch[i];
    }
    int shape_trips = 0;
#pragma omp parallel for collapse(2) reduction(+:shape_trips)
    for (int t_i = 0; t_i < 4; t_i++)
        for (int trips_i = 0; trips_i < 5; trips_i++) {
            int iteration = t_i, blockDim = 4, alignas = 3, and_ = 2;
            shape_trips += iteration * blockDim + trips_i + alignas + and_;
        }
    for (int i = 0; i < 100; i += 7) printf("%g %g %g\n", launch[i], region[i], d_region[i]);
    printf("%g %g %g %d\n", result, result_result, d_result, shape_trips);
    return 0;
}

/* Identifiers that C++ or CUDA own: keywords, functions and variables of CUDA's headers, the runtime's own names. */
/* args: 50 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int class, this, operator; } template;
typedef struct { float x, y, z; } float3;
enum private_ { public = 2, protected, friend };
static double new[100], delete[100], max[100];
static int threadIdx[100], blockDim = 3, gridDim, ompc = 4, trips = 5, t = 6, launch = 7, shape = 8, region = 9;
static int assert_[100], warpSize = 2, d_new = 11;
static template namespace[100];
static double min(double virtual, double typename) { return virtual < typename ? virtual : typename; }
static float3 make_float3(float x, float y) { float3 r = {x, y, x + y}; return r; }
static int dim3(int using) { return using * 3; }
static int names_c(int x) { return x + 1; }
static int clock(int x) { return 2 * x; }
static int clock_(int x) { return 3 * x; }
int int2 = 5;

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), export = 2, bool_ = 1, nullptr = 3, __syncthreads_ = 1;
    #pragma omp parallel for
    for (int class = 0; class < n; class++) {
        double try = class * 0.5, catch = 3;
        new[class] = min(try, catch) + export;
        delete[class] = new[class] * nullptr;
        max[class] = delete[class] > 10 ? 1 : int2;
    }
    #pragma omp parallel for
    for (int blockIdx = 0; blockIdx < n; blockIdx++)
        threadIdx[blockIdx] = blockIdx * blockDim + gridDim + warpSize + trips + t + launch + shape + region + ompc + d_new;
    #pragma omp parallel for
    for (int t = 0; t < n; t++) {
        int trips = t, x = 1, y = 2, grid = 3, block = 4, stream = 5;
        namespace[t].class = trips + x;
        namespace[t].this = dim3(t) + y + grid;
        namespace[t].operator = names_c(block) + stream + friend + public;
    }
    int sum = 0, and = 0, or = 1, not = 2, xor = 3, wchar_t_ = 1;
    #pragma omp parallel for reduction(+:sum) reduction(max:and)
    for (int i = 0; i < n; i++) {
        float3 f = make_float3(i, 1);
        sum += (int)f.z + or + not * xor;
        and = and > i ? and : i;
    }
    int constexpr = 0, decltype = 1, mutable = 2, static_cast = 3;
    #pragma omp parallel for lastprivate(constexpr)
    for (int explicit = 0; explicit < n; explicit++)
        constexpr = explicit * decltype + mutable * static_cast + bool_ + __syncthreads_ + wchar_t_;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int signal = i, exit = 1, printf = 2, malloc = 3, sin = 4, y0 = 5, j1 = 6, end = 7, begin = 8, std = 9, linux_ = 1;
        int min_ = i, NAN = 2, INT_MAX = 3, M_PI = 4; /* of headers that are not included */
        {
            int min = 7; /* no other name for min_ */
            min_ += 10 * min + clock(min) + clock_(min);
        }
        assert_[i] = min_ + NAN * INT_MAX + M_PI + signal + exit + printf + malloc + sin + y0 + j1 + end + begin + std + linux_;
    }
    double all = 0;
    for (int i = 0; i < n; i++)
        all += new[i] + delete[i] + max[i] + threadIdx[i] + namespace[i].class + namespace[i].this + namespace[i].operator + assert_[i];
    printf("%.10g %d %d %d\n", all, sum, and, constexpr);
    return 0;
}

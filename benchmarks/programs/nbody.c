/* Gravitation: the accelerations of N bodies by each other, in floats.
 *
 *     nbody [BODIES [REPETITIONS]]
 */
#include "program.h"
#include <math.h>

typedef struct {
    float x, y, z, mass;
} body;

static void attract(float *ax, float *ay, float *az, const body *bodies, int n)
{
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < n; i++) {
        float sx = 0.0f, sy = 0.0f, sz = 0.0f;
        for (int j = 0; j < n; j++) {
            const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
            const float square = dx * dx + dy * dy + dz * dz + 0.01f;
            const float inverse = 1.0f / sqrtf(square);
            const float pull = bodies[j].mass * inverse * inverse * inverse;
            sx += pull * dx;
            sy += pull * dy;
            sz += pull * dz;
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"BODIES", 64, 1, 1000000}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "nbody", size, 2);
    const int n = size[0].value, repetitions = size[1].value;
    body *bodies = allocate(n, sizeof *bodies);
    float *ax = allocate(n, sizeof *ax), *ay = allocate(n, sizeof *ay), *az = allocate(n, sizeof *az);
    double squares = 0.0;
    fill_floats((float *)bodies, 4 * (size_t)n, 1);
    int unused = start_device();

    stopwatch watch = start_watch();
#ifdef OFFLOAD
#pragma omp target data map(to: bodies[0:n]) map(from: ax[0:n], ay[0:n], az[0:n])
#endif
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        attract(ax, ay, az, bodies, n);
        end_repetition(&watch);
    }
    double touched = touch(ax, n * sizeof *ax);
    double end = omp_get_wtime();

    for (int i = 0; i < n; i++)
        squares += (i % 97 + 1) * ((double)ax[i] * ax[i] + (double)ay[i] * ay[i] + (double)az[i] * az[i]);
    printf("nbody %d\n", n);
    printf("squares %.6e\n", squares);
    print_times(&watch, end, unused + touched);
    free(bodies);
    free(ax);
    free(ay);
    free(az);
    return 0;
}

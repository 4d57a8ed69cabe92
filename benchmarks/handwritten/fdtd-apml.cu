// programs/fdtd-apml.c by hand: one launch for each step, a thread for each point; the last row and column are points like the others but
// for their neighbours.

#include "device.cuh"
#include "program.h"
#include "layer.h"

constexpr int THREADS = 256;

// The layer on the device, and its sizes with the last row and column.
struct Field {
    double *hz, *bza;
    const double *ex, *ey, *ax, *ry, *czm, *czp, *cxmh, *cxph, *cymh, *cyph;
    int width, height;
};

__global__ void __launch_bounds__(THREADS) step(const Field f)
{
    const int at = blockIdx.x * THREADS + threadIdx.x, z = blockIdx.y;

    if (at >= f.width * f.height)
        return;
    const int y = at / f.width, x = at % f.width;
    const std::size_t here = static_cast<std::size_t>(z) * f.width * f.height + at;
    const double below = y + 1 < f.height ? __ldg(f.ex + here + f.width) : __ldg(f.ax + static_cast<std::size_t>(z) * f.width + x);
    const double right = x + 1 < f.width ? __ldg(f.ey + here + 1) : __ldg(f.ry + static_cast<std::size_t>(z) * f.height + y);
    const double curl = __ldg(f.ex + here) - below + right - __ldg(f.ey + here);
    const double old = f.bza[here], cyph = __ldg(f.cyph + y), cxph = __ldg(f.cxph + x);
    const double next = __ldg(f.cymh + y) / cyph * old - CH / cyph * curl;

    f.hz[here] = __ldg(f.cxmh + x) / cxph * f.hz[here] + MUI * __ldg(f.czp + z) / cxph * next - MUI * __ldg(f.czm + z) / cxph * old;
    f.bza[here] = next;
}

static double *copied(const double *from, std::size_t count)
{
    double *const to = on_device<double>(count);

    to_device(to, from, count);
    return to;
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLANES", 8, 1, 1024}, {"ROWS", 8, 1, 1024}, {"COLUMNS", 8, 1, 1024}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "fdtd-apml", size, 4);
    const int planes = size[0].value, rows = size[1].value, columns = size[2].value, width = columns + 1, height = rows + 1;
    const std::size_t points = static_cast<std::size_t>(planes) * height * width;
    const dim3 grid((width * height + THREADS - 1) / THREADS, planes);
    const layer l = new_layer(planes, rows, columns);
    start_device();

    const double start = now();
    for (double *const large : {l.hz, l.bza, l.ex, l.ey})
        page_lock(large, points * sizeof *large);
    const Field field{copied(l.hz, points), copied(l.bza, points), copied(l.ex, points), copied(l.ey, points),
                      copied(l.ax, static_cast<std::size_t>(planes) * width), copied(l.ry, static_cast<std::size_t>(planes) * height),
                      copied(l.czm, planes), copied(l.czp, planes), copied(l.cxmh, width), copied(l.cxph, width),
                      copied(l.cymh, height), copied(l.cyph, height), width, height};
    Repetitions repetitions;
    for (int k = 0; k < size[3].value; k++)
        repetitions.run([&] { step<<<grid, THREADS>>>(field); });
    to_host(l.hz, field.hz, points);
    to_host(l.bza, field.bza, points);
    CHECK(cudaDeviceSynchronize());
    const double seconds = now() - start;

    std::printf("fdtd-apml %d %d %d\n", planes, rows, columns);
    std::printf("hz %.9e\n", checksum_doubles(l.hz, points));
    std::printf("bza %.9e\n", checksum_doubles(l.bza, points));
    report(seconds);
    repetitions.report();
    return 0;
}

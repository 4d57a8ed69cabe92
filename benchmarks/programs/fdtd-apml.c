/* A step of the magnetic field in a layer that absorbs waves (finite differences in time, anisotropic perfectly matched layer).
 * The fields beyond the last row and column of a plane are given.
 *
 *     fdtd-apml [PLANES [ROWS [COLUMNS [REPETITIONS]]]]
 *
 * Arrays have one row and one column more. Each repetition is the next step in the same electric field.
 */
#include "program.h"
#include "layer.h"

static void step(int planes, int rows, int columns, double hz[planes][rows + 1][columns + 1], double bza[planes][rows + 1][columns + 1],
                 double ex[planes][rows + 1][columns + 1], double ey[planes][rows + 1][columns + 1], double ax[planes][columns + 1],
                 double ry[planes][rows + 1], const double *czm, const double *czp, const double *cxmh, const double *cxph,
                 const double *cymh, const double *cyph, double mui, double ch)
{
#pragma omp parallel for
    for (int z = 0; z < planes; z++) {
        double curl, next;
        for (int y = 0; y < rows; y++) {
            for (int x = 0; x < columns; x++) {
                curl = ex[z][y][x] - ex[z][y + 1][x] + ey[z][y][x + 1] - ey[z][y][x];
                next = cymh[y] / cyph[y] * bza[z][y][x] - ch / cyph[y] * curl;
                hz[z][y][x] = cxmh[x] / cxph[x] * hz[z][y][x] + mui * czp[z] / cxph[x] * next - mui * czm[z] / cxph[x] * bza[z][y][x];
                bza[z][y][x] = next;
            }
            curl = ex[z][y][columns] - ex[z][y + 1][columns] + ry[z][y] - ey[z][y][columns];
            next = cymh[y] / cyph[y] * bza[z][y][columns] - ch / cyph[y] * curl;
            hz[z][y][columns] = cxmh[columns] / cxph[columns] * hz[z][y][columns] + mui * czp[z] / cxph[columns] * next
                                - mui * czm[z] / cxph[columns] * bza[z][y][columns];
            bza[z][y][columns] = next;
        }
        for (int x = 0; x < columns; x++) {
            curl = ex[z][rows][x] - ax[z][x] + ey[z][rows][x + 1] - ey[z][rows][x];
            next = cymh[rows] / cyph[rows] * bza[z][rows][x] - ch / cyph[rows] * curl;
            hz[z][rows][x] = cxmh[x] / cxph[x] * hz[z][rows][x] + mui * czp[z] / cxph[x] * next - mui * czm[z] / cxph[x] * bza[z][rows][x];
            bza[z][rows][x] = next;
        }
        curl = ex[z][rows][columns] - ax[z][columns] + ry[z][rows] - ey[z][rows][columns];
        next = cymh[rows] / cyph[rows] * bza[z][rows][columns] - ch / cyph[rows] * curl;
        hz[z][rows][columns] = cxmh[columns] / cxph[columns] * hz[z][rows][columns] + mui * czp[z] / cxph[columns] * next
                               - mui * czm[z] / cxph[columns] * bza[z][rows][columns];
        bza[z][rows][columns] = next;
    }
}

int main(int argc, char **argv)
{
    parameter size[] = {{"PLANES", 8, 1, 1024}, {"ROWS", 8, 1, 1024}, {"COLUMNS", 8, 1, 1024}, {"REPETITIONS", 1, 1, 1000}};

    read_parameters(argc, argv, "fdtd-apml", size, 4);
    const int planes = size[0].value, rows = size[1].value, columns = size[2].value, repetitions = size[3].value;
    const size_t points = (size_t)planes * (rows + 1) * (columns + 1);
    const layer l = new_layer(planes, rows, columns);
    int unused = start_device();

    stopwatch watch = start_watch();
    for (int k = 0; k < repetitions; k++) {
        begin_repetition(&watch);
        step(planes, rows, columns, (double (*)[rows + 1][columns + 1])l.hz, (double (*)[rows + 1][columns + 1])l.bza,
             (double (*)[rows + 1][columns + 1])l.ex, (double (*)[rows + 1][columns + 1])l.ey, (double (*)[columns + 1])l.ax,
             (double (*)[rows + 1])l.ry, l.czm, l.czp, l.cxmh, l.cxph, l.cymh, l.cyph, MUI, CH);
        end_repetition(&watch);
    }
    double touched = touch(l.hz, points * sizeof *l.hz) + touch(l.bza, points * sizeof *l.bza);
    double end = omp_get_wtime();

    printf("fdtd-apml %d %d %d\n", planes, rows, columns);
    printf("hz %.9e\n", checksum_doubles(l.hz, points));
    printf("bza %.9e\n", checksum_doubles(l.bza, points));
    print_times(&watch, end, unused + touched);
    free_layer(&l);
    return 0;
}

/* Grids with a thread for each point, whose threads have one turn; an axis along z that is longer than CUDA's grids (65,535
   blocks) needs loops. So do an iteration that goes on (`continue`) and one that is the last. */
/* args: 5 4 3 */
/* args: 1 1 70 */
/* args: 66000 1 1 */
/* expect-gpu: 3 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double *a, *b, *c, *d, *e, *f, *g, *h;
} fields;

static void step(int planes, int rows, int columns, fields o)
{
    double *a = o.a, *b = o.b;
    const double *c = o.c, *d = o.d, *e = o.e, *f = o.f, *g = o.g, *h = o.h;
#pragma omp parallel for collapse(3)
    for (int z = 0; z < planes; z++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                const int at = (z * rows + y) * columns + x;
                a[at] = c[at] * d[at] + e[at] / (f[at] + 1) - g[at] * h[at];
                if (a[at] < 0)
                    continue;
                b[at] = a[at] + c[at] + d[at];
            }
}

static double last(int planes, int rows, int columns, fields o)
{
    double *a = o.a, *b = o.b, end = -1;
    const double *c = o.c, *d = o.d, *e = o.e, *f = o.f, *g = o.g, *h = o.h;
#pragma omp parallel for collapse(2) lastprivate(end)
    for (int z = 0; z < planes; z++)
        for (int y = 0; y < rows * columns; y++) {
            const int at = z * rows * columns + y;
            end = c[at] + d[at] * e[at];
            a[at] += f[at] * g[at] + h[at] + end;
            b[at] -= a[at];
        }
    return end;
}

int main(int argc, char **argv)
{
    const int planes = argc > 1 ? atoi(argv[1]) : 5, rows = argc > 2 ? atoi(argv[2]) : 4, columns = argc > 3 ? atoi(argv[3]) : 3;
    const int points = planes * rows * columns;
    fields all;
    double **each = &all.a;
    for (int k = 0; k < 8; k++) {
        each[k] = malloc((points + 1) * sizeof(double));
        for (int i = 0; i < points; i++)
            each[k][i] = (i * 7 + k * 13) % 31 - 15 * (k % 2);
    }
    for (int i = 0; i < points; i++)
        all.f[i] = i % 5;
    step(planes, rows, columns, all);
    const double end = last(planes, rows, columns, all);
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < points; i++)
        sum += all.a[i] * (i % 3 + 1) + all.b[i] * (i % 7);
    printf("%.10g %.10g\n", end, sum);
    for (int k = 0; k < 8; k++)
        free(each[k]);
    return 0;
}

/* Tables that are read only: the same element in all lanes, or one for each; more of them than 64 KB; written later;
   behind pointers. */
/* args: 500 */
/* args: 33 */
/* expect-gpu: 16 */
/* expect-added: 3 */
#include <stdio.h>
#include <stdlib.h>

static double filter[33];
static double lookup[600];
static double big[5000], bigger[6000];
static double level[2000];
static int pairs[10][3];
const float fixed[4] = {1.5f, 2.5f, 3.5f, 4.5f};
static double in[600], out[600];

struct params { double a, b[3]; int n; };
static double scale(double x) { return x * 3; }

static void behind_pointers(const double *w, double *v, const struct params *p, double (*scale)[3], int n)
{
    #pragma omp parallel for
    for (int i = 4; i < n - 4; i++)
        for (int k = 0; k < 9; k++)
            out[i] += w[k] * in[i + k - 4];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] += v[0] + v[1] + *(v + 2);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] += v[0] + v[3];        /* more of it */
    #pragma omp parallel for firstprivate(v)
    for (int i = 0; i < n; i++) out[i] += v[0] + v[2];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] += p->a * i + p->b[1] + p->b[p->n];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++) out[i] += scale[k][2] - scale[k][0];
}

static void functions(double *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) p[i] = scale(p[i]) / 4;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double local[16];
    for (int i = 0; i < 33; i++) filter[i] = 1.0 / (i + 1);
    for (int i = 0; i < 600; i++) lookup[i] = i * 0.01, in[i] = i % 17;
    for (int i = 0; i < 5000; i++) big[i] = i;
    for (int i = 0; i < 6000; i++) bigger[i] = -i;
    for (int i = 0; i < 30; i++) pairs[i / 3][i % 3] = i;
    for (int i = 0; i < 16; i++) local[i] = i * i;

    #pragma omp parallel for
    for (int i = 16; i < n - 16; i++) {
        double s = 0;
        for (int k = 0; k < 33; k++)
            s += filter[k] * in[i + k - 16];
        out[i] = s;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] += lookup[i] + fixed[2];
    for (int i = 0; i < 33; i++) filter[i] *= 2;   /* the copy on the device is stale now */
    #pragma omp parallel for
    for (int i = 16; i < n - 16; i++)
        for (int k = 0; k < 33; k++)
            out[i] += filter[k] * in[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 50; k++)
            out[i] += big[k * 100] + bigger[k * 120 + 1];
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 10; k++)
            out[i] += pairs[k][0] * pairs[k][2] + local[k + 3] + filter[k * 3];
    #pragma omp parallel for
    for (int k = 0; k < 33; k++)
        filter[k] = lookup[k] + 1;
    for (int times = 0; times < 4; times++) {      /* changed by a kernel, not at all, by the host twice, by the host */
        if (times == 2) filter[1] = 8, filter[1] += 1;
        if (times == 3) filter[32] = 1;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            out[i] += filter[times] + filter[32];
    }
    for (int times = 0; times < 6; times++) {      /* stays on the device, whence constant memory gets it */
        if (times % 3 != 2) {
            #pragma omp parallel for
            for (int k = 0; k < 2000; k++)
                level[k] += lookup[k % 600] * times;
        }
        if (times > 3) level[1200] += 7;           /* and the host has newer parts */
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            out[i] += level[0] + level[1200] + level[1999];
    }
    double *heap = malloc(3000 * sizeof *heap), table[4][3];
    struct params p = {1.5, {1, 2, 3}, 2};
    for (int i = 0; i < 3000; i++) heap[i] = i * 0.5;
    for (int i = 0; i < 12; i++) table[i / 3][i % 3] = i * i;
    for (int times = 0; times < 4; times++) {
        behind_pointers(times % 2 ? heap + 11 * times : filter, heap + 512, &p, table, n);
        if (times != 2) functions(heap, 3000);
        heap[514] += 1, filter[0] = times, p.a = times, table[1][2] = times;
    }
    free(heap);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += out[i] * (i % 5);
    for (int k = 0; k < 33; k++) sum += filter[k];
    printf("%.12g\n", sum);
    return 0;
}

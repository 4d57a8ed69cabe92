/* Loops over rows of different lengths, and loops inside that take their time, of which lanes or warps can share only
   some: what they call stores, iterations leave early, a value is computed only sometimes, a sum cuts fractions off,
   entries need an array of their row. */
/* args: 0 0 */
/* args: 4 2 */
/* args: 32 4 */
/* expect-gpu: 16 */
/* expect-added: 1 */
/* rtol: 1e-6 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 67
#define ALL 700

typedef struct { float x, y; } pair;

static int row[N + 1], ints[ALL], trace[ALL], off[ALL], where[N], skip[N], whole[N], bits[N];
static double val[ALL], y[N], z[N];
static float fx[ALL], fy[ALL], fz[N], fw[N];

static double traced(int k, int at)
{
    trace[at] = k * 3 + 1;
    return val[k];
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        row[i + 1] = row[i] + (i % 7 == 3 ? 0 : (i * 5) % 17);
        skip[i] = i % 5 == 2;
    }
    for (int k = 0; k < ALL; k++) {
        ints[k] = (k * 13) % 29;
        val[k] = (k * 37 % 101) * 0.25 - 12;
        off[k] = val[k] < -8 ? k % 9 : 0;
        fx[k] = (float)(k % 23) * 0.5f, fy[k] = (float)(k % 11) + 1;
    }
}

static void show(const char *name)
{
    double sum = 0;
    long count = 0;
    for (int i = 0; i < N; i++) {
        sum += y[i] * (i + 1) + z[i] + fz[i] * (i % 5) + fw[i];
        count += (long)where[i] * i + whole[i] * (i % 9) + bits[i];
    }
    for (int k = 0; k < ALL; k++)
        count += (long)trace[k] * (k % 6);
    printf("%s %.9g %ld\n", name, sum, count);
    for (int i = 0; i < N; i++)
        y[i] = z[i] = -1, fz[i] = fw[i] = -2, where[i] = whole[i] = bits[i] = 7;
}

static void rows(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * traced(k, row[i]);
        y[i] = sum;
    }
    show("stores");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += val[k];
        if (sum < 0)
            continue;
        y[i] = sum;
        z[i] = sum * 2;
    }
    show("continues");
    /* what replaces is computed for the best entries alone: elsewhere it divides by 0 */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double best = -8;
        int at = -1;
        for (int k = row[i]; k < row[i + 1]; k++)
            if (val[k] < best) {
                best = val[k];
                at = 1000 / (off[k] + 1 - (val[k] >= -8));
            }
        y[i] = best, where[i] = at;
    }
    show("sometimes");
    /* each step of the sum cuts something off, towards 0 */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * 0.7;
        whole[i] = sum;
    }
    show("cut off");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int first = row[i], bit = 0;
        if (skip[i])
            first++;
        for (int k = first; k < row[i + 1]; k++)
            bit ^= ints[k];
        bits[i] = bit;
    }
    show("moved");
    /* entries in their order: the last one that is large, and bits that each takes away */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int last = -1, mask = -1;
        double sum = 0, f = 0.5 * i;
        for (int k = row[i]; k < row[i + 1]; k++) {
            sum += val[k] * f;
            if (ints[k] > 20)
                last = ints[k];
            if (ints[k] % 3 == 0)
                mask &= ~ints[k];
        }
        y[i] = sum, where[i] = last, bits[i] = mask;
    }
    show("in order");
    /* an array of each row's own; an entry that ends the row; entries that store to the same element */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double mine[2], sum = 0;
        mine[0] = i, mine[1] = 1;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * mine[ints[k] % 2];
        y[i] = sum;
    }
    show("own array");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            if (val[k] > 8)
                break;
            sum += val[k];
        }
        y[i] = sum;
    }
    show("ends");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            sum += val[k];
            if (val[k] > 0)
                trace[row[i]] = k;
        }
        y[i] = sum;
    }
    show("same element");
    int k;
    #pragma omp parallel for private(k)
    for (int i = 0; i < n; i++) {
        int last = 0;
        double sum = 0;
        for (k = row[i]; k < row[i + 1]; k++) {
            last = ints[k];
            sum += val[k];
        }
        y[i] = sum, where[i] = k, whole[i] = last;
    }
    show("behind");
    double end = 0;
    #pragma omp parallel for lastprivate(end)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int q = row[i]; q < row[i + 1]; q++)
            sum += val[q];
        y[i] = sum;
        end = sum + i;
    }
    printf("end %.9g\n", end);
    show("last");
}

static void slow(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        pair at = {fx[i], fy[i]};
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += sqrtf(fx[j] + at.x) / (fy[j] + at.y);
        at.x += sum;
        fz[i] = at.x * at.y;
    }
    show("records");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float mine[2] = {fx[i], fy[i]}, sum = 0;
        for (int j = 0; j < m; j++)
            sum += sqrtf(fx[j] + mine[0]) / (fy[j] + mine[1]);
        fz[i] = sum, fw[i] = mine[1];
    }
    show("arrays");
    /* the least sum, and whose it is */
    float best = 1e30f;
    int place = -1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0, x = (float)((i * 29 + 11) % 67);
        for (int j = 0; j < m; j++)
            sum += sqrtf(fx[j] + x) / fy[j];
        fz[i] = sum;
        #pragma omp critical
        if (sum < best) {
            best = sum;
            place = i;
        }
    }
    printf("place %d\n", place);
    show("best");
    /* a comparison that is wrong for a while would be divided by */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int j = 0; j < m; j++)
            sum += ints[j] / ((fx[j] + 0.5f) / (fy[j] * 1e-30f) > 0.25f);
        whole[i] = sum + i;
    }
    show("compared");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        _Bool any = 0;
        float sum = 0;
        for (int j = 0; j < m; j++) {
            any = any || fx[j] / (fy[j] + i) > 8;
            sum += fx[j] / (fy[j] * 1e-30f + 1e-30f);
        }
        whole[i] = any, fz[i] = sum * 1e-28f;
    }
    show("any");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    if (getenv("OMPC_LANES") == NULL && getenv("OMPC_TILES") == NULL) { /* read when the program starts */
        if (argv[1][0] != '0')
            setenv("OMPC_LANES", argv[1], 1);
        setenv("OMPC_TILES", argv[2], 1);
        execv(argv[0], argv);
    }
    fill();
    rows(N);
    slow(N, 93);
    return 0;
}

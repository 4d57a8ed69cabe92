/* Rows of very different lengths: what is left of a long one when its lanes have had their share is for the warp, of a very
   long one for the block; and all lanes of a block for each row, where rows are few. */
/* args: 0 */
/* args: 1 */
/* args: 8 */
/* args: 512 */
/* expect-gpu: 6 */
/* rtol: 1e-11 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 70
#define MOST 22000

static int row[N + 1], col[MOST], weight[MOST];
static double val[MOST], x[N], y[N], z[N], u[N];
static long long counts[N];
static unsigned char bits[N];

static int length(int i)
{
    switch (i) {
    case 17: return 9001; /* more than the threads of a block have 16 of */
    case 18: return 4500;
    case 60: return 6000;
    case 61: return 0;
    case 69: return 517;
    default: return i % 40;
    }
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        row[i + 1] = row[i] + length(i);
        x[i] = 1.0 / (i + 1);
    }
    for (int k = 0; k < row[N]; k++) {
        col[k] = (k * 37 + k / 11) % N;
        weight[k] = (k * 17) % 1001 - 500;
        val[k] = 1.0 / (k % 97 + 3) - 0.01;
    }
}

static void product(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = -0.0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += val[k] * x[col[k]];
        y[i] = s;
    }
}

/* Several sums, of which the one decides what the next are of. */
static void in_parts(int n)
{
    double total = 0;
    #pragma omp parallel for reduction(+: total)
    for (int i = 0; i < n; i++) {
        long long found = i;
        unsigned char odd = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            found += weight[k] % 7;
            odd ^= (unsigned char)weight[k];
        }
        counts[i] = found;
        bits[i] = odd;
        if (found % 3 == 0) {
            double s = 1;
            for (int k = row[i + 1] - 1; k >= row[i]; k--)
                s += val[k];
            z[i] = s;
            total += s;
        }
    }
    printf("%.14g\n", total);
}

/* What entries need of their row. */
static void shifted(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double shift = x[i] * 0.5, scale = y[i];
        double s = 0, t = i;
        for (int k = row[i]; k < row[i + 1]; k++) {
            if (col[k] == i)
                continue;
            s += (val[k] - shift) * scale;
            t -= x[col[k]] * shift;
        }
        u[i] = s + t;
    }
}

/* Loops around rows, the same for all iterations. */
static void again(int n, int times)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int r = 0; r < times; r++)
            for (int k = row[i]; k < row[i + 1]; k++)
                s += val[k] * (r + 1);
        y[i] += s;
    }
}

/* Blocks whose threads nobody can divide by, and some that the user has chosen. */
static void asked(int n)
{
    #pragma cuda gpurun threadblocksize(96)
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += val[k] * x[col[k]];
        z[i] = s;
    }
    #pragma cuda gpurun threadblocksize(256) maxnumofblocks(3)
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = z[i];
        for (int k = row[i]; k < row[i + 1]; k += 2)
            s += val[k] * x[col[k]];
        z[i] = s;
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] != '0' && getenv("OMPC_LANES") == NULL) { /* read when the program starts */
        setenv("OMPC_LANES", argv[1], 1);
        execv(argv[0], argv);
    }
    fill();
    product(N);
    in_parts(N);
    shifted(N);
    again(N, 3);
    asked(N);
    double sums[4] = {0};
    long long count = 0;
    for (int i = 0; i < N; i++) {
        sums[0] += y[i] * (i % 11), sums[1] += z[i] * (i % 7), sums[2] += u[i], sums[3] += bits[i];
        count += counts[i] * (i + 1);
    }
    printf("%.14g %.14g %.14g %g %lld\n", sums[0], sums[1], sums[2], sums[3], count);
    return 0;
}

/* Sums that the lanes of an iteration form, or the warps of a block, each of its own entries: rows of every length, several
   sums at once, integers by other operators; and sums whose order must be kept, of terms that cancel each other. */
/* args: 0 140 */
/* args: 1 140 */
/* args: 2 35 */
/* args: 4 70 */
/* args: 8 140 */
/* args: 32 140 */
/* args: 16 0 */
/* expect-gpu: 8 */
/* expect-added: 1 */
/* rtol: 1e-11 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 140
#define LONG 72

typedef struct { float x, y, mass; } body;

static int row[N + 1], ints[N * 70], iout[N], iout2[N];
static double val[N * 70], x[N], out[N], out2[N], wide[N][LONG], high[LONG][N];
static float fval[N * 70], fout[N], fout2[N];
static unsigned char bout[N];
static long long lout[N];
static body bodies[LONG];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        row[i + 1] = row[i] + i % 70; /* 0, 1, ... lanes - 1, lanes, lanes + 1 ... */
        x[i] = 1.0 / (i + 1);
    }
    for (int k = 0; k < N * 70; k++) {
        val[k] = 1.0 / (k % 97 + 3) - 0.01;
        fval[k] = (float)((k * 37) % 101) - 50;
        ints[k] = (k * 17) % 1001 - 500;
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < LONG; k++)
            wide[i][k] = 1.0 / (1 + i + k), high[k][i] = 0.5 - wide[i][k];
    for (int k = 0; k < LONG; k++)
        bodies[k].x = (float)(k % 7), bodies[k].y = (float)(k % 11) * 0.5f, bodies[k].mass = (float)(k % 3 + 1);
}

static void rows(int n)
{
    double total = 0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < n; i++) {
        double sum = i, less = -0.0, shift = x[i] * 0.5;
        float single = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            sum += val[k] * shift;
            if (ints[k] % 3 == 0)
                continue;
            less -= val[k];
            single = single + fval[k];
            total += val[k];
        }
        out[i] = sum, out2[i] = less, fout[i] = single;
    }
    for (int i = 0; i < n; i++)
        printf("%.12g %.12g %g;", out[i], out2[i], fout[i]);
    printf("%.12g\n", total);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* integers: the same in any order */
        unsigned char c = 250;
        unsigned product = 1, bits = 0;
        long long all = -1;
        int least = 7, most = -7;
        short count = 0;
        for (int k = row[i + 1] - 1; k >= row[i]; k -= 2) {
            c += (unsigned char)ints[k];
            product *= (unsigned)ints[k] | 1u;
            bits ^= (unsigned)ints[k] * 7u;
            all &= ints[k];
            if (ints[k] < least)
                least = ints[k];
            most = ints[k] > most ? ints[k] : most;
            for (int r = 0; r < ints[k] % 4; r++)
                count++;
        }
        bout[i] = c, iout[i] = (int)(product ^ bits), lout[i] = all, iout2[i] = least * 1000 + most + count;
    }
    for (int i = 0; i < n; i++)
        printf("%d %d %lld %d;", bout[i], iout[i], lout[i], iout2[i]);
    printf("\n");
}

/* In any other order, 1e17 - 1e17 would swallow or leave other terms. */
static void in_order(int n)
{
    for (int k = 0; k < N * 70; k++)
        val[k] = k % 3 == 0 ? 1e17 * (k % 6 == 0 ? 1 : -1) : k % 5;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* the sum decides */
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += val[k];
        iout[i] = s > 2.5;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* Kahan */
        double s = 0, rest = 0, term, next;
        for (int k = row[i]; k < row[i + 1]; k++) {
            term = val[k] - rest;
            next = s + term;
            rest = (next - s) - term;
            s = next;
        }
        out[i] = s;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* an index comes of it */
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += val[k];
        double place = fabs(s);
        iout2[i] = ints[place < 100 ? (int)place : 99];
    }
    for (int i = 0; i < n; i++)
        printf("%d %.17g %d;", iout[i], out[i], iout2[i]);
    printf("\n");
}

static void equal(int n, int m)
{
    if (n > LONG)
        n = LONG;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* quotients and roots */
        float fx = 0, fy = 1;
        for (int j = 0; j < m; j++) {
            const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + 0.25f);
            fx += bodies[j].mass * inverse * dx;
            fy -= bodies[j].mass * inverse * dy;
        }
        fout[i] = fx, fout2[i] = fy;
    }
    for (int i = 0; i < n; i++)
        printf("%.4g %.4g;", round(fout[i] * 256) / 256, round(fout2[i] * 256) / 256);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* along, in a loop and behind a condition */
        double s = 0, factor = x[i] + 1;
        for (int d = 0; d < 3; d++)
            if ((i + d) % 4 != 0)
                for (int k = d; k < m; k += 2)
                    s += wide[i][k] * (factor + d);
        out[i] = s;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* across, by warps */
        double s = 3, t = 0, factor = x[i] + 1;
        if (i % 5 != 2)
            for (int k = m - 1; k >= 0; k--) {
                s += high[k][i] * factor;
                t -= high[k][i];
            }
        out2[i] = s + t;
    }
    for (int i = 0; i < n; i++)
        printf("%.12g %.12g;", out[i], out2[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] != '0' && getenv("OMPC_LANES") == NULL) { /* read when the program starts */
        setenv("OMPC_LANES", argv[1], 1);
        execv("/proc/self/exe", argv);
    }
    int n = argc > 2 ? atoi(argv[2]) : N;
    fill();
    rows(n);
    equal(n, LONG);
    equal(n, 9);
    in_order(n);
    return 0;
}

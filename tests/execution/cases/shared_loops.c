/* Loops over rows of different lengths, which the lanes of a warp share: every number of lanes for an iteration, rows
   without entries and with many, all kinds of accumulation, and loops that must stay with one lane. */
/* args: 0 131 */
/* args: 1 131 */
/* args: 2 70 */
/* args: 8 33 */
/* args: 32 131 */
/* args: 4 1 */
/* args: 16 0 */
/* expect-gpu: 12 */
/* rtol: 1e-11 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 131
#define MOST 70

typedef struct { double x, y; int kind; } particle;

static int row[N + 1], len[N], nbr[N * MOST], ints[N * MOST], skip[N];
static double val[N * MOST], x[N], y[N], out[N], out2[N], low[40][40];
static float fval[N * MOST], fout[N];
static long long lout[N];
static unsigned char bytes[N * MOST], bout[N];
static int iout[N], iout2[N], last[N];
static unsigned long first[N + 1];
static particle at[N];

static double square(double a) { return a * a; }
static double pull(const particle *p, double x) { return p->kind ? square(p->x - x) : 0.5 * p->y; }

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        len[i] = i % 9 == 4 ? 0 : i % 40 == 19 ? MOST : i % 31 == 30 ? 1 : (i * 7) % 13;
        row[i + 1] = row[i] + len[i];
        first[i + 1] = row[i + 1];
        x[i] = 1.0 / (i + 1);
        y[i] = i * 0.25;
        skip[i] = i % 11 == 3;
        at[i].x = i * 0.5, at[i].y = 1 - i * 0.125, at[i].kind = i % 3;
    }
    for (int k = 0; k < N * MOST; k++) {
        nbr[k] = (k * 31 + 7) % N;
        val[k] = 1.0 / (k % 97 + 3) - 0.01;
        fval[k] = (float)((k * 37) % 101) - 50;
        ints[k] = (k * 17) % 1001 - 500;
        bytes[k] = (unsigned char)(k * 29);
    }
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 40; k++)
            low[i][k] = 1.0 / (1 + i + k);
}

static void sums(int n)
{
    int i, k;
    #pragma omp parallel for private(k)
    for (i = 0; i < n; i++) {
        double sum = 0.0;
        for (k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * x[nbr[k]];
        out[i] = sum;
    }
    double total = 0, before = 0;
    for (i = 0; i < n; i++)
        total += out[i] * (i % 7 + 1);
    printf("%.13g\n", total);
    #pragma omp parallel for reduction(+:before)
    for (i = 0; i < n; i++) {
        unsigned char c = 3;
        float f = -0.0f;
        long long hash = i;
        unsigned bits = 0;
        out[i] = i;
        for (unsigned long q = first[i]; q != first[i + 1]; ++q) {
            c += bytes[q];
            if (fval[q] > 0)
                f += fval[q];
            hash = (hash * 5 + ints[q]) % 1000003;
            bits ^= bytes[q] << (q & 7);
            before -= out[i] * bytes[q];
        }
        out[i] = f;
        bout[i] = c, lout[i] = hash + bits;
    }
    for (i = 0; i < n; i++)
        printf("%d %g %lld;", bout[i], out[i], lout[i]);
    printf("%.13g\n", before);
}

static void extremes(int n)
{
    int i, k, j;
    #pragma omp parallel for private(k, j)
    for (i = 0; i < n; i++) {
        float least = 1e9f, most = -1e9f;
        int where = -1, top = -1000, seen = 0;
        double p = 1;
        for (k = row[i + 1] - 1; k >= row[i]; k--) {
            j = nbr[k];
            if (fval[k] < least) {
                least = fval[k];
                where = j;
            }
            most = fmaxf(most, fval[k]);
            top = ints[k] > top ? ints[k] : top;
            if (skip[j])
                continue;
            p *= 1 + val[k];
            seen++;
        }
        fout[i] = least - most;
        iout[i] = where, iout2[i] = top + seen * 10000;
        out[i] = p;
    }
    for (i = 0; i < n; i++)
        printf("%g %d %d %.12g;", fout[i], iout[i], iout2[i], out[i]);
    #pragma omp parallel for
    for (i = 0; i < n; i++) {
        if (len[i] < 2)
            continue;
        int final = -7;
        for (int q = i * MOST; q < i * MOST + len[i]; q += 3)
            if (ints[q] > 0)
                final = ints[q];
        last[i] = final;
    }
    for (i = 0; i < n; i++)
        printf("%d ", last[i]);
    printf("\n");
}

static void forces(int n)
{
    int pairs = 0;
    #pragma omp parallel for reduction(+:pairs)
    for (int a = 0; a < n; a++) {
        const double xa = x[a], ya = y[a];
        const int *mine = nbr + a * MOST;
        double fx = 0, fy = 0;
        if (skip[a]) {
            out[a] = out2[a] = -1;
        } else {
            for (int m = 0; m < len[a]; m++) {
                const int j = mine[m];
                if (j == a)
                    continue;
                const double dx = xa - x[j], dy = ya - y[j], r2 = dx * dx + dy * dy;
                if (r2 < 100.0) {
                    fx += dx / (r2 + 0.1);
                    fy -= dy / (r2 + 0.1);
                    pairs++;
                }
            }
            double second = fx;
            for (int m = 0; m < len[a]; m++)
                second += pull(&at[mine[m]], xa) * (m + 1);
            out[a] = second, out2[a] = fy;
        }
        #pragma omp atomic
        iout[a % 3] += 1;
    }
    double total = 0;
    for (int a = 0; a < n; a++)
        total += out[a] * (a % 5 + 1) + out2[a];
    printf("%.12g %d %d\n", total, pairs, iout[1]);
}

static void nested(int n)
{
    n = n < 40 ? n : 40;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) {
            double s = d;
            if (i + d == 7)
                continue;
            #pragma omp simd reduction(+:s)
            for (int j = 0; j < i - d; j++)
                s += low[i][j] * x[j + d];
            if (d == 1)
                out[i] = s;
            else
                out2[i] = s;
        }
    double total = 0;
    for (int i = 0; i < n; i++)
        total += out[i] + 3 * out2[i];
    printf("%.12g\n", total);
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            long count = 0;
            for (int k = row[i]; k <= row[i + 1] - 1; k++)
                count += 2;
            for (int k = row[i]; k <= row[i + 1] - 1; k++)
                count += ints[k] < 0;
            lout[i] = count;
        }
    }
    long long counted = 0;
    for (int i = 0; i < n; i++)
        counted = counted * 3 % 1000003 + lout[i];
    printf("%lld\n", counted);
}

/* Here a lane walks its row alone. */
static void alone(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* left early */
        int found = -1;
        for (int k = row[i]; k < row[i + 1]; k++) {
            found = ints[k];
            if (found > 200)
                break;
        }
        iout[i] = found;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* writes memory, and an array of the row's own */
        double own[4] = {0};
        for (int k = row[i]; k < row[i + 1]; k++) {
            own[k & 3] += val[k];
            out2[i] = own[k & 1] + k;
        }
        out[i] = own[0] - own[3];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* reads depend on the entry before */
        int next = i % 3;
        for (int k = row[i]; k < row[i + 1]; k++)
            next = (next + nbr[k] + nbr[next]) % 100;
        iout2[i] = next;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* through a pointer to the row's own variables */
        double w[3] = {1, i, 2}, s = 0, *p = &w[i % 2];
        for (int k = row[i]; k < row[i + 1]; k++)
            s += val[k] * p[k & 1];
        fout[i] = (float)s;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* the counter is wanted behind the loop */
        int k, s = 0;
        for (k = row[i]; k < row[i + 1]; k++)
            s += ints[k];
        last[i] = s + k;
    }
    double total = 0;
    long sum = 0;
    for (int i = 0; i < n; i++) {
        total += out[i] + out2[i] * 3 + fout[i];
        sum += (long)iout[i] * 3 + iout2[i] + last[i] * 7L;
    }
    printf("%.9g %ld\n", total, sum);
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] != '0' && getenv("OMPC_LANES") == NULL) { /* read when the program starts */
        setenv("OMPC_LANES", argv[1], 1);
        execv("/proc/self/exe", argv);
    }
    int n = argc > 2 ? atoi(argv[2]) : N;
    fill();
    sums(n);
    extremes(n);
    forces(n);
    nested(n);
    alone(n);
    return 0;
}

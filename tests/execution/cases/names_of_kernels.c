/* Variables that are called as kernels and launchers would call theirs, in kernels of several forms. */
/* args: 90 */
/* args: 3 */
/* expect-gpu: 16 */
#include <stdio.h>
#include <stdlib.h>
#define N 96

static double a[N][N], b[N][N], c[N][N], d[N][N];
static int first_i = 1, last_j = 2, a_tile = 3, rows = 4, side = 5, p = 6, group = 7, slot = 8, once = 9, begin_i = 10;
static int start[N + 1], column[N * N], count[16], copies = 1, neighbours = 2, near;
static unsigned char narrow[N * N], wide[N * N];
static double shift = 0.5;

static double shifted(double x)
{
    double shift_2 = x;
    return shift_2 + shift;
}

static double hidden(double shift)
{
    return shifted(shift) * 2;
}

static double filled(double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] = i % 7;
    return sum;
}

static double of_variable_length(int n, double x_bytes, int trips_j)
{
    double x[n], y[n][n], sum = filled(x, n), y_dim1 = 2;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += x_bytes + trips_j;
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i][j] = x[j] * y_dim1 + trips_j;
    for (int i = 0; i < n; i++)
        sum += x[i] + y[i][n - 1 - i];
    return sum;
}

static double mapped(double *x, int n, double x_mapped_first, double x_mapped_count)
{
    double sum = 0;
    #pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = x[i] * x_mapped_first + x_mapped_count;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static double of_constants(double *x)
{
    enum { trips = 40, region = 50, launch = 60 };
    double sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < trips; i++)
        x[i] += 1;
    #pragma omp parallel for
    for (int i = trips; i < region; i++)
        for (int k = 0; k < launch; k++)
            x[i] += k;
    for (int i = 0; i < N; i++)
        sum += x[i];
    return sum;
}

static double of_records(double *x, int n)
{
    struct t { double first, second; };
    double sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct t both = (struct t){x[i], 2};
        both = (struct t){both.second, both.first};
        x[i] = both.first * 3 + both.second;
    }
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10;
    int t, trips = 11, own = 0, nth = 2, tile = 3, row = 4;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 3 + j) % 11;
            b[i][j] = (i + 5 * j) % 13;
            narrow[i * N + j] = i + j;
            column[i * N + j] = (i + 7 * j) % N;
        }
    for (int i = 0; i < N; i++)
        start[i + 1] = start[i] + i % 9;

    /* tiles, and sums that threads of a block divide */
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double points = a_tile;
            for (int stage = 0; stage < n; stage++)
                points += a[i][stage] * b[stage][j];
            c[i][j] = points + first_i + last_j;
        }

    /* transposed tiles, rows of a thread, and slices */
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            d[j][i] = a[i][j] * side + p;
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            c[i][j] = a[i - 1][j] + a[i + 1][j] * rows + a[i][j - 1] * once + begin_i + nth;

    /* lanes that share loops: parts of a sum, and terms in order */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double term = group;
        for (int k = start[i]; k < start[i + 1]; k++)
            term += a[0][column[k]] * b[1][k % N];
        d[i][0] += term + slot;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double k_entries = own, Terms = 0;
        for (int k = start[i]; k < start[i + 1]; k++) {
            k_entries = k_entries * 0.5 + a[0][column[k]] / (1 + k);
            Terms = Terms > k_entries ? Terms : k_entries;
        }
        d[i][1] += k_entries + Terms;
    }

    /* copies of blocks; neighbours of a thread */
    #pragma omp parallel for
    for (int i = 0; i < n * n; i++) {
        int count_room = narrow[i] % 16;
        #pragma omp atomic
        count[count_room] += copies * neighbours;
    }
    #pragma omp parallel for
    for (int iteration = 0; iteration < n * n; iteration++)
        wide[iteration] = narrow[iteration] + near;

    /* what is combined, and last values */
    double best = 1e9, best_won = 3, s_result = 2, s = 0;
    int where = -1;
    #pragma omp parallel for reduction(+:s) lastprivate(t)
    for (int i = 0; i < n; i++) {
        int t_last = i;
        t = t_last + trips;
        s += hidden(d[i][0]) * s_result;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double best_own = d[i][1] + best_won;
        #pragma omp critical
        if (best_own < best) {
            best = best_own;
            where = i;
        }
    }

    /* prefixes */
    int sum = 0;
    #pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n * n; i++) {
        sum += narrow[i] % tile;
        #pragma omp scan inclusive(sum)
        column[i] = sum + row;
    }

    double all = of_variable_length(n, 3, 4) + mapped(d[2], n, 2, 1) + of_constants(d[3]) + of_records(d[4], n);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            all += (c[i][j] + d[i][j] + wide[i * N + j]) * ((i + 3 * j) % 7) + column[i * N + j];
    for (int i = 0; i < 16; i++)
        all += count[i] * i;
    printf("%.10g %.10g %.10g %d %d %d\n", all, s, best, where, t, sum);
    return 0;
}

/* Reductions over arrays: small ones, of which each thread has a copy; large ones and sections behind pointers, into which
   all iterations accumulate; every operator; what lies outside the section stays as it was. */
/* args: 5000 */
/* args: 3 */
/* args: 0 */
/* expect-gpu: 12 */
/* expect-added: 2 */
/* expect-host: OMPC355 OMPC350 OMPC350 */
/* rtol: 1e-5 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 1000 };
static int key[5000], histogram[BINS];
static double value[5000], grid[40][50];
static unsigned char bytes[300];

static void print(const char *name, const double *p, int n)
{
    double weighted = 0;
    for (int i = 0; i < n; i++)
        weighted += (i % 17 + 1) * p[i];
    printf("%s %.6f\n", name, weighted);
}

static void add(long *to, int from)
{
    *to += from;
}

static void sections(int n, double *p, int first, int count)
{
    #pragma omp parallel for reduction(+ : p[first:count])
    for (int i = 0; i < n; i++)
        p[first + key[i] % count] += value[i];
    #pragma omp parallel for reduction(max : p[:count])
    for (int i = 0; i < n; i++)
        if (i % 3 == 0)
            p[key[i] % count] = fmax(p[key[i] % count], value[i]);
        else if (value[i] + 1 > p[i % count])
            p[i % count] = value[i] + 1;
}

static void rows(int n, double (*q)[50], int m)
{
    #pragma omp parallel for reduction(+ : q[1:m][0:50])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 50; j++)
            q[1 + i % m][j] += value[i] * j;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    for (int i = 0; i < 5000; i++) {
        key[i] = (int)((i * 7919u) % BINS);
        value[i] = sin(i * 0.7) * 3;
    }

    /* a copy in each thread */
    int count[10] = {1, 2, 3}, low[4] = {5, 500, -3, 7}, bits[3] = {-1, 0, 9};
    long sums[3] = {4, 5, 6};
    float part[2][3] = {{0.5f}};
    double q[10] = {0}, products[2] = {1, 2};
    _Bool all[3] = {1, 1, 0}, any[3] = {0, 1, 0};
    #pragma omp parallel for reduction(+ : count, part, q) reduction(min : low) reduction(* : products) \
        reduction(&& : all) reduction(|| : any) reduction(| : bits[1:2])
    for (int i = 0; i < n; i++) {
        count[key[i] % 10]++;
        part[i % 2][i % 3] += 0.25f;
        q[(int)fabs(value[i])] += 1.0;
        low[i % 4] = key[i] - 2 < low[i % 4] ? key[i] - 2 : low[i % 4];
        products[i % 2] *= 1 + value[i] * 1e-4;
        all[i % 3] = all[i % 3] && key[i] < BINS - 1;
        if (key[i] == BINS - 1)
            any[i % 3] = 1;
        bits[1 + i % 2] |= 1 << key[i] % 20;
    }
    for (int i = 0; i < 10; i++)
        printf("%d %g ", count[i], q[i]);
    printf("%g %g %g %g %d %d %d %d\n", part[0][0], part[1][2], products[0], products[1], low[0], low[1], low[2], low[3]);
    printf("%d %d %d %d %d %d %d %d %d\n", all[0], all[1], all[2], any[0], any[1], any[2], bits[0], bits[1], bits[2]);
    #pragma omp parallel for reduction(+ : sums)
    for (int i = 0; i < n; i++)
        add(&sums[i % 3], i);
    printf("%ld %ld %ld\n", sums[0], sums[1], sums[2]);
    int odd[4] = {2, 0, 3, 0};
    #pragma omp parallel for reduction(|| : odd)
    for (int i = 0; i < n; i++)
        odd[i % 2] = odd[i % 2] || key[i] > 2000;
    printf("%d %d %d %d\n", odd[0], odd[1], odd[2], odd[3]);

    /* accumulated in place */
    #pragma omp parallel for reduction(+ : histogram)
    for (int i = 0; i < n; i++)
        histogram[key[i]]++;
    #pragma omp parallel for reduction(+ : histogram[:BINS])
    for (int i = 0; i < n; i++)
        histogram[key[i] / 2] -= 2;
    int check = 0;
    for (int i = 0; i < BINS; i++)
        check += histogram[i] * (i % 31);
    printf("%d\n", check);
    #pragma omp parallel for reduction(+ : grid)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 50; j++)
            grid[i % 40][j] = grid[i % 40][j] + value[i];
    #pragma omp parallel for reduction(^ : bytes)
    for (int i = 0; i < n; i++)
        bytes[key[i] % 300] ^= (unsigned char)i;
    for (int i = 0; i < 300; i++)
        check += bytes[i] * (i % 7);
    printf("%d\n", check);

    double *block = malloc(700 * sizeof *block), vla[n / 10 + 70];
    for (int i = 0; i < 700; i++)
        block[i] = i * 0.01;
    for (int i = 0; i < n / 10 + 70; i++)
        vla[i] = 1;
    sections(n, block + 100, 30, 200);
    print("block", block, 700);
    rows(n, grid, 20);
    print("grid", &grid[0][0], 2000);
    #pragma omp parallel for reduction(* : vla)
    for (int i = 0; i < n; i++)
        vla[key[i] % 70] *= 1 + 1e-3 * value[i];
    print("vla", vla, 70);
    long *total = calloc(100, sizeof *total);
    int m = n;
    #pragma omp parallel for reduction(+ : total[0:m / 50 > 100 ? 100 : m / 50 + 1]) default(none) shared(n, m, key)
    for (int i = 0; i < n; i++)
        total[m / 50 > 100 ? key[i] % 100 : 0] += key[i];
    printf("%ld %ld\n", total[0], total[99]);

    /* on the host: reads partial values; and elements that no operation can make 0 or 1; a called function */
    #pragma omp parallel for reduction(+ : histogram) num_threads(1)
    for (int i = 0; i < n; i++)
        value[i] = ++histogram[i % 7];
    #pragma omp parallel for reduction(&& : histogram)
    for (int i = 0; i < n; i++)
        histogram[key[i]] = histogram[key[i]] && i;
    #pragma omp parallel for reduction(+ : total[0:100])
    for (int i = 0; i < n; i++)
        add(&total[i % 100], 1);
    printf("%d %d %ld\n", histogram[2], histogram[900], total[3]);
    free(total);
    free(block);
    return 0;
}

/* What OMPC_VERIFY compares: structs, rows, scalars of all kinds, loops of a team, mapped data. Faults are planted in its kernels. */
/* args: 300 */
/* expect-gpu: 14 */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
struct inner { int k[3]; float f; };
struct body { double x, y; int id; struct inner in; };

static double grid[40][30];
static int histogram[16];

static void structs(struct body *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        p[i].x += 0.5 * i; /* structs */
        p[i].in.k[1] = i + 3;
        p[i].in.f = sqrtf((float)i);
    }
}

static void rows(double **row, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            row[i][j] = i + 0.125 * j; /* rows */
}

static double scalars(const struct body *p, int n, int *last)
{
    double sum = 0;
    int large = -1, final = 0;
    #pragma omp parallel for reduction(+: sum) reduction(max: large) lastprivate(final)
    for (int i = 0; i < n; i++) {
        sum += p[i].x; /* sum */
        large = p[i].id > large ? p[i].id : large;
        final = i * 2;
    }
    *last = final + large;
    return sum;
}

static double in_registers(const struct body *p, int n)
{
    register double sum = 0;
    #pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += p[i].x * p[i].y;
    return sum;
}

static int team(struct body *p, int n)
{
    int count = 0;
    #pragma omp parallel
    {
        #pragma omp for reduction(+: count)
        for (int i = 0; i < n; i++) {
            p[i].y += 0.25 * i; /* team */
            count += i & 1;
        }
        #pragma omp for nowait
        for (int i = 0; i < n; i++)
            p[i].id = i % 77; /* nowait */
    }
    return count;
}

static double mapped(float *v, int n)
{
    double sum = 0;
    #pragma omp target data map(tofrom: v[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] = 2 * v[i] + 1; /* mapped */
        #pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
        for (int i = 0; i < n; i++)
            sum += v[i];
    }
    return sum;
}

static void arrays(int n)
{
    for (int step = 0; step < 3; step++) {
        #pragma omp parallel for
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 30; j++)
                grid[i][j] += i * 30 + j; /* grid */
    }
    #pragma omp parallel for reduction(+: histogram)
    for (int i = 0; i < n; i++)
        histogram[i % 16] += i; /* histogram */
}

static void prints(int n)
{
    #pragma omp parallel for schedule(static, 1) num_threads(1)
    for (int i = 0; i < n; i++)
        if (i % 100 == 7)
            printf("at %d\n", i);
}

static long parts(int n)
{
    long sum = 0;
    #pragma omp parallel
    {
        long part = 0;
        #pragma omp for
        for (int i = 0; i < n; i++)
            part += i;
        #pragma omp atomic
        sum += part;
    }
    return sum;
}

/* Rounded otherwise, in parts: not compared byte by byte. */
static double turned(int n)
{
    double complex turn = 1;
    #pragma omp parallel for reduction(*: turn)
    for (int i = 0; i < n; i++)
        turn *= cexp(I * (0.3 * i));
    return cabs(turn);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 300, last = 0;
    struct body *p = calloc(n, sizeof *p);
    float *v = calloc(n, sizeof *v);
    double **row = malloc(n * sizeof *row), whole = 0;
    double *long_block = malloc(20000 * sizeof *long_block);
    for (int i = 0; i < n; i++)
        row[i] = malloc(50 * sizeof **row);
    structs(p, n);
    rows(row, n, 50);
    int count = team(p, n);
    double sum = scalars(p, n, &last);
    printf("%.6f %d %d %.6f\n", sum, last, count, in_registers(p, n));
    printf("%.6f\n", mapped(v, n));
    arrays(n);
    prints(n);
    printf("%ld %.6f\n", parts(n), turned(n));
    #pragma omp parallel for
    for (int i = 0; i < 20000; i++)
        long_block[i] = sin(i); /* long */
    for (int i = 0; i < 20000; i += 7)
        whole += long_block[i];
    printf("%.6f %.6f %.6f %d\n", whole, row[n - 1][49], grid[39][29], histogram[3]);
    for (int i = 0; i < n; i++)
        free(row[i]);
    free(row), free(p), free(v), free(long_block);
    return 0;
}

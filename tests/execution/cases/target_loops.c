/* Target and teams constructs in their forms: merged levels, inner parallel loops, copies of scalars, what comes back. */
/* args: 40 25 */
/* args: 1 300 */
/* expect-gpu: 30 */
/* expect-host: OMPC352 OMPC352 OMPC355 OMPC355 */
/* refuses: OMPC453 */
#define ONE_MORE 1
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 300
#pragma omp declare target
int counted;
double table[8];
static double scaled(double x)
{
    return x * table[3] + counted;
}
#pragma omp end declare target
int listed, plain;
#pragma omp declare target(listed)
static double a[N], b[N][N];
static struct pair { double x, y; } pair;

static double checksum(void)
{
    double s = 0;
    for (int i = 0; i < N; i++) {
        s += a[i] * (i % 7 + 1);
        for (int j = 0; j < N; j += 3)
            s += b[i][j] * (j % 5);
    }
    return s;
}

static void combined(int n)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = scaled(i);
    #pragma omp target teams distribute parallel for simd simdlen(4) num_teams(n + ONE_MORE) thread_limit(32) device(0)
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp target teams distribute
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    #pragma omp target teams distribute simd
    for (int i = 0; i < n; i++)
        a[i] -= 1;
    #pragma omp target parallel for schedule(static, 1) num_threads(3)
    for (int i = 0; i < n; i++)
        a[i] += 3;
    #pragma omp target parallel for simd
    for (int i = 0; i < n; i++)
        a[i] += i % 2;
    #pragma omp target simd
    for (int i = 0; i < n; i++)
        a[i] += 0.5;
    #pragma omp target teams loop
    for (int i = 0; i < n; i++)
        a[i] += 0.25;
    #pragma omp target parallel loop
    for (int i = 0; i < n; i++)
        a[i] += 0.125;
    #pragma omp teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += 1;
    printf("combined %g\n", checksum());
}

static double nests(int n, int m, double *p)
{
    double total = 0, most = 0;
    int j;
    #pragma omp target teams distribute map(tofrom: p[0:n*m])
    for (int i = 0; i < n; i++)
        #pragma omp parallel for
        for (int j = 0; j < m; j++)
            p[i * m + j] += i - j;
    #pragma omp target teams distribute map(to: p[0:n*m]) map(from: a[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
        #pragma omp parallel for reduction(+:s)
        for (j = 0; j < m; j++)
            s += p[i * m + j];
        #pragma omp parallel for reduction(max:s) private(j)
        for (j = 0; j < m; j++)
            if (p[i * m + j] > s)
                s = p[i * m + j];
        a[i] = s;
    }
    #pragma omp target teams distribute parallel for collapse(2) reduction(max:most)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            if (p[i * m + k] > most)
                most = p[i * m + k];
    #pragma omp target map(to: p[0:n*m]) map(tofrom: total)
    #pragma omp teams
    #pragma omp distribute parallel for reduction(+:total)
    for (int i = 0; i < n * m; i++)
        total += p[i];
    #pragma omp target teams distribute reduction(+:total)
    for (int i = 0; i < n; i++)
        #pragma omp parallel for reduction(+:total)
        for (int k = 0; k < i; k++)
            total += k;
    #pragma omp target teams distribute reduction(+:total)
    for (int i = 0; i < n; i++)
        #pragma omp parallel for reduction(+:total)
        for (int k = 0; k < m; k++)
            total += k + i;
    #pragma omp target map(to: p[0:n*m]) map(tofrom: total, most)
    #pragma omp teams num_teams(3) reduction(+:total) reduction(max:most)
    #pragma omp distribute
    for (int i = 0; i < n * m; i += 64) {
        #pragma omp parallel for reduction(+:total)
        for (int k = i; k < (i + 64 < n * m ? i + 64 : n * m); k++)
            total += p[k];
        if (p[i] + 3 > most)
            most = p[i] + 3;
    }
    return total + most;
}

/* What is not mapped does not come back. */
static void copies(int n)
{
    int x = 1, y = 1, z = 1, last = 0;
    double s = 0, lost = 0;
    counted = listed = plain = 1;
    pair.x = 1;
    #pragma omp target teams distribute parallel for map(tofrom: y)
    for (int i = 0; i < n; i++) {
        x = 9, y = 9, plain = 9, listed = 9, counted = 9;
        if (i == 0) pair.y = 5;
    }
    printf("%d %d plain %d listed %d counted %d pair %g %g\n", x, y, plain, listed, counted, pair.x, pair.y);
    #pragma omp target parallel for defaultmap(tofrom: scalar) if(target: n > 0) if(parallel: y)
    for (int i = 0; i < n; i++)
        z = 7;
    #pragma omp target parallel for reduction(+:s) lastprivate(last) firstprivate(x)
    for (int i = 0; i < n; i++)
        s += a[i] * x, last = i;
    printf("%d %g %d\n", z, s, last);
    #pragma omp target
    #pragma omp parallel for reduction(+:lost)
    for (int i = 0; i < n; i++)
        lost += a[i];
    #pragma omp target firstprivate(x)
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x = 4;
    printf("%g %d\n", lost, x);
}

/* Regions with several loops, tasks, pointers into automatic arrays, conditions that are false. */
static void regions(int n, double *part, int flag)
{
    int done = 0;
    #pragma omp target map(tofrom: a)
    {
        int t = 3;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] += t;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i][i] = a[i];
        done = t;
    }
    #pragma omp target teams
    {
        #pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += 2;
    }
    #pragma omp target teams num_teams(1)
    {
        int shift = 2;
        #pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += shift;
    }
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp task depend(out: done)
        done = 4;
    }
    #pragma omp target nowait depend(inout: a) map(tofrom: part[5:20])
    #pragma omp teams distribute parallel for
    for (int i = 5; i < 25; i++)
        part[(i * 7) % 20 + 5] += i;
    #pragma omp taskwait
    #pragma omp target teams distribute parallel for if(flag) map(to: part[5:20])
    for (int i = 0; i < n; i++)
        a[i] += part[i % 20 + 5];
    #pragma omp target
    a[0] += done;
    printf("regions %g %d\n", checksum(), done);
}

static void overlapping(int n, double *to, const double *from)
{
    #pragma omp target simd safelen(4)
    for (int i = 0; i < n; i++)
        to[i] = from[i] / 2;
}

static void dependent(int n, const int *index)
{
    #pragma omp target simd
    for (int i = 0; i < n; i++)
        a[index[i]] = i;
    #pragma omp target simd safelen(4)
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i] + b[i][0];
    #pragma omp target teams distribute simd safelen(2) num_teams(1)
    for (int i = 2; i < n; i++)
        a[i] += a[i - 2];
    overlapping(n, a, b[0]);
    overlapping(n - 1, a, a + 1);
}

/* Device memory of the host: there is no other device. */
static void api(int n)
{
    int device = omp_get_default_device();
    double *d = omp_target_alloc(n * sizeof *d, device), *e = a;
    omp_target_memcpy(d, a, n * sizeof *d, 0, 0, device, omp_get_initial_device());
    #pragma omp target is_device_ptr(d)
    #pragma omp teams distribute parallel for
    for (int i = 0; i < n; i++)
        d[i] = d[i] * 2 + i;
    omp_target_memcpy(a, d, n * sizeof *d, 0, 0, omp_get_initial_device(), device);
    #pragma omp target data map(tofrom: e[0:n]) use_device_ptr(e)
    {
        #pragma omp target teams distribute parallel for is_device_ptr(e)
        for (int i = 0; i < n; i++)
            e[i] += 1;
    }
    omp_target_free(d, device);
    printf("api %g %d %d\n", checksum(), omp_is_initial_device(), omp_get_num_devices());
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), index[N];
    double *p = malloc(n * m * sizeof *p), part[30];
    for (int i = 0; i < n * m; i++) p[i] = i % 11;
    for (int i = 0; i < 30; i++) part[i] = i;
    for (int i = 0; i < N; i++) index[i] = i / 2;
    table[3] = 2;
    combined(n);
    printf("nests %g\n", nests(n, m, p));
    copies(n);
    regions(n, part, argc > 5);
    regions(n, part, 1);
    dependent(n, index);
    api(n);
    free(p);
    return 0;
}

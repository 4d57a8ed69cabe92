/* The remaining forms of constructs that share iterations, and directives without a meaning inside a kernel. */
/* args: 100 */
/* args: 37 */
/* expect-gpu: 17 */
/* expect-host: OMPC320 OMPC320 OMPC320 */
#include <omp.h>
#include <stdio.h>

#define N 100
#pragma omp requires dynamic_allocators atomic_default_mem_order(relaxed)
static double a[N];
static int b[N], linked, counter, guarded;
#pragma omp declare target link(linked) device_type(any)
typedef struct { int n; double *p; } vec;

#pragma omp declare simd uniform(x) linear(i) simdlen(4) notinbranch aligned(x: 8)
static double doubled(const double *x, int i)
{
    return x[i] * 2;
}
#pragma omp declare simd inbranch
static double more(double x)
{
    return x + 1;
}

static void orphan(int n)
{
    #pragma omp loop bind(parallel)
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

static void loops(int n)
{
    int i, j, x = 3;
    #pragma omp parallel
    orphan(n);
    #pragma omp parallel
    {
        #pragma omp barrier
        #pragma omp loop
        for (i = 0; i < n; i++)
            a[i] += x;
        #pragma omp loop collapse(2) order(reproducible: concurrent) private(x) lastprivate(i)
        for (i = 0; i < 3; i++)
            for (j = 0; j < 10; j++) {
                x = i;
                a[10 * i + j] += x;
            }
    }
    printf("loop %g %d\n", a[n - 1], i);
}

static void teams(int n)
{
    int i, x = 3;
    #pragma omp teams
    {
        #pragma omp loop bind(teams)
        for (i = 0; i < n; i++)
            b[i] = i;
    }
    #pragma omp teams loop
    for (i = 0; i < n; i++)
        b[i] += i;
    #pragma omp teams distribute
    for (i = 0; i < n; i++)
        b[i] += 2 * i;
    #pragma omp teams distribute simd
    for (i = 0; i < n; i++)
        b[i] += 3 * i;
    #pragma omp teams num_teams(1 : 4) thread_limit(8) shared(n, b) default(none) firstprivate(x) private(i)
    #pragma omp distribute simd firstprivate(n) private(i) dist_schedule(static, 5)
    for (i = 0; i < n; i++)
        b[i] += x;
    #pragma omp teams
    #pragma omp distribute
    for (i = 0; i < n; i++)
        b[i] ^= 1;
    #pragma omp teams distribute parallel for simd lastprivate(x) allocate(omp_default_mem_alloc: x)
    for (i = 0; i < n; i++) {
        b[i] += i;
        x = b[i];
    }
    printf("teams %d\n", x);
}

static void target(int n)
{
    double s = 0;
    vec v = {n, a};
    #pragma omp target data map(tofrom: a) use_device_addr(a)
    {
        #pragma omp target teams distribute parallel for has_device_addr(a)
        for (int i = 0; i < n; i++)
            a[i] += i;
    }
    #pragma omp target data map(tofrom: s)
    #pragma omp target map(tofrom: v, v.p[0:n], s)
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < v.n; i++) {
        v.p[i] += 1;
        s += v.p[i];
    }
    #pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = (int)a[i] + linked;
    printf("target %d %g\n", b[n - 1], s);
}

static void bodies(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp nothing
        a[i] += more(i);
        #pragma omp unroll partial(4)
        for (int k = 0; k < 4; k++)
            a[i] += k;
        #pragma omp unroll full
        for (int k = 0; k < 2; k++)
            a[i] -= k;
        #pragma omp assume holds(i >= 0) no_openmp_routines
        a[i] = doubled(a, i);
    }
    #pragma omp parallel for reduction(task, +: counter)
    for (int i = 0; i < n; i++)
        counter += i;
    #pragma omp parallel for reduction(default, +: counter)
    for (int i = 0; i < n; i++)
        counter += i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp atomic seq_cst hint(omp_sync_hint_contended)
        counter += i;
        #pragma omp atomic update acq_rel
        counter -= 1;
        #pragma omp atomic relaxed
        counter ^= 0;
        #pragma omp critical(name) hint(omp_sync_hint_uncontended)
        guarded += 1;
        #pragma omp atomic compare weak fail(relaxed) seq_cst
        if (counter == -1) { counter = 0; }
    }
    printf("bodies %g %d\n", a[n - 1], counter + guarded);
}

/* Inside the region of a caller `declare variant` chooses another function. */
static double inside(double x)
{
    return x + 100;
}
#pragma omp declare variant(inside) match(construct={parallel})
static double outside(double x)
{
    return x + 1;
}
static double on_device(double x)
{
    return x + 1000;
}
#pragma omp declare variant(on_device) match(construct={target})
static double on_host(double x)
{
    return x + 2;
}
double later(double x);

static void variants(int n)
{
    #pragma omp declare variant(inside) match(construct={parallel})
    double later(double x);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = outside(i);
    printf("variants %g", a[n - 1]);
    #pragma omp target parallel for
    for (int i = 0; i < n; i++)
        a[i] = on_host(i);
    printf(" %g", a[n - 1]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = later(i);
    printf(" %g %g\n", a[n - 1], outside(1));
}

double later(double x)
{
    return x + 3;
}

int main(int argc, char **argv)
{
    int n = 0;
    for (const char *c = argc > 1 ? argv[1] : ""; *c; c++)
        n = n * 10 + (*c - '0');
    loops(n);
    teams(n);
    target(n);
    bodies(n);
    variants(n);
    return 0;
}

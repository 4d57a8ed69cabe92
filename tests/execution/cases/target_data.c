/* Data constructs: what stays on the device, what the host changes in between, and programs that free or forget. */
/* args: 300 */
/* args: 40 1 2 3 4 */
/* expect-gpu: 26 */
/* without: glue */
/* expect-host: OMPC330 */
/* refuses: OMPC451 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000
#define M 60
static double u[N], v[N], w[N], grid[M][M], coefficient[16];
static int row[N + 1];
struct field { int n; double *data, fixed[N]; };

static void sweep(double *a, const double *b, int n)
{
    #pragma omp target teams distribute parallel for map(to: b[0:n]) map(from: a[0:n])
    for (int i = 1; i < n - 1; i++)
        a[i] = 0.5 * (b[i - 1] + b[i + 1]) * coefficient[3];
}
static double sum(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * (i % 3 + 1);
    return s;
}

/* Pointers that swap, one region in another, an inner section. */
static void structured(double *a, double *b, int n)
{
    #pragma omp target data map(tofrom: a[0:n], b[0:n])
    {
        for (int s = 0; s < 6; s++) {
            sweep(b, a, n);
            double *t = a; a = b; b = t;
        }
        #pragma omp target data map(to: a[5:10]) map(alloc: u) if(n > 100)
        {
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i++) u[i] = a[i] + 1;
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i += 2) b[i] += u[i];
        }
        #pragma omp target update from(a[0:n / 2])
        printf("%.10g\n", sum(a, n / 2));
        a[3] = 50;
        #pragma omp target update to(a[3:1])
        sweep(b, a, n);
    }
}

/* Between enter and exit: updates, a region of the host's, a condition that is false, a refused launch, strided sections. */
static double unstructured(int n, int flag)
{
    double *p = malloc(n * 8 * sizeof *p), *q = malloc(n * 8 * sizeof *q), s = 0;
    for (int i = 0; i < n * 8; i++) p[i] = i % 17, q[i] = i % 5;
    #pragma omp target enter data map(to: p[0:n * 8]) map(alloc: q[0:n * 8])
    #pragma omp target enter data map(to: p[n:n])
    for (int k = 0; k < 4; k++)
        sweep(q, p, n * 8), sweep(p, q, n * 8);
    #pragma omp target exit data map(from: p[n:n])
    #pragma omp target update from(p[0:n])
    printf("%.10g\n", sum(p, n));
    for (int i = 0; i < 4; i++) p[i] = 100;
    #pragma omp target update to(p[0:4]) from(q[0:2])
    sweep(q, p, n * 8);
    #pragma omp target map(tofrom: q[0:n])
    q[7] += 3;
    sweep(p, q, n * 8);
    #pragma omp target teams distribute parallel for reduction(+:s) if(flag)
    for (int i = 0; i < n; i++) s += p[i];
    #pragma omp target teams distribute parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += p[i];
    #pragma omp parallel num_threads(2)
    #pragma omp single
    sweep(q, p, n * 8);
    sweep(p, q, n * 8);
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) p[i + n] = p[i];
    #pragma omp target update from(p[0:n])
    #pragma omp target exit data map(from: p[0:n * 8]) map(delete: q[0:n * 8])
    s += sum(p, n * 8) + sum(q, n * 8);
    free(p), free(q);
    return s;
}

/* Host code that forgets to update; a table that may go to constant memory; bounds that the host reads. */
static double forgetful(int n)
{
    double s = 0;
    #pragma omp target data map(to: v) map(w) map(to: coefficient, row)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) v[i] += w[i] * coefficient[i % 16];
        w[3] = 7;
        v[1] += 1;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) row[i] = i / 2, w[i] += v[i];
        s = v[2];
        #pragma omp target teams distribute parallel for reduction(+:s)
        for (int i = row[2]; i < row[n - 1]; i++) s += w[i];
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 16; i++) coefficient[i] += i;
        sweep(w, v, n);
    }
    return s + sum(v, n) + sum(w, n) + sum(coefficient, 16) + row[5];
}

/* Memory that goes while it is mapped, and comes again. */
static double freed(int n)
{
    double s = 0;
    for (int k = 0; k < 4; k++) {
        double *p = malloc(N * sizeof *p);
        for (int i = 0; i < N; i++) p[i] = i % (k + 3);
        #pragma omp target enter data map(to: p[0:N])
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) p[i] += i % n;
        #pragma omp target update from(p[0:N])
        s += sum(p, N);
        free(p);
    }
    return s;
}

/* Members, rows of a matrix, arrays on the stack. */
static double shapes(int n)
{
    struct field f = {n, malloc(n * sizeof(double)), {0}};
    double local[N], (*rows)[M] = grid;
    memset(local, 0, sizeof local);
    double *data = f.data;
    for (int i = 0; i < n; i++) data[i] = i;
    #pragma omp target enter data map(to: f.data[0:n]) map(alloc: local)
    #pragma omp target data map(tofrom: grid[0:M][0:M], f.fixed)
    {
        #pragma omp target teams distribute
        for (int i = 0; i < M; i++)
            #pragma omp parallel for
            for (int j = 0; j < M; j++)
                rows[i][j] += i * j + data[i % n];
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) local[i] = data[i] * 2 + f.fixed[i];
        #pragma omp target teams distribute parallel for map(from: local)
        for (int i = 0; i < n; i++) f.fixed[i] = local[i], data[i] = grid[i % M][1];
    }
    #pragma omp target exit data map(always, from: f.data[0:n]) map(release: local)
    double s = sum(f.data, n) + sum(f.fixed, n) + sum(local, n);
    for (int i = 0; i < M; i++) s += sum(grid[i], M);
    free(f.data);
    return s;
}

/* A target region of each thread: its thread is an initial one, and must not launch. */
static void add(double *a, int n)
{
    #pragma omp target map(tofrom: a[0:n])
    {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) a[i] += 1;
        #pragma omp parallel for
        for (int i = 0; i < n; i++) a[i] *= 2;
    }
}
static double threads(int n)
{
    #pragma omp parallel for num_threads(4)
    for (int k = 0; k < 4; k++) {
        add(u + k * n, n);
        if (k < 0) printf("never\n");
    }
    add(u, n);
    return sum(u, N);
}

/* Loops of the host's own between those of target regions: they have the host's copy of what is mapped. */
static double both_sides(int n)
{
    double *p = malloc(n * sizeof *p), s = 0;
    for (int i = 0; i < n; i++) p[i] = i % 7;
    #pragma omp target data map(tofrom: p[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) p[i] += 3;
        #pragma omp target update from(p[0:n])
        #pragma omp parallel for
        for (int i = 0; i < n; i++) p[i] *= 2;
        #pragma omp parallel for reduction(+: s)
        for (int i = 0; i < n; i++) s += p[i];
        #pragma omp target update to(p[0:n])
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) p[i] -= 1;
    }
    #pragma omp target enter data map(to: w)
    sweep(w, v, n);
    #pragma omp target update from(w)
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) w[i] += p[i];
        #pragma omp single
        s += sum(w, N);
    }
    #pragma omp target update to(w)
    sweep(v, w, n);
    #pragma omp target exit data map(release: w)
    #pragma omp target map(tofrom: p[0:n])
    {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) p[i] += 1;
        s += p[1];
    }
    s += sum(p, n);
    free(p);
    return s + sum(v, N);
}

/* An update of one part leaves alone what the host has written in another. */
static double halos(int n)
{
    double *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q), s = 0;
    for (int i = 0; i < n; i++) p[i] = i % 7, q[i] = 0;
    #pragma omp target enter data map(to: p[0:n])
    #pragma omp target data map(tofrom: q[0:n])
    for (int k = 0; k < 3; k++) {
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++) {
            p[i] += p[0] + p[n - 1];
            q[i] += p[i];
        }
        q[0] = p[0] = 10 + k;
        #pragma omp target update from(p[1:2], q[1:2])
        q[n - 1] = p[n - 1] = p[1] + q[1];
        s += q[2];
        #pragma omp target update to(p[0:1], p[n - 1:1], q[0:1], q[n - 1:1])
    }
    #pragma omp target exit data map(from: p[0:n])
    s += sum(p, n) + sum(q, n);
    free(p), free(q);
    return s;
}

/* The host writes to its copy while the device's is newer: `release` and `delete` leave it alone. Where the host has not
   written, what the device has done is there, as with gcc, whether the program may count on it or not. */
static double own_copy(int n, int writes)
{
    n += 600; /* blocks that are large enough to stay on the device */
    double *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q), s = 0;
    for (int i = 0; i < n; i++) p[i] = i % 7, q[i] = i % 3;
    #pragma omp target enter data map(to: p[0:n], q[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) p[i] += 1;
    #pragma omp target update from(p[1:2])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) q[i] += p[i];
    if (writes) p[0] = q[0] = 50;
    #pragma omp target exit data map(release: p[0:n]) map(delete: q[0:n])
    s = writes ? p[0] + p[1] + p[2] + q[0] : sum(p, n) + sum(q, n);
    free(p), free(q);
    return s;
}

/* What is still mapped when the program ends. */
static double kept[N];
static void at_the_end(void)
{
    printf("kept %.10g\n", sum(kept, N));
}
static void keep(int n)
{
    #pragma omp target enter data map(to: kept)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) kept[i] += i;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    atexit(at_the_end);
    double *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    for (int i = 0; i < N; i++) u[i] = v[i] = w[i] = i % 5, row[i] = i;
    for (int i = 0; i < n; i++) p[i] = i % 17, q[i] = i % 5;
    for (int i = 0; i < 16; i++) coefficient[i] = 1 + i / 3;
    structured(p, q, n);
    printf("structured %.10g %.10g %.10g\n", sum(p, n), sum(q, n), sum(u, n));
    printf("unstructured %.10g\n", unstructured(n, argc > 5));
    printf("forgetful %.10g\n", forgetful(n));
    printf("freed %.10g\n", freed(n));
    printf("shapes %.10g\n", shapes(n));
    printf("both %.10g\n", both_sides(n));
    printf("halos %.10g\n", halos(n));
    printf("own %.10g %.10g\n", own_copy(n, 0), own_copy(n, 1));
    printf("threads %.10g\n", threads(n > 250 ? 250 : n));
    free(p), free(q);
    keep(n);
    return 0;
}

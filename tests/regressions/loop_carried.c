/* on device: 3
   Firstprivate variables in which a thread keeps what its iterations leave: a generator's state, an array, a value that
   not every iteration assigns. With one thread per iteration all would start anew. */
#include <stdio.h>

int main(void)
{
    unsigned seed = 42;
    int inside = 0, n = 2000, t = 3, u = 4, v = 5;
    double sums[2] = {0}, out[100], *p = out;
    struct { int a, b; } pair = {1, 2};
    #pragma omp parallel for firstprivate(seed) reduction(+ : inside) schedule(static)
    for (int i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        double x = (seed >> 8) / 16777216.0;
        seed = seed * 1103515245u + 12345u;
        double y = (seed >> 8) / 16777216.0;
        inside += x * x + y * y < 1;
    }
    #pragma omp parallel for firstprivate(sums) schedule(static)
    for (int i = 0; i < 100; i++) {
        sums[i & 1] += i;
        out[i] = sums[0];
    }
    #pragma omp parallel for firstprivate(p) num_threads(1)
    for (int i = 0; i < 100; i++)
        *p++ += i;
    #pragma omp parallel for firstprivate(u) lastprivate(u) schedule(static)
    for (int i = 0; i < 100; i++)
        if (i == 97)
            u = i;
    /* on the device */
    #pragma omp parallel for firstprivate(t, pair)
    for (int i = 0; i < 100; i++) {
        pair.a = i;
        out[i] += t;
    }
    #pragma omp parallel for firstprivate(v, pair) lastprivate(v)
    for (int i = 0; i < 100; i++) {
        v = 2 * i;
        out[i] += v + pair.b;
    }
    #pragma omp parallel for firstprivate(t) lastprivate(t)
    for (int i = 0; i < 100; i++)
        out[i] *= t;
    printf("%d %g %g %d %d %d\n", inside, out[99], out[3], t, u, v);
    return 0;
}

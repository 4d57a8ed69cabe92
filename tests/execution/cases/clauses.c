/* schedule, num_threads, if, hints, nested simd, `loop`, continued pragmas, spaces and comments in pragmas; what loop
   variables are after the loop. */
/* args: 100 1 */
/* args: 100 0 */
/* args: 3 1 */
/* expect-gpu: 19 */
/* expect-host: OMPC304 OMPC355 OMPC315 OMPC330 */
#include <stdio.h>
#include <stdlib.h>
#define CHUNK 8
#define LIMIT(x) ((x) > 10)

static int a[1000];

static int of_thread;
#pragma omp threadprivate(of_thread)

static void hints(int n, long *sum)
{
    int *b = a, i = -1, j = -1, k = 5, m = 0;
    long total = *sum;

    #pragma omp parallel for ordered schedule(monotonic, simd: dynamic, 4) proc_bind(close)
    for (i = 0; i < n; i++) a[i] += 3;
    #pragma omp parallel for allocate(m) private(m) order(reproducible: concurrent)
    for (i = 0; i < n; i++) { m = i; a[i] += m; }
    printf("%d ", i);
    #pragma omp parallel for simd if(parallel: n > 3) if(simd: n > 4) safelen(8) simdlen(4) aligned(b: 8) nontemporal(b)
    for (i = 0; i < n; i++) b[i] ^= 9;
    printf("%d ", i);
    #pragma omp parallel for simd linear(i: 2)
    for (i = 0; i < n; i += 2) a[i] += 1;
    printf("%d ", i);
    #pragma omp parallel for simd collapse(2)
    for (i = 0; i < n / 10 + 1; i++)
        for (j = 9; j > 0; j--)
            a[i * 10 + j] += j;
    printf("%d %d ", i, j);
    i = -1;
    #pragma omp parallel for simd collapse(2) private(i)
    for (i = 0; i < n / 10 + 1; i++)
        for (j = 0; j < 10; j++)
            a[i * 10 + j] += j;
    printf("%d %d ", i, j);
    #pragma omp parallel loop
    for (i = 0; i < n; i++) a[i] += 5;
    printf("%d ", i);
    #pragma omp parallel
    {
        #pragma omp loop bind(parallel) reduction(+:total) order(concurrent)
        for (i = 0; i < n; i++) total += a[i];
    }
    #pragma omp parallel for
    for (int r = 0; r < n; r++) {
        int total = r;
        #pragma omp simd reduction(+: total) safelen(4)
        for (int q = 0; q < 10; q++)
            total += q * r;
        a[r] += (int)(total % 1000);
        #pragma omp loop bind(thread)
        for (int q = 0; q < 10; q++)
            a[r] += q;
    }
    printf("%ld\n", total);
    #pragma omp parallel for linear(k: 2)
    for (i = 0; i < n; i++) { a[i] += k; k += 2; }
    #pragma omp parallel for copyin(of_thread)
    for (i = 0; i < n; i++) a[i] += 2;
    #pragma omp parallel for ordered
    for (i = 0; i < n; i++) {
        #pragma omp ordered
        m = i;
    }
    #pragma omp parallel
    {
        #pragma omp loop bind(thread)
        for (int r = 0; r < 10; r++)
            m = r;
    }
    #pragma omp parallel for
    for (int r = 0; r < n; r++) {
        #pragma omp simd linear(r: 1)
        for (int q = 0; q < 10; q++)
            a[r] += q;
    }
    printf("%d %d\n", k, m);
    *sum = total;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, on = argc > 2 ? atoi(argv[2]) : 1;
    int threads = 3;
    long sum = 0;

    #pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) a[i] = i;
    #pragma omp parallel for schedule(static, CHUNK)
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma omp parallel for schedule(dynamic, n / 10 + 1)
    for (int i = 0; i < n; i++) a[i] *= 3;
    #pragma omp parallel for schedule(guided) num_threads(threads + 1)
    for (int i = 0; i < n; i++) a[i] -= 2;
    #pragma omp parallel for schedule(runtime)
    for (int i = 0; i < n; i++) a[i] ^= 5;
    #pragma omp parallel for if(on)
    for (int i = 0; i < n; i++) a[i] += 7;
    #pragma omp parallel for if(parallel: on && LIMIT(n)) schedule(auto)
    for (int i = 0; i < n; i++) a[i] += 9;
    #  pragma   omp   parallel \
        for \
        reduction ( + : sum ) /* a comment */ \
        schedule (monotonic : static)
    for (int i = 0; i < n; i++)
        sum += a[i];
    #pragma omp parallel for shared(a), num_threads(4), schedule(nonmonotonic: dynamic)
    for (int i = 0; i < n; i++) a[i] += 11;
    hints(n, &sum);
    printf("%ld", sum);
    for (int i = 0; i < n; i++)
        printf(" %d", a[i]);
    printf("\n");
    return 0;
}

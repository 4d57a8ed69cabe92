/* schedule, num_threads, if, nowait-free combinations, continued pragmas, spaces and comments in pragmas. */
/* args: 100 1 */
/* args: 100 0 */
/* args: 3 1 */
/* expect-gpu: 9 */
#include <stdio.h>
#include <stdlib.h>
#define CHUNK 8
#define LIMIT(x) ((x) > 10)

static int a[1000];

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
    printf("%ld", sum);
    for (int i = 0; i < n; i++)
        printf(" %d", a[i]);
    printf("\n");
    return 0;
}

/* Regions of one thread: iterations may depend on earlier ones there, and the answer is the sequential one. */
/* args: 5000 */
/* expect-gpu: 4 */
/* expect-added: 1 */
/* expect-host: OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 */
/* refuses: OMPC453 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 5000
static long a[N], b[N], key[N];
static long largest;

static void reset(int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        b[i] = i % 7;
        key[i] = i * 31L % n;
    }
}

static long sum(const long *v, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * (i % 5 + 1);
    return s;
}

static void orphan(int n)
{
    #pragma omp for
    for (int i = 1; i < n; i++)
        a[i] += a[key[i]];
}

static void of_one(int n)
{
    #pragma omp for
    for (int i = 1; i < n; i++)
        a[i] += a[key[i]];
}

static void inner(int n)
{
    #pragma omp parallel for
    for (int i = 1; i < n; i++)
        a[i] += a[key[i]];
}

static void after_asking(int n)
{
    #pragma omp parallel for
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}

static void shifted(long *p, long *q, int n)
{
    #pragma omp parallel for num_threads(1)
    for (int i = 1; i < n; i++)
        p[i] = q[i - 1] + 1;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;

    reset(n);
    #pragma omp parallel for num_threads(1)
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
    printf("%ld\n", sum(a, n));

    reset(n);
    #pragma omp parallel for num_threads(1)
    for (int i = 1; i < n; i++)
        a[i] += a[key[i]];
    printf("%ld\n", sum(a, n));

    reset(n);
    #pragma omp parallel num_threads(1)
    {
        #pragma omp for
        for (int i = 1; i < n; i++)
            a[i] += a[key[i]];
        #pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = a[i] + i;
        of_one(n);
    }
    printf("%ld %ld\n", sum(a, n), sum(b, n));

    reset(n);
    #pragma omp parallel for if(0)
    for (int i = 1; i < n; i++)
        a[i] += a[key[i]];
    printf("%ld\n", sum(a, n));

    reset(n);
    orphan(n);
    printf("%ld\n", sum(a, n));

    reset(n);
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        inner(n);
    }
    printf("%ld\n", sum(a, n));

    reset(n);
    largest = 0;
    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        if (key[i] > largest)
            largest = key[i];
        b[i] = largest;
    }
    printf("%ld %ld\n", largest, sum(b, n));

    reset(n);
    shifted(b, a, n);
    shifted(a + 1, a + 1, n - 1);
    printf("%ld\n", sum(a, n));

    reset(n);
    int count = 0;
    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++)
        if (key[i] % 3 == 0) {
            int at;
            #pragma omp atomic capture
            at = count++;
            b[at] = i;
        }
    printf("%d %ld\n", count, sum(b, n));

    reset(n);
    #pragma omp target teams distribute parallel for num_teams(1) thread_limit(1) map(a, key)
    for (int i = 1; i < n; i++)
        a[i] += a[key[i]];
    printf("%ld\n", sum(a, n));

    /* This one is proved independent. */
    reset(n);
    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 3;
    printf("%ld\n", sum(b, n));

    reset(n);
    omp_set_num_threads(1);
    after_asking(n);
    #pragma omp parallel for
    for (int i = 1; i < n; i++)
        a[i] += a[key[i]];
    #pragma omp parallel for num_threads(3)
    for (int i = 1; i < n; i++)
        b[key[i]] = a[i];
    printf("%ld %ld\n", sum(a, n), sum(b, n));
    return 0;
}

/* Loops with `scan` that stay on the host: their phases cannot run apart, or the directive is not supported. */
/* args: 3000 */
/* threads: 1 */
/* expect-gpu: 3 */
/* expect-added: 3 */
/* refuses: OMPC453 */
/* expect-host: OMPC367 OMPC367 OMPC367 OMPC344 OMPC344 OMPC367 OMPC367 OMPC367 OMPC367 OMPC313 OMPC367 OMPC367 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int a[4000], b[4000], c[4000];

static void seen(const char *what, long result, int n)
{
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned)b[i] * 7u + (unsigned)c[i];
    printf("%s %ld %lu\n", what, result, sum);
    for (int i = 0; i < n; i++)
        b[i] = c[i] = -1;
}

static void add(int *to, int what)
{
    *to += what;
}

/* Arrays that overlap meet in another iteration: the launcher looks. */
static void exclusive_of(const int *from, int *to, int n)
{
    int s = 0;
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        to[i] = s;
#pragma omp scan exclusive(s)
        s += from[i];
    }
}

static int of(const int *from, int *to, int n)
{
    int s = 3;
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += from[i];
#pragma omp scan inclusive(s)
        to[i] = s;
    }
    return s;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    int s = 1, handed = 0, pair[2], many[200000], best = -1, where = -1;
    for (int i = 0; i < n; i++)
        a[i] = (int)((i * 7L + 3) % 1013) - 500;

    /* What an iteration has in a variable of its own, a compiler that makes two loops of it does not keep. */
#pragma omp parallel for reduction(inscan, + : s) private(handed)
    for (int i = 0; i < n; i++) {
        {
            handed = a[i];
            s += handed;
        }
#pragma omp scan inclusive(s)
        b[i] = s - handed;
    }
    seen("handed on", s, n);
#pragma omp parallel for reduction(inscan, + : s) private(pair)
    for (int i = 0; i < n; i++) {
        {
            pair[0] = a[i];
            s += pair[0];
        }
#pragma omp scan inclusive(s)
        b[i] = s - pair[0];
    }
    seen("an array", s, n);

    /* What a scan phase writes, the input phase of another iteration reads: before, where all of these come first. */
    for (int i = 0; i < n; i++)
        c[i] = a[i];
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += c[i];
#pragma omp scan inclusive(s)
        c[i + 1] = s;
    }
    seen("one further", s, n);

    /* The scan phase only reads, the input phase only accumulates. */
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += a[i];
#pragma omp scan inclusive(s)
        {
            b[i] = s;
            add(&s, 0);
        }
    }
    seen("changed behind", s, n);
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s = 2 * s + a[i];
#pragma omp scan inclusive(s)
        b[i] = s;
    }
    seen("no sum", s, n);

    /* Threads of a block wait for each other: none may leave. */
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += a[i];
#pragma omp scan inclusive(s)
        {
            b[i] = s;
            if (i % 1000 == 7)
                printf("at %d: %d\n", i, s);
        }
    }
    seen("printed", s, n);
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        {
            if (a[i] > 1000000)
                exit(3);
            s += a[i];
        }
#pragma omp scan inclusive(s)
        b[i] = s;
    }
    seen("may end", s, n);
#pragma omp parallel for reduction(inscan, + : s) private(many)
    for (int i = 0; i < n; i++) {
        {
            many[0] = 0;
            for (int k = 1; k < 200000; k += 20000)
                many[k] = many[k > 20000 ? k - 20000 : 0] + a[i];
            s += many[20001];
        }
#pragma omp scan inclusive(s)
        b[i] = s;
    }
    seen("much memory", s, n);
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += a[i];
#pragma omp scan inclusive(s)
        {
            b[i] = s;
#pragma omp critical
            if (s > best) {
                best = s;
                where = i;
            }
        }
    }
    seen("the best", s + best + where, n);

    /* Not what is parted: a loop inside of the iteration has the prefixes, for one thread. */
#pragma omp parallel for
    for (int i = 0; i < n / 100; i++) {
        int sum = 0;
#pragma omp simd reduction(inscan, + : sum)
        for (int k = 0; k < 100; k++) {
            sum += a[i * 100 + k];
#pragma omp scan inclusive(sum)
            b[i * 100 + k] = sum;
        }
    }
    seen("inside", s, n);
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += a[i];
#pragma omp scan inclusive(s)
        b[i] = s + omp_get_thread_num();
    }
    seen("whose", s, n);
#pragma omp parallel for reduction(inscan, + : s) lastprivate(conditional : where)
    for (int i = 0; i < n; i++) {
        s += a[i];
#pragma omp scan inclusive(s)
        {
            b[i] = s;
            if (a[i] > 400)
                where = i;
        }
    }
    seen("the last one", s + where, n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[i];
    seen("plain", s, n);
    seen("apart", of(a, c, n), n);
    for (int i = 0; i < n; i++)
        c[i] = a[i];
    seen("overlapping", of(c, c + 1, n), n);
    seen("the same by two names", of(c, c, n), n);
    exclusive_of(c, c, n);
    seen("exclusive, the same by two names", 0, n);
    exclusive_of(a, c, n);
    seen("exclusive, apart", 0, n);
    return 0;
}

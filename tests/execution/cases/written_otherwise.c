/* How people write it: guards of their own, clauses in macros, a loop in another file than its pragma, regions without loops,
   chains of nowait, histograms per thread, private pointers, pointers that may be null. */
/* args: 44 */
/* args: 1 */
/* flags: -DUSE_OMP -DWITH_THREADS=1 */
/* expect-gpu: 14 */
/* expect-host: OMPC307 */
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num() 0
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "written_otherwise.h"

#define N 50
double a[N], b[N], c[N];
#define SCHEDULE(kind, chunk) schedule(kind, chunk)
#define FROM_TO(x) firstprivate(x) lastprivate(x)

static double sum(const double *x)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i] * (1 + i % 3);
    return s;
}

static void guards(int n)
{
    int last = 1;
#ifdef USE_OMP
    #pragma omp parallel for SCHEDULE(dynamic, 2) TEAM
#endif
    for (int i = 0; i < n; i++)
        a[i] = i;
#if defined(_OPENMP) && WITH_THREADS > 0
    #pragma omp parallel default(none) SHARED_ONES
    #pragma omp for
#elif WITH_THREADS < 0
    #pragma acc parallel loop
#endif
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
#ifndef SERIAL
#   pragma omp parallel for FROM_TO(last)
#endif
    for (int i = 0; i < n; i++)
        last = c[i] = i;
#ifdef NEVER
    #pragma omp parallel for
#endif
    for (int i = 1; i < n; i++)
        c[i] += c[i - 1];
    printf("guards %d %g %g %g\n", last, sum(a), sum(b), sum(c));
}

static void other_files(int n)
{
    #pragma omp parallel for
#define LOOP_ONLY
#include "written_otherwise.h"
#undef LOOP_ONLY
#define PRAGMA_ONLY
#include "written_otherwise.h"
#undef PRAGMA_ONLY
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    printf("files %g %g\n", sum(a), sum(b));
}

static void no_loops(void)
{
    int here = 0, of = 0, first = -1;
    #pragma omp parallel
    {
        #pragma omp critical
        here += omp_get_thread_num();
        #pragma omp single
        of = omp_get_num_threads();
        #pragma omp master
        first = omp_get_thread_num();
    }
    #pragma omp parallel num_threads(2)
    printf("hello\n");
    printf("regions %d %d %d\n", here, of, first);
}

/* With equal static schedules every thread has the same iterations in all of them. */
static void chain(int n)
{
    #pragma omp parallel
    {
        #pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            a[i] = i % 7;
        #pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 1;
        #pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            a[i] = b[i] * 2;
        #pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            c[i] = a[i] - b[i];
    }
    printf("chain %g %g %g\n", sum(a), sum(b), sum(c));
}

/* Called by a team: every thread has a histogram. And one for each iteration. */
static void count(const double *x, int n, long *total)
{
    int mine[64];
    memset(mine, 0, sizeof mine);
    #pragma omp for nowait
    for (int i = 0; i < n; i++)
        mine[(int)x[i] % 64]++;
    #pragma omp critical
    for (int k = 0; k < 64; k++)
        total[k] += mine[k] * (k + 1);
}

static int most_frequent(const double *x, int n, int of)
{
    int seen[300] = {0}, best = 0;
    for (int i = 0; i < n; i++)
        seen[(int)x[i] * of % 300]++;
    for (int k = 1; k < 300; k++)
        if (seen[k] > seen[best])
            best = k;
    return best;
}

static void histograms(int n)
{
    long total[64] = {0}, s = 0;
    double *p, *q = c;
    #pragma omp parallel
    count(a, n, total);
    for (int k = 0; k < 64; k++)
        s += total[k] * (k % 5 + 1);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = most_frequent(a, n, i + 1);
    #pragma omp parallel for private(p) firstprivate(q)
    for (int i = 0; i < n; i++) {
        p = b + i;
        *p += *(q + i);
    }
    printf("histograms %ld %g\n", s, sum(b));
}

/* What a condition guards is not looked at in front of the loop. */
struct box { double by; struct box *next; };

static void null(int n, const struct box *box)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (box && box->by > 0)
            a[i] += box->by;
        if (box && box->next && i % 2)
            a[i] += box->next->by;
    }
    #pragma omp parallel for if(box != NULL && box->by > 2)
    for (int i = 0; i < n; i++)
        a[i] += 1;
    if (box != NULL)
        #pragma omp parallel for
        for (int i = 0; i < (int)box->by; i++)
            a[i] += 1;
    printf("null %g\n", sum(a));
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    struct box inner = {5, NULL}, outer = {2, &inner};
    guards(n);
    other_files(n);
    no_loops();
    chain(n);
    histograms(n);
    null(n, NULL);
    null(n, &inner);
    null(n, &outer);
    return 0;
}

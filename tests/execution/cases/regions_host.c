/* What a launch for the whole team must not change: thread numbers, values that differ between threads, threads that wait
   for each other. */
/* args: 200 4 */
/* args: 200 1 */
/* expect-gpu: 10 */
/* expect-host: OMPC345 OMPC345 OMPC345 OMPC303 OMPC303 OMPC364 OMPC303 */
/* refuses: OMPC451 OMPC457 OMPC458 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 400

static double a[N], b[N];
static int mine, seen_by[64], threads;
#pragma omp threadprivate(mine)

/* bounds from the thread number: every thread has its own part, so that the loop shares nothing evenly */
static void own_bounds(int n)
{
    int total = 0;
    #pragma omp parallel num_threads(threads) reduction(+:total)
    {
        int me = omp_get_thread_num(), of = omp_get_num_threads(), k;
        int order;
        #pragma omp critical
        order = seen_by[0]++;
        #pragma omp for schedule(static, 1)
        for (k = 0; k < threads; k++)
            total += k == me ? 1 : me - me; /* each iteration adds 1 where its own thread runs it */
        #pragma omp for
        for (k = 0; k < n; k++)
            a[k] = k + 0 * of + 0 * order;
    }
    printf("own %d\n", total);
}

/* the parts are looked at one by one: which iterations are in which matters */
static void parts(int n)
{
    double part_of[64] = {0}, total = 0;
    int positive = 0, k, owner = 0;
    #pragma omp parallel num_threads(threads)
    {
        double part = 0, other = 0;
        #pragma omp for schedule(static)
        for (k = 0; k < n; k++)
            part += k;
        part_of[omp_get_thread_num()] = part;
        #pragma omp for schedule(static)
        for (k = 0; k < n; k++)
            other += k + 1;
        if (other > 0) {
            #pragma omp atomic
            positive++;
        }
    }
    for (k = 0; k < threads; k++)
        printf("part %g\n", part_of[k]);
    #pragma omp parallel num_threads(threads) private(k)
    {
        int last = -1, first = 1;
        double cached = 0;
        #pragma omp for schedule(static)
        for (k = 0; k < n; k++)
            last = k; /* wanted after the loop */
        #pragma omp critical
        owner += last;
        #pragma omp for schedule(static)
        for (k = 0; k < n; k++) {
            if (first) { /* once per thread */
                cached = 7;
                first = 0;
            }
            b[k] = cached;
        }
        #pragma omp master
        total = cached;
    }
    printf("parts %d %d %g %g\n", positive, owner, total, b[n - 1]);
}

/* merged by another operation than the loop's */
static void other_merge(int n)
{
    double sum_of_greatest = 0;
    int k;
    #pragma omp parallel num_threads(threads)
    {
        double greatest = 0;
        #pragma omp for schedule(static)
        for (k = 0; k < n; k++)
            if (a[k] > greatest)
                greatest = a[k];
        #pragma omp critical
        sum_of_greatest += greatest;
    }
    printf("greatest %g\n", sum_of_greatest);
}

/* scratch space by thread number */
static void by_number(int n)
{
    double *space = calloc(omp_get_max_threads(), sizeof *space), total = 0;
    int k;
    #pragma omp parallel
    {
        #pragma omp for
        for (k = 0; k < n; k++)
            space[omp_get_thread_num()] += k;
        #pragma omp single
        for (k = 0; k < omp_get_num_threads(); k++)
            total += space[k];
    }
    free(space);
    printf("space %g\n", total);
}

static void shared_by_team(int n, double by)
{
    #pragma omp for
    for (int k = 0; k < n; k++)
        b[k] = a[k] + by;
}

/* teams within a team, and a team whose threads pass different values */
static void nested(int n)
{
    #pragma omp parallel num_threads(2)
    {
        #pragma omp parallel num_threads(2)
        {
            #pragma omp for
            for (int k = 0; k < n; k++)
                if (omp_get_ancestor_thread_num(1) == 0)
                    a[k] += 1;
            #pragma omp single
            ;
            #pragma omp for
            for (int k = 0; k < n; k++)
                if (omp_get_ancestor_thread_num(1) == 0)
                    a[k] += 1;
        }
    }
    #pragma omp parallel num_threads(threads)
    {
        #pragma omp parallel num_threads(1)
        shared_by_team(n, 1);
    }
    #pragma omp parallel num_threads(threads)
    {
        mine = omp_get_thread_num();
        #pragma omp for schedule(static, 1)
        for (int k = 0; k < threads; k++)
            seen_by[k] = mine;
    }
    #pragma omp parallel num_threads(threads)
    seen_by[10 + omp_get_thread_num()] = mine;
    printf("nested %g %g %d %d %d %d\n", a[1], b[1], seen_by[0], seen_by[2], seen_by[11], seen_by[12]);
}

static void await(int *flag)
{
    for (int ready = 0; !ready;) {
        #pragma omp atomic read
        ready = *flag;
    }
}

/* a thread comes to the loop only after another one is past it; which function waits for that is not seen */
static void pipeline(int n)
{
    void (*volatile wait)(int *) = await;
    int done[8] = {0};
    double sum = 0;
    #pragma omp parallel num_threads(threads) shared(done)
    {
        int me = omp_get_thread_num();
        if (me > 0)
            wait(&done[me - 1]);
        #pragma omp for schedule(static) nowait
        for (int k = 0; k < n; k++)
            a[k] += k;
        #pragma omp atomic write
        done[me] = 1;
        #pragma omp barrier
        #pragma omp for reduction(+:sum)
        for (int k = 0; k < n; k++)
            sum += a[k];
    }
    printf("pipeline %g\n", sum);
}

/* a thread comes to the loop only after another one has done an iteration of it */
static void released_by_an_iteration(int n)
{
    int flag = 0;
    #pragma omp parallel num_threads(threads) shared(flag)
    {
        if (omp_get_thread_num() == 1)
            for (int ready = 0; !ready;) {
                #pragma omp atomic read
                ready = flag;
            }
        #pragma omp for schedule(static)
        for (int k = 0; k < n; k++) {
            a[k] += k;
            if (k == 0) {
                #pragma omp atomic write
                flag = 1;
            }
        }
    }
    printf("released %d %g\n", flag, a[n - 1]);
}

/* sections that signal each other, beside a loop; and a loop where none belongs is not for a team */
static void signals(int n)
{
    int flag = 0, got = 0;
    #pragma omp parallel num_threads(2)
    {
        #pragma omp sections
        {
            #pragma omp section
            {
                #pragma omp atomic write
                flag = 1;
            }
            #pragma omp section
            for (int f = 0; !f;) {
                #pragma omp atomic read
                f = flag;
            }
        }
        #pragma omp for
        for (int k = 0; k < n; k++)
            b[k] = k;
        #pragma omp single
        got = flag;
    }
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            #pragma omp parallel for
            for (int k = 0; k < n; k++)
                a[k] = k;
        }
    }
    printf("signals %d %g %g\n", got, b[3], a[4]);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    threads = atoi(argv[2]);
    omp_set_max_active_levels(2);
    own_bounds(n);
    parts(n);
    other_merge(n);
    by_number(n);
    nested(n);
    pipeline(n);
    released_by_an_iteration(n);
    signals(n);
    return 0;
}

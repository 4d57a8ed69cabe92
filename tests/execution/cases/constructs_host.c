/* Constructs that the host runs, beside loops of their teams: tasks, taskloops, sections, scope, masked, cancellation. */
/* args: 64 */
/* args: 64 cancel */
/* expect-gpu: 7 */
/* expect-host: OMPC303 OMPC303 OMPC313 OMPC339 OMPC339 OMPC320 OMPC320 */
/* refuses: OMPC457 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 64
static double a[N], b[N];

static double sum(const double *x)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i] * (i % 5 + 1);
    return s;
}

static void tasks(int n)
{
    int x = 0, y = 0, i;
    omp_depend_t object;
    #pragma omp parallel
    {
        #pragma omp single
        {
            #pragma omp task depend(out: x) priority(1) untied affinity(a[0:4])
            x = 1;
            #pragma omp taskyield
            #pragma omp task depend(in: x) depend(iterator(k = 0:2), out: a[k]) depend(out: y) if(task: n > 3) mergeable final(n > 3)
            y = x + 1;
            #pragma omp taskwait depend(in: y)
            #pragma omp depobj(object) depend(inout: x)
            #pragma omp depobj(object) update(in)
            #pragma omp task depend(depobj: object) depend(inout: y) firstprivate(n) shared(x)
            y += n;
            #pragma omp taskwait
            #pragma omp depobj(object) destroy
            #pragma omp taskgroup task_reduction(+: x)
            {
                #pragma omp task in_reduction(+: x)
                x += 3;
            }
            #pragma omp taskloop grainsize(strict: 4) priority(2) untied shared(a) if(taskloop: n > 2)
            for (i = 0; i < n; i++)
                a[i] = i;
            #pragma omp taskloop simd num_tasks(3) lastprivate(x) nogroup final(n > 2) mergeable
            for (i = 0; i < n; i++)
                b[i] = x = i;
        }
        #pragma omp for
        for (int k = 0; k < n; k++)
            a[k] += 1;
    }
    printf("tasks %d %d %g\n", x, y, sum(a) + sum(b));
}

static void taskloops(int n)
{
    double s = 0;
    #pragma omp parallel
    {
        #pragma omp master taskloop reduction(+: s)
        for (int i = 0; i < n; i++)
            s += i;
        #pragma omp barrier
        #pragma omp master taskloop simd
        for (int i = 0; i < n; i++)
            a[i] += i;
        #pragma omp barrier
        #pragma omp masked taskloop filter(0)
        for (int i = 0; i < n; i++)
            a[i] += i;
        #pragma omp barrier
        #pragma omp masked taskloop simd
        for (int i = 0; i < n; i++)
            a[i] += i;
    }
    #pragma omp parallel master taskloop
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp parallel master taskloop simd
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp parallel masked taskloop
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp parallel masked taskloop simd
    for (int i = 0; i < n; i++)
        a[i] += i;
    printf("taskloops %g %g\n", s, sum(a));
}

static void blocks(int n)
{
    int count = 0, last = 0;
    #pragma omp parallel num_threads(2) proc_bind(spread)
    {
        #pragma omp masked filter(1)
        count += 1;
        #pragma omp barrier
        #pragma omp for
        for (int k = 0; k < n; k++)
            a[k] += k;
        #pragma omp scope reduction(+: count) nowait
        {
            count++;
            #pragma omp for
            for (int k = 0; k < n; k++)
                a[k] += k;
        }
        #pragma omp flush acq_rel
        #pragma omp sections lastprivate(last)
        {
            #pragma omp section
            last = 1;
            #pragma omp section
            last = 2;
        }
        #pragma omp flush(count)
    }
    #pragma omp parallel master
    count += 5;
    #pragma omp parallel masked filter(0)
    {
        count += 5;
        #pragma omp parallel for
        for (int k = 0; k < n; k++)
            a[k] += k;
    }
    #pragma omp error at(execution) severity(warning) message("a warning that the program asks for")
    printf("blocks %d %d %g\n", count, last, sum(a));
}

/* With OMP_CANCELLATION one of the threads leaves the region: no launch can wait for it. */
static void cancelled(int n)
{
    #pragma omp parallel num_threads(4)
    {
        #pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = i;
        if (omp_get_thread_num() == 2) {
            #pragma omp cancel parallel if(cancel: n > 3)
        }
        #pragma omp cancellation point parallel
        #pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = i;
    }
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            #pragma omp cancel sections
            n += 1;
        }
    }
    printf("cancelled %d %g\n", omp_get_cancellation(), sum(a));
}

/* What the runtime answers inside a region is not what it answers in front of it. */
static void questions(int n)
{
    int c = 0, i, j;
    omp_set_num_threads(4);
    omp_set_schedule(omp_sched_dynamic, 2);
    #pragma omp parallel for ordered(2) private(i)
    for (i = 1; i < 8; i++)
        for (j = 1; j < 8; j++) {
            #pragma omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
            a[8 * i + j] = a[8 * i + j - 8] + a[8 * i + j - 1];
            #pragma omp ordered depend(source)
        }
    #pragma omp parallel for reduction(+: c) num_threads(3)
    for (int i = 0; i < omp_get_num_threads(); i++)
        c++;
    #pragma omp parallel for reduction(+: c)
    for (int i = 0; i < 5 + omp_in_parallel(); i++)
        c++;
    #pragma omp parallel for num_threads(omp_get_max_threads()) schedule(runtime) if(!omp_in_parallel())
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp target parallel for device(omp_get_default_device())
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = omp_get_wtime() > 0;
    #pragma omp target parallel for
    for (int i = 0; i < n; i++)
        b[i] += omp_get_num_devices() == 0;
    #pragma omp teams distribute num_teams(1)
    for (int i = 0; i < n; i++)
        b[i] += omp_get_num_teams();
    printf("questions %d %g %g\n", c, sum(a), sum(b));
}

int main(int argc, char **argv)
{
    if (argc > 2 && !omp_get_cancellation()) {
        setenv("OMP_CANCELLATION", "true", 1);
        execv("/proc/self/exe", argv);
    }
    int n = argc > 1 ? atoi(argv[1]) : 0;
    tasks(n);
    taskloops(n);
    blocks(n);
    cancelled(n);
    questions(n);
    return 0;
}

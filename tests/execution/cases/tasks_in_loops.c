/* Tasks that iterations make: a kernel does them where they stand, with copies of what they do not share. */
/* args: 100 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 12 */
/* expect-added: 1 */
/* expect-host: OMPC330 OMPC330 OMPC330 OMPC330 OMPC330 OMPC320 OMPC355 OMPC355 OMPC355 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 128
static double x[N + 1], y[N + 1], z[N + 1];
static int counts[N + 1];

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i <= N; i++)
        sum += (i + 1) * (y[i] + 3 * z[i] + 7 * counts[i]);
    printf("%s %.17g\n", name, sum);
    for (int i = 0; i <= N; i++)
        y[i] = z[i] = counts[i] = i % 5;
}

/* What a task changes of the iteration's own variables is its own copy; what it says is shared is not. */
static void copies(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = x[i], kept = 1;
        int k = i;
        #pragma omp task
        { t *= 2; k += 3; y[i] = t + k; }
        #pragma omp task shared(kept)
        { kept += t; t = 0; }
        #pragma omp taskwait
        z[i] = t + k + kept;
    }
    show("copies");
    double outer = 5;
    int j;
    #pragma omp parallel for firstprivate(outer) private(j)
    for (int i = 0; i < n; i++) {
        j = i + 1;
        #pragma omp task untied priority(2) if (i > 3) final(i > 50) mergeable
        { outer += i; j *= 2; y[i] = outer + j; }
        #pragma omp task firstprivate(j)
        {
            j -= 7;
            z[i] = j;
        }
        #pragma omp taskyield
        counts[i] = (int)outer + j;
    }
    show("private");
}

/* A copy has the value from where the task stands, whatever pointers and functions do to the original meanwhile. */
static void set(int *where, int value) { *where = value; }
static int by_name;
static int get_by_name(void) { return by_name; }

static void pointers(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int own = i, *there = &own;
        #pragma omp task
        {
            *there = 100 + i;
            set(&own, 7);
            counts[i] = own + *there;
        }
        #pragma omp taskwait
        y[i] = own;
        #pragma omp task shared(own)
        set(&own, i + 9);
        #pragma omp taskwait
        z[i] = own;
    }
    show("pointers");
    by_name = 4;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp task firstprivate(by_name)
        {
            by_name += 11 + i;
            counts[i] = by_name * 100 + get_by_name();
        }
    }
    printf("%d\n", by_name);
    show("by name");
}

/* Tasks in tasks; groups; sums of the loop, in which tasks take part. */
static void groups(int n)
{
    int sum = 0;
    #pragma omp parallel for reduction(task, +: sum)
    for (int i = 0; i < n; i++) {
        sum += 1;
        #pragma omp task in_reduction(+: sum)
        sum += counts[i];
        if (i % 2 == 0) {
            #pragma omp task in_reduction(+: sum)
            {
                int part = i;
                sum -= part;
            }
        }
    }
    printf("%d\n", sum);
    #pragma omp parallel
    {
        int of_thread = 3;
        #pragma omp for nowait
        for (int i = 0; i < n; i++) {
            int a = i, b = 2 * i;
            #pragma omp taskgroup
            {
                #pragma omp task shared(a)
                {
                    a += 1;
                    #pragma omp task
                    { a += 10; b += 1; y[i] = a + b + of_thread; }
                    #pragma omp task shared(a)
                    { counts[i] = b; }
                    #pragma omp taskwait
                    b = 0;
                }
            }
            z[i] = a + b;
        }
    }
    show("groups");
}

/* Order among tasks of an iteration, by what is its own; and by what all iterations have, where they are apart. */
static void depends(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a, b, errors = 0;
        #pragma omp task depend(inout: a) shared(a)
        a = i;
        #pragma omp task depend(in: a) depend(out: b) shared(a, b)
        b = a + 1;
        #pragma omp taskwait depend(in: a, b)
        errors += a != i || b != i + 1;
        counts[i] = errors;
        #pragma omp taskwait
    }
    show("own");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp task depend(inout: y[i])
        y[i] += 2;
        #pragma omp task depend(inout: y[i])
        y[i] *= 3;
    }
    show("apart");
}

static void in_target(int n)
{
    int found = 0;
    #pragma omp target parallel for map(tofrom: x, y) map(tofrom: found) reduction(task, +: found)
    for (int i = 0; i < n; i++) {
        double t = x[i];
        #pragma omp task in_reduction(+: found) firstprivate(t)
        { t += 1; found += t > 20; y[i] = t; }
    }
    printf("%d\n", found);
    show("target");
}

/* Threads' numbers, atomic operations and prints are in tasks what they are in iterations. */
static void others(int n)
{
    int most = -1, total = 0;
    #pragma omp parallel for num_threads(3) schedule(static) reduction(max: most)
    for (int i = 0; i < n; i++) {
        int *out = &counts[i];
        #pragma omp task
        *out = i;
        #pragma omp taskwait
        most = counts[i] > most ? counts[i] : most;
    }
    printf("%d\n", most);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp task shared(total)
        {
            #pragma omp atomic
            total += i;
        }
    }
    printf("%d\n", total);
    #pragma omp parallel
    #pragma omp single
    ;
    #pragma omp parallel for default(shared)
    for (int i = 0; i < n; i++) {
        #pragma omp task default(none) shared(y, x) firstprivate(i)
        y[i] = x[i + 1];
    }
    show("others");
}

/* What stays on the host. */
static void stays(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int row[4] = {i, 1, 2, 3};
        #pragma omp task
        { row[0] = 9; counts[i] = row[0]; }
        #pragma omp taskwait
        y[i] = row[0];
    }
    show("array");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp task if (++counts[i] > 2)
        y[i] += 3;
        #pragma omp taskwait
        z[i] += y[i];
    }
    show("in a clause");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp taskloop
        for (int k = 0; k < 1; k++)
            y[i] += k + 1;
    }
    show("taskloop");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int part = 0;
        #pragma omp taskgroup task_reduction(+: part)
        {
            #pragma omp task in_reduction(+: part)
            part += i;
        }
        y[i] = part;
    }
    show("parts");
    int copied = 3;
    #pragma omp target parallel for map(tofrom: y)
    for (int i = 0; i < n; i++) {
        #pragma omp task firstprivate(copied)
        { copied += i; y[i] = copied; }
    }
    show("copied");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        omp_event_handle_t done;
        #pragma omp task detach(done)
        omp_fulfill_event(done);
    }
    /* iterations that depend on earlier ones, by the order of one thread's tasks */
    #pragma omp parallel for num_threads(1)
    for (int i = 0; i < n; i++) {
        #pragma omp task depend(inout: y)
        y[i + 1] = y[i] + 1;
    }
    show("chain");
    #pragma omp parallel num_threads(2)
    {
        double *mine = y + 64 * omp_get_thread_num();
        #pragma omp for schedule(static)
        for (int i = 0; i < 128; i++) {
            double *place = &mine[i % 64];
            #pragma omp task depend(inout: place[0])
            *place = *place / 2 + x[i];
        }
    }
    show("place");
    /* one thread has all iterations, and nothing but the tasks' order says that they meet */
    omp_set_num_threads(x[0] < 0 ? 1 : 2);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *place = &y[i * 7 % 5];
        #pragma omp task depend(inout: place[0])
        *place = *place / 2 + x[i];
    }
    omp_set_num_threads(4);
    show("one thread");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i <= N; i++)
        x[i] = i * 0.25 - 3;
    show("begin");
    copies(n);
    pointers(n);
    groups(n);
    depends(n);
    in_target(n);
    others(n);
    stays(n);
    return 0;
}

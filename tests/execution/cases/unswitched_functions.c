/* What only the host can do stands in functions that the loops call, under conditions on variables of the file. */
/* args: 400 0 */
/* args: 400 1 */
/* args: 400 2 */
/* expect-gpu: 6 */
/* expect-host: OMPC320 OMPC320 OMPC320 OMPC320 OMPC320 OMPC320 OMPC320 */
#include <stdio.h>
#include <stdlib.h>

static struct { int verbose; double limit; } options;
static int counts, debug, tracing, mode;
static int of_thread;
#pragma omp threadprivate(of_thread)
static volatile int stop;
static double a[1000], b[1000];

__attribute__((noinline)) static void count(int k)
{
    const char *text = getenv("NOBODY_SETS_THIS");
#pragma omp atomic
    counts += k >= 0 && text == NULL;
}

static double inner(double x, int k)
{
    if (debug)
        count(k);
    return x * 2 + debug;
}

/* called with and without the branch, beside another one */
static double outer(double x, int k)
{
    double sum = 0;
    for (int j = 0; j < 3; j++) {
        if (options.verbose > 1 && debug == 0) {
            count(j);
            sum += 1;
            continue;
        }
        sum += inner(x, k + j);
    }
    if (options.limit > 0)
        return sum;
    else
        count(1);
    return sum - 1;
}

static double by_parameter(double x, int verbose)
{
    if (verbose)
        count(2);
    return x + 1;
}

static double by_local(double x)
{
    int own = debug;
    own += x > 1e6;
    if (own)
        count(3);
    return x - 1;
}

static double changes(double x, int k)
{
    if (tracing)
        count(4);
    if (k == 7)
        tracing = 1;
    return x;
}

static double of_each_thread(double x)
{
    if (of_thread)
        count(5);
    return x * 3;
}

static double until(double x)
{
    if (stop)
        count(6);
    return x * 0.5;
}

static double by_mode(double x)
{
    if (mode)
        count(7);
    return x + 0.25;
}

static void show(const char *what, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * (1 + k % 7) + b[k];
    printf("%s %.10g %d\n", what, sum, counts);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10, how = argc > 2 ? atoi(argv[2]) : 0;
    debug = how == 1;
    options.verbose = how;
    options.limit = how == 2 ? -1 : 1e9;

#pragma omp parallel for
    for (int k = 0; k < n; k++)
        a[k] = inner(k, k);
    show("inner", n);

#pragma omp parallel for
    for (int k = 0; k < n; k++)
        b[k] = outer(a[k], k) + inner(1, k);
    show("outer", n);

    /* and a branch of the loop's own */
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        if (how == 2)
            count(k);
        a[k] = inner(b[k], k);
    }
    show("both", n);

    /* the function changes something else, and another loop calls it as it is */
#pragma omp parallel
    {
#pragma omp for
        for (int k = 0; k < n; k++)
            b[k] += by_mode(a[k]);
#pragma omp single
        mode = how;
#pragma omp for
        for (int k = 0; k < n; k++)
            a[k] += by_mode(b[k]);
#pragma omp single
        mode = 0;
    }
    show("mode", n);

    /* a copy of the loop's beside the function's variable */
    int seen = how;
#pragma omp parallel for firstprivate(seen)
    for (int k = 0; k < n; k++)
        a[k] = inner(a[k], k) + seen;
    show("copy", n);

    /* not fixed where the pragma stands: a parameter, a local variable, changed meanwhile, each thread's, volatile */
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        a[k] = by_parameter(a[k], how == 1);
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        b[k] = by_local(b[k]);
#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++)
        a[k] = changes(a[k], k);
    of_thread = 1;
#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++)
        b[k] = of_each_thread(b[k]);
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        a[k] = until(a[k]);
    show("not fixed", n);

    /* the name means something else there, or is that of a copy */
    mode = how;
    {
        int mode = 0;
#pragma omp parallel for
        for (int k = 0; k < n; k++)
            b[k] = by_mode(b[k]) + mode;
    }
#pragma omp parallel private(mode)
    {
        mode = 0;
#pragma omp for
        for (int k = 0; k < n; k++)
            a[k] = by_mode(a[k]);
    }
    show("names", n);
    return 0;
}

/* What only the host can do stands under conditions that the loop does not change: without them it is a kernel. */
/* args: 400 0 */
/* args: 400 1 */
/* args: 400 2 */
/* expect-gpu: 8 */
/* expect-host: OMPC320 OMPC320 OMPC320 OMPC320 OMPC342 OMPC320 OMPC320 OMPC320 OMPC320 OMPC320 */
#include <stdio.h>
#include <stdlib.h>

static struct { int verbose; double limit; } options;
static int counts, tracing;
static volatile int stop;
static double a[1000], b[1000];

__attribute__((noinline)) static void count(int k)
{
    const char *text = getenv("NOBODY_SETS_THIS");
#pragma omp atomic
    counts += k > 0 && text == NULL;
}

static double next(int k)
{
    if (k == 7)
        tracing = 1;
    return k;
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
    const int debug = how == 1;
    options.verbose = how;
    options.limit = how == 2 ? -1 : 1e9;

    /* one flag, several branches; in an inner loop */
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        if (debug)
            count(k);
        a[k] = 0.5 * k;
        for (int j = 0; j < 3; j++) {
            a[k] += j;
            if (debug && n > 100)
                count(j);
        }
    }
    show("flag", n);

    /* the other branch is kept; a member; a comparison of floating-point numbers */
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        if (options.verbose >= 2)
            count(k);
        else
            b[k] = a[k] * 2;
        if (options.limit > 0)
            a[k] += 1;
        else {
            count(1);
            a[k] -= 1;
        }
    }
    show("member", n);

    /* in a region, the threads of which share the flag */
    int level = how;
#pragma omp parallel default(none) shared(level, a, b, n)
    {
#pragma omp for
        for (int k = 0; k < n; k++) {
            if (level != 0)
                count(k);
            b[k] += a[k];
        }
#pragma omp single
        level = 0;
#pragma omp for
        for (int k = 0; k < n; k++) {
            if (level != 0)
                count(k);
            b[k] -= 3;
        }
    }
    show("region", n);

    /* firstprivate */
#pragma omp parallel for firstprivate(level)
    for (int k = 0; k < n; k++) {
        if (level)
            count(k);
        a[k] = b[k] + level;
    }
    show("firstprivate", n);

    /* a constant condition: the branch is never taken */
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        if (sizeof(long) == 3)
            count(k);
        a[k] += 0.25;
    }
    show("constant", n);

    /* not fixed: volatile, changed by a function that is called, changed by the loop */
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        if (stop)
            count(k);
        a[k] += 1;
    }
#pragma omp parallel for schedule(static, 10000)
    for (int k = 0; k < n; k++) {
        a[k] += next(k);
        if (tracing)
            count(k);
    }
    int first = 1;
#pragma omp parallel for firstprivate(first) schedule(static, 10000)
    for (int k = 0; k < n; k++) {
        if (first)
            count(k);
        first = 0;
        b[k] += 1;
    }
    show("changed", n);

    /* ways into the branch beside its condition; names that mean something else, or nothing, where the pragma stands */
    int shown = how == 1 ? 7 : 2, mode = how;
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        switch (k % 3) {
        case 0:
            a[k] = 1;
            if (debug) {
            case 1:
                count(k);
            }
            a[k] += 10;
            break;
        default:
            a[k] = 3;
        }
    enum { ON = 3, OUTER = 1 };
#define shown (shown - 2)
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        if (shown)
            count(k);
        b[k] = k;
    }
#undef shown
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        enum { ON = 7 };
        if (shown == ON || mode == OUTER)
            count(k);
        b[k] += 2;
    }
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        if (k % 3 == 1)
            goto inside;
        if (mode) {
            count(k);
        inside:
            b[k] -= 5;
        } else
            b[k] += 1;
    }
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        struct own { int x; };
        if ((struct own *)(mode ? a : NULL))
            count(k);
        b[k] += 0.5;
    }
    show("names", n);

    /* each iteration's own, where a variable of the same name is around the loop; behind a pointer that leads nowhere */
    int odd = 0, k = 0, *wanted = how == 2 ? &level : NULL;
    const int uses = how == 2;
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
        int odd = j % 2;
        if (odd)
            count(j);
        a[j] += 1;
    }
#pragma omp parallel for
    for (k = 0; k < n; k++) {
        if (k == 5)
            count(k);
        b[k] += 1;
    }
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
        if (uses)
            if (*wanted == 0)
                count(j);
        b[j] += odd + a[j];
    }
    show("own", n);

    /* a copy has another address than what it is a copy of */
    int copy = how, *original = &copy;
#pragma omp parallel for firstprivate(copy)
    for (int j = 0; j < n; j++) {
        if (original != &copy)
            count(j);
        b[j] += copy;
    }
    show("address", n);
    return 0;
}

/* Control that goes around loops: before main and after it, signals, longjmp, recursion, goto, switch, returns, pointers to
   functions with loops. */
/* args: 33 */
/* args: 3 */
/* expect-gpu: 18 */
/* expect-added: 3 */
/* refuses: OMPC450 OMPC451 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40

static double a[N], b[N], *heap;
static int caught;
static jmp_buf before;

static double sum(const double *x)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i] * (1 + i % 3);
    return s;
}

/* Called before main, when no device code is loaded, and again. */
__attribute__((constructor)) static void before_main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        b[i] += i;
}

/* The handlers run in the order opposite to that of atexit: what the device has written is there, and it still works. */
static void first_handler(void)
{
    printf("first handler %g %g\n", sum(a), sum(heap));
}

static void last_handler(void)
{
    #pragma omp parallel for /* on the host where the device is gone by then */
    for (int i = 0; i < N; i++)
        a[i] += heap[i];
    printf("last handler %g\n", sum(a));
}

__attribute__((destructor)) static void after_main(void)
{
    printf("after %g\n", sum(a));
    fflush(stdout);
}

static void on_signal(int number)
{
    caught += number == SIGUSR1;
    heap[0] += 1000;
    a[1] += 500;
}

static void signals(int n)
{
    signal(SIGUSR1, on_signal);
    for (int k = 0; k < 3; k++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) {
            a[i] += i;
            heap[i] += a[i];
        }
        raise(SIGUSR1);
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            heap[i] += a[i];
    }
    printf("signals %d %g %g\n", caught, sum(a), sum(heap));
}

/* Left by longjmp, with automatic arrays in every call; then other calls have the same addresses. */
static void jumper(int n, int depth)
{
    double w[N];
    for (int i = 0; i < N; i++)
        w[i] = i + depth;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] = w[i] * 2 + a[i];
    printf("jumper %g\n", sum(w));
    if (depth == 2)
        longjmp(before, 1);
    jumper(n, depth + 1);
}

static int switched(int n, int what)
{
    double local[N];
    for (int i = 0; i < N; i++)
        local[i] = i;
    #pragma omp parallel shared(local)
    {
        switch (what) {
        case 0:
            #pragma omp for
            for (int i = 0; i < n; i++)
                local[i] *= 2;
            break;
        case 1:
            #pragma omp for
            for (int i = 0; i < n; i++)
                local[i] += 2;
            /* falls through */
        default: {
            #pragma omp for
            for (int i = 0; i < n; i++)
                local[i] += 3;
        }
        }
    }
    if (what == 1)
        return (int)sum(local);
    switch (what) /* past the loop, and onto it */
    case 2:
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            local[i] += 1;
    return (int)sum(local) + 1;
}

static double recursive(int n, int depth, double *above)
{
    double w[N], result;
    for (int i = 0; i < N; i++)
        w[i] = above[i] + depth;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] += above[i] * 0.5;
    if (depth == 0)
        return sum(w);
    result = recursive(n, depth - 1, w);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        above[i] += w[i];
    return result + sum(w);
}

static void jumps(int n)
{
    int k = 0;
again:
    k++;
    if (k == 2)
        goto behind;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] += k;
behind:
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] += a[i];
    if (k < 4)
        goto again;
    #pragma omp parallel
    {
        int t = 0;
    top:
        #pragma omp for
        for (int i = 0; i < n; i++)
            heap[i] += b[i] + t;
        if (++t < 3)
            goto top;
    }
    printf("jumps %g %g %g\n", sum(a), sum(b), sum(heap));
}

/* Orphaned loops, some of which are not reached, behind pointers. */
static void add(double *x, int n, double by)
{
    if (n < 5)
        return;
    #pragma omp for
    for (int i = 0; i < n; i++)
        x[i] += by;
}

static void multiply(double *x, int n, double by)
{
    #pragma omp for nowait
    for (int i = 0; i < n; i++)
        x[i] *= by;
    #pragma omp barrier
}

static void down(double *x, int n, double depth)
{
    if (depth > 0)
        down(x, n, depth - 1);
    #pragma omp for
    for (int i = 0; i < n; i++)
        x[i] = x[i] * (1 + depth / 8) + 1;
}

static void by_pointer(int n)
{
    static void (*const all[])(double *, int, double) = {add, multiply, down, add};
    #pragma omp parallel
    for (int k = 0; k < 4; k++)
        all[k](a, n, k + 0.5);
    printf("pointers %g\n", sum(a));
    all[2](a, n, 2);
    printf("pointers %g\n", sum(a));
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    heap = malloc(N * sizeof *heap);
    for (int i = 0; i < N; i++)
        heap[i] = i;
    atexit(last_handler);
    atexit(first_handler);
    printf("before %g\n", sum(b));
    before_main();
    last_handler();
    signals(n);
    if (setjmp(before) == 0)
        jumper(n, 0);
    for (int what = 0; what < 4; what++)
        printf("switched %d\n", switched(n, what));
    if (setjmp(before) == 0)
        jumper(n, 0);
    printf("recursive %g\n", recursive(n, 4, a));
    jumps(n);
    by_pointer(n);
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++)
            heap[i] += 1;
        #pragma omp master
        if (n > 5)
            exit(3);
    }
    return 4;
}

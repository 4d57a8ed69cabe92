/* Bounds and steps that read volatile variables: the launch reads each once. */
/* args: 1000 3 */
/* args: 7 2 */
/* args: 0 1 */
/* expect-gpu: 10 */
/* expect-host: OMPC327 OMPC305 OMPC305 OMPC305 OMPC327 OMPC312 OMPC305 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int first = 1, last = 5, step = 1;
static volatile unsigned long long wide;
static volatile signed char narrow;
static struct { volatile int count; } in;
static int a[2000], grid[40][40];

static void show(const char *what)
{
    long all = 0;
    for (int k = 0; k < 2000; k++)
        all = (all * 31 + a[k] + grid[k / 50][k % 40]) % 1000003;
    printf("%s %ld\n", what, all);
    memset(a, 0, sizeof a);
    memset(grid, 0, sizeof grid);
}

static void orphaned(void)
{
    #pragma omp for
    for (int i = first; i < last; i++)
        a[i] += 3;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    volatile int local = n / 2;
    volatile const int fixed = 3;
    last = n;
    step = argc > 2 ? atoi(argv[2]) : 1;
    wide = (unsigned long long)n;
    narrow = (signed char)(n % 40);
    in.count = n;
    int last_read = 5;

    #pragma omp parallel for
    for (int i = first; i < last; i++)
        a[i] = i;
    show("up");

    #pragma omp parallel for
    for (int i = last; i > first; i -= step)
        a[i] = step;
    show("down, and in the body");

    #pragma omp parallel for
    for (int i = last - 1; i >= first; i -= step)
        a[i] = i * 2;
    show("down");

    #pragma omp parallel for
    for (unsigned long long i = 0; i < wide; i += 2)
        a[i] = (int)i + last_read;
    show("wide");

    #pragma omp parallel for collapse(2)
    for (int i = 0; i < narrow; i++)
        for (int j = first; j < narrow + fixed - 3; j++)
            grid[i][j] = i * 50 + j;
    show("two loops");

    #pragma omp parallel for collapse(2)
    for (int i = 0; i < narrow; i++)
        for (int j = i; j < narrow; j++)
            grid[i][j] = i * 50 + j;
    show("a triangle");

    int sum = 0;
    #pragma omp parallel for reduction(+ : sum) if(n > 2) schedule(static, 3)
    for (int i = local; i < last; i++)
        sum += i;
    printf("sum %d\n", sum);

    #pragma omp parallel
    {
        orphaned();
        #pragma omp for nowait
        for (int i = local; i < last; i++)
            a[i] += 2;
    }
    orphaned();
    show("of a team");

    #pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < local; i++)
        a[i] = 5 * i;
    show("target");

    int at = -1;
    #pragma omp parallel for lastprivate(at) schedule(dynamic)
    for (int i = 0; i < last; i += fixed)
        at = i;
    printf("last %d\n", n > 0 ? at : 0);

    /* more than a variable is read, or one of each thread */
    #pragma omp parallel for
    for (int i = 0; i < in.count; i++)
        a[i] = 1;
    show("a member");

    volatile int *const there = &last;
    #pragma omp parallel for
    for (int i = 0; i < *there; i++)
        a[i] = 2;
    show("a pointer");

    #pragma omp parallel
    {
        volatile int own = n / 3;
        #pragma omp for
        for (int i = 0; i < own; i++)
            a[i] = 3;
    }
    show("each thread's");

    #pragma omp parallel for
    for (int i = 0; i < last; i++)
        a[i] = last;
    show("in the body");

    #pragma omp parallel for
    for (int i = 0; i < last; i++)
        if (i == 2000)
            last = 3;
    show("changed");

    local = 0;
    #pragma omp parallel for
    for (int i = 0; i < (local = n); i++)
        a[i] = 4;
    show("assigned");
    return 0;
}

/* Which thread runs an iteration follows from the schedule: thread numbers in kernels. */
/* args: 1000 3 */
/* args: 5 1 */
/* args: 1 2 */
/* args: 0 2 */
/* expect-gpu: 14 */
/* expect-added: 1 */
/* expect-host: OMPC355 OMPC355 OMPC355 OMPC339 OMPC339 OMPC303 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int who[40][50], flat[2000];
static double x[2000], sum[64], grid[64][8];
static int most[64];
static struct { double sum; long count; char padding[48]; } of[64];
static int buffer[64][4];

static void show(const char *what)
{
    long all = 0;
    for (int k = 0; k < 2000; k++)
        all = (all * 31 + who[k / 50][k % 50] * 7 + flat[k]) % 1000003;
    double s = 0;
    for (int k = 0; k < 64; k++) {
        s += sum[k] * (k + 1) + most[k] + of[k].sum * (k + 2) + of[k].count;
        for (int j = 0; j < 8; j++)
            s += grid[k][j] * (k * 8 + j);
    }
    printf("%s %ld %.10g\n", what, all, s);
    memset(who, 0, sizeof who);
    memset(flat, 0, sizeof flat);
    memset(sum, 0, sizeof sum);
    memset(grid, 0, sizeof grid);
    memset(of, 0, sizeof of);
}

static void note(int k)
{
    flat[k] = omp_get_thread_num();
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100, c = argc > 2 ? atoi(argv[2]) : 4;
    for (int k = 0; k < 2000; k++)
        x[k] = k % 17 * 0.5;

    /* blocks, of which the first ones may be longer; the number of threads */
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        flat[k] = 100 * omp_get_thread_num() + omp_get_num_threads();
    show("blocks");

#pragma omp parallel for schedule(static) num_threads(7)
    for (int k = n; k > 0; k -= 3)
        flat[k] = omp_get_thread_num() + 1;
    show("seven");

    /* chunks of a constant and of a variable length; an unsigned counter in steps */
#pragma omp parallel for schedule(static, 4) num_threads(c + 1)
    for (unsigned k = 1; k <= (unsigned)n; k += 2)
        flat[k] = omp_get_thread_num() + 1;
    show("chunks");

#pragma omp parallel
    {
#pragma omp for schedule(static, c)
        for (int k = 0; k < n; k++)
            flat[k] = omp_get_thread_num() * 3 + 1;
    }
    show("variable chunks");

    /* two loops as one; the number in a variable of the region */
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        const int rows = n < 40 ? n : 40;
#pragma omp for collapse(2) schedule(static)
        for (int i = 0; i < rows; i++)
            for (int j = 1; j < 50; j += 2)
                who[i][j] = me + 10 * all;
#pragma omp for schedule(static, 2) nowait
        for (int k = 0; k < n; k++) {
            int me = k % 5;
            flat[k] = me;
        }
    }
    show("collapse");

    /* what threads accumulate in elements of their own */
    int inner = 0;
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
#pragma omp for
        for (int k = 0; k < n; k++) {
            sum[me] += x[k];
            of[me].sum = of[me].sum + x[k] * 2;
            of[me].count++;
            grid[me][k % 8] -= x[k];
        }
#pragma omp for reduction(+ : inner)
        for (int k = 0; k < n; k++) {
            double *own = &sum[omp_get_thread_num()];
            *own += 1;
            inner += k;
        }
    }
    of[0].count += inner > 5;
    show("accumulated");

    int thread;
#pragma omp parallel for schedule(dynamic, 8) private(thread)
    for (int k = 0; k < n; k++) {
        thread = omp_get_thread_num();
        sum[thread]++;
    }
    double all = 0;
    for (int k = 0; k < 64; k++) {
        all += sum[k];
        sum[k] = 0;
    }
    printf("dynamic %g\n", all);

    for (int k = 0; k < 64; k++)
        most[k] = -1;
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        const int me = omp_get_thread_num();
        const int twice = 2 * x[k];
        if (twice > most[me])
            most[me] = twice;
    }
    show("most");

    /* only how many there are */
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        flat[1999 - k] = omp_get_num_threads();
    show("count");

    /* what is counted by one thread alone */
    int mine = 0;
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        if (omp_get_thread_num() == 0)
#pragma omp atomic
            mine++;
    printf("mine %d\n", mine);

    /* iterations of a thread that use one buffer, or of which the next ones go on from what the last one has left */
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
#pragma omp for
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < 4; j++)
                buffer[me][j] = k + j;
            flat[k] = buffer[me][0] + buffer[me][3] + buffer[me][k % 4];
        }
    }
    show("buffer");
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        int *own = buffer[omp_get_thread_num()];
        own[0] = k;
        flat[k] = own[0] + own[1];
    }
    show("pointer");
    memset(buffer, 0, sizeof buffer);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) {
        flat[k] = buffer[omp_get_thread_num()][1];
        buffer[omp_get_thread_num()][1] = k;
    }
    show("last");

    /* a variable that is not always the number: which thread has it is found out when the program runs */
#pragma omp parallel num_threads(n > 3 ? 2 : 1)
    {
        int me = omp_get_thread_num();
        if (n > 3)
            me = 1 - me;
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            flat[k] = me + 1;
    }
    show("other number");

    /* in a function; a schedule of which nothing is known */
#pragma omp parallel for schedule(static, 3)
    for (int k = 0; k < n; k++)
        note(k);
    show("function");
#pragma omp parallel for schedule(runtime)
    for (int k = 0; k < n; k++)
        flat[k] = omp_get_thread_num() < omp_get_max_threads();
    show("runtime");

    /* regions that have fewer threads than they ask for */
    omp_set_dynamic(c == 3);
#pragma omp parallel for num_threads(3)
    for (int k = 0; k < n; k++)
        flat[k] = omp_get_num_threads() <= 3;
    show("dynamic adjustment");
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp parallel for num_threads(3)
        for (int k = 0; k < n; k++)
            flat[k] = omp_get_thread_num() + 10 * omp_get_num_threads();
    }
    show("inner");
    return 0;
}

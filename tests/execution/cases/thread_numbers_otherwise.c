/* Thread numbers where a kernel could take something else for them: other types, casts, schedules, teams; orders in which a thread
   does its iterations. */
/* args: 0 */
/* args: 1 */
/* refuses: OMPC458 */
/* expect-gpu: 8 */
/* expect-added: 2 */
/* expect-host: OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC339 OMPC355 OMPC324 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned u[200], acc[64], on[200];
static long l[200];
static int o[200], big[64], tiny[64];
static double z[200], most[64];

static void show(const char *what)
{
    unsigned long all = 0;
    for (int k = 0; k < 200; k++) {
        all = all * 31 + u[k] + (unsigned long)l[k] * 3 + on[k] * 7 + (unsigned)o[k];
        u[k] = on[k] = o[k] = l[k] = 0;
    }
    for (int k = 0; k < 64; k++) {
        all = all * 31 + acc[k] + tiny[k];
        acc[k] = tiny[k] = 0;
    }
    printf("%s %lu\n", what, all);
}

/* `how` is 0: regions may have no other thread than the first */
int main(int argc, char **argv)
{
    const int how = argc > 1 ? atoi(argv[1]) : 0;
    for (int k = 0; k < 64; k++)
        big[k] = k;

    /* the number in variables of other types, and cut off */
#pragma omp parallel num_threads(4)
    {
        unsigned me = omp_get_thread_num();
        long wide = omp_get_thread_num();
#pragma omp for
        for (int k = 0; k < 200; k++)
            u[k] = (me - 1) / 2 + (me > -1);
#pragma omp for
        for (int k = 0; k < 200; k++)
            l[k] = wide * 100000 * 100000;
    }
    show("types");
#pragma omp parallel num_threads(how ? 1 : 4)
    {
        int me = (_Bool)omp_get_thread_num();
#pragma omp for
        for (int k = 0; k < 200; k++)
            o[k] = me;
    }
    show("casts");

    /* how many threads there are decides whether iterations depend on each other; a number of the program's own */
#pragma omp parallel for num_threads(how + 1)
    for (int k = 0; k < 200; k++) {
        if (omp_get_num_threads() == 1)
            on[k] = k ? on[k - 1] * 3 + 1 : 5;
        else
            on[k] = 0;
    }
    show("one thread");
#pragma omp parallel for schedule(static, 8) num_threads(4)
    for (int k = 0; k < 200; k++) {
        int m = k / 8 % omp_get_num_threads();
        acc[m] = acc[m] * 3 + k;
    }
    show("own number");
#pragma omp parallel num_threads(how + 3)
    {
        const int all = omp_get_num_threads();
#pragma omp for schedule(static, 8)
        for (int k = 0; k < 200; k++) {
            int m = k / 8 % all;
            acc[m] = acc[m] * 3 + k;
        }
    }
    show("of the region's");
#pragma omp parallel for schedule(static, 8) num_threads(4)
    for (int k = 0; k < 200; k++)
        acc[k / 8 % 4] = acc[k / 8 % 4] * 3 + k;
    show("of constants");
    int tickets = 0, ticket;
#pragma omp parallel for private(ticket) num_threads(how + 1)
    for (int k = 0; k < 200; k++)
        if (omp_get_num_threads() == 1) {
#pragma omp atomic capture
            ticket = tickets++;
            o[k] = ticket;
        }
    show("tickets");

    /* what is accumulated in another order: with a value that is used, by other operations, of zeros with a sign */
#pragma omp parallel for schedule(static, 8)
    for (int k = 0; k < 200; k++) {
        const int me = omp_get_thread_num();
        acc[me] = acc[me] * 3 + k;
    }
    show("in order");
    int wrong = 6;
#pragma omp parallel num_threads(3) reduction(* : wrong)
#pragma omp for schedule(static, wrong)
    for (int k = 0; k < 200; k++)
        o[k] = omp_get_thread_num();
    show("chunk of the region");
    for (int k = 0; k < 200; k++)
        z[k] = k / 7 % 2 ? -0.0 : 0.0;
    for (int k = 0; k < 64; k++)
        most[k] = -1;
#pragma omp parallel for num_threads(4)
    for (int k = 0; k < 200; k++) {
        int me = omp_get_thread_num();
        if (z[k] > most[me])
            most[me] = z[k];
    }
    printf("%g %g %g %g\n", most[0], most[1], most[2], most[3]);

    /* integers in each form, of which the order does not matter */
#pragma omp parallel for num_threads(4)
    for (int k = 0; k < 200; k++) {
        int me = omp_get_thread_num(), v = k * 37 % 101;
        tiny[me] = v > tiny[me] ? v : tiny[me];
        if (tiny[me + 32] < v)
            tiny[me + 32] = v;
        acc[me + 8] += abs(v - 50);
        u[me + 16] |= v;
    }
    show("any order");

    /* chunks that are rounded up to what vectors have, which depends on the compiler's options; a region that has one thread after all */
#pragma omp parallel num_threads(how ? 1 : 4)
    {
        int me = omp_get_thread_num();
#pragma omp for simd schedule(simd : static, 5)
        for (int k = 0; k < 200; k++)
            o[k] = me < 4;
    }
    show("of vectors");
    omp_set_max_active_levels(how);
#pragma omp parallel for num_threads(3)
    for (int k = 0; k < 200; k++)
        o[k] = omp_get_thread_num() + 10 * omp_get_num_threads();
    show("levels");
    omp_set_max_active_levels(1);

    /* in types */
#pragma omp parallel num_threads(how ? 1 : 4)
    {
        int me = omp_get_thread_num();
#pragma omp for
        for (int k = 0; k < 200; k++) {
            int t[me + 1];
            t[me] = k;
            o[k] = t[me];
        }
#pragma omp for
        for (int k = 0; k < 200; k++)
            o[k] += me + (int)sizeof(int[me + 2]);
#pragma omp for
        for (int k = 0; k < 200; k++) {
            int (*p)[me + 1] = (int (*)[me + 1])big;
            o[k] += p[2][0];
        }
    }
    show("lengths");
    return 0;
}

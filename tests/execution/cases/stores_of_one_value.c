/* Iterations that know their thread or team may store in one object where all of them store the same. */
/* args: 1000 3 */
/* args: 3 5 */
/* args: 0 2 */
/* expect-gpu: 7 */
/* expect-host: OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int of[64], seen[64], flat[1000];
static double real[64];

static void show(const char *what, long value)
{
    long all = value;
    for (int k = 0; k < 64; k++)
        all = (all * 31 + of[k] * 7 + seen[k] * 5 + (long)(real[k] * 4)) % 1000003;
    for (int k = 0; k < 1000; k++)
        all = (all * 31 + flat[k]) % 1000003;
    printf("%s %ld\n", what, all);
    memset(of, 0, sizeof of);
    memset(seen, 0, sizeof seen);
    memset(real, 0, sizeof real);
    memset(flat, 0, sizeof flat);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100, c = argc > 2 ? atoi(argv[2]) : 4;
    int size = -1, *to = of, moving = c;
    double wide = 0.5;

    /* one variable, by some iterations or none */
#pragma omp parallel for schedule(static, 1) num_threads(3)
    for (int k = 0; k < n; k++) {
        if (omp_get_thread_num() == 2)
            size = omp_get_num_threads();
        flat[k] = k;
    }
    show("size", size);

#pragma omp target teams distribute num_teams(c) map(tofrom : size, wide)
    for (int k = 0; k < n; k++)
        if (omp_get_team_num() == 0) {
            size = omp_get_num_teams() * 2 - (c > 4);
            wide = 2.25;
        }
    show("sizes", size + (long)(4 * wide));

    /* the same by several statements */
    size = -1;
#pragma omp parallel for schedule(static, 2) num_threads(4)
    for (int k = 0; k < n; k++) {
        if (omp_get_thread_num() == 1)
            size = c + 1;
        else if (omp_get_thread_num() == 3)
            size = c + 1;
    }
    show("twice", size);

    /* an element of each thread, or any of them */
#pragma omp parallel for schedule(static, 1) num_threads(5)
    for (int k = 0; k < n; k++)
        of[omp_get_thread_num()] = omp_get_num_threads();
    show("elements", 0);

#pragma omp parallel for schedule(static, 3) num_threads(5)
    for (int k = 0; k < n; k++) {
        const int me = omp_get_thread_num();
        to[me] = 3 * me + c;
        real[me] = 0.25;
    }
    show("their own numbers", 0);

#pragma omp parallel for schedule(static, 3) num_threads(5)
    for (int k = 0; k < n; k++)
        seen[(k * 7 + omp_get_thread_num()) % 64] = 1;
    show("flags", 0);

#pragma omp parallel for schedule(static, 3) num_threads(5) collapse(2)
    for (int k = 0; k < n / 10; k++)
        for (int j = 0; j < 10; j++)
            seen[(k * 7 + j * omp_get_thread_num()) % 64] = 4;
    show("flags of two loops", 0);

    /* others come last: two values, one that is read, added to, different in each iteration or changed meanwhile. The
       answers depend on the order of one thread's iterations alone. */
    size = -1;
#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++) {
        if (omp_get_thread_num() == 0)
            size = 1;
        if (k % 3 == 0)
            size = 2;
    }
    show("two", size);

    size = 0;
#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++) {
        flat[k] = size;
        size = omp_get_num_threads();
    }
    show("read", size);

#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++)
        size = k + omp_get_thread_num();
    show("last", size);

#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++) {
        of[omp_get_thread_num()] = c;
        of[3] = c + 1;
        of[k % 2] = 7;
    }
    show("other elements", 0);

#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++)
        of[omp_get_thread_num()] = moving = k;
    show("moving", moving);

#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++) {
        const int me = omp_get_thread_num() + k % 4;
        of[me / 2] = me;
    }
    show("half of it", 0);

#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++) {
        int *at = k % 5 == 0 ? of : seen;
        at[omp_get_thread_num()] = k;
        at[1] = 3;
    }
    show("one of two arrays", 0);

#pragma omp parallel for num_threads(1)
    for (int k = 0; k < n; k++) {
        of[omp_get_thread_num()] = 5;
        flat[k] = of[0] + of[1];
        of[1] = 5;
    }
    show("read elements", 0);
    return 0;
}
